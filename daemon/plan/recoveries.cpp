// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/recoveries.hpp"

#include <algorithm>

#include "daemon/model/identity.hpp"
#include "daemon/model/request.hpp"

namespace tierd {

namespace {

bool has_failed(const LogicalVolume& volume, const Observation& observation) {
    const auto device = observation.caches.find(volume.uuid);
    if (device == observation.caches.end() || !device->second.status) return false;
    const auto health = device->second.status->health;
    return health == CacheStatus::Health::Error || health == CacheStatus::Health::Failed;
}

/// LVM counts it out, and it is there.
bool is_back(const LogicalVolume& volume, const Lvm& lvm) {
    return std::any_of(lvm.pvs.begin(), lvm.pvs.end(), [&](const PhysicalVolume& pv) {
        return pv.vg == volume.vg && pv.missing && !pv.device.empty() && device_rule_of(pv);
    });
}

std::string what_is_lost(const std::optional<std::pair<Bytes, Usec>>& last_dirty) {
    if (!last_dirty) return "what was not written back is lost, nobody knows how much,";
    const auto& [bytes, seen] = *last_dirty;
    const std::string when = " when last seen (" + format_time(seen) + ')';
    if (bytes == 0) return "it was clean" + when + "; what was written since is lost";
    return format_size(bytes) + " that were on the SSD only" + when + ", and what was written since, are lost";
}

}  // namespace

std::vector<Recovery> recoveries(const TierRule& rule, const Observation& observation,
                                 const std::optional<std::pair<Bytes, Usec>>& last_dirty) {
    const auto* volume = observation.lvm ? observation.lvm->fronted(rule.volume) : nullptr;
    if (volume == nullptr || !volume->is_cached()) return {};
    const auto* pool = observation.lvm->volume({volume->vg, volume->pool});
    if (pool == nullptr || !tier_of(*pool)) return {};
    const bool failed = has_failed(*volume, observation);
    const bool lost = failed || (volume->partial && !observation.lvm->is_held_by_a_leg(*pool));
    if (!lost || (volume->cache_mode && *volume->cache_mode != CacheMode::Writeback)) return {};
    const std::string name = rule.volume.text();
    const std::string activate = "unmount the volume, then 'lvchange -an " + name + "' and 'lvchange -ay " + name + "'";
    const std::string restore = is_back(*volume, *observation.lvm) ? "'tierctl apply' counts it again; " : "plug the SSD in again; ";
    return {{wait_choice, "nothing is lost; until the SSD is back the volume is of no use", restore + activate, false, true},
            {drop_choice, what_is_lost(last_dirty) + " for good, and the filesystem may be damaged: check it, and compare it with a backup",
             volume->active == true ? "'tierctl recover " + name + ' ' + drop_choice + "', and the name of the volume, typed"
                                    : std::string{inactive_drop},
             true, volume->active == true}};
}

}  // namespace tierd
