// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <deque>
#include <utility>

#include "daemon/model/units.hpp"

namespace tierd {

/// The samples of the last span: the newest, and before it some sixty at most, however often one is added.
template <typename Sample>
class Window {
public:
    explicit Window(Usec span) : span_{span} {}

    void add(Usec time, Sample sample) {
        // What was measured before a clock was set back says nothing.
        if (!samples_.empty() && time < samples_.back().first) samples_.clear();
        const bool close = samples_.size() > 1 && samples_.back().first - samples_[samples_.size() - 2].first < span_ / 60;
        if (close) samples_.pop_back();
        samples_.emplace_back(time, std::move(sample));
        while (samples_.size() > 2 && samples_[1].first + span_ <= time) samples_.pop_front();
    }
    void clear() { samples_.clear(); }
    [[nodiscard]] bool empty() const { return samples_.empty(); }
    [[nodiscard]] std::size_t size() const { return samples_.size(); }
    [[nodiscard]] const Sample& first() const { return samples_.front().second; }
    [[nodiscard]] const Sample& last() const { return samples_.back().second; }
    /// Between the first and the last.
    [[nodiscard]] Usec covers() const { return samples_.empty() ? 0 : samples_.back().first - samples_.front().first; }

private:
    Usec span_;
    std::deque<std::pair<Usec, Sample>> samples_;
};

}  // namespace tierd
