// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/report.hpp"

#include <utility>

namespace tierd::config {

void Report::error(Spot spot, std::string text) {
    ++errors_;
    if (problems_.size() < limit) problems_.push_back({Severity::Error, place(spot), std::move(text)});
}

std::vector<Problem> Report::problems() const {
    auto all = problems_;
    if (errors_ > limit)
        all.push_back({Severity::Error, place({}), "and " + std::to_string(errors_ - limit) + " problems more in this file"});
    return all;
}

}  // namespace tierd::config
