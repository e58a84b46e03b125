// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/plan_page.hpp"
#include "client/verbs.hpp"

namespace tierd::client {
namespace {

std::string closing_line(const PlanSummary& summary, bool observe_only) {
    std::string line;
    if (observe_only && summary.to_do() > 0) return line;
    if (summary.refused + summary.unsupported == 0 && summary.to_do() > 0) line = "Nothing is refused. ";
    if (summary.to_do() == 0 && summary.waiting > 0) line += "Nothing to do until what is waited for comes true. ";
    if (summary.automatic > 0 && summary.by_person == 0) line += "Run `tierctl apply`, or leave it: tierd does it by itself. ";
    if (summary.automatic == 0 && summary.by_person > 0) line += "tierd does not do this by itself: run `tierctl apply`. ";
    if (summary.automatic > 0 && summary.by_person > 0)
        line += "What waits for a person is done by `tierctl apply`; tierd does the rest by itself. ";
    if (summary.refused > 0) line += "What is refused stays as it is; `tierctl explain TARGET` gives the evidence. ";
    if (summary.unsupported > 0) line += "What this version cannot do is left alone. ";
    return line;
}

}  // namespace

int verb_plan(Context& context) {
    const PlanReply plan = context.gateway().plan();
    const PlanSummary summary = summarize(plan);
    const int status = context.options().detailed_exitcode && summary.to_do() > 0 ? exit_steps_pending : exit_done;
    if (context.json()) {
        context.show_json({{"id", plan.id}, {"generation", plan.generation}, {"steps", plan.steps}});
        return status;
    }
    Page page = context.page();
    show_plan(page, plan, context.options().commands);
    if (plan.steps.empty()) {
        page.line("Nothing to do: the machine is as the policy says.", Style::Good);
    } else if (context.legend() && !context.options().quiet) {
        const Value manager = context.gateway().properties("/org/tierd1", "Manager");
        page.paragraph(0, closing_line(summary, manager["ObserveOnly"].flag()));
        if (summary.to_do() > 0) show_hindrances(page, manager);
        if (!context.options().commands && summary.to_do() > 0)
            page.paragraph(0, "`tierctl plan --commands` shows the commands.", Style::Dim);
    }
    context.show(page);
    return status;
}

}  // namespace tierd::client
