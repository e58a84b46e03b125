// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <optional>

#include "daemon/model/observation.hpp"
#include "daemon/monitor/window.hpp"

namespace tierd {

/// How many chunks a cache takes in and gives up a second, over the last five minutes.
class MigrationRates {
public:
    static constexpr Usec span = 300 * usec_per_second;

    void add(Usec time, const CacheStatus& status);
    /// nullopt: not known yet.
    [[nodiscard]] std::optional<double> promotions() const;
    [[nodiscard]] std::optional<double> demotions() const;

private:
    struct Sums {
        std::uint64_t promotions = 0, demotions = 0;
    };
    [[nodiscard]] std::optional<double> rate(std::uint64_t Sums::*sum) const;

    Window<Sums> window_{span};
    std::optional<CacheStatus> last_;
};

}  // namespace tierd
