// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/pool_name.hpp"

#include <algorithm>

#include "daemon/model/identity.hpp"
#include "daemon/model/lvm_limits.hpp"

namespace tierd {

std::string pool_name(const TierRule& rule, const Scene& scene) {
    std::string base = rule.name;
    if (reserved_by_lvm(base)) {
        base = "tier-" + base;
        std::replace(base.begin(), base.end(), '_', '-');
    }
    const auto suffix = rule.layout == Layout::Raid1 ? longest_raid_suffix : longest_pool_suffix;
    const std::size_t around = dm_name(rule.volume.vg, std::string{suffix} + "-99").size();
    while (base.size() > 1 && dm_name("", base).size() + around > longest_dm_name) base.pop_back();
    std::string name = base;
    const auto is_taken = [&] {
        return scene.volume(rule.volume.vg, name) != nullptr || scene.volume(rule.volume.vg, name + "_cpool") != nullptr ||
               scene.volume(rule.volume.vg, name + "_cvol") != nullptr || scene.volume(rule.volume.vg, name + "_meta") != nullptr;
    };
    for (unsigned next = 2; is_taken(); ++next) {
        name = base + '-' + std::to_string(next);
    }
    return name;
}

}  // namespace tierd
