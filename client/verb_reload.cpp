// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/problems.hpp"
#include "client/verbs.hpp"

namespace tierd::client {

int verb_reload(Context& context) {
    const auto problems = context.gateway().reload();
    const bool ok = !any_error(problems);
    if (context.json()) {
        context.show_json({{"ok", ok}, {"problems", problems_value(problems)}});
        return ok ? exit_done : exit_failed;
    }
    Page page = context.page();
    show_problems(page, problems);
    if (!context.options().quiet) {
        if (ok)
            page.line("The policy is in force. `tierctl plan` shows what follows from it.", Style::Good);
        else
            page.line(problem_count(problems) + "; what is at fault is not in force, and nothing is taken away because of it.");
    }
    context.show(page);
    return ok ? exit_done : exit_failed;
}

}  // namespace tierd::client
