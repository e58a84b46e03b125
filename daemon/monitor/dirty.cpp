// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/dirty.hpp"

#include <algorithm>

#include "daemon/monitor/counters.hpp"

namespace tierd {

void DirtyWatch::add(Usec time, const CacheStatus& status) {
    // A lost cache has no counts: what was last known of it is what may be lost.
    if (!is_counted(status)) return;
    dirty_ = status.dirty_blocks * status.block_size;
    size_ = status.total_blocks * status.block_size;
    seen_ = time;
    if (*dirty_ == 0) {
        since_ = 0;
    } else if (since_ == 0) {
        since_ = time;
    }
}

DirtyWatch::Level DirtyWatch::level(const DirtyLimits& limits, CacheMode mode) const {
    if (!dirty_ || !size_ || *dirty_ == 0) return Level::Clean;
    if (mode != CacheMode::Writeback) return Level::Some;
    if (*dirty_ >= share_of(limits.critical, *size_)) return Level::Critical;
    if (*dirty_ >= share_of(limits.warn, *size_)) return Level::Warn;
    return Level::Some;
}

Usec next_sample_after(const std::optional<CacheStatus>& before, const std::optional<CacheStatus>& now, Usec last_span) {
    constexpr Usec shortest = 1 * usec_per_second;
    constexpr Usec longest = 10 * usec_per_second;
    const bool drains = now && now->policy == cleaner_policy && now->dirty_blocks > 0;
    const bool moving = drains || (before && now && before->dirty_blocks != now->dirty_blocks);
    return moving ? shortest : std::clamp(last_span * 2, shortest, longest);
}

}  // namespace tierd
