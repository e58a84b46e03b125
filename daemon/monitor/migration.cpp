// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/migration.hpp"

#include "daemon/monitor/counters.hpp"

namespace tierd {

void MigrationRates::add(Usec time, const CacheStatus& status) {
    if (!is_counted(status)) return;
    Sums sums;
    if (last_ && !window_.empty()) {
        const auto before = is_new_table(*last_, status) ? CacheStatus{} : *last_;
        sums = window_.last();
        sums.promotions += growth(before.promotions, status.promotions);
        sums.demotions += growth(before.demotions, status.demotions);
    }
    window_.add(time, sums);
    last_ = status;
}

std::optional<double> MigrationRates::promotions() const {
    return rate(&Sums::promotions);
}

std::optional<double> MigrationRates::demotions() const {
    return rate(&Sums::demotions);
}

std::optional<double> MigrationRates::rate(std::uint64_t Sums::*sum) const {
    if (window_.covers() == 0) return std::nullopt;
    return static_cast<double>(window_.last().*sum - window_.first().*sum) * static_cast<double>(usec_per_second) /
           static_cast<double>(window_.covers());
}

}  // namespace tierd
