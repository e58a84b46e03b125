// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/cache_parts.hpp"
#include "daemon/plan/cache_tier.hpp"

namespace tierd {

namespace {

/// Unknown is no fault: what follows asks again.
CacheStatus::Health health_of(const TierCase& tier) {
    const auto device = tier.scene.now().caches.find(tier.volume->uuid);
    return device == tier.scene.now().caches.end() || !device->second.status ? CacheStatus::Health::Ok : device->second.status->health;
}

void compare_size(const TierCase& tier, const LogicalVolume& pool, std::vector<std::string>& changes) {
    const auto& size = tier.rule.size;
    if (!size || !std::holds_alternative<Bytes>(*size)) return;
    const Bytes asked = round_up(std::get<Bytes>(*size), tier.group->extent_size);
    if (pool.size != asked) changes.push_back("size from " + format_size(pool.size) + " to " + format_size(asked));
}

std::optional<Step> compare_fields(const TierCase& tier, const LogicalVolume& pool) {
    const auto& rule = tier.rule;
    const auto& volume = *tier.volume;
    std::vector<std::string> changes;
    const auto note = [&](const std::string& what, const std::string& is, const std::string& asked) {
        if (is != asked) changes.push_back(what + " from " + is + " to " + asked);
    };
    if (volume.cache_mode) note("mode", std::string{name_of(*volume.cache_mode)}, std::string{name_of(rule.mode)});
    if (!volume.cache_policy.empty()) note("cache_policy", volume.cache_policy, rule.cache_policy);
    for (const auto& [key, value] : rule.settings) {
        const auto found = volume.cache_settings.find(key);
        note("setting " + key, found == volume.cache_settings.end() ? "the default" : found->second, value);
    }
    if (rule.chunk_size && volume.chunk_size != 0) note("chunk_size", format_size(volume.chunk_size), format_size(*rule.chunk_size));
    compare_size(tier, pool, changes);
    if (changes.empty()) return std::nullopt;
    return tier.unsupported("to change " + join(changes, ", ") + " of a cache that is there");
}

}  // namespace

std::optional<Step> keep_cache(const TierCase& tier) {
    const auto* pool = tier.our_pool();
    if (pool == nullptr) return tier.refuse("it has a cache that tierd did not make (" + tier.volume->pool + "): left alone");
    if (const auto health = health_of(tier); health != CacheStatus::Health::Ok) {
        return tier.refuse("its cache is " + std::string{name_of(health)} +
                           ": what was not written back is on the SSD only, so keep it; when it is back, unmount the volume and run "
                           "lvchange -an and -ay on it");
    }
    if (auto step = tier.fence_below(*pool)) return step;
    if (tier.volume->active == true) {
        const auto device = tier.scene.now().caches.find(tier.volume->uuid);
        const auto committed = device == tier.scene.now().caches.end() ? std::nullopt : device->second.metadata_committed;
        if (!committed)
            return tier.wait("waits until it is known whether the cache's metadata reached the SSD", "it could not be read there",
                             tier.later());
        if (!*committed) return tier.act(CommitMetadata{tier.rule.volume, tier.volume->uuid, tier.volume->dm_uuid}, uncommitted_reason);
    }
    return compare_fields(tier, *pool);
}

}  // namespace tierd
