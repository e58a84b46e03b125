// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "daemon/model/identity.hpp"
#include "daemon/plan/cache_parts.hpp"
#include "daemon/plan/pool_name.hpp"
#include "daemon/plan/root_volume.hpp"
#include "daemon/plan/writeback_gate.hpp"

namespace tierd {

namespace {

/// The size that the pool would get if it were made now, where it lies; its own, where it would not fit at all.
Bytes asked_of(const TierCase& tier, const LogicalVolume& pool) {
    if (const auto size = size_of(tier, pool); size && size->problem.empty()) return whole_size(tier, *size);
    const auto& size = tier.rule.size;
    return size && std::holds_alternative<Bytes>(*size) ? round_up(std::get<Bytes>(*size), tier.group->extent_size) : pool.size;
}

std::string fault_of(const TierCase& tier, const LogicalVolume& pool) {
    const bool is_pool = store_of(pool) == Store::Pool;
    if (!is_pool && tier.rule.store == Store::Pool) return "it was to become a cache pool and is none";
    if (is_pool && tier.rule.store == Store::Volume) return "it is a cache pool, and a cache volume is asked for";
    const std::string layout = tier.layout_of(pool);
    if (layout != name_of(tier.rule.layout)) return "it is " + layout + ", and " + std::string{name_of(tier.rule.layout)} + " is asked for";
    for (const auto& part : parts_of(pool)) {
        for (const auto* pv : tier.pvs_below(part)) {
            if (!tier.is_ours(*pv)) return part + " landed on " + pv->device + ", which is no fast disk of tierd's";
        }
    }
    // lvcreate may end well and have made another size. By one extent it may round.
    const Bytes asked = asked_of(tier, pool);
    if (std::max(pool.size, asked) - std::min(pool.size, asked) > tier.group->extent_size)
        return "it has " + format_size(pool.size) + ", and " + format_size(asked) + " are asked for";
    return "";
}

/// Unfenced before: a PV of tierd's that is tagged, fenced and empty is what a pool leaves that was removed by hand.
Step make_anew(const TierCase& tier, const LogicalVolume& pool, const std::string& fault) {
    auto step = remove_pool(tier, pool, fault);
    for (const auto* pv : tier.serving_pvs()) {
        if (step.state == StepState::Ready && !pv->allocatable) return unfence(tier, *pv);
    }
    return step;
}

/// A pool that was in front of a volume keeps its mode, one that was just made has none.
bool was_attached(const TierCase& tier, const LogicalVolume& pool) {
    return store_of(pool) == Store::Pool ? pool.cache_mode.has_value() : tier.volume->tags.contains(served_tag);
}

/// The room that dm-writecache needs in memory, where it would be too much. (88 bytes a block; LVM chooses blocks of 512 bytes, or larger
/// ones that a filesystem on the volume has.)
std::string memory_problem(const TierCase& tier, Bytes size) {
    constexpr Bytes a_block = 88, smallest_block = 512;
    if (tier.rule.kind != TierKind::Writecache || tier.scene.now().memory == 0) return "";
    const auto written = tier.rule.settings.find("block_size");
    const Bytes block = written == tier.rule.settings.end() ? smallest_block : std::stoull(written->second);
    const Bytes need = size / block * a_block;
    const Bytes most = tier.scene.now().memory / 4;
    if (need <= most) return "";
    return "a writecache of " + format_size(size) + " in blocks of " + format_size(block) + " needs " + format_size(need) +
           " of memory, and a quarter of this machine's is " + format_size(most) +
           ": write size: " + spell_size_within(most / a_block * block) + " or less" +
           (block < 4096 ? ", or settings: {block_size: 4096} where what is on the volume has blocks of 4 KiB" : "");
}

Step attach(const TierCase& tier, const LogicalVolume& pool) {
    const auto& rule = tier.rule;
    const auto [mode, refusal] = allowed_mode(tier.policy, rule, tier.scene);
    const std::string by_hand = "its " + std::string{rule.store == Store::Pool ? "pool " : "cache volume "} + pool.name +
                                " was taken off by hand; 'tierctl apply' puts it back";
    if (rule.kind == TierKind::Writecache) {
        const AttachWritecache action{tier.fronted(), pool.name, rule.settings};
        return was_attached(tier, pool) ? tier.redo(action, by_hand, pool.size)
                                        : tier.act(action, "the policy asks for a writecache", pool.size);
    }
    AttachCache action{tier.fronted(), pool.name, mode, rule.cache_policy, rule.settings, rule.store};
    if (rule.store == Store::Volume) {
        if (const auto size = size_of(tier, pool); size && !size->problem.empty()) return tier.refuse(size->problem);
        action.chunk_size = rule.chunk_size.value_or(smallest_chunk(pool.size, tier.scene.now().setup.cache_pool_max_chunks));
        const Bytes need = rule.metadata_size.value_or(cache_metadata_need(pool.size, action.chunk_size));
        action.metadata_size = round_up(need, tier.group->extent_size);
    }
    if (was_attached(tier, pool)) return tier.redo(action, by_hand, pool.size);
    return tier.act(action,
                    "the policy asks for a " + std::string{name_of(rule.mode)} + " cache" +
                        (refusal.empty() ? "" : ", which it must not be: " + refusal),
                    pool.size);
}

/// What lies on the PV, for who wonders why nothing fits.
std::string occupants(const TierCase& tier, const PhysicalVolume& pv) {
    std::vector<std::string> names;
    for (const auto& volume : tier.scene.now().lvm->lvs) {
        if (volume.vg == pv.vg && volume.extents_on.contains(pv.uuid)) names.push_back(volume.name);
    }
    std::sort(names.begin(), names.end());
    return names.empty() ? "" : "; on it lie " + join(names, ", ");
}

}  // namespace

/// What carries the tag is removed only when it is known where it lies, and it cannot be anybody's data.
std::optional<Step> check_parts(const TierCase& tier, const LogicalVolume& pool) {
    const std::string name = tier.rule.volume.vg + '/' + pool.name;
    const bool is_pool = pool.segtype == "cache-pool";
    if (pool.suspended == true) return tier.wait_for_resume(pool.name);
    for (const auto& part : parts_of(pool)) {
        const auto* volume = tier.lv(part);
        const auto pvs = tier.pvs_below(part);
        bool known = !pvs.empty();
        for (const auto* pv : pvs) {
            known = known && pv != nullptr;
            if (is_pool || (pv != nullptr && tier.is_ours(*pv))) continue;
            return tier.refuse(
                name + " carries the tag of this tier, and is no cache pool: look at it, and take the tag off if it is not tierd's");
        }
        if (!known) return tier.wait("waits until the parts of " + name + " can be read", "where it lies is not known", tier.soon());
        if (volume->suspended == true) return tier.wait_for_resume(part);
        if (volume->is_locked()) return tier.wait("waits until " + name + " is not locked any more", "LVM moves it (pvmove)", tier.later());
    }
    return std::nullopt;
}

namespace {

bool is_used(const TierCase& tier, const LogicalVolume& pool) {
    const auto& lvs = tier.scene.now().lvm->lvs;
    return std::any_of(lvs.begin(), lvs.end(), [&](const LogicalVolume& each) { return each.vg == pool.vg && each.pool == pool.name; });
}

/// What an uncache of a writecache leaves that was killed behind its commit: the flush was over, and the volume goes without it. LVM
/// (2.03.16, seen) calls the cachevol hidden still, and removes it once its device and that of the volume's former origin are gone.
Step take_apart(const TierCase& tier, const LogicalVolume& cachevol) {
    const std::string& vg = cachevol.vg;
    const std::string origin = tier.fronted().lv + "_wcorig";
    std::vector<std::string> commands;
    if (tier.lv(origin) != nullptr) commands.push_back("'lvremove -y " + vg + '/' + origin + '\'');
    if (cachevol.active != false) commands.push_back("'dmsetup remove " + dm_name(vg, origin) + ' ' + dm_name(vg, cachevol.name) + '\'');
    commands.push_back("'lvremove -y " + vg + '/' + cachevol.name + '\'');
    return tier.half_made("waits until what is left of the writecache of " + tier.rule.volume.text() + " is gone",
                          "a command that took it off was killed; the volume needs nothing of it and stays in use: " +
                              join(commands, ", ") + " take it away");
}

}  // namespace

/// The flush was over before LVM began to split, so nothing in the pool is wanted. The volume itself is no part of it any more, mounted or
/// not; removing the visible rest by its own name would have LVM deactivate the volume (seen, 2.03.16), removing the pool does not.
Step clear_away(const TierCase& tier, const LogicalVolume& pool) {
    const auto* left = tier.left_of_uncache(pool);
    if (left == nullptr && store_of(pool) == Store::Volume && !is_used(tier, pool)) return take_apart(tier, pool);
    if (left == nullptr) return tier.refuse("its pool " + pool.name + " is in use by another volume");
    if (auto step = check_parts(tier, pool)) return *step;
    return remove_pool(tier, pool, "a command that took the cache off was killed, and left it with " + left->name);
}

/// LVM had said already that the volume has no cache, when the command was killed that was to make it so in the kernel, too: what writes to
/// the volume may stand still. Nobody else leaves that behind, so nobody is asked.
std::optional<Step> end_uncache(const TierCase& tier) {
    const auto tagged = tier.scene.tagged(tier.rule.volume.vg, tier.rule.name);
    if (tagged.empty() || !tagged.front()->hidden) return std::nullopt;
    const auto& pool = *tagged.front();
    const auto* left = tier.left_of_uncache(pool);
    if (left == nullptr) return std::nullopt;
    bool in_kernel = tier.volume->is_mismatched() || tier.volume->suspended == true;
    std::vector<const LogicalVolume*> parts{left};
    for (const auto& part : parts_of(pool)) parts.push_back(tier.lv(part));
    for (const auto* part : parts) in_kernel = in_kernel || (part != nullptr && part->active != false);
    if (!in_kernel) return std::nullopt;
    // LVM refreshes the data of a thin pool with the pool.
    return tier.act(RefreshVolume{tier.rule.volume, tier.lv(tier.rule.volume.lv)->uuid},
                    "a command that took the cache off was killed, and left parts of it in the kernel");
}

Step unfence(const TierCase& tier, const PhysicalVolume& pv) {
    return tier.act(UnfencePv{tier.rule.volume.vg, pv.device, pv.uuid, tier.scene.diskseq_of(pv)},
                    "it is fenced, and a pool is to be made on it");
}

Step remove_pool(const TierCase& tier, const LogicalVolume& pool, const std::string& why) {
    const VolumeName name{tier.rule.volume.vg, pool.name};
    const auto calls_it_a_volume = [&](const TierRule& rule) { return rule.volume == name; };
    if (std::any_of(tier.policy.tiers.begin(), tier.policy.tiers.end(), calls_it_a_volume))
        return tier.refuse("the policy itself calls its pool " + name.text() + " a volume");
    return tier.act(RemovePool{name.vg, name.lv, pool.uuid}, why);
}

std::string boot_problem(const TierCase& tier) {
    const auto risk = tier.scene.is_below_root(*tier.volume) ? boot_risk(tier.scene.now().root, tier.rule.kind) : std::nullopt;
    return risk ? "the root file system is on it, and " + risk->evidence + "; " + risk->advice : "";
}

std::optional<Step> put_pool(const TierCase& tier, const LogicalVolume& pool) {
    if (pool.hidden) return clear_away(tier, pool);
    if (auto step = check_parts(tier, pool)) return step;
    for (const auto& part : parts_of(pool)) {
        for (const auto* pv : tier.pvs_below(part)) {
            const auto failure = pv == nullptr ? "" : tier.scene.failure_of(*pv);
            if (failure.empty()) continue;
            if (auto step = tier.fence_below(pool)) return step;
            return tier.refuse(failure + no_new_cache);
        }
    }
    const bool is_as_asked = store_of(pool) == tier.rule.store;
    if (!is_as_asked || !was_attached(tier, pool)) {
        if (const std::string fault = fault_of(tier, pool); !fault.empty()) return make_anew(tier, pool, fault);
    }
    if (auto step = tier.fence_below(pool)) return step;
    return attach(tier, pool);
}

Room room_on(const TierCase& tier, const std::vector<const PhysicalVolume*>& pvs, const std::vector<const LogicalVolume*>& own) {
    std::optional<Room> least;
    for (const auto* pv : pvs) {
        auto taken = pv->allocated_extents;
        for (const auto* each : own) taken -= std::min(taken, tier.extents_of(*each, *pv));
        const Room room{pv->extents, pv->extents - std::min(pv->extents, taken)};
        if (!least) least = room;
        least->device_extents = std::min(least->device_extents, room.device_extents);
        least->free_extents = std::min(least->free_extents, room.free_extents);
    }
    return least.value_or(Room{});
}

std::optional<PoolSize> size_of(const TierCase& tier, const LogicalVolume& pool) {
    const auto pvs = tier.serving_pvs();
    if (pvs.size() < tier.width()) return std::nullopt;
    return size_on(tier, room_on(tier, pvs, {&pool}));
}

Bytes whole_size(const TierCase& tier, const PoolSize& size) {
    const auto extents = size.data_extents + (tier.rule.store == Store::Volume ? size.metadata_extents : 0);
    return extents * tier.group->extent_size;
}

PoolSize size_on(const TierCase& tier, const Room& room) {
    const auto* spare = tier.lv("lvol0_pmspare");
    const auto present = spare != nullptr ? spare->size / tier.group->extent_size : 0;
    auto size = size_pool(tier.rule, tier.group->extent_size, room, present, tier.scene.now().setup.cache_pool_max_chunks);
    if (size.problem.empty()) size.problem = memory_problem(tier, size.data_extents * tier.group->extent_size);
    return size;
}

namespace {

std::optional<Step> fence_all(const TierCase& tier, const std::vector<const PhysicalVolume*>& pvs) {
    for (const auto* pv : pvs) {
        if (auto step = tier.fence(*pv)) return step;
    }
    return std::nullopt;
}

/// Fenced, tagged and empty is what a pool leaves that was removed by hand.
std::optional<Step> open(const TierCase& tier, const std::vector<const PhysicalVolume*>& pvs) {
    for (const auto* pv : pvs) {
        if (pv->allocatable) continue;
        auto step = unfence(tier, *pv);
        const bool was_emptied = pv->allocated_extents == 0 && device_rule_of(*pv) && !requests_of(*tier.volume).remake &&
                                 !tier.scene.now().emptied.contains(pv->uuid);
        if (!was_emptied) return step;
        return tier.redo(*step.action, "the cache on " + pv->device + " was removed by hand; 'tierctl apply' makes it anew");
    }
    return std::nullopt;
}

}  // namespace

std::optional<Step> make_pool(const TierCase& tier, const std::vector<const PhysicalVolume*>& pvs) {
    for (const auto* pv : pvs) {
        const auto failure = tier.scene.failure_of(*pv);
        if (failure.empty()) continue;
        if (auto step = fence_all(tier, pvs)) return step;
        return tier.refuse(failure + no_new_cache);
    }
    const auto& rule = tier.rule;
    const auto& pv = *pvs.front();
    auto begun = tier.scene.parts(rule.volume.vg, rule.name);
    std::erase_if(begun, [](const LogicalVolume* each) { return each->hidden; });
    const auto size = size_on(tier, room_on(tier, pvs, begun));
    if (!size.problem.empty()) {
        if (auto step = fence_all(tier, pvs)) return step;
        return tier.refuse(pv.device + ": " + size.problem + occupants(tier, pv));
    }
    if (auto step = open(tier, pvs)) return step;
    if (rule.layout != Layout::Linear) return make_of_pieces(tier, pvs, size);
    if (auto step = remove_pieces(tier)) return step;
    const std::string why = "data and metadata are kept on the SSD";
    if (rule.store == Store::Volume) {
        return tier.act(CreateVolume{rule.volume.vg, pool_name(rule, tier.scene), Layout::Linear, places_of(tier, pvs),
                                     size.data_extents + size.metadata_extents, tier.group->extent_size, tier_tag(rule.name)},
                        size.note.empty() ? why : size.note, whole_size(tier, size));
    }
    CreateCachePool create;
    create.vg = rule.volume.vg;
    create.name = pool_name(rule, tier.scene);
    create.node = pv.device;
    create.pv_uuid = pv.uuid;
    create.data_extents = size.data_extents;
    create.metadata_extents = size.metadata_extents;
    create.extent_size = tier.group->extent_size;
    create.chunk_size = size.chunk_size;
    create.tag = tier_tag(rule.name);
    create.diskseq = tier.scene.diskseq_of(pv);
    const Bytes bytes = size.data_extents * tier.group->extent_size;
    return tier.act(std::move(create), size.note.empty() ? why + ", and the room for a spare metadata volume with them" : size.note, bytes);
}

}  // namespace tierd
