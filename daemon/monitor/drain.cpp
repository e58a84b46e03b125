// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/drain.hpp"

#include <algorithm>

#include "daemon/monitor/counters.hpp"

namespace tierd {

namespace {

constexpr Usec rate_span = 30 * usec_per_second;

}  // namespace

void DrainWatch::add(Usec time, const CacheStatus& status) {
    if (!is_counted(status)) return;
    const Bytes dirty = status.dirty_blocks * status.block_size;
    // A clock that was set back: what was measured before says nothing.
    if (!samples_.empty() && time < samples_.back().time) samples_.clear();
    if (samples_.empty() || samples_.back().dirty != dirty || status.moving_blocks != std::uint64_t{0}) moved_at_ = time;
    if (samples_.empty() || dirty < least_) {
        least_ = dirty;
        least_since_ = time;
        written_to_ = false;
    }
    written_to_ = written_to_ || (!samples_.empty() && samples_.back().write_hits != status.write_hits);
    total_ = std::max(total_, dirty);
    samples_.push_back({time, dirty, status.write_hits});
    while (samples_.size() > 2 && samples_[1].time + rate_span <= time) samples_.pop_front();
    last_ = status;
}

std::optional<double> DrainWatch::bytes_per_second() const {
    if (samples_.size() < 2) return std::nullopt;
    const auto& first = samples_.front();
    const auto& last = samples_.back();
    if (last.time == first.time || last.dirty >= first.dirty) return std::nullopt;
    return static_cast<double>(first.dirty - last.dirty) * static_cast<double>(usec_per_second) /
           static_cast<double>(last.time - first.time);
}

std::optional<Usec> DrainWatch::expected_end() const {
    const auto rate = bytes_per_second();
    if (!rate) return std::nullopt;
    const double seconds = static_cast<double>(left()) / *rate;
    // Longer than a year is no forecast.
    if (seconds > 365.0 * 86'400) return std::nullopt;
    return samples_.back().time + static_cast<Usec>(seconds * static_cast<double>(usec_per_second));
}

bool DrainWatch::at_rest() const {
    return left() != 0 && samples_.back().time >= moved_at_ + rest_span;
}

std::string DrainWatch::stalled() const {
    if (samples_.empty() || left() == 0 || samples_.back().time < least_since_ + stall_span) return "";
    const auto threshold = migration_threshold(*last_);
    if (threshold && *threshold < last_->block_size) {
        return "migration_threshold is " + format_size(*threshold) + ", less than one chunk of " + format_size(last_->block_size) +
               ", so nothing can be written back: settings: {migration_threshold: " + std::to_string(8 * last_->block_size / sector) +
               "} lets it";
    }
    if (written_to_) return "the volume is written to as fast as its disks take it";
    return "the volume's disks take no writes: look for their errors in the kernel's log";
}

}  // namespace tierd
