// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/foreign_changes.hpp"

#include <algorithm>

#include "daemon/model/identity.hpp"
#include "daemon/model/text.hpp"

namespace tierd {

namespace {

std::vector<std::string> changes_of(const LogicalVolume& before, const LogicalVolume& after) {
    std::vector<std::string> changes;
    const auto note = [&](const std::string& what, const std::string& was, const std::string& is) {
        if (was != is && !was.empty() && !is.empty()) changes.push_back(what + " from " + was + " to " + is);
    };
    const auto mode = [](const LogicalVolume& volume) { return volume.cache_mode ? std::string{name_of(*volume.cache_mode)} : ""; };
    const auto settings = [](const LogicalVolume& volume) {
        std::vector<std::string> list;
        for (const auto& [key, value] : volume.cache_settings) list.push_back(key + ' ' + value);
        return list.empty() ? std::string{"the defaults"} : join(list, ", ");
    };
    note("mode", mode(before), mode(after));
    note("cache_policy", before.cache_policy, after.cache_policy);
    note("settings", settings(before), settings(after));
    return changes;
}

}  // namespace

std::map<std::string, std::string> changes_by_others(const Policy& policy, const Observation& before, const Observation& after,
                                                     const std::set<std::string>& ours) {
    std::map<std::string, std::string> found;
    if (!before.lvm || !after.lvm) return found;
    std::map<std::string, const LogicalVolume*> caches;
    for (const auto& volume : before.lvm->lvs) {
        if (volume.is_cached() && !ours.contains(volume.vg)) caches.emplace(volume.uuid, &volume);
    }
    if (caches.empty()) return found;
    for (const auto& volume : after.lvm->lvs) {
        const auto known = caches.find(volume.uuid);
        if (known == caches.end() || volume.segtype != known->second->segtype) continue;
        const auto changes = changes_of(*known->second, volume);
        const auto* pool = changes.empty() ? nullptr : after.lvm->volume({volume.vg, volume.pool});
        if (pool == nullptr || !tier_of(*pool)) continue;
        // It may have been made for an entry of another name.
        const auto rule = std::find_if(policy.tiers.begin(), policy.tiers.end(), [&](const TierRule& each) {
            const auto* fronted = after.lvm->fronted(each.volume);
            return fronted != nullptr && fronted->uuid == volume.uuid;
        });
        if (rule != policy.tiers.end())
            found[rule->name] = volume.vg + '/' + volume.name + ": somebody changed its " + join(changes, ", its ");
    }
    return found;
}

}  // namespace tierd
