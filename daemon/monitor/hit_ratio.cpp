// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/hit_ratio.hpp"

#include <algorithm>

#include "daemon/monitor/counters.hpp"

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

std::optional<double> ratio(std::uint64_t hits, std::uint64_t misses) {
    if (hits + misses == 0) return std::nullopt;
    return static_cast<double>(hits) / static_cast<double>(hits + misses);
}

}  // namespace

void HitRatios::add(Usec time, const CacheStatus& status) {
    if (!is_counted(status)) return;
    Sample sample;
    if (last_ && !samples_.empty()) {
        sample = samples_.back();
        const auto before = is_new_table(*last_, status) ? CacheStatus{} : *last_;
        sample.read_hits += growth(before.read_hits, status.read_hits);
        sample.read_misses += growth(before.read_misses, status.read_misses);
        sample.write_hits += growth(before.write_hits, status.write_hits);
        sample.write_misses += growth(before.write_misses, status.write_misses);
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
