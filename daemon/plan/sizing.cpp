// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/sizing.hpp"

#include <algorithm>

#include "daemon/model/units.hpp"

namespace tierd {

namespace {

Bytes divide_up(Bytes value, Bytes by) {
    return value / by + (value % by != 0 ? 1 : 0);
}

std::uint64_t stripes_of(const TierRule& rule) {
    return rule.layout == Layout::Striped ? 2 : 1;
}

/// What data and metadata can have of all disks together, the metadata of their raid halves taken off.
Room usable(const TierRule& rule, Bytes extent_size, Room room) {
    const auto stripes = stripes_of(rule);
    room.device_extents *= stripes;
    room.free_extents *= stripes;
    if (rule.layout == Layout::Raid1) room.free_extents -= std::min(room.free_extents, 2 * divide_up(raid_metadata, extent_size));
    return room;
}

/// Metadata and spare for a data size. Both in extents; the spare is what the VG's present one lacks.
void set_metadata(const TierRule& rule, Bytes extent_size, std::uint64_t present_spare_extents, PoolSize& pool) {
    const Bytes need = cache_metadata_need(pool.data_extents * extent_size, pool.chunk_size);
    pool.metadata_extents = round_up(divide_up(rule.metadata_size.value_or(need), extent_size), stripes_of(rule));
    // A cachevol cannot be repaired, and needs no room for that.
    if (rule.store == Store::Volume) return;
    pool.spare_extents = pool.metadata_extents > present_spare_extents ? pool.metadata_extents - present_spare_extents : 0;
}

std::string check_chunk(Bytes chunk) {
    if (chunk >= cache_chunk_min && chunk <= cache_chunk_max && chunk % cache_chunk_min == 0) return "";
    return "chunk_size " + format_size(chunk) + " cannot be: LVM takes multiples of 32 KiB, from 32 KiB to 1 GiB";
}

std::string check_numbers(const TierRule& rule, Bytes extent_size, std::uint64_t max_chunks, const PoolSize& pool) {
    const Bytes data = pool.data_extents * extent_size;
    if (auto problem = check_chunk(pool.chunk_size); !problem.empty()) return problem;
    if (data / pool.chunk_size > max_chunks) {
        return "chunk_size " + format_size(pool.chunk_size) + " would make " + std::to_string(data / pool.chunk_size) + " chunks of " +
               format_size(data) + "; LVM allows " + std::to_string(max_chunks) +
               ": write chunk_size: " + spell_size(smallest_chunk(data, max_chunks)) + " or more";
    }
    if (data < pool.chunk_size) return "a pool of " + format_size(data) + " is smaller than one chunk of " + format_size(pool.chunk_size);
    const Bytes need = cache_metadata_need(data, pool.chunk_size);
    if (rule.metadata_size && *rule.metadata_size < need) {
        return "metadata_size " + format_size(*rule.metadata_size) + " is too small for " + std::to_string(data / pool.chunk_size) +
               " chunks: write metadata_size: " + spell_size(round_up(need, mib)) + " or more, or leave it out";
    }
    return "";
}

}  // namespace

Bytes smallest_chunk(Bytes data, std::uint64_t max_chunks) {
    const Bytes least = divide_up(data, std::max<std::uint64_t>(max_chunks, 1));
    return std::max(cache_chunk_usual, round_up(least, cache_chunk_min));
}

Bytes cache_metadata_need(Bytes data, Bytes chunk) {
    return cache_metadata_min + cache_metadata_a_chunk * divide_up(data, chunk);
}

PoolSize size_pool(const TierRule& rule, Bytes extent_size, const Room& disk, std::uint64_t present_spare_extents,
                   std::uint64_t max_chunks) {
    PoolSize pool;
    const auto [device_extents, free_extents] = usable(rule, extent_size, disk);
    const auto stripes = stripes_of(rule);
    const bool all_that_fits = !rule.size;
    if (all_that_fits) {
        pool.data_extents = free_extents;
    } else if (const auto* bytes = std::get_if<Bytes>(&*rule.size)) {
        pool.data_extents = round_up(divide_up(*bytes, extent_size), stripes);
    } else {
        const auto share = share_of(std::get<Percent>(*rule.size), device_extents);
        pool.data_extents = share - share % stripes;
    }

    if (rule.kind == TierKind::Writecache) {
        // It keeps its metadata by itself.
        if (pool.data_extents == 0 || pool.data_extents > free_extents) {
            pool.problem =
                format_size(pool.data_extents * extent_size) + " does not fit: " + format_size(free_extents * extent_size) + " are free";
            if (free_extents > 0) pool.problem += "; write size: " + spell_size_within(free_extents * extent_size) + " or less";
        }
        return pool;
    }
    pool.chunk_size = rule.chunk_size.value_or(smallest_chunk(pool.data_extents * extent_size, max_chunks));
    if (rule.chunk_size) pool.problem = check_chunk(pool.chunk_size);
    if (!pool.problem.empty()) return pool;
    set_metadata(rule, extent_size, present_spare_extents, pool);
    if (all_that_fits) {
        // Chunk and metadata for everything do for what then remains; a smaller chunk could need more metadata than is kept back.
        const auto kept_back = pool.metadata_extents + pool.spare_extents;
        pool.data_extents = free_extents > kept_back ? free_extents - kept_back : 0;
        pool.data_extents -= pool.data_extents % stripes;
    }

    // The spare is made when a pool is repaired only: its room is no reason to refuse a size that somebody wrote down.
    const auto kept_back = pool.metadata_extents + (all_that_fits ? pool.spare_extents : 0);
    if (pool.data_extents == 0 || pool.data_extents + kept_back > free_extents) {
        const auto room = free_extents > kept_back ? free_extents - kept_back : 0;
        pool.problem = (all_that_fits ? std::string{"nothing"} : format_size(pool.data_extents * extent_size)) +
                       (all_that_fits ? " fits: " : " does not fit: ") + format_size(free_extents * extent_size) + " are free, " +
                       format_size(pool.metadata_extents * extent_size) + " of them kept back for metadata" +
                       (all_that_fits ? " and " + format_size(pool.spare_extents * extent_size) + " for its spare" : "");
        if (room > 0) pool.problem += "; write size: " + spell_size_within(room * extent_size) + " or less";
        return pool;
    }
    pool.problem = check_numbers(rule, extent_size, max_chunks, pool);
    if (pool.chunk_size > cache_chunk_usual && !rule.chunk_size) {
        pool.note = "64 KiB would be " + std::to_string(pool.data_extents * extent_size / cache_chunk_usual) + " chunks; LVM allows " +
                    std::to_string(max_chunks);
    }
    return pool;
}

}  // namespace tierd
