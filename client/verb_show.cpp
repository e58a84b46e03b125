// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "client/figures.hpp"
#include "client/text.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {
namespace {

/// What a person may call an object: its path, "tier/media", "media", its volume, its node, its serial.
std::vector<std::string> names_of(const Object& object) {
    std::vector<std::string> names{object.path, object_name(object.path), short_name(object.path)};
    for (const char* property : {"Volume", "Path", "Identity", "Serial", "Wwn", "Policy", "Uuid"})
        if (const std::string& name = object.properties[property].text(); !name.empty()) names.push_back(name);
    if (const std::string& path = object.properties["Path"].text(); path.starts_with("/dev/")) names.push_back(path.substr(5));
    if (object.interface == "Manager") names.emplace_back("manager");
    return names;
}

std::vector<Object> find(const std::vector<Object>& objects, const std::string& wanted) {
    std::vector<Object> found;
    std::vector<std::string> all;
    for (const Object& object : objects) {
        const auto names = names_of(object);
        if (std::find(names.begin(), names.end(), wanted) != names.end()) found.push_back(object);
        all.insert(all.end(), names.begin(), names.end());
    }
    if (found.empty()) {
        const std::string near = nearest(wanted, all);
        throw Error{ErrorCode::NoSuchTarget,
                    "no object of tierd is called " + wanted +
                        (near.empty() ? "; `tierctl devices` and `tierctl tiers` list them" : "; did you mean " + near + "?")};
    }
    return found;
}

}  // namespace

int verb_show(Context& context) {
    const auto found = find(context.gateway().objects(), context.argument(0));
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
