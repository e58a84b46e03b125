// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <ostream>

#include "client/figures.hpp"
#include "client/follow.hpp"
#include "client/plan_page.hpp"
#include "client/text.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {
namespace {

/// org.tierd1.Error.ToolFailed -> ToolFailed.
std::string last_word(const std::string& name) {
    return name.substr(name.rfind('.') + 1);
}

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
    const std::string spoken = "job " + short_name(path);
    if (context.options().no_block) {
        if (context.json())
            context.show_json({{"plan", plan.id}, {"job", path}, {"result", "started"}});
        else if (!quiet)
            world.out << printable(spoken) << " has begun. `tierctl jobs` shows it, `tierctl watch` follows it." << std::endl;
        return exit_done;
    }

    const JobResult end = follow_job(context, path);
    if (context.json()) {
        context.show_json({{"plan", plan.id},
                           {"job", path},
                           {"result", end.result.empty() ? "running" : end.result},
                           {"error", last_word(end.error)},
                           {"message", end.message}});
    }
    if (end.result.empty()) {
        if (world.terminal.err_is_tty && !quiet) world.err << '\n';  // behind the ^C
        context.note(spoken + " goes on. `tierctl jobs` shows it, `tierctl watch` follows it.");
        return exit_interrupted;
    }
    if (end.result == "failed") throw Error{error_code(last_word(end.error)), spoken + ": " + end.message};
    if (end.result == "canceled")
        throw Error{ErrorCode::Canceled, spoken + " was called off; what was done by then stays, and nothing is half done"};
    if (!quiet) world.out << printable(spoken) << ": done in " << format_span(world.now() - begun) << std::endl;
    return exit_done;
}

}  // namespace tierd::client
