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

enum class Ssd { Gone, CountedOut, There };

/// Where what the pool lies on is. CountedOut: it is there, and LVM goes on without it.
Ssd where_is(const LogicalVolume& pool, const Lvm& lvm) {
    auto found = Ssd::There;
    for (const auto& name : parts_of(pool)) {
        const auto* part = lvm.volume({pool.vg, name});
        const auto below = part == nullptr ? std::map<std::string, std::uint64_t>{} : lvm.extents_below(*part);
        for (const auto& [uuid, extents] : below) {
            const auto* pv = lvm.pv(uuid);
            if (pv == nullptr || (pv->missing && pv->device.empty())) return Ssd::Gone;
            if (pv->missing) found = Ssd::CountedOut;
        }
    }
    return found;
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
    const auto ssd = where_is(*pool, *observation.lvm);
    const std::string restore = ssd == Ssd::Gone         ? "plug the SSD in again; "
                                : ssd == Ssd::CountedOut ? "'tierctl apply' counts it again; "
                                                         : "";
    // Seen with Linux 6.1, by LVM's commands alone: synced, pulled at once, plugged in again.
    const std::string kept =
        volume->segtype == "writecache" ? "nothing is lost but what was written in the last second before the SSD went" : "nothing is lost";
    return {{wait_choice, kept + "; until the SSD is back the volume is of no use", restore + activate, false, true},
            {drop_choice, what_is_lost(last_dirty) + " for good, and the filesystem may be damaged: check it, and compare it with a backup",
             volume->active == true ? "'tierctl recover " + name + ' ' + drop_choice + "', and the name of the volume, typed"
                                    : std::string{inactive_drop},
             true, volume->active == true}};
}

std::string repair_way(const VolumeName& volume, const Lvm& lvm) {
    const auto* fronted = lvm.fronted(volume);
    const auto* pool = fronted == nullptr ? nullptr : lvm.volume({fronted->vg, fronted->pool});
    const std::string name = volume.text();
    if (pool != nullptr && store_of(*pool) == Store::Volume)
        return "LVM repairs no cachevol; while it is write-through nothing is lost with it, and 'lvconvert --uncache " + name +
               "' takes it off";
    const std::string cached = fronted == nullptr ? name : fronted->vg + '/' + fronted->name;
    return "unmount it, then 'lvchange -an " + name + "', 'lvconvert --repair " + cached + "', 'lvchange -ay " + name + '\'';
}

}  // namespace tierd
