// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/verbs.hpp"

namespace tierd::client {

int verb_thaw(Context& context) {
    const std::string& what = context.argument(0);
    context.gateway().thaw(what);
    if (context.json()) {
        context.show_json({{"thawed", what}});
    } else if (!context.options().quiet) {
        Page page = context.page();
        page.line(what + " is thawed: tierd tries it again. `tierctl watch` shows how it goes.");
        context.show(page);
    }
    return exit_done;
}

}  // namespace tierd::client
