// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/figures.hpp"
#include "client/find.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {
int verb_show(Context& context) {
    const auto found = find_objects(context, context.argument(0));
    const std::string& wanted = context.options().property;
    for (const Object& object : found)
        if (!wanted.empty() && !object.properties.map().contains(wanted))
            throw Error{ErrorCode::NoSuchTarget, object_name(object.path) + " has no property " + wanted};

    if (context.json()) {
        Value::List documents;
        for (const Object& object : found)
            documents.emplace_back(
                Value::Map{{"path", object.path},
                           {"interface", object.interface},
                           {"properties", wanted.empty() ? object.properties : Value{Value::Map{{wanted, object.properties[wanted]}}}}});
        context.show_json({{"objects", documents}});
        return exit_done;
    }
    Page page = context.page();
    for (const Object& object : found) {
        if (!wanted.empty()) {
            page.line(to_text(object.properties[wanted]));
            continue;
        }
        page.blank();
        if (context.legend()) page.line(object_name(object.path) + "  (" + object.path + ')', Style::Bold);
        for (const auto& [name, value] : object.properties.map()) page.line(name + '=' + to_text(value));
    }
    context.show(page);
    return exit_done;
}

}  // namespace tierd::client
