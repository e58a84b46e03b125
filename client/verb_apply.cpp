// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <ostream>

#include "client/follow.hpp"
#include "client/plan_page.hpp"
#include "client/verbs.hpp"

namespace tierd::client {
namespace {

int nothing_to_do(Context& context, const PlanReply& plan, const PlanSummary& summary) {
    if (context.json()) {
        context.show_json({{"plan", plan.id}, {"job", Value{}}, {"result", "nothing-to-do"}});
        return exit_done;
    }
    Page page = context.page();
    if (plan.steps.empty())
        page.line("Nothing to do: the machine is as the policy says.", Style::Good);
    else if (summary.refused + summary.unsupported > 0)
        page.line("Nothing that may be done: the steps above are refused or waited for.");
    else
        page.line("Nothing to do until what is waited for comes true.");
    context.show(page);
    return exit_done;
}

}  // namespace

int verb_apply(Context& context) {
    Gateway& gateway = context.gateway();
    World& world = context.world();
    const PlanReply plan = gateway.plan();
    const PlanSummary summary = summarize(plan);
    const bool quiet = context.options().quiet || context.json();
    if (!quiet && !plan.steps.empty()) {
        Page page = context.page();
        show_plan(page, plan, false);
        world.out << page.text() << std::flush;  // never paged: the work is about to begin
    }
    if (summary.to_do() == 0) return nothing_to_do(context, plan, summary);

    gateway.subscribe();
    const Usec begun = world.now();
    const std::string path = gateway.apply(plan.id);
    return see_job_through(context, path, begun, {{"plan", plan.id}});
}

}  // namespace tierd::client
