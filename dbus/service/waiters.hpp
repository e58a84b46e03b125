// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <list>
#include <string>

#include "daemon/core/view.hpp"
#include "dbus/sdbus_compat.hpp"
#include "dbus/service/guard.hpp"
#include "systemd/loop.hpp"

namespace tierd::bus {

using JobReply = Reply<std::string, std::string, std::string>;

/// Calls of Job.Wait that are not answered yet.
class Waiters {
public:
    explicit Waiters(Loop& loop) : loop_{loop} {}
    /// Answers when finished() is told of that job, or with an empty result when the time has passed. Error{LimitExceeded}.
    void add(const Caller& caller, std::uint32_t job, std::uint64_t usec, JobReply reply);
    void finished(const JobView& job);
    void vanished(const std::string& bus_name);

private:
    struct Waiter {
        std::string caller;
        std::uint32_t job = 0;
        JobReply reply;
        Watch timer = {};
    };
    Loop& loop_;
    std::list<Waiter> waiters_;
};

/// The answer to Wait of a job that has ended.
void answer_wait(const JobReply& reply, const JobView& job);

}  // namespace tierd::bus
