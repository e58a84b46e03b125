// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/service/waiters.hpp"

#include <algorithm>

#include "dbus/service/objects.hpp"

namespace tierd::bus {
namespace {

constexpr std::size_t most_waiters = 256;
constexpr std::size_t most_waiters_of_one = 32;
/// Longer than any job, and far from the overflow of a deadline.
constexpr std::uint64_t longest_wait_usec = 365ULL * 24 * 3600 * usec_per_second;

}  // namespace

void answer_wait(const JobReply& reply, const JobView& job) {
    reply.values(bus_text(job.result), job_error_name(job), bus_text(job.error_message));
}

void Waiters::add(const Caller& caller, std::uint32_t job, std::uint64_t usec, JobReply reply) {
    const auto of_caller = [&](const Waiter& waiter) { return waiter.caller == caller.bus_name; };
    const auto already = static_cast<std::size_t>(std::count_if(waiters_.begin(), waiters_.end(), of_caller));
    if (waiters_.size() >= most_waiters || already >= most_waiters_of_one)
        throw Error{ErrorCode::LimitExceeded, "too many calls of Wait are open: " + std::to_string(waiters_.size())};
    const auto waiter = waiters_.insert(waiters_.end(), Waiter{caller.bus_name, job, std::move(reply)});
    const auto span = Duration{static_cast<Duration::rep>(std::min(usec, longest_wait_usec))};
    waiter->timer = loop_.after(span, [this, waiter] {
        waiter->reply.values("", "", "");
        waiters_.erase(waiter);
    });
}

void Waiters::finished(const JobView& job) {
    for (const Waiter& waiter : waiters_) {
        if (waiter.job == job.id) answer_wait(waiter.reply, job);
    }
    waiters_.remove_if([&](const Waiter& waiter) { return waiter.job == job.id; });
}

void Waiters::vanished(const std::string& bus_name) {
    waiters_.remove_if([&](const Waiter& waiter) { return waiter.caller == bus_name; });
}

}  // namespace tierd::bus
