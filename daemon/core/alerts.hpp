// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "daemon/core/view.hpp"

namespace tierd {

/// One fact, one alert: what is true now is compared with what was said, and only the difference is said.
class AlertBook {
public:
    std::function<void(const AlertView&)> on_raised, on_cleared;

    /// Replaces the set of facts; since is kept for those that stay. Changed details alone are taken over in silence.
    void settle(std::vector<AlertView> facts, Usec now);
    [[nodiscard]] std::vector<AlertView> list() const;

private:
    std::map<std::pair<std::string, std::string>, AlertView> alerts_;
};

}  // namespace tierd
