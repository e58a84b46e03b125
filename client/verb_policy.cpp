// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/problems.hpp"
#include "client/verbs.hpp"

namespace tierd::client {

int verb_policy(Context& context) {
    const Value state = context.gateway().describe();
    if (context.json()) {
        context.show_json({{"files", state["policy_files"].list()},
                           {"problems", state["policy_problems"].list()},
                           {"changed", state["policy_changed"].flag()},
                           {"kept", state["policy_kept"].flag()},
                           {"loaded", state["policy_loaded"]},
                           {"frozen", state["frozen"].map()}});
        return exit_done;
    }
    Page page = context.page();
    const auto problems = problems_of(state["policy_problems"]);
    if (context.legend()) page.line("FILES IN FORCE", Style::Bold);
    for (const Value& file : state["policy_files"].list()) page.line("  " + file.text());
    if (state["policy_files"].list().empty())
        page.line("  none: tierd only watches and reports. Put a file into /etc/tierd, see tierd.yaml(5).");
    if (state["policy_changed"].flag())
        page.line("  The files have changed since: `tierctl check` checks them, `tierctl reload` puts them in force.", Style::Warning);
    if (!problems.empty()) {
        if (context.legend()) page.line("PROBLEMS", Style::Bold);
        show_problems(page, problems);
        if (any_error(problems)) page.paragraph(2, in_force_sentence(problems, state["policy_kept"].flag(), state["policy_loaded"]));
    }
    if (!state["frozen"].map().empty()) {
        if (context.legend()) page.line("FROZEN", Style::Bold);
        for (const auto& [what, why] : state["frozen"].map()) page.paragraph(2, frozen_sentence(what, why.text()), Style::Warning);
    }
    context.show(page);
    return exit_done;
}

}  // namespace tierd::client
