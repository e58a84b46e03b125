// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "daemon/model/identity.hpp"
#include "daemon/plan/cache_lost.hpp"
#include "daemon/plan/cache_parts.hpp"

namespace tierd {

namespace {

constexpr unsigned minutes_a_day = 24 * 60;
constexpr const char* leaves_because = "the policy says state: absent";

/// Settings of the core, which every policy of dm-cache understands; with any other the cleaner cannot be set.
bool is_core_setting(const std::string& key) {
    return key == "migration_threshold";
}

/// Takes away what the cleaner does not know. Never the last one: lvchange of LVM 2.03.16 dies of that (SIGSEGV, seen), so the kernel's own
/// value of the threshold is written down then.
std::map<std::string, std::string> settings_for_cleaner(const LogicalVolume& volume, const CacheStatus& status) {
    std::map<std::string, std::string> changes;
    if (volume.segtype == "writecache") return changes;
    bool any_left = false;
    for (const auto& [key, value] : volume.cache_settings) {
        if (is_core_setting(key)) {
            any_left = true;
        } else {
            changes[key] = "default";
        }
    }
    if (changes.empty() || any_left) return changes;
    const auto threshold = status.core_settings.find("migration_threshold");
    changes["migration_threshold"] = threshold == status.core_settings.end() ? "2048" : threshold->second;
    return changes;
}

/// Below one chunk nothing is ever written back.
std::optional<Step> raise_threshold(const TierCase& tier, const CacheStatus& status) {
    const auto threshold = migration_threshold(status);
    if (tier.rule.on_stall != OnStall::RaiseThreshold || !threshold || *threshold >= status.block_size) return std::nullopt;
    return tier.act(tier.set_policy(cleaner_policy, {{"migration_threshold", std::to_string(8 * status.block_size / sector)}}),
                    "migration_threshold is " + format_size(*threshold) + ", less than a chunk, so nothing is written back");
}

/// LVM 2.03.16 takes the policy of a cachevol's cache, and loads mq whatever it is.
bool has_no_cleaner(const TierCase& tier) {
    const auto* cachevol = tier.our_pool();
    return tier.volume->segtype == "cache" && cachevol != nullptr && store_of(*cachevol) == Store::Volume;
}

Step wait_until_drained(const TierCase& tier, const std::string& why) {
    auto step = tier.wait("waits until " + tier.rule.volume.text() + " is drained", why, tier.later());
    step.drains = tier.volume->uuid;
    return step;
}

/// What is of another kind than the rule asks for is drained to be made anew, and has its kind's own policy until then.
std::string policy_after_drain(const TierCase& tier) {
    if (tier.is_of_kind()) return tier.rule.cache_policy;
    return tier.volume->segtype == "writecache" ? writecache_policy : "smq";
}

std::string clock_text(unsigned minutes) {
    const auto two = [](unsigned value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    return two(minutes / 60) + ':' + two(minutes % 60);
}

bool is_open(const DrainWindow& window, unsigned minute) {
    return window.from <= window.to ? minute >= window.from && minute < window.to : minute >= window.from || minute < window.to;
}

/// Whether a tier that is to be there uses that device rule; in this group, or in any.
bool is_wanted(const TierCase& tier, const std::string& device_rule, bool in_group_only) {
    return std::any_of(tier.policy.tiers.begin(), tier.policy.tiers.end(), [&](const TierRule& rule) {
        const bool uses = std::find(rule.devices.begin(), rule.devices.end(), device_rule) != rule.devices.end();
        return uses && rule.state == Presence::Present && (!in_group_only || rule.volume.vg == tier.rule.volume.vg);
    });
}

/// A disk that carries no tag of a rule's is anybody's whose rule asks for it, or may once more is known of it.
bool is_wanted(const TierCase& tier, const PhysicalVolume& pv, bool in_group_only) {
    const auto* device = device_rule_of(pv) ? nullptr : tier.scene.device_of(pv);
    const auto& rules = tier.policy.devices;
    return device != nullptr && std::any_of(rules.begin(), rules.end(), [&](const DeviceRule& rule) {
               const bool is_known = device->size != 0 && device->kind != DiskKind::Unknown;
               return is_wanted(tier, rule.name, in_group_only) && (!is_known || judge(rule, *device, tier.scene.now()).matches);
           });
}

std::optional<Step> leave_volume(const TierCase& tier) {
    if (auto step = check_parts_inactive(tier)) return step;
    if (tier.volume->active != true)
        return tier.wait("waits for " + tier.rule.volume.text() + " to be active", "whether its cache is clean is seen in the kernel only");
    if (auto step = check_kernel(tier)) return step;
    if (auto step = wait_for_window(tier)) return step;
    if (auto step = drain(tier, leaves_because)) return step;
    for (const auto* rule : tier.device_rules()) {
        if (auto step = open_for_others(tier, *tier.our_pool(), rule->name)) return step;
    }
    return tier.act(RemoveCache{tier.fronted(), tier.volume->dm_uuid}, leaves_because);
}

std::optional<Step> leave_pool(const TierCase& tier, const LogicalVolume& pool) {
    if (pool.hidden) return clear_away(tier, pool);
    if (auto step = check_parts(tier, pool)) return step;
    auto step = remove_pool(tier, pool, leaves_because);
    for (const auto* rule : tier.device_rules()) {
        if (step.state != StepState::Ready) break;
        if (auto before = open_for_others(tier, pool, rule->name)) return before;
    }
    return step;
}

/// An orphan of ours on a disk that the rule asks for, of which there is no copy.
bool is_orphan_of_ours(const TierCase& tier, const PhysicalVolume* pv) {
    const auto& pvs = tier.scene.now().lvm->pvs;
    return pv != nullptr && pv->vg.empty() && tier.is_ours(*pv) && std::none_of(pvs.begin(), pvs.end(), [&](const PhysicalVolume& each) {
               return each.uuid == pv->uuid && (each.duplicate || &each != pv);
           });
}

}  // namespace

std::map<std::string, std::string> changeable_settings(const TierCase& tier) {
    auto settings = tier.is_of_kind() ? tier.rule.settings : std::map<std::string, std::string>{};
    settings.erase("block_size");
    return settings;
}

std::optional<Step> wait_for_window(const TierCase& tier) {
    if (!tier.rule.drain_window) return std::nullopt;
    const auto& window = *tier.rule.drain_window;
    const unsigned minute = tier.scene.now().minute_of_day % minutes_a_day;
    if (is_open(window, minute)) return std::nullopt;
    const std::string when = clock_text(window.from) + " to " + clock_text(window.to);
    const auto& volume = *tier.volume;
    if (volume.cache_policy == cleaner_policy && policy_after_drain(tier) != cleaner_policy) {
        // Whoever began it: outside of the window this only makes good.
        auto step =
            tier.act(tier.set_policy(policy_after_drain(tier), changeable_settings(tier)), "it may be drained from " + when + " only");
        step.risk = Risk::None;
        return step;
    }
    // Looked at again within the hour: clocks are set, and there are days of 23 hours.
    const Usec minutes = std::min((window.from + minutes_a_day - minute) % minutes_a_day, 60U);
    return tier.wait("waits for the drain window, " + when, "the policy lets it be drained then only",
                     tier.scene.now().time + std::max<Usec>(minutes, 1) * 60 * usec_per_second);
}

std::optional<Step> give_back(const TierCase& tier, const std::string& device_rule) {
    const std::string why = "no tier of rule " + device_rule + " is left on it";
    const auto pvs = tier.pvs_by(device_rule);
    for (const auto* pv : pvs) {
        if (pv->allocated_extents == 0 && !is_wanted(tier, device_rule, true) && !is_wanted(tier, *pv, true))
            return tier.act(ReduceVg{tier.rule.volume.vg, pv->device, pv->uuid, tier.scene.diskseq_of(*pv)}, why);
    }
    if (!pvs.empty()) return std::nullopt;
    const auto* rule = tier.policy.device(device_rule);
    if (rule == nullptr || is_wanted(tier, device_rule, false)) return std::nullopt;
    for (const auto& candidate : tier.scene.candidates(*rule)) {
        const auto* pv = tier.scene.now().lvm->pv_on(*candidate.device);
        if (!is_orphan_of_ours(tier, pv) || is_wanted(tier, *pv, false)) continue;
        auto step = tier.act(RemovePv{pv->device, pv->uuid, tier.scene.diskseq_of(*pv)}, why);
        step.target = pv->device;
        return step;
    }
    return std::nullopt;
}

std::optional<Step> open_for_others(const TierCase& tier, const LogicalVolume& pool, const std::string& device_rule) {
    if (!is_wanted(tier, device_rule, true)) return std::nullopt;
    for (const auto* pv : tier.pvs_by(device_rule)) {
        if (!pv->allocatable && tier.extents_of(pool, *pv) >= pv->allocated_extents) return unfence(tier, *pv);
    }
    return std::nullopt;
}

std::optional<Step> drain(const TierCase& tier, const std::string& why) {
    const auto& volume = *tier.volume;
    const auto device = tier.scene.now().caches.find(volume.uuid);
    if (device == tier.scene.now().caches.end() || !device->second.status)
        return tier.wait("waits until it is known how much of the cache is dirty", "its status could not be read", tier.later());
    if (!volume.cache_mode || volume.cache_policy.empty())
        return tier.wait("waits until the mode and the policy of the cache are known", "LVM does not say them", tier.later());
    const bool clean = device->second.status->dirty_blocks == 0;
    if (has_no_cleaner(tier)) {
        if (!clean) return wait_until_drained(tier, why + "; a cachevol writes back while it is idle only");
        if (*volume.cache_mode != CacheMode::Writeback) return std::nullopt;
        return tier.act(SetCacheMode{tier.fronted(), volume.uuid, volume.dm_uuid, CacheMode::Writethrough}, why);
    }
    // Only writeback makes new dirty blocks, and the cleaner none in any mode.
    if (clean && (*volume.cache_mode != CacheMode::Writeback || volume.cache_policy == cleaner_policy)) return std::nullopt;
    if (volume.cache_policy != cleaner_policy) {
        return tier.act(tier.set_policy(cleaner_policy, settings_for_cleaner(volume, *device->second.status)), why);
    }
    if (device->second.at_rest)
        return tier.act(tier.set_policy(cleaner_policy, {}), why + "; the kernel writes nothing back until its table is loaded anew");
    if (auto step = raise_threshold(tier, *device->second.status)) return step;
    return wait_until_drained(tier, why);
}

std::optional<Step> forget_cachevol(const TierCase& tier) {
    if (tier.volume == nullptr || !tier.volume->tags.contains(served_tag)) return std::nullopt;
    return tier.act(TagVolume{tier.fronted(), tier.volume->uuid, {}, {served_tag}}, "no cachevol serves it any more");
}

std::optional<Step> leave(const TierCase& tier) {
    if (tier.volume != nullptr && tier.volume->is_cached() && tier.our_pool() != nullptr) return leave_volume(tier);
    if (auto step = tag_pool(tier)) return step;
    const auto tagged = tier.scene.tagged(tier.rule.volume.vg, tier.rule.name);
    if (!tagged.empty()) return leave_pool(tier, *tagged.front());
    if (auto step = remove_pieces(tier)) return step;
    if (auto step = forget_cachevol(tier)) return step;
    for (const auto* rule : tier.device_rules()) {
        if (auto step = give_back(tier, rule->name)) return step;
    }
    for (const auto kind : {RequestKind::Flush, RequestKind::Remake, RequestKind::Recover}) {
        if (auto step = drop_request(tier, kind, "it has no cache any more")) return step;
    }
    if (tier.volume != nullptr && !lost_tags(*tier.volume).empty()) return forget_loss(tier, leaves_because);
    return std::nullopt;
}

}  // namespace tierd
