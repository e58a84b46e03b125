// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/problems.hpp"
#include "client/verbs.hpp"

namespace tierd::client {

int verb_reload(Context& context) {
    const auto problems = context.gateway().reload();
    const Value manager = context.gateway().properties("/org/tierd1", "Manager");
    const bool ok = !any_error(problems), kept = manager["PolicyKept"].flag();
    if (context.json()) {
        context.show_json({{"ok", ok}, {"kept", kept}, {"problems", problems_value(problems)}});
        return ok ? exit_done : exit_failed;
    }
    Page page = context.page();
    show_problems(page, problems);
    if (!context.options().quiet) {
        page.line(
            in_force_sentence(problems, kept, manager["PolicyLoadedUSec"]) + (kept ? "" : " `tierctl plan` shows what follows from it."),
            ok ? Style::Good : Style::Plain);
    }
    context.show(page);
    return ok ? exit_done : exit_failed;
}

}  // namespace tierd::client
