// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "daemon/model/units.hpp"

/// What LVM, dm-cache and device-mapper allow, once: the loader refuses by it what the plan could not do.
namespace tierd {

/// DM_NAME_LEN, less its NUL: VG and LV as one name, each hyphen in them doubled.
inline constexpr std::size_t longest_dm_name = 127;
/// What LVM appends at most to a cache pool's name; where its parts are raid1, to theirs.
inline constexpr std::string_view longest_pool_suffix = "_cpool_cdata", longest_raid_suffix = "_cpool_cdata_rimage_0";

/// lib/misc/lvm-string.c: LV names that LVM keeps for itself.
struct ReservedName {
    std::string_view word;
    bool prefix = false;  ///< else anywhere in the name
};
std::optional<ReservedName> reserved_by_lvm(std::string_view lv);

/// lib/metadata/cache_manip.c, and what allocation/cache_pool_max_chunks is unless somebody has changed it.
inline constexpr Bytes cache_chunk_min = 32 * kib;  ///< and the step
inline constexpr Bytes cache_chunk_max = 1 * gib;
inline constexpr Bytes cache_chunk_usual = 64 * kib;
inline constexpr std::uint64_t cache_chunks_max = 1'000'000;
inline constexpr Bytes cache_metadata_min = 4 * mib;
inline constexpr Bytes cache_metadata_a_chunk = 44;
inline constexpr Bytes cache_metadata_max = 16 * gib;
/// Beside each half of a raid1 LV, in whole extents: its superblock, and a bit for each region of 2 MiB. So much does for 900 GiB.
inline constexpr Bytes raid_metadata = 64 * kib;
/// LVM raises a lower migration_threshold to this many chunks by itself, and below one chunk nothing is ever written back.
inline constexpr Bytes migration_threshold_chunks = 8;

}  // namespace tierd
