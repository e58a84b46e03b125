// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/cache_lost.hpp"

#include <algorithm>

#include "daemon/model/identity.hpp"
#include "daemon/plan/cache_parts.hpp"
#include "daemon/plan/recoveries.hpp"

/// The SSD dies. What was written through it lies on the slow disk too, so that cache is taken off at once; in front of write-back nothing
/// is done by itself, ever. Then the group is made whole, without which LVM refuses every allocation in it.
namespace tierd {

namespace {

using Health = CacheStatus::Health;

const CacheStatus* status_of(const TierCase& tier) {
    const auto device = tier.scene.now().caches.find(tier.volume->uuid);
    return device == tier.scene.now().caches.end() || !device->second.status ? nullptr : &*device->second.status;
}

std::vector<const PhysicalVolume*> pvs_below_pool(const TierCase& tier) {
    std::vector<const PhysicalVolume*> pvs;
    for (const auto& part : parts_of(*tier.our_pool())) {
        for (const auto* pv : tier.pvs_below(part)) {
            if (std::find(pvs.begin(), pvs.end(), pv) == pvs.end()) pvs.push_back(pv);
        }
    }
    return pvs;
}

/// LVM's own word, which the cleaner does not change; and where a change of mode was cut in the middle, the kernel's.
bool is_written_through(const TierCase& tier, const CacheStatus* status) {
    const auto& mode = tier.volume->cache_mode;
    return mode && *mode != CacheMode::Writeback && (status == nullptr || status->mode != name_of(CacheMode::Writeback));
}

/// Afterwards nothing in the group would tell that a disk died that served: so it is written on the volumes that it served, or was to.
bool has_to_note(const TierRule& rule, const LogicalVolume* volume, const std::set<std::string>& device_rules) {
    const bool served =
        volume != nullptr && !volume->is_cached() &&
        std::any_of(rule.devices.begin(), rule.devices.end(), [&](const auto& name) { return device_rules.contains(name); });
    return served && rule.state == Presence::Present && lost_tags(*volume).empty();
}

/// Another tier of the group that has not done so yet.
bool another_has_to_note(const TierCase& tier, const std::set<std::string>& device_rules) {
    return std::any_of(tier.policy.tiers.begin(), tier.policy.tiers.end(), [&](const TierRule& other) {
        return other.volume.vg == tier.rule.volume.vg && !tier.policy.frozen.contains("tier " + other.name) &&
               has_to_note(other, tier.scene.fronted(other.volume), device_rules);
    });
}

/// A cache that limps is neither changed, repaired nor taken off.
std::optional<Step> refuse_degraded(const TierCase& tier, Health health) {
    const std::string repair = repair_way(tier.rule.volume, *tier.scene.now().lvm);
    // Unknown is no fault: what follows asks again.
    if (health == Health::NeedsCheck || tier.volume->needs_check() || tier.our_pool()->needs_check())
        return tier.refuse("its cache needs-check: its metadata has to be repaired: " + repair);
    if (health == Health::ReadOnly) return tier.refuse("its cache is read-only: its metadata is full or could not be written: " + repair);
    return std::nullopt;
}

/// The VG was changed while the disk was away. Where write-back may have left the only copy on it, a person looks first.
Step count_again(const TierCase& tier, const PhysicalVolume& pv, bool through) {
    auto step = tier.act(RestoreMissing{tier.rule.volume.vg, pv.device, pv.uuid, tier.scene.diskseq_of(pv)},
                         pv.device + " is back, and LVM holds it to be missing");
    if (!through) {
        step.needs_person = true;
        step.reason += "; then unmount the volume and run lvchange -an and -ay on it; 'tierctl apply' does the first";
    }
    return step;
}

/// A person's, unless the policy lets the next disk take the place of one that died.
Step by_word(const TierCase& tier, Step step) {
    if (tier.device_rule->replace || tier.rule.autonomy == Autonomy::Full) return step;
    step.reason += "; 'tierctl apply' does it, `replace: true` in device rule " + tier.device_rule->name + " lets it be done by itself";
    step.needs_person = true;
    return step;
}

/// Both halves, on the disk that takes the place of the one that is gone; until then LVM changes nothing of the cache.
Step repair(const TierCase& tier, const PhysicalVolume& gone) {
    std::string what = "one leg of its cache is gone, the other goes on";
    if (tier.rule.state == Presence::Absent) what += "; LVM neither drains nor takes off such a cache, so it is repaired first";
    const auto* rule = tier.policy.device(device_rule_of(gone).value_or(""));
    const auto by_rule = rule == nullptr ? tier : tier.by(*rule);
    const auto serving = tier.serving_pvs();
    if (serving.size() < tier.width()) {
        auto step = take_disk(tier);
        if (!step) return tier.refuse(what);
        step->reason = what + "; " + step->reason;
        return step->state == StepState::Ready ? by_word(by_rule, std::move(*step)) : std::move(*step);
    }
    for (const auto& name : parts_of(*tier.our_pool())) {
        const auto& part = *tier.lv(name);
        const auto below = tier.pvs_below(name);
        if (std::none_of(below.begin(), below.end(), [](const auto* pv) { return pv != nullptr && pv->missing; })) continue;
        const auto spare = std::find_if(serving.begin(), serving.end(),
                                        [&](const auto* pv) { return std::find(below.begin(), below.end(), pv) == below.end(); });
        if (spare == serving.end()) continue;
        // LVM changes no PV of a group that is not whole.
        if (!(*spare)->allocatable) return tier.refuse(what + ", and " + (*spare)->device + " is fenced, which LVM does not change now");
        const auto room = (*spare)->extents - std::min((*spare)->extents, (*spare)->allocated_extents);
        if (const auto need = tier.extents_of(part, gone); need > room)
            return tier.refuse(what + ", and " + (*spare)->device + " has no room for it: " + format_size(need * tier.group->extent_size));
        return by_word(by_rule, tier.act(RepairPart{{part.vg, name}, part.uuid, places_of(tier, {*spare}).front()},
                                         what + ", and " + (*spare)->device + " takes the place", part.size));
    }
    return tier.refuse(what + ", and no disk takes its place");
}

/// By the word of a person who typed the volume's name.
Step drop(const TierCase& tier, const std::string& what) {
    if (tier.volume->active != true) return tier.refuse(what + ": " + inactive_drop);
    return tier.act(DropCache{tier.fronted(), tier.volume->uuid, tier.volume->dm_uuid}, what + ", and somebody gave up what only it had");
}

/// LVM clears every disk that the group went on without, and knows no way to name one (vgck, 2.03.16). "": there is no other.
std::string others_to_be_cleared(const TierCase& tier, const BlockDevice& disk, const Signature& label) {
    std::string others;
    for (const auto& device : tier.scene.now().devices) {
        if (device.node == disk.node || device.virtual_disk || tier.scene.now().lvm->pv_on(device) != nullptr) continue;
        const bool is_told = device.probe || device.udev_fs_type != "LVM2_member";
        const bool is_of_group = device.probe && std::any_of(device.probe->signatures.begin(), device.probe->signatures.end(),
                                                             [&](const Signature& each) { return each.vg == label.vg; });
        if (!is_told || is_of_group) others += (others.empty() ? "" : ", ") + device.node;
    }
    return others;
}

}  // namespace

std::optional<Step> handle_loss(const TierCase& tier) {
    const auto* status = status_of(tier);
    const auto health = status == nullptr ? Health::Ok : status->health;
    const auto pvs = pvs_below_pool(tier);
    const auto missing = std::find_if(pvs.begin(), pvs.end(), [](const PhysicalVolume* pv) { return pv != nullptr && pv->missing; });
    const bool failed = health == Health::Error || health == Health::Failed;
    if (missing == pvs.end() && !failed) {
        if (auto step = drop_request(tier, RequestKind::Recover, "its cache is not lost")) return step;
        return refuse_degraded(tier, health);
    }
    const bool is_held = !failed && tier.scene.now().lvm->is_held_by_a_leg(*tier.our_pool());
    const bool is_back = missing != pvs.end() && !(*missing)->device.empty();
    const bool through = is_written_through(tier, status);
    if (is_back) {
        if (auto step = drop_request(tier, RequestKind::Recover, "its disk is back")) return step;
    }
    if (is_held) {
        if (auto step = drop_request(tier, RequestKind::Recover, "its cache goes on with one leg")) return step;
        if (is_back) return count_again(tier, **missing, true);
    }
    const std::string what = is_held                ? "one leg of it is gone"
                             : missing != pvs.end() ? "the disk of its cache is gone"
                                                    : "its cache is " + std::string{name_of(health)};
    // It says whether anything would have to be given up.
    const bool would_act = is_back || is_held || requests_of(*tier.volume).drop_cache;
    if (!tier.volume->cache_mode && tier.volume->active != false && would_act)
        return tier.wait("waits until the mode of the cache is known", what + ", and LVM does not say it", tier.later());
    // Nothing of it is in the kernel that could have failed: LVM only has to count its disk again.
    if (is_back && (tier.volume->active == false || !through)) return count_again(tier, **missing, through);
    if (is_held && !(through && tier.rule.state == Presence::Absent)) return repair(tier, **missing);
    if (through) {
        return tier.act(UncacheLost{tier.fronted(), tier.volume->uuid, tier.volume->dm_uuid},
                        what + ", and all that was written through it lies on the volume's own disk");
    }
    if (requests_of(*tier.volume).drop_cache) return drop(tier, what);
    if (missing == pvs.end())
        return tier.refuse(what +
                           ": what was not written back is on the SSD only, so keep it; unmount the volume and run lvchange -an and " +
                           "-ay on it, and it goes on where the SSD is well");
    return tier.refuse(what + ": what was not written back is on the SSD only, so keep it; plug it in again, unmount the volume and run " +
                       "lvchange -an and -ay on it");
}

std::optional<Step> make_group_whole(const TierCase& tier) {
    const std::string& vg = tier.rule.volume.vg;
    std::set<std::string> uuids, device_rules;
    for (const auto* pv : tier.scene.pvs_of(vg)) {
        if (!pv->missing) continue;
        const auto device_rule = device_rule_of(*pv);
        if (pv->allocated_extents != 0 || !device_rule) return std::nullopt;
        uuids.insert(pv->uuid);
        device_rules.insert(*device_rule);
    }
    if (uuids.empty() || uuids.size() != tier.group->missing_pvs) return std::nullopt;
    if (has_to_note(tier.rule, tier.volume, device_rules)) {
        return tier.act(TagVolume{tier.fronted(), tier.volume->uuid, {lost_tag(tier.device_rule->name)}, {}},
                        "the disk that served it died: no other is taken for it unasked");
    }
    if (another_has_to_note(tier, device_rules)) return std::nullopt;
    return tier.act(RemoveMissing{vg, std::move(uuids)}, "nothing lies on what is missing, and until it is out LVM allocates nothing here");
}

Step forget_loss(const TierCase& tier, const std::string& why) {
    return tier.act(TagVolume{tier.fronted(), tier.volume->uuid, {}, lost_tags(*tier.volume)}, why);
}

Step clear_outdated(const TierCase& tier, const BlockDevice& disk, const Signature& label) {
    const std::string why = disk.node + " served " + label.vg + " until it was taken for dead";
    if (const auto others = others_to_be_cleared(tier, disk, label); label.writeback == false && !others.empty()) {
        auto step = tier.refuse(why + ": 'vgck --updatemetadata " + label.vg + "' clears it, and with it what is on " + others +
                                ", which the group went on without, too: unplug that first");
        step.target = disk.node;
        return step;
    }
    if (label.writeback != false || label.vg != tier.rule.volume.vg) {
        auto step = tier.refuse(why + (label.writeback != false ? ", and what its cache did not write back may be on it alone" : "") +
                                ": 'vgck --updatemetadata " + label.vg + "' clears it, when nothing on it is wanted");
        step.target = disk.node;
        return step;
    }
    return by_word(tier, tier.act(ClearOutdated{label.vg, disk.node, label.uuid, disk.diskseq}, why + "; nothing on it is missed"));
}

Step replace(const TierCase& tier, const BlockDevice& disk) {
    return by_word(tier, forget_loss(tier, "the disk that served it died, and " + disk.node + " is to take its place"));
}

}  // namespace tierd
