// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/views.hpp"

#include <algorithm>
#include <array>

#include "daemon/model/identity.hpp"
#include "daemon/plan/eligibility.hpp"

namespace tierd {

namespace {

/// Disks that a person would call a disk: no device-mapper, loop or RAM device; partitions only where a rule names one.
bool is_shown(const BlockDevice& device, const std::vector<Verdict>& verdicts) {
    const bool asked_for = std::any_of(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) { return verdict.matches; });
    return asked_for || (!device.virtual_disk && device.parent.empty());
}

void set_state(const std::vector<Verdict>& verdicts, const Policy& policy, DeviceView& view) {
    view.state = "ineligible";
    view.reasons = {"no rule of the policy asks for it"};
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const auto& verdict = verdicts[i];
        if (!verdict.matches) continue;
        view.policy = policy.devices[i].name;
        view.reasons = verdict.reasons;
        if (verdict.answer == Verdict::Answer::Serving) view.state = "serving";
        if (verdict.answer == Verdict::Answer::Eligible) view.state = "eligible";
        if (view.state != "ineligible") return;
    }
}

std::vector<std::string> devices_below(const LogicalVolume& pool, const Observation& observation) {
    std::set<std::string> ids;
    for (const auto& part : {pool.data, pool.metadata}) {
        const auto* volume = observation.lvm->volume({pool.vg, part});
        if (volume == nullptr) continue;
        for (const auto& [uuid, extents] : volume->extents_on) {
            const auto* pv = observation.lvm->pv(uuid);
            const auto* device = pv != nullptr ? observation.device_of(*pv) : nullptr;
            if (device != nullptr && !identity_of(*device).empty()) ids.insert(identity_of(*device));
        }
    }
    return {ids.begin(), ids.end()};
}

void add_ratio(TierView& view, const std::string& name, const std::optional<double>& value) {
    if (value) view.hit_ratios[name] = *value;
}

void set_watched(const Watchers::Watched& watched, TierView& view) {
    constexpr std::array<std::pair<const char*, Usec>, 4> windows{{{"1m", 60}, {"5m", 300}, {"1h", 3'600}, {"1d", 86'400}}};
    for (const auto& [name, seconds] : windows) {
        const auto ratio = watched.hits.over(seconds * usec_per_second);
        add_ratio(view, std::string{"read-"} + name, ratio.read);
        add_ratio(view, std::string{"write-"} + name, ratio.write);
    }
    view.dirty_since = watched.dirty.since();
    if (watched.dirty.dirty()) view.last_known_dirty = {*watched.dirty.dirty(), watched.dirty.seen()};
}

void set_cache(const LogicalVolume& volume, const LogicalVolume& pool, const Shown& shown, TierView& view) {
    view.uuid = volume.uuid;
    if (volume.cache_mode) view.mode = std::string{name_of(*volume.cache_mode)};
    view.cache_policy = volume.cache_policy;
    view.settings = volume.cache_settings;
    view.chunk_size = volume.chunk_size;
    view.size = pool.size;
    view.devices = devices_below(pool, shown.observation);
    const auto device = shown.observation.caches.find(volume.uuid);
    view.health = "unknown";
    if (device != shown.observation.caches.end() && device->second.status) {
        const auto& status = *device->second.status;
        view.health = std::string{name_of(status.health)};
        const bool readable = status.health != CacheStatus::Health::Error && status.health != CacheStatus::Health::Failed;
        if (readable) {
            view.used = status.used_blocks * status.block_size;
            view.dirty = status.dirty_blocks * status.block_size;
            if (status.metadata_total > 0)
                view.metadata_ratio = static_cast<double>(status.metadata_used) / static_cast<double>(status.metadata_total);
        }
    }
    if (const auto* watched = shown.watchers.of(volume.uuid)) set_watched(*watched, view);
    view.phase = volume.cache_policy == cleaner_policy ? "draining" : "active";
    if (view.health == "needs-check" || view.health == "read-only") view.phase = "degraded";
    if (view.health == "error" || view.health == "failed" || volume.partial) view.phase = "lost";
}

/// What the plan says of an entry: its first wait or refusal, in one line.
std::string waits_for(const std::string& entry, const Plan& plan) {
    for (const auto& step : plan.steps) {
        if (step.entry != entry || step.state == StepState::Ready) continue;
        return step.reason.empty() ? step.sentence : step.sentence + " (" + step.reason + ')';
    }
    return "";
}

TierView view_rule(const TierRule& rule, const Shown& shown) {
    TierView view;
    view.id = rule.name;
    view.policy = rule.name;
    view.kind = std::string{name_of(rule.kind)};
    view.volume_kind = rule.kind == TierKind::Bcache ? "backing-device" : rule.kind == TierKind::Journal ? "filesystem" : "lv";
    view.volume = rule.kind == TierKind::Journal ? rule.filesystem : rule.kind == TierKind::Bcache ? "" : rule.volume.text();
    view.phase = "waiting";
    view.health = "unknown";
    view.waits_for = waits_for("tier " + rule.name, shown.plan);
    if (shown.observation.lvm && !rule.volume.lv.empty()) {
        const auto* volume = shown.observation.lvm->volume(rule.volume);
        if (volume != nullptr) view.uuid = volume->uuid;
        const auto* pool =
            volume != nullptr && volume->segtype == "cache" ? shown.observation.lvm->volume({volume->vg, volume->pool}) : nullptr;
        if (pool != nullptr) {
            set_cache(*volume, *pool, shown, view);
            view.foreign = !tier_of(*pool);
        }
    }
    if (shown.acting.contains("tier " + rule.name) && view.phase == "waiting") view.phase = "attaching";
    const bool leaves = rule.state == Presence::Absent;
    if (leaves && (view.phase == "active" || view.phase == "draining") && !view.foreign) view.phase = "detaching";
    if (leaves && view.phase == "waiting" && view.waits_for.empty()) view.phase = "absent";
    const auto* watched = shown.watchers.of(view.uuid);
    const bool drains = view.phase == "draining" || view.phase == "detaching";
    if (drains && watched != nullptr && watched->drain && !watched->drain->stalled().empty()) view.phase = "stalled";
    return view;
}

AlertView fact(std::string object, std::string code, unsigned severity, const std::string& message) {
    return {std::move(object), std::move(code), severity, {{"message", message}}, 0};
}

}  // namespace

std::vector<DeviceView> view_devices(const Shown& shown) {
    std::vector<DeviceView> views;
    std::set<std::string> seen;
    for (const auto& device : shown.observation.devices) {
        std::vector<Verdict> verdicts;
        for (const auto& rule : shown.policy.devices) {
            verdicts.push_back(can_match(rule, device) ? judge(rule, device, shown.observation) : Verdict{});
        }
        if (!is_shown(device, verdicts)) continue;
        DeviceView view;
        view.identity = identity_of(device);
        view.id = view.identity.empty() ? "node:" + device.name : view.identity;
        // Two paths to one disk have one identity: each is shown, and both are refused.
        if (!seen.insert(view.id).second) view.id += '@' + device.name;
        view.path = device.node;
        view.model = device.model;
        view.serial = device.serial;
        view.wwn = device.wwn;
        view.transport = device.transport;
        view.size = device.size;
        view.kind = std::string{name_of(device.kind)};
        view.kind_evidence = device.kind_evidence;
        set_state(verdicts, shown.policy, view);
        views.push_back(std::move(view));
    }
    return views;
}

std::vector<TierView> view_tiers(const Shown& shown) {
    std::vector<TierView> views;
    std::set<std::string> with_rule;
    for (const auto& rule : shown.policy.tiers) {
        with_rule.insert(rule.volume.text());
        views.push_back(view_rule(rule, shown));
    }
    if (!shown.observation.lvm) return views;
    for (const auto& volume : shown.observation.lvm->lvs) {
        if (volume.segtype != "cache" || volume.hidden || with_rule.contains(volume.vg + '/' + volume.name)) continue;
        const auto* pool = shown.observation.lvm->volume({volume.vg, volume.pool});
        if (pool == nullptr) continue;
        TierView view;
        view.id = volume.uuid;
        view.kind = "cache";
        view.volume = volume.vg + '/' + volume.name;
        view.volume_kind = "lv";
        set_cache(volume, *pool, shown, view);
        const auto tier = tier_of(*pool);
        view.foreign = !tier;
        if (tier) view.waits_for = "made for tier " + *tier + ", which the policy does not name any more: it stays as it is";
        views.push_back(std::move(view));
    }
    return views;
}

std::vector<SnapshotView> view_snapshots(const Shown& shown) {
    std::vector<SnapshotView> views;
    if (!shown.observation.lvm) return views;
    for (const auto& volume : shown.observation.lvm->lvs) {
        const bool thick =
            !volume.origin.empty() && !volume.hidden && !volume.attr.empty() && (volume.attr[0] == 's' || volume.attr[0] == 'S');
        const bool thin = volume.segtype == "thin" && !volume.origin.empty();
        if (!thick && !thin) continue;
        SnapshotView view;
        view.id = volume.uuid;
        view.volume = volume.vg + '/' + volume.name;
        view.origin = volume.vg + '/' + volume.origin;
        view.kind = thick ? "thick" : "thin";
        view.size = volume.size;
        if (thick && volume.data_percent) view.fill_ratio = *volume.data_percent / 100;
        view.state = !volume.active ? "unknown" : *volume.active ? "active" : "inactive";
        if (volume.merging) view.state = "merging";
        if (volume.attr.size() > 4 && (volume.attr[4] == 'I' || volume.attr[4] == 'S')) view.state = "invalid";
        if (view.state == "active" && view.fill_ratio && *view.fill_ratio >= 1) view.state = "full";
        views.push_back(std::move(view));
    }
    return views;
}

std::vector<AlertView> facts_of(const Shown& shown, const std::vector<TierView>& tiers) {
    std::vector<AlertView> facts;
    if (!shown.observation.lvm) facts.push_back(fact("", "inventory-lost", 3, "LVM could not be read: " + shown.observation.lvm_error));
    if (!shown.observation.devices_known) facts.push_back(fact("", "inventory-lost", 3, "the disks could not be read"));
    for (const auto& tier : tiers) {
        const std::string object = "tier/" + tier.id;
        if (tier.phase == "lost")
            facts.push_back(fact(object, "tier-lost", 2, tier.volume + ": its cache is " + tier.health + "; nothing has been changed"));
        if (tier.phase == "degraded") facts.push_back(fact(object, "tier-degraded", 3, tier.volume + ": its cache is " + tier.health));
        const auto* rule = shown.policy.tier(tier.policy);
        const auto* watched = shown.watchers.of(tier.uuid);
        if (watched != nullptr && watched->drain && !watched->drain->stalled().empty())
            facts.push_back(fact(object, "drain-stalled", 4,
                                 tier.volume + ": " + format_size(watched->drain->left()) + " are dirty, and have been for " +
                                     format_span(DrainWatch::stall_span) + ": " + watched->drain->stalled()));
        if (rule == nullptr || watched == nullptr || tier.mode.empty()) continue;
        const auto level = watched->dirty.level(rule->dirty, value_of<CacheMode>(tier.mode).value_or(CacheMode::Writethrough));
        if (level < DirtyWatch::Level::Warn) continue;
        facts.push_back(
            fact(object, "dirty-high", level == DirtyWatch::Level::Critical ? 2 : 4,
                 tier.volume + ": " + format_size(*watched->dirty.dirty()) + " are dirty, of " + format_size(tier.size.value_or(0))));
    }
    for (const auto& step : shown.plan.steps) {
        if (step.alert.empty() || step.entry.rfind("tier ", 0) != 0) continue;
        facts.push_back(
            fact("tier/" + step.entry.substr(5), step.alert, step.alert == "half-made" ? 3 : 4, step.target + ": " + step.reason));
    }
    if (!shown.observation.lvm) return facts;
    for (const auto& rule : shown.policy.tiers) {
        const auto* group = shown.observation.lvm->group(rule.volume.vg);
        if (group == nullptr || group->missing_pvs == 0) continue;
        facts.push_back(fact("tier/" + rule.name, "vg-incomplete", 3,
                             "volume group " + group->name + " lacks " + std::to_string(group->missing_pvs) + " physical volume(s)"));
    }
    return facts;
}

}  // namespace tierd
