// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/verbs.hpp"

namespace tierd::client {

int verb_pause(Context& context) {
    const std::string& group = context.argument(0);
    std::string why = context.options().why;
    if (why.empty())
        for (const std::string& word : context.options().command) why += (why.empty() ? "" : " ") + word;
    const auto pause = context.gateway().pause(group, why);
    context.note(group + " is paused: tierd changes nothing in it until the command has ended");
    return context.world().run_command(context.options().command);
}

}  // namespace tierd::client
