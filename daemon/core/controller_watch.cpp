// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "daemon/core/controller_impl.hpp"

namespace tierd {

namespace {

/// Means over five minutes need no more.
constexpr Usec service_span = 10 * usec_per_second;

}  // namespace

void Controller::Impl::sample() {
    sample_timer.reset();
    if (!observed || stopping) return;
    const auto uuids = watchers.uuids();
    if (uuids.empty()) return;
    const auto samples = machine.sample(uuids);
    bool other = false;
    for (const auto& [uuid, device] : samples) {
        auto& known = observed->caches[uuid];
        const bool same =
            known.status.has_value() == device.status.has_value() && (!known.status || known.status->health == device.status->health);
        // A suspend makes no event. What becomes clean may be waited for.
        const bool clean = device.status && device.status->dirty_blocks == 0;
        const bool was_clean = known.status && known.status->dirty_blocks == 0;
        other = other || !same || known.suspended != device.suspended || (clean && !was_clean);
        known.status = device.status;
        known.suspended = device.suspended;
    }
    watchers.add(wall_now(), observed->caches, memory.all(), observed->boot);
    look_at_service();
    remember();
    // What a step does on its way is no news, and a look would take LVM's lock from it.
    if (other) schedule_pass(runs.empty() ? 0 : busy_span);
    follow_drains();
    settle_alerts();
    say_changed();
    sample_timer = loop.after(Duration{watchers.next_span()}, [this] { sample(); });
}

void Controller::Impl::look_at_service() {
    if (last_service != 0 && steady_now() - last_service < service_span) return;
    last_service = steady_now();
    watchers.add_service(wall_now(), machine.service(watchers.uuids()));
}

void Controller::Impl::remember() {
    for (const auto& uuid : watchers.uuids()) {
        const auto& watched = *watchers.of(uuid);
        if (watched.dirty.dirty())
            memory.see(uuid, {*watched.dirty.dirty(), watched.dirty.seen(), observed->boot, watched.assumed.assumed()});
    }
    if (observed->lvm) {
        for (const auto& volume : observed->lvm->lvs) {
            if (!volume.is_cached()) memory.forget(volume.uuid);
        }
    }
    memory.save_when_due(steady_now());
}

void Controller::Impl::await_arrivals() {
    if (!observed->lvm) return;
    std::set<std::string> incomplete;
    for (const auto& group : observed->lvm->groups) {
        if (group.missing_pvs > 0) incomplete.insert(group.name);
    }
    if (arriving) {
        std::erase_if(*arriving, [&](const std::string& group) { return !incomplete.contains(group); });
        return;
    }
    arriving = std::move(incomplete);
    arrival_timer = loop.after(Duration{options.arrival_span}, [this] {
        arriving->clear();
        settle_alerts();
        say_changed();
    });
}

}  // namespace tierd
