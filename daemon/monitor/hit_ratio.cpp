// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/hit_ratio.hpp"

#include <algorithm>

namespace tierd {

namespace {

constexpr Usec day = 86'400 * usec_per_second;
constexpr Usec hour = 3'600 * usec_per_second;

/// Distance between kept samples: fine for the last minutes, coarse for the day.
constexpr Usec spacing(Usec age) {
    if (age <= 5 * 60 * usec_per_second) return 5 * usec_per_second;
    if (age <= hour) return 60 * usec_per_second;
    return 15 * 60 * usec_per_second;
}

/// The 32-bit counters wrap, and start at zero with each new table. More requests than this between two samples (27 million a second)
/// were none: it is a new table, for all four counters.
bool starts_anew(const CacheStatus& before, const CacheStatus& now) {
    constexpr std::uint32_t most = 1U << 28U;
    return now.read_hits - before.read_hits > most || now.read_misses - before.read_misses > most ||
           now.write_hits - before.write_hits > most || now.write_misses - before.write_misses > most;
}

std::optional<double> ratio(std::uint64_t hits, std::uint64_t misses) {
    if (hits + misses == 0) return std::nullopt;
    return static_cast<double>(hits) / static_cast<double>(hits + misses);
}

}  // namespace

void HitRatios::add(Usec time, const CacheStatus& status) {
    if (status.health == CacheStatus::Health::Error || status.health == CacheStatus::Health::Failed) return;  // it has no counts
    Sample sample;
    if (last_ && !samples_.empty()) {
        sample = samples_.back();
        const auto before = starts_anew(*last_, status) ? CacheStatus{} : *last_;
        sample.read_hits += std::uint32_t{status.read_hits - before.read_hits};
        sample.read_misses += std::uint32_t{status.read_misses - before.read_misses};
        sample.write_hits += std::uint32_t{status.write_hits - before.write_hits};
        sample.write_misses += std::uint32_t{status.write_misses - before.write_misses};
    }
    sample.time = time;
    last_ = status;
    // A clock that was set back makes the old samples meaningless.
    if (!samples_.empty() && time < samples_.back().time) samples_.clear();
    samples_.push_back(sample);
    while (samples_.size() > 1 && samples_[1].time + day <= time) samples_.pop_front();
    std::deque<Sample> kept;
    for (const auto& each : samples_) {
        const bool last = &each == &samples_.back();
        if (!last && !kept.empty() && each.time - kept.back().time < spacing(time - each.time)) continue;
        kept.push_back(each);
    }
    samples_ = std::move(kept);
}

HitRatios::Ratio HitRatios::over(Usec window) const {
    if (samples_.size() < 2) return {};
    const auto& now = samples_.back();
    const auto begin = std::find_if(samples_.begin(), samples_.end(), [&](const Sample& each) { return each.time + window >= now.time; });
    const auto& then = &*begin == &now ? *(begin - 1) : *begin;
    return {ratio(now.read_hits - then.read_hits, now.read_misses - then.read_misses),
            ratio(now.write_hits - then.write_hits, now.write_misses - then.write_misses)};
}

}  // namespace tierd
