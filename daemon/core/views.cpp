// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/views.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "daemon/model/identity.hpp"
#include "daemon/model/request.hpp"
#include "daemon/model/target.hpp"
#include "daemon/monitor/counters.hpp"
#include "daemon/plan/eligibility.hpp"
#include "daemon/plan/explain.hpp"
#include "daemon/plan/recoveries.hpp"
#include "daemon/plan/scene.hpp"
#include "daemon/plan/volume_index.hpp"
#include "daemon/plan/writeback_gate.hpp"

namespace tierd {

namespace {

/// Disks that a person would call a disk: no device-mapper, loop or RAM device; partitions only where a rule names one.
bool is_shown(const BlockDevice& device, const std::vector<Verdict>& verdicts) {
    const bool asked_for = std::any_of(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) { return verdict.matches; });
    return asked_for || (!device.virtual_disk && device.parent.empty());
}

/// A disk without an identity is known by its node until the next boot.
std::string id_of(const BlockDevice& device) {
    const std::string identity = identity_of(device);
    return bounded_id(identity.empty() ? "node:" + device.name : identity);
}

/// No two objects of a kind have one id: the second of two paths to a disk, of two entries of one name, is told apart by a word of its own.
class Ids {
public:
    std::string unique(const std::string& id, const std::string& apart) {
        std::string wanted = id;
        for (unsigned number = 1; !seen_.insert(wanted).second; ++number)
            wanted = bounded_id(id + '@' + apart + (number == 1 ? "" : '@' + std::to_string(number)));
        return wanted;
    }

private:
    std::set<std::string> seen_;
};

/// What is looked up for each of many tiers.
class Lookup {
public:
    explicit Lookup(const Shown& shown) : observation_{shown.observation} {
        for (const auto& step : shown.plan.steps) first_.emplace(step.entry, &step);
        if (!observation_.lvm) return;
        volumes_ = VolumeIndex{observation_.lvm->lvs};
        std::unordered_map<std::string, const BlockDevice*> by_number;
        for (const auto& device : observation_.devices) by_number.emplace(device.dev, &device);
        for (const auto& pv : observation_.lvm->pvs) {
            const auto device = by_number.find(pv.dev);
            if (!pv.dev.empty() && !pv.duplicate && device != by_number.end()) below_.emplace(pv.uuid, device->second);
        }
    }
    [[nodiscard]] const LogicalVolume* volume(const std::string& vg, const std::string& name) const {
        const auto at = volumes_.find(vg, name);
        return at == VolumeIndex::none ? nullptr : &observation_.lvm->lvs[at];
    }
    [[nodiscard]] const LogicalVolume* fronted(const VolumeName& name) const {
        return fronted_by_cache(name, [this](const std::string& vg, const std::string& lv) { return volume(vg, lv); });
    }
    [[nodiscard]] const BlockDevice* device_of(const std::string& pv_uuid) const {
        const auto found = below_.find(pv_uuid);
        return found == below_.end() ? nullptr : found->second;
    }
    [[nodiscard]] const Scene& scene() const {
        if (!scene_) scene_.emplace(observation_);
        return *scene_;
    }
    [[nodiscard]] const Step* first_step(const std::string& entry) const {
        const auto found = first_.find(entry);
        return found == first_.end() ? nullptr : found->second;
    }

private:
    const Observation& observation_;
    mutable std::optional<Scene> scene_;  ///< for the few that need it
    VolumeIndex volumes_;
    std::unordered_map<std::string, const BlockDevice*> below_;
    std::unordered_map<std::string, const Step*> first_;
};

void set_state(const std::vector<Verdict>& verdicts, const Policy& policy, const Observation& observation, DeviceView& view) {
    view.state = "ineligible";
    view.reasons = {"no rule of the policy asks for it"};
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const auto& verdict = verdicts[i];
        if (!verdict.matches) continue;
        view.policy = policy.devices[i].name;
        view.reasons = verdict.reasons;
        if (verdict.answer == Verdict::Answer::Serving) view.state = "serving";
        if (verdict.answer == Verdict::Answer::Eligible) {
            view.state = "eligible";
            if (const auto served = served_already(policy.devices[i], observation); !served.empty()) view.reasons.push_back(served);
        }
        if (view.state != "ineligible") return;
    }
}

/// That it fails is said before anything else.
void set_health(const std::optional<DiskHealth>& health, DeviceView& view) {
    if (!health) return;
    view.health = health->failing ? "failing" : "ok";
    view.health_evidence = health->evidence;
    if (health->wear) view.wear = *health->wear / 100.0;
    if (!health->failing) return;
    if (view.state == "serving") view.reasons.emplace_back("it serves");
    if (view.state == "serving" || view.policy.empty()) view.reasons.insert(view.reasons.begin(), "it is failing: " + health->evidence);
    view.state = "failing";
}

std::vector<std::string> devices_below(const LogicalVolume& pool, const Lookup& lookup) {
    std::set<std::string> ids;
    for (const auto& part : parts_of(pool)) {
        const auto* volume = lookup.volume(pool.vg, part);
        if (volume == nullptr) continue;
        for (const auto& [uuid, extents] : lookup.scene().extents_below(*volume)) {
            if (const auto* device = lookup.device_of(uuid); device != nullptr) ids.insert(id_of(*device));
        }
    }
    return {ids.begin(), ids.end()};
}

void add(std::map<std::string, double>& figures, const std::string& name, const std::optional<double>& value) {
    if (value) figures[name] = *value;
}

void set_watched(const Watchers::Watched& watched, TierView& view) {
    constexpr std::array<std::pair<const char*, Usec>, 4> windows{{{"1m", 60}, {"5m", 300}, {"1h", 3'600}, {"1d", 86'400}}};
    for (const auto& [name, seconds] : windows) {
        const auto ratio = watched.hits.over(seconds * usec_per_second);
        add(view.hit_ratios, std::string{"read-"} + name, ratio.read);
        add(view.hit_ratios, std::string{"write-"} + name, ratio.write);
    }
    view.promotion_rate = watched.migration.promotions();
    view.demotion_rate = watched.migration.demotions();
    view.full = watched.full.full();
    for (const auto& [name, direction] : service_directions) {
        const auto means = watched.service.means(direction);
        add(view.service_times, std::string{"tier-"} + name, means.tier);
        add(view.service_times, std::string{"origin-"} + name, means.origin);
    }
    view.dirty_since = watched.dirty.since();
    view.assumed_dirty = watched.assumed.assumed();
    view.assumed_written_back = watched.assumed.progress();
}

void set_cache(const LogicalVolume& volume, const LogicalVolume& pool, const Shown& shown, const Lookup& lookup, TierView& view) {
    view.uuid = volume.uuid;
    if (volume.cache_mode) view.mode = std::string{name_of(*volume.cache_mode)};
    view.cache_policy = volume.cache_policy;
    view.settings = volume.cache_settings;
    view.chunk_size = volume.chunk_size;
    view.size = pool.size;
    view.devices = devices_below(pool, lookup);
    const auto device = shown.observation.caches.find(volume.uuid);
    view.health = "unknown";
    if (device != shown.observation.caches.end() && device->second.status) {
        const auto& status = *device->second.status;
        view.health = std::string{name_of(status.health)};
        if (is_counted(status)) {
            view.used = status.used_blocks * status.block_size;
            view.dirty = status.dirty_blocks * status.block_size;
            if (status.metadata_total > 0)
                view.metadata_ratio = static_cast<double>(status.metadata_used) / static_cast<double>(status.metadata_total);
        }
    }
    // What is not in the kernel, or says nothing there, may be known to LVM.
    if (view.health == "unknown" && volume.partial) view.health = "partial";
    if (view.health == "unknown" && volume.needs_check()) view.health = "needs-check";
    if (const auto* watched = shown.watchers.of(volume.uuid)) set_watched(*watched, view);
    if (const auto seen = shown.remembered.find(volume.uuid); seen != shown.remembered.end())
        view.last_known_dirty = {seen->second.dirty, seen->second.time};
    view.phase = volume.cache_policy == cleaner_policy ? "draining" : "active";
    if (view.health == "needs-check" || view.health == "read-only") view.phase = "degraded";
    if (volume.partial) {
        const bool is_held = shown.observation.lvm->is_held_by_a_leg(pool);
        if (is_held) view.health = "leg-lost";
        view.phase = shown.arriving.contains(volume.vg) ? "waiting" : is_held ? "degraded" : "lost";
    }
    if (view.health == "error" || view.health == "failed") view.phase = "lost";
}

std::vector<std::string> asked_for(const Requests& requests) {
    std::vector<std::string> asked;
    if (requests.detach) asked.emplace_back("detach");
    if (requests.flush) asked.emplace_back("flush");
    if (requests.mode) asked.push_back("mode " + std::string{name_of(*requests.mode)});
    return asked;
}

/// What an entry waits for, in one line: what its next step does, or what keeps it from being done.
std::string waits_for(const Step* step, const Shown& shown) {
    if (step == nullptr) return "";
    if (step->state == StepState::Refused && shown.policy.frozen.contains(step->entry)) return contradiction_of(*step);
    if (step->state != StepState::Ready) return step->reason.empty() ? step->sentence : step->sentence + " (" + step->reason + ')';
    for (const auto& group : {std::string{}, step->group}) {
        if (const auto held = shown.held.find(group); held != shown.held.end()) return "waits: " + held->second;
    }
    return step->needs_person ? "waits for 'tierctl apply' (" + step->sentence + ')' : "";
}

TierView view_rule(const TierRule& rule, const Shown& shown, const Lookup& lookup) {
    TierView view;
    view.id = bounded_id(rule.name);
    view.policy = rule.name;
    view.kind = std::string{name_of(rule.kind)};
    view.volume_kind = rule.kind == TierKind::Bcache ? "backing-device" : rule.kind == TierKind::Journal ? "filesystem" : "lv";
    view.volume = rule.kind == TierKind::Journal ? rule.filesystem : rule.kind == TierKind::Bcache ? "" : rule.volume.text();
    view.phase = shown.observation.lvm ? "waiting" : "unknown";
    view.health = "unknown";
    view.waits_for = waits_for(lookup.first_step("tier " + rule.name), shown);
    if (shown.observation.lvm && !rule.volume.lv.empty()) {
        const auto* volume = lookup.fronted(rule.volume);
        if (volume != nullptr) {
            view.uuid = volume->uuid;
            view.asked = asked_for(requests_of(*volume));
        }
        const auto* pool = volume != nullptr && volume->is_cached() ? lookup.volume(volume->vg, volume->pool) : nullptr;
        if (pool != nullptr) {
            set_cache(*volume, *pool, shown, lookup, view);
            view.foreign = !tier_of(*pool);
            if (!view.foreign && view.waits_for.empty() && rule.mode == CacheMode::Writeback) {
                const auto allowed = allowed_mode(shown.policy, rule, lookup.scene());
                if (!allowed.why.empty()) view.waits_for = "is " + std::string{name_of(allowed.mode)} + ", not writeback: " + allowed.why;
            }
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

}  // namespace

std::string contradiction_of(const Step& step) {
    return step.entry + " contradicts another entry of the policy (" + short_place(step.rule) + ')';
}

std::string bounded_id(const std::string& text) {
    constexpr std::size_t longest = 128, kept = 64, hash_digits = 32;
    if (text.size() <= longest) return text;
    std::string hash = pv_uuid_for("", text);  // of all of the text, in letters that any name may have
    std::erase(hash, '-');
    return text.substr(0, kept) + '~' + hash.substr(0, hash_digits);
}

std::vector<DeviceView> view_devices(const Shown& shown) {
    std::vector<DeviceView> views;
    Ids ids;
    for (const auto& device : shown.observation.devices) {
        std::vector<Verdict> verdicts;
        for (const auto& rule : shown.policy.devices) {
            verdicts.push_back(can_match(rule, device) ? judge(rule, device, shown.observation) : Verdict{});
        }
        if (!is_shown(device, verdicts)) continue;
        DeviceView view;
        view.identity = identity_of(device);
        // Two paths to one disk have one identity: each is shown, and both are refused.
        view.id = ids.unique(id_of(device), device.name);
        view.path = device.node;
        view.model = device.model;
        view.serial = device.serial;
        view.wwn = device.wwn;
        view.transport = device.transport;
        view.size = device.size;
        view.kind = std::string{name_of(device.kind)};
        view.kind_evidence = device.kind_evidence;
        set_state(verdicts, shown.policy, shown.observation, view);
        set_health(shown.observation.disk_of(device).health, view);
        views.push_back(std::move(view));
    }
    return views;
}

std::vector<TierView> view_tiers(const Shown& shown) {
    std::vector<TierView> views;
    const Lookup lookup{shown};
    Ids ids;
    std::set<std::string> with_rule;
    for (const auto& rule : shown.policy.tiers) {
        if (const auto* volume = lookup.fronted(rule.volume); volume != nullptr) with_rule.insert(volume->uuid);
        views.push_back(view_rule(rule, shown, lookup));
        views.back().id = ids.unique(views.back().id, short_place(rule.place));
    }
    if (!shown.observation.lvm) return views;
    for (const auto& volume : shown.observation.lvm->lvs) {
        if (!volume.is_cached() || with_rule.contains(volume.uuid)) continue;
        const auto* pool = lookup.volume(volume.vg, volume.pool);
        if (pool == nullptr) continue;
        TierView view;
        view.id = ids.unique(bounded_id(volume.uuid), volume.vg + '/' + volume.name);
        view.kind = volume.segtype;
        view.volume = volume.vg + '/' + volume.name;
        view.volume_kind = "lv";
        set_cache(volume, *pool, shown, lookup, view);
        const auto tier = tier_of(*pool);
        view.foreign = !tier;
        if (tier) {
            const auto* rule = shown.policy.tier(*tier);
            view.waits_for =
                "made for tier " + *tier + ", " +
                (rule == nullptr ? "which the policy does not name any more" : "which is for " + rule->volume.text() + " now") +
                ": it stays as it is";
        }
        views.push_back(std::move(view));
    }
    return views;
}

std::vector<SnapshotView> view_snapshots(const Shown& shown) {
    std::vector<SnapshotView> views;
    Ids ids;
    if (!shown.observation.lvm) return views;
    for (const auto& volume : shown.observation.lvm->lvs) {
        const bool thick =
            !volume.origin.empty() && !volume.hidden && !volume.attr.empty() && (volume.attr[0] == 's' || volume.attr[0] == 'S');
        const bool thin = volume.segtype == "thin" && !volume.origin.empty();
        if (!thick && !thin) continue;
        SnapshotView view;
        view.id = ids.unique(bounded_id(volume.uuid), volume.vg + '/' + volume.name);
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

void explain_watched(const Shown& shown, const std::string& about, std::vector<Finding>& findings) {
    const Target target{about};
    for (const auto& tier : view_tiers(shown)) {
        const auto slash = tier.volume.find('/');
        if (tier.volume_kind != "lv" || slash == std::string::npos) continue;
        const std::string group = tier.volume.substr(0, slash);
        const bool means_tier = !tier.policy.empty() && target.means(tier_kind, {tier.policy});
        if (!means_tier && !target.means(volume_kind, names_of_volume(group, tier.volume.substr(slash + 1)))) continue;
        const auto* rule = shown.policy.tier(tier.policy);
        for (const auto& each : rule == nullptr ? std::vector<Recovery>{} : recoveries(*rule, shown.observation, tier.last_known_dirty))
            findings.push_back({tier.volume, "recovery " + each.choice, each.possible ? Finding::Verdict::Note : Finding::Verdict::No,
                                each.price, each.how, rule->place});
        if (tier.assumed_dirty && tier.dirty)
            findings.push_back({tier.volume,
                                "is dirty",
                                Finding::Verdict::Note,
                                format_size(*tier.dirty) + ", which is assumed: after an unclean stop the kernel counts all that a cache "
                                                           "holds as dirty until it has written it back; a detach waits for that",
                                "",
                                {}});
        if (shown.arriving.contains(group))
            findings.push_back({tier.volume,
                                "its volume group is whole",
                                Finding::Verdict::Unknown,
                                "it has lacked a disk since tierd's start, which may still appear",
                                "",
                                {}});
    }
}

}  // namespace tierd
