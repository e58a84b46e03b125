// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "daemon/model/lvm_limits.hpp"
#include "daemon/model/policy.hpp"

namespace tierd {

/// Where LVM puts the first extent.
inline constexpr Bytes pv_data_offset = 1 * mib;

/// How a pool, a cachevol or a writecache, which is all data, is cut out of a PV. On failure problem says which number is too large or too
/// small, and what would do.
struct PoolSize {
    std::uint64_t data_extents = 0, metadata_extents = 0, spare_extents = 0;
    Bytes chunk_size = 0;
    std::string note;  ///< why not the usual chunk: "64 KiB would be 3604480 chunks; LVM allows 1000000"
    std::string problem;
};

/// What there is on each of the disks; of two, on the smaller.
struct Room {
    std::uint64_t device_extents = 0;  ///< of the whole PV, what a size in percent is of
    std::uint64_t free_extents = 0;    ///< allocatable on the PV now
};
/// present_spare_extents: size of the VG's spare metadata LV, 0 if it has none. What it lacks is kept back where all that fits is taken.
/// Striped over two disks there is twice the room, cut in pairs of extents; of raid1 each half has its own metadata beside it.
PoolSize size_pool(const TierRule& rule, Bytes extent_size, const Room& disk, std::uint64_t present_spare_extents,
                   std::uint64_t max_chunks);

/// ceil(data / max_chunks), rounded up to 32 KiB, at least 64 KiB unless a smaller one was asked.
Bytes smallest_chunk(Bytes data, std::uint64_t max_chunks);
/// 4 MiB and 44 bytes a chunk.
Bytes cache_metadata_need(Bytes data, Bytes chunk);

}  // namespace tierd
