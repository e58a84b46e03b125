// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/pulled.hpp"

#include <algorithm>
#include <set>

namespace tierd {

namespace {

/// Numbers of the disk and of its partitions; empty when it is not known.
std::set<std::string> numbers_of(const Observation& observation, const std::string& node) {
    std::set<std::string> numbers;
    const auto disk =
        std::find_if(observation.devices.begin(), observation.devices.end(), [&](const BlockDevice& each) { return each.node == node; });
    if (disk == observation.devices.end()) return numbers;
    for (const auto& each : observation.devices) {
        if (each.node == node || each.parent == disk->name) numbers.insert(each.dev);
    }
    return numbers;
}

/// Marks what lies on a PV that is missing, and what stands on that: a pool by its parts, a cached volume by its pool.
void mark_partial(Lvm& lvm, const std::set<std::string>& uuids) {
    std::set<std::pair<std::string, std::string>> partial;
    const auto lies_there = [&](const LogicalVolume& volume) {
        return std::any_of(volume.extents_on.begin(), volume.extents_on.end(),
                           [&](const auto& each) { return uuids.contains(each.first); });
    };
    for (bool more = true; more;) {
        more = false;
        for (auto& volume : lvm.lvs) {
            if (partial.contains({volume.vg, volume.name})) continue;
            bool is = lies_there(volume);
            for (const auto& part : {volume.data, volume.metadata, volume.pool, volume.origin})
                is = is || (!part.empty() && partial.contains({volume.vg, part}));
            if (!is) continue;
            volume.partial = more = true;
            volume.health = "partial";
            partial.emplace(volume.vg, volume.name);
        }
    }
}

}  // namespace

std::set<std::string> take_away(Observation& observation, const std::string& node) {
    const auto numbers = numbers_of(observation, node);
    std::erase_if(observation.devices, [&](const BlockDevice& each) { return numbers.contains(each.dev); });
    if (!observation.lvm) return {};
    auto& lvm = *observation.lvm;
    std::erase_if(lvm.pvs, [&](const PhysicalVolume& each) { return each.vg.empty() && numbers.contains(each.dev); });
    std::set<std::string> uuids;
    for (auto& pv : lvm.pvs) {
        if (!numbers.contains(pv.dev)) continue;
        uuids.insert(pv.uuid);
        pv.device.clear();
        pv.dev.clear();
        const auto group = std::find_if(lvm.groups.begin(), lvm.groups.end(), [&](const VolumeGroup& each) { return each.name == pv.vg; });
        if (pv.missing || group == lvm.groups.end()) continue;
        pv.missing = group->partial = true;
        ++group->missing_pvs;
    }
    if (uuids.empty()) return {};
    mark_partial(lvm, uuids);
    std::set<std::string> lost;
    for (const auto& volume : lvm.lvs) {
        if (!volume.is_cached() || !volume.partial) continue;
        const auto* pool = lvm.volume({volume.vg, volume.pool});
        if (pool != nullptr && lvm.is_held_by_a_leg(*pool)) continue;
        lost.insert(volume.uuid);
        const auto device = observation.caches.find(volume.uuid);
        if (device != observation.caches.end() && device->second.status) device->second.status->health = CacheStatus::Health::Error;
    }
    return lost;
}

}  // namespace tierd
