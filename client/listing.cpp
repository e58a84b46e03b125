// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/listing.hpp"

namespace tierd::client {

int list_objects(Context& context, const std::string& member, const std::function<Table(const Value& state)>& table,
                 const std::string& if_empty) {
    const Value state = context.gateway().describe();
    if (context.json()) {
        context.show_json({{member, state[member].list()}});
        return exit_done;
    }
    Page page = context.page();
    const Table listed = table(state);
    if (!listed.empty())
        listed.show(page, context.legend(), context.options().full);
    else
        context.note(member + ": " + if_empty);
    context.show(page);
    return exit_done;
}

}  // namespace tierd::client
