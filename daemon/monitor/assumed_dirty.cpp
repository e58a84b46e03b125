// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/assumed_dirty.hpp"

#include <algorithm>
#include <utility>

#include "daemon/monitor/counters.hpp"

namespace tierd {

namespace {

/// More than was known, by a tenth of the cache: so much does not become dirty between the last look and a stop.
bool jumped(Bytes dirty, const CacheStatus& status, const LastSeen& before) {
    return dirty > before.dirty + status.total_blocks * status.block_size / 10;
}

/// While the cleaner runs, the kernel says write-through of a write-back cache, too.
bool never_dirty(const CacheStatus& status) {
    return status.policy != cleaner_policy && !status.mode.empty() && status.mode != name_of(CacheMode::Writeback);
}

}  // namespace

void AssumedDirty::add(const CacheStatus& status, const LastSeen* before, const std::string& boot) {
    if (!is_counted(status)) return;
    dirty_ = status.dirty_blocks * status.block_size;
    const bool first = !std::exchange(looked_, true);
    if (first && before != nullptr) {
        const bool crashed = before->boot != boot && jumped(dirty_, status, *before);
        // Of an assumption nothing but the rest is left.
        const bool goes_on = before->assumed && before->boot == boot && dirty_ <= before->dirty;
        if (crashed) known_ = before->dirty;
        if (crashed || goes_on) most_ = dirty_;
    }
    if (never_dirty(status)) {
        known_ = 0;
        most_ = std::max(most_, dirty_);
    }
    if (most_ > 0) most_ = std::max(most_, dirty_);
    if (dirty_ <= known_) most_ = known_ = 0;
}

std::optional<double> AssumedDirty::progress() const {
    if (most_ == 0) return std::nullopt;
    return static_cast<double>(most_ - dirty_) / static_cast<double>(most_ - known_);
}

}  // namespace tierd
