// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/model/observation.hpp"
#include "daemon/model/policy.hpp"

namespace tierd {

/// Seen of LVM 2.03.16: its forced uncache activates the volume first, and that fails.
inline constexpr const char* inactive_drop =
    "LVM gives up the cache of an active volume only, and this one cannot be activated without its SSD; 'vgcfgbackup', cache_mode = "
    "\"writethrough\" written into that text, 'vgcfgrestore --force' and 'lvconvert --uncache' do it by hand";

/// Nothing that tierd does: the SSD may come back.
inline constexpr const char* wait_choice = "wait";

/// What can be done about a lost write-back cache.
struct Recovery {
    std::string choice;  ///< wait_choice, drop_choice (model/request)
    std::string price;
    std::string how;     ///< what a person does or types
    bool lossy = false;  ///< by the typed name of the volume only
    bool possible = true;
};
/// last_dirty: how much was on the SSD only, and when that was seen. None when the tier's cache is not lost, or nothing would be lost with
/// it: that one is taken off by itself.
std::vector<Recovery> recoveries(const TierRule& rule, const Observation& observation,
                                 const std::optional<std::pair<Bytes, Usec>>& last_dirty);

/// What a person does of a volume whose cache has metadata that is damaged, in words: tierd repairs nothing by itself. volume: as its user
/// calls it; of a thin pool LVM takes the name of its data (by its own, the metadata of the thin volumes would be repaired).
std::string repair_way(const VolumeName& volume, const Lvm& lvm);

}  // namespace tierd
