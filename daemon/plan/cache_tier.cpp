// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/cache_tier.hpp"

#include <algorithm>
#include <array>

#include "daemon/model/identity.hpp"
#include "daemon/model/support.hpp"
#include "daemon/plan/cache_lost.hpp"
#include "daemon/plan/cache_parts.hpp"
#include "daemon/plan/writeback_gate.hpp"

namespace tierd {

namespace {

// --- what must hold before anything ---

std::optional<Step> check_entry(TierCase& tier) {
    const auto& rule = tier.rule;
    const auto& now = tier.scene.now();
    const auto& frozen = tier.policy.frozen;
    std::vector<std::string> names{"tier " + rule.name, rule.volume.vg};
    for (const auto& device : rule.devices) names.push_back("device " + device);
    for (const auto& name : names) {
        if (const auto found = frozen.find(name); found != frozen.end()) return tier.refuse(found->second);
    }
    if (const auto part = unsupported_part(rule); !part.what.empty()) return tier.unsupported(part.what);
    std::size_t disks = 0;
    for (const auto& name : rule.devices) {
        const auto* device_rule = tier.policy.device(name);
        if (device_rule == nullptr) return tier.refuse("there is no device rule " + name);
        if (const auto part = unsupported_part(*device_rule); !part.what.empty())
            return tier.unsupported("device rule " + name + " with " + part.what);
        disks += tier.share_of(*device_rule);
    }
    if (disks != tier.width())
        return tier.refuse("layout " + std::string{name_of(rule.layout)} + " takes " + plural(tier.width(), "disk", "disks") +
                           ", and its device rules ask for " + std::to_string(disks));
    tier.device_rule = tier.policy.device(rule.devices.front());
    if (!tier.scene.lvm_known()) return tier.wait("waits until LVM can be read", now.lvm_error, tier.soon());
    if (now.machine.empty())
        return tier.wait("waits until this machine's id is known", "without it a disk of tierd's is not recognised again", tier.soon());
    if (!now.devices_known) return tier.wait("waits until the disks can be read", "udev or sysfs could not be read", tier.soon());
    return std::nullopt;
}

std::optional<Step> check_group(TierCase& tier) {
    const std::string& name = tier.rule.volume.vg;
    const auto* group = tier.group = tier.scene.group(name);
    if (group == nullptr) return tier.wait("waits for volume group " + name, "it is not there");
    if (tier.scene.is_ambiguous(name)) return tier.refuse("LVM finds two volume groups called " + name);
    if (group->busy) return tier.wait("waits until volume group " + name + " is free", "another command holds its lock", tier.soon());
    if (group->shared) return tier.refuse("volume group " + name + " is shared with other hosts: tierd only watches it");
    if (group->exported) return tier.refuse("volume group " + name + " is exported");
    if (!group->writeable) return tier.refuse("volume group " + name + " is read-only");
    if (group->extent_size == 0) return tier.wait("waits for volume group " + name, "its extent size is not known");
    const auto pvs = tier.scene.pvs_of(name);
    for (const auto* pv : pvs) {
        if (pv->duplicate) return tier.refuse("LVM finds physical volume " + pv->uuid + " on more than one device (" + pv->device + ")");
    }
    // A cache that lost its disk makes the group incomplete too; what to do about it comes first.
    tier.volume = tier.scene.fronted(tier.rule.volume);
    if (tier.our_pool() != nullptr && tier.volume->is_cached()) {
        if (auto step = handle_loss(tier)) return step;
    }
    const auto missing = std::count_if(pvs.begin(), pvs.end(), [](const PhysicalVolume* pv) { return pv->missing; });
    if (group->missing_pvs > 0 || missing > 0 || group->partial) {
        if (auto step = make_group_whole(tier)) return step;
        return tier.wait(
            "waits for volume group " + name + " to be whole",
            plural(std::max(group->missing_pvs, static_cast<std::uint64_t>(missing)), "physical volume is", "physical volumes are") +
                " missing");
    }
    return std::nullopt;
}

bool can_be_cached(const std::string& segtype) {
    constexpr std::array types{"linear", "striped", "cache", "writecache", "raid0", "raid1", "raid10", "raid4", "raid5", "raid6"};
    return std::any_of(types.begin(), types.end(), [&](const std::string& type) {
        return segtype == type || (type.rfind("raid", 0) == 0 && segtype.rfind(type + '_', 0) == 0);
    });
}

std::optional<Step> check_kind_of_volume(const TierCase& tier) {
    const auto& volume = *tier.volume;
    const bool is_data_of_pool = volume.name != tier.rule.volume.lv;
    if (volume.hidden && !is_data_of_pool) return tier.refuse("it is a part of another volume");
    if (std::any_of(volume.tags.begin(), volume.tags.end(), [](const std::string& tag) { return tag.rfind("ceph.", 0) == 0; }))
        return tier.refuse("it belongs to Ceph (tags ceph.*)");
    if (!volume.origin.empty() && !volume.is_cached()) return tier.refuse("it is a snapshot of " + volume.origin);
    if (const auto owner = tier_of(volume); owner && !volume.is_cached())
        return tier.refuse("it carries the tag of what serves tier " + *owner + ": take the tag off if it is data");
    const auto legs = legs_of(volume, [&](const std::string& vg, const std::string& lv) { return tier.scene.volume(vg, lv); });
    if (std::any_of(legs.begin(), legs.end(), [](const LogicalVolume* leg) { return leg->segtype == "integrity"; }))
        return tier.refuse("it is RAID with integrity, before which LVM " + tier.scene.now().setup.version +
                           " puts no cache; 'lvconvert --raidintegrity n " + tier.rule.volume.text() + "' takes the integrity off");
    if (!can_be_cached(volume.segtype))
        return tier.refuse("a volume of type " + (volume.segtype.empty() ? "unknown" : volume.segtype) + " cannot be cached by LVM");
    return std::nullopt;
}

/// Two entries for one volume: the one whose tag its cache carries has it. (An entry that was only renamed finds its cache again.)
std::optional<Step> check_whose(const TierCase& tier) {
    const auto* pool = tier.our_pool();
    const auto owner = pool != nullptr ? tier_of(*pool) : std::nullopt;
    if (!owner || *owner == tier.rule.name) return std::nullopt;
    const auto* other = tier.policy.tier(*owner);
    if (other == nullptr || other->volume != tier.rule.volume) return std::nullopt;
    return tier.refuse("its cache was made for tier " + *owner + ", which the policy has too");
}

/// What was left suspended, by a command that was killed or by hand, holds everybody up who writes to it, and every command after it.
std::optional<Step> check_suspended(const TierCase& tier) {
    auto parts = tier.layers();
    parts.insert(parts.begin(), tier.volume);
    if (const auto* pool = tier.lv(tier.volume->pool); pool != nullptr) parts.push_back(pool);
    const auto found = std::find_if(parts.begin(), parts.end(), [](const LogicalVolume* part) { return part->suspended == true; });
    if (found != parts.end()) return tier.wait_for_resume((*found)->name);
    // LVM does not say it of one that has another table than it says itself.
    const auto device = tier.scene.now().caches.find(tier.volume->uuid);
    if (device == tier.scene.now().caches.end() || device->second.suspended != true) return std::nullopt;
    return tier.wait_for_resume(tier.volume->name);
}

/// Between two looks only a command that was killed leaves that: any other holds the group's lock.
std::optional<Step> check_table(const TierCase& tier) {
    if (!tier.volume->is_mismatched()) return std::nullopt;
    const std::string name = tier.rule.volume.text();
    const std::string text = "waits until LVM and the kernel agree on " + name;
    if (!tier.volume->is_cached())
        return tier.half_made(text, "the kernel still has another table than LVM says; 'lvchange --refresh " + name + "' loads it");
    // The kernel goes without the cache, of which no block knows what was written since.
    return tier.half_made(text,
                          "LVM says that it has a cache, and in the kernel it runs without: never refresh it, what the cache still has "
                          "is old by now. Unmount it, then 'lvchange -an " +
                              name + "', 'lvconvert --uncache " + name + "', 'lvchange -ay " + name + '\'');
}

std::optional<Step> check_volume(TierCase& tier) {
    const std::string name = tier.rule.volume.text();
    const auto* volume = tier.volume = tier.scene.fronted(tier.rule.volume);
    if (volume == nullptr) return tier.wait("waits for volume " + name, "it is not there");
    if (auto step = check_kind_of_volume(tier)) return step;
    if (volume->merging) return tier.wait("waits until the merge into " + name + " has ended", "a snapshot is being merged");
    if (volume->partial) return tier.wait("waits for " + name + " to be whole", "a part of it is missing");
    if (auto step = end_uncache(tier)) return step;
    // First of all: nobody can unmount it, and nothing was written past its cache.
    if (auto step = check_suspended(tier)) return step;
    if (auto step = check_table(tier)) return step;
    if (!volume->active || !volume->suspended)
        return tier.wait("waits until the state of " + name + " is known", "LVM does not say whether it is active or suspended",
                         tier.soon());
    if (auto step = check_whose(tier)) return step;
    if (volume->is_locked()) return tier.wait("waits until " + name + " is not locked any more", "LVM moves it (pvmove)", tier.later());
    return std::nullopt;
}

}  // namespace

std::optional<Step> next_step(const Policy& policy, const TierRule& rule, const Scene& scene) {
    TierCase tier{policy, rule, scene};
    if (auto step = check_entry(tier)) return step;
    if (auto step = check_group(tier)) return step;
    if (rule.state == Presence::Absent) {
        // A volume that is gone has no cache; what served it still has to go.
        if (tier.volume != nullptr) {
            if (auto step = check_volume(tier)) return step;
        }
        return leave(tier);
    }
    if (auto step = check_volume(tier)) return step;
    if (tier.volume->is_cached()) return keep_cache(tier);
    for (const auto kind : {RequestKind::Flush, RequestKind::Recover}) {
        if (auto step = drop_request(tier, kind, "it has no cache")) return step;
    }
    if (rule.kind == TierKind::Writecache) {
        const auto allowed = allowed_mode(policy, rule, scene);
        if (!allowed.why.empty()) return tier.refuse(no_writecache + allowed.why);
    }
    if (auto step = tag_pool(tier)) return step;
    const auto tagged = scene.tagged(rule.volume.vg, rule.name);
    // What a killed command left of a cache goes away first, as its volume has none by then.
    const bool is_left = !tagged.empty() && tagged.front()->hidden;
    if (const auto problem = boot_problem(tier); !problem.empty() && !is_left) return tier.refuse(problem);
    if (!tagged.empty()) return put_pool(tier, *tagged.front());
    if (auto step = forget_cachevol(tier)) return step;
    const auto pvs = tier.serving_pvs();
    return pvs.size() < tier.width() ? take_disk(tier) : make_pool(tier, pvs);
}

}  // namespace tierd
