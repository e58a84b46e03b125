// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/watchers.hpp"

#include <algorithm>

namespace tierd {

void Watchers::add(Usec time, const std::map<std::string, CacheDevice>& caches, const Remembered& remembered, const std::string& boot) {
    std::erase_if(watched_, [&](const auto& each) { return !caches.contains(each.first); });
    Usec next = 10 * usec_per_second;
    for (const auto& [uuid, device] : caches) {
        auto& watched = watched_[uuid];
        if (device.status) {
            watched.hits.add(time, *device.status);
            watched.migration.add(time, *device.status);
            watched.full.add(time, *device.status);
            watched.dirty.add(time, *device.status);
            const auto before = remembered.find(uuid);
            watched.assumed.add(*device.status, before == remembered.end() ? nullptr : &before->second, boot);
            if (device.status->policy != cleaner_policy) {
                watched.drain.reset();
            } else {
                if (!watched.drain) watched.drain.emplace();
                watched.drain->add(time, *device.status);
            }
        }
        next = std::min(next, next_sample_after(watched.last, device.status, span_));
        watched.last = device.status;
    }
    span_ = next;
}

void Watchers::add_service(Usec time, const std::map<std::string, CacheService>& services) {
    for (const auto& [uuid, service] : services) {
        const auto found = watched_.find(uuid);
        if (found == watched_.end()) continue;
        if (found->second.drain) {
            found->second.service.pause();
        } else {
            found->second.service.add(time, service);
        }
    }
}

const Watchers::Watched* Watchers::of(const std::string& lv_uuid) const {
    const auto found = watched_.find(lv_uuid);
    return found == watched_.end() ? nullptr : &found->second;
}

std::set<std::string> Watchers::uuids() const {
    std::set<std::string> all;
    for (const auto& [uuid, watched] : watched_) all.insert(uuid);
    return all;
}

}  // namespace tierd
