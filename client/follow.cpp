// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/follow.hpp"

#include <ostream>

#include "client/figures.hpp"
#include "client/interrupt.hpp"
#include "client/progress.hpp"
#include "client/text.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {

JobResult follow_job(Context& context, const std::string& path) {
    Gateway& gateway = context.gateway();
    const Interrupt interrupt;
    const World& world = context.world();
    Progress progress{world.err, world.terminal, context.options().quiet || context.json()};
    Value::Map job = gateway.properties(path, "Job").map();
    progress.update(job, world.now());
    // A job of nothing but quick steps has ended before its properties were read.
    if (const Value known{job}; known["State"].text() == "finished")
        return {known["Result"].text(), known["ErrorName"].text(), known["ErrorMessage"].text()};

    while (const auto event = gateway.next_event(interrupt.fd())) {
        if (event->kind == Event::Kind::DaemonGone)
            throw Error{ErrorCode::NotRunning,
                        "tierd went away while it worked; nothing is lost: started again, it carries on from what is on the disks"};
        if (event->path != path) continue;
        if (event->kind == Event::Kind::JobRemoved)
            return {event->details["result"].text(), event->details["error"].text(), event->details["message"].text()};
        if (event->kind == Event::Kind::Changed) {
            for (const auto& [name, value] : event->details.map()) job[name] = value;
            progress.update(job, world.now());
        }
    }
    return {};
}

int see_job_through(Context& context, const std::string& path, Usec begun, Value::Map document) {
    const World& world = context.world();
    const bool quiet = context.options().quiet || context.json();
    const std::string spoken = "job " + short_name(path);
    document["job"] = path;
    if (context.options().no_block) {
        document["result"] = "started";
        if (context.json())
            context.show_json(std::move(document));
        else if (!quiet)
            world.out << printable(spoken) << " has begun. `tierctl jobs` shows it, `tierctl watch` follows it." << std::endl;
        return exit_done;
    }
    const JobResult end = follow_job(context, path);
    const std::string error = end.error.substr(end.error.rfind('.') + 1);  // org.tierd1.Error.ToolFailed -> ToolFailed
    if (context.json()) {
        document["result"] = end.result.empty() ? "running" : end.result;
        document["error"] = error;
        document["message"] = end.message;
        context.show_json(std::move(document));
    }
    if (end.result.empty()) {
        if (world.terminal.err_is_tty && !quiet) world.err << '\n';  // behind the ^C
        context.note(spoken + " goes on. `tierctl jobs` shows it, `tierctl watch` follows it.");
        return exit_interrupted;
    }
    if (end.result == "failed") throw Error{error_code(error), spoken + ": " + end.message};
    if (end.result == "canceled")
        throw Error{ErrorCode::Canceled, spoken + " was called off; what was done by then stays, and nothing is half done"};
    if (!quiet) world.out << printable(spoken) << ": done in " << format_span(world.now() - begun) << std::endl;
    return exit_done;
}

}  // namespace tierd::client
