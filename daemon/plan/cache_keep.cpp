// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "daemon/model/identity.hpp"
#include "daemon/plan/cache_lost.hpp"
#include "daemon/plan/cache_parts.hpp"
#include "daemon/plan/cache_tier.hpp"
#include "daemon/plan/writeback_gate.hpp"

namespace tierd {

namespace {

// --- what can be changed while the volume is in use ---

/// Away from writeback there must be nothing dirty, and passthrough begins clean only.
std::optional<Step> change_mode(const TierCase& tier) {
    const auto& volume = *tier.volume;
    const auto [mode, refusal] = allowed_mode(tier.policy, tier.rule, tier.scene);
    if (*volume.cache_mode == mode) return std::nullopt;
    if (tier.rule.kind == TierKind::Writecache)
        return tier.refuse("it must not be writeback: " + refusal + "; a writecache is nothing else");
    const std::string why =
        refusal.empty() ? "the policy asks for mode " + std::string{name_of(mode)} : "it must not be writeback: " + refusal;
    if (*volume.cache_mode == CacheMode::Writeback || mode == CacheMode::Passthrough) {
        if (auto step = drain(tier, why)) return step;
    }
    // Where it lies says whether it may be trusted.
    if (mode == CacheMode::Writeback) {
        if (auto step = check_parts(tier, *tier.our_pool())) return step;
    }
    return tier.act(SetCacheMode{tier.fronted(), volume.uuid, volume.dm_uuid, mode, mode != CacheMode::Writeback}, why);
}

/// The cleaner, which a drain left, is a policy that is not asked for like any other.
std::optional<Step> change_policy(const TierCase& tier) {
    const auto& volume = *tier.volume;
    auto set = tier.set_policy(tier.rule.cache_policy, {});
    std::vector<std::string> changes;
    if (volume.cache_policy != set.cache_policy) changes.push_back("cache_policy " + set.cache_policy + ", it has " + volume.cache_policy);
    for (const auto& [key, value] : changeable_settings(tier)) {
        const auto found = volume.cache_settings.find(key);
        if (found != volume.cache_settings.end() && found->second == value) continue;
        changes.push_back(key + ' ' + value + ", it has " + (found == volume.cache_settings.end() ? "the default" : found->second));
        set.settings[key] = value;
    }
    if (changes.empty()) return std::nullopt;
    return tier.act(std::move(set), "the policy asks for " + join(changes, "; "));
}

// --- what a person asked for ---

/// Clean once, or its time is over: then the policy that it had.
std::optional<Step> flush(const TierCase& tier) {
    const auto until = requests_of(*tier.volume).flush;
    if (!until) return drop_request(tier, RequestKind::Flush, "it is not understood");
    if (tier.scene.now().time >= *until) return drop_request(tier, RequestKind::Flush, "its time is over");
    const auto& device = tier.scene.now().caches.at(tier.volume->uuid);
    if (device.status->dirty_blocks == 0) return drop_request(tier, RequestKind::Flush, "it is clean");
    auto step = drain(tier, "somebody asked for what is dirty to be written back");
    if (step && step->until) step->until = std::min(*step->until, *until);
    return step;
}

/// The kernel gave a leg up, and its disk is there again: it is made equal to the other, by what was written since.
std::optional<Step> take_leg_back(const TierCase& tier, const LogicalVolume& pool) {
    const auto parts = parts_of(pool);
    const bool is_back = std::any_of(parts.begin(), parts.end(), [&](const std::string& name) {
        const auto* part = tier.lv(name);
        return part != nullptr && part->needs_refresh();
    });
    if (!is_back) return std::nullopt;
    return tier.act(RefreshVolume{tier.rule.volume, tier.lv(tier.rule.volume.lv)->uuid},
                    "a leg of its cache was gone for a while, and the kernel goes on without it");
}

}  // namespace

/// As it is after somebody looked into it, or a disk came from another machine. (LVM 2.03.16: "Activation of logical volume … is prohibited
/// while logical volume … is active".)
std::optional<Step> check_parts_inactive(const TierCase& tier) {
    if (tier.volume->active != false) return std::nullopt;
    for (const auto& name : parts_of(*tier.our_pool())) {
        const auto* part = tier.lv(name);
        if (part == nullptr || part->active != true) continue;
        const std::string text = part->vg + '/' + name;
        return tier.half_made("waits until " + text + " is not active on its own any more",
                              "LVM does not activate " + tier.rule.volume.text() + " meanwhile: 'lvchange -an " + text +
                                  "' ends it; where that is said to be in use, 'dmsetup ls --tree' shows what stands on " +
                                  dm_name(part->vg, name));
    }
    return std::nullopt;
}

std::optional<Step> check_kernel(const TierCase& tier) {
    const auto device = tier.scene.now().caches.find(tier.volume->uuid);
    if (device == tier.scene.now().caches.end() || !device->second.status)
        return tier.wait("waits until the state of the cache of " + tier.rule.volume.text() + " is known", "its status could not be read",
                         tier.later());
    const auto& kernel = *device->second.status;
    const auto& volume = *tier.volume;
    std::string differs;
    const bool drains = volume.cache_policy == cleaner_policy;
    if (!kernel.policy.empty() && !volume.cache_policy.empty() && (kernel.policy == cleaner_policy) != drains) {
        differs = "cache_policy " + volume.cache_policy + ", and the kernel runs " + kernel.policy;
    } else if (volume.cache_mode && !kernel.mode.empty() && !drains && kernel.mode != name_of(*volume.cache_mode)) {
        // With the cleaner LVM itself loads writethrough.
        differs = "mode " + std::string{name_of(*volume.cache_mode)} + ", and the kernel runs " + kernel.mode;
    }
    if (differs.empty()) return std::nullopt;
    return tier.half_made("waits until LVM and the kernel agree on the cache of " + tier.rule.volume.text(),
                          "LVM says " + differs + "; " + tier.refreshing() + " loads what LVM says");
}

std::optional<Step> keep_cache(const TierCase& tier) {
    const auto* pool = tier.our_pool();
    if (pool == nullptr) return tier.refuse("it has a cache that tierd did not make (" + tier.volume->pool + "): left alone");
    if (auto step = tier.fence_below(*pool); step && !is_taken_off_next(tier, *pool)) return step;
    // Nor does one that was taken for another shape stand open.
    for (const auto* rule : tier.device_rules()) {
        for (const auto* pv : tier.pvs_by(rule->name)) {
            if (!pv->allocatable || pv->allocated_extents != 0) continue;
            if (auto step = tier.fence(*pv)) return step;
        }
    }
    if (tier.volume->active == true) {
        const auto device = tier.scene.now().caches.find(tier.volume->uuid);
        const auto committed = device == tier.scene.now().caches.end() ? std::nullopt : device->second.metadata_committed;
        if (!committed)
            return tier.wait("waits until it is known whether the cache's metadata reached the SSD", "it could not be read there",
                             tier.later());
        if (!*committed) return tier.act(CommitMetadata{tier.fronted(), tier.volume->uuid, tier.volume->dm_uuid}, uncommitted_reason);
    }
    if (store_of(*pool) == Store::Volume && !tier.volume->tags.contains(served_tag))
        return tier.act(TagVolume{tier.fronted(), tier.volume->uuid, {served_tag}, {}},
                        "a cachevol that is split off by hand is told by it");
    if (auto step = check_parts_inactive(tier)) return step;
    if (tier.volume->active != true) return std::nullopt;
    if (auto step = check_kernel(tier)) return step;
    if (auto step = take_leg_back(tier, *pool)) return step;
    if (!tier.volume->cache_mode || tier.volume->cache_policy.empty()) return std::nullopt;
    if (auto step = remake(tier, *pool)) return step;
    if (auto step = flush(tier)) return step;
    if (tier.is_of_kind()) {
        if (auto step = change_mode(tier)) return step;
        if (auto step = change_policy(tier)) return step;
    }
    if (!lost_tags(*tier.volume).empty()) return forget_loss(tier, "it has a cache again");
    return ask_to_remake(tier, *pool);
}

}  // namespace tierd
