// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/patience.hpp"

namespace tierd {

namespace {

void drop_old(std::deque<Usec>& times, Usec now) {
    while (!times.empty() && times.front() + Patience::memory <= now) times.pop_front();
}

}  // namespace

bool Patience::may_run(const std::string& group, const std::string& step, Usec now) {
    auto& times = runs_[{group, step}];
    drop_old(times, now);
    if (times.size() >= most_runs) return false;
    times.push_back(now);
    return true;
}

Usec Patience::failed(const std::string& group, const std::string& step) {
    const unsigned count = ++failures_[{group, step}];
    if (count >= most_failures) return 0;
    // 1 s, 4 s, 16 s
    return first_wait_ << 2 * (count - 1);
}

void Patience::succeeded(const std::string& group) {
    std::erase_if(failures_, [&](const auto& each) { return each.first.first == group; });
}

void Patience::forget(const std::string& group) {
    const auto of_group = [&](const auto& each) { return each.first.first == group; };
    std::erase_if(runs_, of_group);
    std::erase_if(failures_, of_group);
}

}  // namespace tierd
