// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "daemon/model/observation.hpp"
#include "daemon/monitor/assumed_dirty.hpp"
#include "daemon/monitor/dirty.hpp"
#include "daemon/monitor/drain.hpp"
#include "daemon/monitor/full.hpp"
#include "daemon/monitor/hit_ratio.hpp"
#include "daemon/monitor/migration.hpp"
#include "daemon/monitor/service_time.hpp"

namespace tierd {

/// What is followed of each cache between two observations, by the UUID of the cached LV.
class Watchers {
public:
    using Remembered = std::map<std::string, LastSeen>;
    /// Takes a round of samples over; forgets the caches that are gone. remembered: how they were seen last; boot: the boot id of now.
    void add(Usec time, const std::map<std::string, CacheDevice>& caches, const Remembered& remembered = {}, const std::string& boot = "");
    /// What the devices of the caches that are followed have served.
    void add_service(Usec time, const std::map<std::string, CacheService>& services);

    struct Watched {
        HitRatios hits;
        MigrationRates migration;
        FullWatch full;
        ServiceWatch service;
        DirtyWatch dirty;
        AssumedDirty assumed;
        std::optional<DrainWatch> drain;  ///< while its policy is the cleaner
        std::optional<CacheStatus> last;
    };
    [[nodiscard]] const Watched* of(const std::string& lv_uuid) const;
    [[nodiscard]] Usec next_span() const { return span_; }
    [[nodiscard]] std::set<std::string> uuids() const;

private:
    std::map<std::string, Watched> watched_;
    Usec span_ = usec_per_second;
};

}  // namespace tierd
