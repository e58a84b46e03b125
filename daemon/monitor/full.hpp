// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <optional>

#include "daemon/model/observation.hpp"
#include "daemon/monitor/window.hpp"

namespace tierd {

/// Whether a write-back cache is full, and writes go to the disk: nothing in it is free, and in the last minute most writes missed it; or
/// nearly all of it is dirty, so that there is nothing that it could give up, and writes missed it.
class FullWatch {
public:
    static constexpr Usec span = 60 * usec_per_second;

    void add(Usec time, const CacheStatus& status);
    [[nodiscard]] bool full() const;

private:
    struct Sums {
        std::uint64_t hits = 0, misses = 0;
    };
    Window<Sums> window_{span};
    std::optional<CacheStatus> last_;
};

}  // namespace tierd
