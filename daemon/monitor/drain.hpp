// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "daemon/model/observation.hpp"

namespace tierd {

/// How a cache whose policy is the cleaner becomes clean. Times in µs (CLOCK_REALTIME), sizes in bytes.
class DrainWatch {
public:
    /// A drain that got nothing written in so long stands still.
    static constexpr Usec stall_span = 60 * usec_per_second;

    /// A writecache that was not clean and moved nothing for so long has to be told again (seen under a thick snapshot, Linux 6.1: its last
    /// block stays until its table is loaded anew).
    static constexpr Usec rest_span = 20 * usec_per_second;

    void add(Usec time, const CacheStatus& status);
    [[nodiscard]] Bytes total() const { return total_; }  ///< what was dirty at most since it began
    [[nodiscard]] Bytes left() const { return samples_.empty() ? 0 : samples_.back().dirty; }
    [[nodiscard]] Bytes done() const { return total_ - left(); }
    /// Over the last half minute; nullopt: not known yet.
    [[nodiscard]] std::optional<double> bytes_per_second() const;
    [[nodiscard]] std::optional<Usec> expected_end() const;
    /// Why nothing has been written back for stall_span, in a sentence for people; "" while it goes on, and when it is clean.
    [[nodiscard]] std::string stalled() const;
    [[nodiscard]] bool at_rest() const;

private:
    struct Sample {
        Usec time = 0;
        Bytes dirty = 0;
        std::uint32_t write_hits = 0;
    };
    std::deque<Sample> samples_;  ///< of the last half minute, and the one before
    Bytes total_ = 0;
    Bytes least_ = 0;       ///< the least that was dirty so far
    Usec least_since_ = 0;  ///< when it was first that little
    Usec moved_at_ = 0;     ///< when something was on its way last, or the count changed
    bool written_to_ = false;
    std::optional<CacheStatus> last_;
};

}  // namespace tierd
