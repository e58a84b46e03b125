// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>
#include <set>

#include "daemon/model/identity.hpp"
#include "daemon/plan/cache_parts.hpp"
#include "daemon/plan/pool_name.hpp"

/// A pool over several disks. lvcreate makes linear ones only (2.03.16), so its data and its metadata are made each, and lvconvert makes a
/// pool of both. They are tagged from their birth on, and lvconvert leaves that tag on them: the pool gets its own afterwards.
namespace tierd {

namespace {

/// Of the data's name.
constexpr std::string_view metadata_suffix = "_meta", pool_data_suffix = "_cdata";

/// What was begun, as LVM shows it before it is a pool.
struct Pieces {
    const LogicalVolume* data = nullptr;
    const LogicalVolume* metadata = nullptr;
    const LogicalVolume* other = nullptr;  ///< what a command that was killed left of one
};

/// What stands by itself: an image of a RAID volume that lvcreate was killed in goes with that (LVM refuses to remove it alone).
struct Standing {
    const LogicalVolume* volume = nullptr;
    bool has_visible_images = false;  ///< it was never finished
};

std::vector<Standing> standing(const TierCase& tier) {
    const auto parts = tier.scene.parts(tier.rule.volume.vg, tier.rule.name);
    std::set<const LogicalVolume*> images;
    std::vector<Standing> found;
    for (const auto* each : parts) {
        const auto legs = legs_of(*each, [&](const std::string& vg, const std::string& lv) { return tier.scene.volume(vg, lv); });
        images.insert(legs.begin(), legs.end());
        const bool any_visible = std::any_of(legs.begin(), legs.end(), [](const LogicalVolume* leg) { return !leg->hidden; });
        if (!each->hidden) found.push_back({each, any_visible});
    }
    std::erase_if(found, [&](const Standing& each) { return images.contains(each.volume); });
    return found;
}

Pieces begun(const TierCase& tier) {
    Pieces pieces;
    for (const auto& [each, is_unfinished] : standing(tier)) {
        const bool is_metadata = each->name.ends_with(metadata_suffix);
        auto& place = is_metadata ? pieces.metadata : pieces.data;
        if (place == nullptr && each->segtype == name_of(tier.rule.layout) && !is_unfinished) {
            place = each;
        } else {
            pieces.other = each;
        }
    }
    if (pieces.metadata != nullptr && (pieces.data == nullptr || pieces.metadata->name != pieces.data->name + std::string{metadata_suffix}))
        pieces.other = pieces.metadata;
    return pieces;
}

bool lies_on(const TierCase& tier, const LogicalVolume& piece, const std::vector<const PhysicalVolume*>& pvs) {
    const auto below = tier.pvs_below(piece.name);
    return std::all_of(below.begin(), below.end(), [&](const auto* pv) { return std::find(pvs.begin(), pvs.end(), pv) != pvs.end(); });
}

std::optional<Step> remove_piece(const TierCase& tier, const LogicalVolume& piece, const std::string& why) {
    if (auto step = check_parts(tier, piece)) return step;
    return remove_pool(tier, piece, why);
}

}  // namespace

std::vector<PvPlace> places_of(const TierCase& tier, const std::vector<const PhysicalVolume*>& pvs) {
    std::vector<PvPlace> places;
    for (const auto* pv : pvs) places.push_back({pv->device, pv->uuid, tier.scene.diskseq_of(*pv)});
    return places;
}

std::optional<Step> make_of_pieces(const TierCase& tier, const std::vector<const PhysicalVolume*>& pvs, const PoolSize& size) {
    const auto& rule = tier.rule;
    const Bytes extent = tier.group->extent_size;
    const auto pieces = begun(tier);
    const auto is_wrong = [&](const LogicalVolume* piece, std::uint64_t extents) {
        return piece != nullptr && (piece->size != extents * extent || !lies_on(tier, *piece, pvs));
    };
    for (const auto* piece : {pieces.other, is_wrong(pieces.metadata, size.metadata_extents) ? pieces.metadata : nullptr,
                              is_wrong(pieces.data, size.data_extents) ? pieces.data : nullptr}) {
        if (piece != nullptr) return remove_piece(tier, *piece, "it was begun otherwise than it is to be made");
    }
    const std::string layout{name_of(rule.layout)};
    const auto create = [&](std::string name, std::uint64_t extents) {
        return CreateVolume{rule.volume.vg, std::move(name), rule.layout, places_of(tier, pvs), extents, extent, part_tag(rule.name)};
    };
    if (pieces.data == nullptr) {
        return tier.act(create(pool_name(rule, tier.scene), size.data_extents),
                        size.note.empty() ? "the policy asks for layout " + layout : size.note, size.data_extents * extent);
    }
    if (pieces.metadata == nullptr)
        return tier.act(create(pieces.data->name + std::string{metadata_suffix}, size.metadata_extents),
                        "its metadata is " + layout + " like its data", size.metadata_extents * extent);
    return tier.act(MakePool{rule.volume.vg, pieces.data->name, pieces.metadata->name, size.chunk_size},
                    "data and metadata are there, " + layout + " over " + std::to_string(pvs.size()) + " disks",
                    size.data_extents * extent);
}

std::optional<Step> tag_pool(const TierCase& tier) {
    for (const auto* part : tier.scene.parts(tier.rule.volume.vg, tier.rule.name)) {
        if (!part->hidden || !part->name.ends_with(pool_data_suffix)) continue;
        const auto* pool = tier.lv(part->name.substr(0, part->name.size() - pool_data_suffix.size()));
        if (pool == nullptr || pool->segtype != "cache-pool" || pool->hidden || pool->data != part->name || tier_of(*pool)) continue;
        return tier.act(TagVolume{{pool->vg, pool->name}, pool->uuid, {tier_tag(tier.rule.name)}, {}},
                        "it was made of what carries the tag of this tier");
    }
    return std::nullopt;
}

std::optional<Step> remove_pieces(const TierCase& tier) {
    const auto pieces = standing(tier);
    if (pieces.empty()) return std::nullopt;
    return remove_piece(tier, *pieces.front().volume, "no pool is to be made of it");
}

}  // namespace tierd
