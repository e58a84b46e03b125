// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/counters.hpp"

#include <algorithm>
#include <array>

namespace tierd {

bool is_counted(const CacheStatus& status) {
    return status.health != CacheStatus::Health::Error && status.health != CacheStatus::Health::Failed;
}

bool is_new_table(const CacheStatus& before, const CacheStatus& now) {
    using Counters = std::array<std::uint64_t, 6>;
    const auto counters = [](const CacheStatus& status) {
        return Counters{status.read_hits, status.read_misses, status.write_hits, status.write_misses, status.promotions, status.demotions};
    };
    const Counters old = counters(before);
    const Counters current = counters(now);
    // More than this between two samples (27 million a second) were no requests.
    constexpr std::uint32_t most = 1U << 28U;
    unsigned fell = 0;
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (growth(old[i], current[i]) > most) return true;
        if (current[i] < old[i]) ++fell;
    }
    // Counters just below their wrap fall by little at a new table, too; but no three of them wrap in one moment.
    return fell > 2;
}

}  // namespace tierd
