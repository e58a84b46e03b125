// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/full.hpp"

#include "daemon/monitor/counters.hpp"

namespace tierd {

void FullWatch::add(Usec time, const CacheStatus& status) {
    const bool can_be_full = is_counted(status) && status.mode == name_of(CacheMode::Writeback) && status.total_blocks > 0 &&
                             status.used_blocks == status.total_blocks;
    // Only what missed a cache that had nothing free counts.
    if (!can_be_full || (last_ && is_new_table(*last_, status))) window_.clear();
    if (can_be_full) {
        Sums sums;
        if (!window_.empty()) {
            sums = window_.last();
            sums.hits += growth(last_->write_hits, status.write_hits);
            sums.misses += growth(last_->write_misses, status.write_misses);
        }
        window_.add(time, sums);
    }
    last_ = status;
}

bool FullWatch::full() const {
    if (window_.empty()) return false;
    const auto hits = window_.last().hits - window_.first().hits;
    const auto misses = window_.last().misses - window_.first().misses;
    const bool all_dirty = last_->dirty_blocks >= last_->total_blocks - last_->total_blocks / 20;
    return misses > (all_dirty ? 0 : hits);
}

}  // namespace tierd
