// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/follow.hpp"

#include "client/interrupt.hpp"
#include "client/progress.hpp"
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

}  // namespace tierd::client
