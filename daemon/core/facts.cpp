// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>
#include <cmath>

#include "daemon/core/views.hpp"
#include "daemon/plan/recoveries.hpp"

namespace tierd {

namespace {

/// Of a lost cache: how much of the volume was on its SSD alone, as far as is known, and what comes of it.
std::string what_is_at_stake(const TierView& tier, const Shown& shown) {
    const auto mode = value_of<CacheMode>(tier.mode);
    if (mode && *mode != CacheMode::Writeback) {
        const std::string safe = "; nothing is lost with it";
        const auto* rule = shown.policy.tier(tier.policy);
        const auto held = [&](const std::string& what) { return shown.held.contains(what); };
        if (tier.foreign || rule == nullptr)
            return safe + ", and no entry of the policy names it: 'lvconvert --uncache " + tier.volume + "' takes it off";
        if (held("")) return safe + ": 'lvconvert --uncache " + tier.volume + "' takes it off, since " + shown.held.at("");
        if (held(rule->volume.vg) || held("tier " + rule->name)) return safe + ", and it is taken off when tierd goes on there";
        return safe + (rule->autonomy == Autonomy::Observe ? ", and 'tierctl apply' takes it off" : ", and it is taken off");
    }
    std::string text = "; nothing is done by itself";
    if (tier.last_known_dirty) {
        const auto& [bytes, seen] = *tier.last_known_dirty;
        text += bytes == 0 ? ". It was clean" : ". " + format_size(bytes) + " were on the SSD only";
        text += " when last seen (" + format_time(seen) + ')';
    } else {
        text += ". How much was on the SSD only is not known";
    }
    return text + ". Keep the SSD: when it is back, unmount the volume and run lvchange -an and -ay on it";
}

/// Of one that limps. tierd repairs nothing by itself.
std::string way_out(const TierView& tier, const Shown& shown) {
    if (tier.health == "leg-lost") return ": the other leg goes on; a disk that takes its place is asked for";
    const auto* rule = shown.policy.tier(tier.policy);
    const auto slash = tier.volume.find('/');
    const auto named = rule != nullptr ? rule->volume : VolumeName{tier.volume.substr(0, slash), tier.volume.substr(slash + 1)};
    return ": " + repair_way(named, *shown.observation.lvm) + "; nothing is repaired by itself";
}

AlertView fact(std::string object, std::string code, unsigned severity, const std::string& message) {
    return {std::move(object), std::move(code), severity, {{"message", message}}, 0};
}

void add_slower(const TierView& tier, const ServiceWatch& service, std::vector<AlertView>& facts) {
    std::string what;
    std::map<std::string, std::string> details;
    for (const auto& [name, direction] : service_directions) {
        const auto slower = service.slower(direction);
        if (!slower) continue;
        const auto text = [](const std::optional<double>& mean) { return std::to_string(std::llround(mean.value_or(0))); };
        what += (what.empty() ? "" : ", and ") + text(slower->tier) + " µs a " + name + " where the volume's own disks take " +
                text(slower->origin) + " µs";
        details[std::string{"tier-"} + name + "-usec"] = text(slower->tier);
        details[std::string{"origin-"} + name + "-usec"] = text(slower->origin);
    }
    if (what.empty()) return;
    auto alert = fact("tier/" + tier.id, "tier-slower-than-origin", 4,
                      tier.volume + ": its SSD takes " + what + " (over five minutes): the cache makes it slower");
    alert.details.merge(details);
    facts.push_back(std::move(alert));
}

/// The volumes whose cache lies on that disk.
std::vector<const TierView*> served_by(const DeviceView& device, const std::vector<TierView>& tiers) {
    std::vector<const TierView*> served;
    for (const auto& tier : tiers) {
        if (std::find(tier.devices.begin(), tier.devices.end(), device.id) != tier.devices.end()) served.push_back(&tier);
    }
    return served;
}

/// Of those that serve, or are asked for. What is done by itself ends at write-through; the disk is a person's to replace.
void add_failing(const Shown& shown, const std::vector<TierView>& tiers, std::vector<AlertView>& facts) {
    const auto& disks = shown.observation.devices;
    if (std::none_of(disks.begin(), disks.end(), [](const BlockDevice& each) { return each.health && each.health->failing; })) return;
    for (const auto& device : view_devices(shown)) {
        const auto served = served_by(device, tiers);
        if (device.health != "failing" || (device.policy.empty() && served.empty())) continue;
        std::string message =
            device.path + (device.serial.empty() ? "" : " (serial " + device.serial + ')') + " is failing: " + device.health_evidence;
        if (served.empty()) message += "; it is not taken";
        for (const auto* tier : served) {
            const std::string way = shown.policy.tier(tier->policy) != nullptr
                                        ? "'tierctl detach " + tier->volume + "' drains it and takes it off"
                                        : "no entry of the policy names it, and one with state: absent drains it and takes it off";
            message += "; " + tier->volume + " has its " + tier->mode +
                       " cache there: " + (tier->foreign ? "'lvconvert --uncache " + tier->volume + "' takes it off" : way) +
                       ", before the disk is replaced";
        }
        facts.push_back(fact("device/" + device.id, "device-failing", served.empty() ? 4 : 2, message));
    }
}

}  // namespace

std::vector<AlertView> facts_of(const Shown& shown, const std::vector<TierView>& tiers) {
    std::vector<AlertView> facts;
    if (!shown.observation.lvm) facts.push_back(fact("", "inventory-lost", 3, "LVM could not be read: " + shown.observation.lvm_error));
    if (!shown.observation.devices_known) facts.push_back(fact("", "inventory-lost", 3, "the disks could not be read"));
    for (const auto& tier : tiers) {
        const std::string object = "tier/" + tier.id;
        if (tier.phase == "lost")
            facts.push_back(fact(object, "tier-lost", 2, tier.volume + ": its cache is " + tier.health + what_is_at_stake(tier, shown)));
        if (tier.phase == "degraded")
            facts.push_back(fact(object, "tier-degraded", 3, tier.volume + ": its cache is " + tier.health + way_out(tier, shown)));
        const auto* rule = shown.policy.tier(tier.policy);
        const auto* watched = shown.watchers.of(tier.uuid);
        if (watched != nullptr) add_slower(tier, watched->service, facts);
        if (watched != nullptr && watched->drain && !watched->drain->stalled().empty())
            facts.push_back(fact(object, "drain-stalled", 4,
                                 tier.volume + ": " + format_size(watched->drain->left()) + " are dirty, and have been for " +
                                     format_span(DrainWatch::stall_span) + ": " + watched->drain->stalled()));
        if (rule == nullptr || watched == nullptr || tier.mode.empty()) continue;
        const auto level = watched->dirty.level(rule->dirty, value_of<CacheMode>(tier.mode).value_or(CacheMode::Writethrough));
        if (level < DirtyWatch::Level::Warn || watched->assumed.assumed()) continue;
        facts.push_back(
            fact(object, "dirty-high", level == DirtyWatch::Level::Critical ? 2 : 4,
                 tier.volume + ": " + format_size(*watched->dirty.dirty()) + " are dirty, of " + format_size(tier.size.value_or(0))));
    }
    add_failing(shown, tiers, facts);
    for (const auto& step : shown.plan.steps) {
        if (step.alert.empty() || step.entry.rfind("tier ", 0) != 0) continue;
        // What a command of tierd's has half made by now is not left so.
        if (step.alert == "half-made" && shown.running.contains(step.group)) continue;
        facts.push_back(
            fact("tier/" + step.entry.substr(5), step.alert, step.alert == "half-made" ? 3 : 4, step.target + ": " + step.reason));
    }
    if (!shown.observation.lvm) return facts;
    std::map<std::string, const VolumeGroup*> incomplete;
    for (const auto& group : shown.observation.lvm->groups) {
        if (group.missing_pvs > 0 && !shown.arriving.contains(group.name)) incomplete.emplace(group.name, &group);
    }
    for (const auto& rule : shown.policy.tiers) {
        const auto found = incomplete.find(rule.volume.vg);
        if (found == incomplete.end()) continue;
        const auto* group = found->second;
        facts.push_back(fact("tier/" + rule.name, "vg-incomplete", 3,
                             "volume group " + group->name + " lacks " + std::to_string(group->missing_pvs) +
                                 (group->missing_pvs == 1 ? " physical volume" : " physical volumes") +
                                 "; 'tierctl doctor' says what that means"));
    }
    return facts;
}

}  // namespace tierd
