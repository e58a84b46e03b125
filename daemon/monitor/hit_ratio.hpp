// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "daemon/model/observation.hpp"

namespace tierd {

/// Hit ratios of a cache over the last minute, five minutes, hour and day, out of the kernel's 32-bit counters, which
/// wrap, and start anew at each load of a table. Pure: the samples bring their time. Memory is bounded (a few hundred samples a tier).
class HitRatios {
public:
    struct Ratio {
        std::optional<double> read, write;  ///< 0 to 1; nullopt: no such request in the window
    };
    void add(Usec time, const CacheStatus& status);
    [[nodiscard]] Ratio over(Usec window) const;
    [[nodiscard]] std::size_t kept() const { return samples_.size(); }

private:
    struct Sample {
        Usec time = 0;
        std::uint64_t read_hits = 0, read_misses = 0, write_hits = 0, write_misses = 0;  // summed up, never wrapping
    };
    std::deque<Sample> samples_;
    std::optional<CacheStatus> last_;
};

}  // namespace tierd
