// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/pool_name.hpp"

#include <algorithm>
#include <array>

#include "daemon/model/identity.hpp"

namespace tierd {

namespace {

constexpr std::size_t dm_name_limit = 127;  // DM_NAME_LEN less the final NUL

/// LVM's reserved names (lib/misc/lvm-string.c): a pool may not be called so although a tier may.
bool reserved(const std::string& name) {
    constexpr std::array prefixes{"snapshot", "pvmove"};
    constexpr std::array infixes{"_cdata", "_cmeta", "_corig", "_cpool", "_cvol",  "_wcorig", "_mimage",  "_mlog",   "_rimage",
                                 "_rmeta", "_tdata", "_tmeta", "_vdata", "_imeta", "_iorig",  "_pmspare", "_vorigin"};
    return std::any_of(prefixes.begin(), prefixes.end(), [&](const char* prefix) { return name.rfind(prefix, 0) == 0; }) ||
           std::any_of(infixes.begin(), infixes.end(), [&](const char* infix) { return name.find(infix) != std::string::npos; });
}

}  // namespace

std::string pool_name(const TierRule& rule, const Scene& scene) {
    std::string base = rule.name;
    if (reserved(base)) {
        base = "tier-" + base;
        std::replace(base.begin(), base.end(), '_', '-');
    }
    const std::size_t around = dm_name(rule.volume.vg, "_cpool_cdata-99").size();
    while (base.size() > 1 && dm_name("", base).size() + around > dm_name_limit) base.pop_back();
    std::string name = base;
    for (unsigned next = 2; scene.volume(rule.volume.vg, name) != nullptr || scene.volume(rule.volume.vg, name + "_cpool") != nullptr;
         ++next) {
        name = base + '-' + std::to_string(next);
    }
    return name;
}

}  // namespace tierd
