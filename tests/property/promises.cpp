// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "promises.hpp"

#include <algorithm>
#include <set>

#include "daemon/model/error.hpp"
#include "daemon/model/identity.hpp"
#include "daemon/model/overloaded.hpp"
#include "daemon/model/request.hpp"
#include "daemon/plan/describe.hpp"
#include "daemon/plan/eligibility.hpp"
#include "daemon/plan/foretell.hpp"
#include "daemon/plan/resolve.hpp"
#include "daemon/plan/writeback_gate.hpp"

namespace tierd::property {

namespace {

constexpr Usec settled = 250'000;

bool contains(const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

/// Each step, before it is done.
class Inspector {
public:
    Inspector(const Policy& policy, const Observation& now, const Step& step, std::vector<std::string>& broken)
        : policy_{policy}, now_{now}, step_{step}, broken_{broken} {}

    void run() {
        must(now_.lvm.has_value(), "LVM is not known");
        if (now_.lvm && std::holds_alternative<CommitMetadata>(*step_.action)) {
            check_commit(std::get<CommitMetadata>(*step_.action));
            return;
        }
        if (const auto* fence = std::get_if<FencePv>(&*step_.action); fence != nullptr && now_.lvm && fence->tag.empty()) {
            check_bare_fence(*fence);
            return;
        }
        if (const auto* set = std::get_if<SetCachePolicy>(&*step_.action); set != nullptr && now_.lvm && step_.risk == Risk::None) {
            check_given_back(*set);
            return;
        }
        must(now_.devices_known, "the disks are not known");
        must(!now_.container || step_.needs_person, "it is a container");
        if (!now_.lvm) return;
        check_entry();
        check_group(step_.group);
        std::visit(*this, *step_.action);
    }

    void operator()(const WipeSignatures& wipe) {
        const auto* disk = check_disk(wipe.disk);
        if (disk == nullptr) return;
        must(wipe.disk.may_wipe == rule_->wipe, "it would erase what the rule does not list");
        must(pinned(), "the rule names no disk");
        check_listed(*disk, false);
        for (const auto& each : now_.devices) {
            if (each.parent == disk->name) check_listed(each, true);
        }
    }
    void operator()(const CreatePv& create) {
        const auto* disk = check_disk(create.disk);
        if (disk == nullptr) return;
        must(disk->probe && disk->probe->signatures.empty() && !disk->probe->ambivalent, "the disk is not blank");
        must(!is_failing(*disk), "the disk is failing");
        must(std::none_of(now_.devices.begin(), now_.devices.end(), [&](const BlockDevice& each) { return each.parent == disk->name; }),
             "the disk has partitions");
        must(create.uuid == pv_uuid_for(now_.machine, identity_of(*disk)) && !now_.machine.empty(), "the UUID is not this disk's");
        must(now_.lvm->pv(create.uuid) == nullptr, "the UUID is in use");
    }
    void operator()(const ExtendVg& extend) {
        must(extend.vg == step_.group, "another group");
        const auto* pv = check_pv(extend.pv_uuid, extend.node);
        if (pv == nullptr) return;
        must(pv->vg.empty(), "the physical volume is in a group already");
        const auto* disk = now_.device_of(*pv);
        must(disk != nullptr, "its disk is not there");
        must(disk == nullptr || !is_failing(*disk), "its disk is failing");
        if (disk != nullptr) check_disk_is_free(*disk, true);
    }
    void operator()(const FencePv& fence) {
        const auto* pv = check_pv(fence.pv_uuid, fence.node);
        if (pv != nullptr) must(pv->vg == step_.group && fence.vg == step_.group, "another group");
        must(fence.tag.rfind("tierd.device=", 0) == 0, "no tag of tierd's");
    }
    void operator()(const UnfencePv& unfence) {
        const auto* pv = check_pv(unfence.pv_uuid, unfence.node);
        if (pv != nullptr) must(pv->vg == step_.group && unfence.vg == step_.group, "another group");
    }
    void operator()(const CreateCachePool& create) {
        const auto* pv = check_pv(create.pv_uuid, create.node);
        must(create.vg == step_.group, "another group");
        must(create.tag == tier_tag(rule_name()), "not tagged from its birth on");
        if (pv == nullptr) return;
        must(pv->vg == create.vg && pv->allocatable, "the physical volume is not to be allocated on");
        const auto* disk = now_.device_of(*pv);
        must(disk == nullptr || !is_failing(*disk), "its disk is failing");
        must(pv->allocated_extents + create.data_extents + create.metadata_extents <= pv->extents, "it does not fit");
        must(create.chunk_size >= 32 * kib && create.chunk_size % (32 * kib) == 0, "no chunk");
        must(create.data_extents * create.extent_size / create.chunk_size <= now_.setup.cache_pool_max_chunks, "too many chunks");
        must(create.metadata_extents * create.extent_size >= 4 * mib + 44 * (create.data_extents * create.extent_size / create.chunk_size),
             "too little metadata");
        must(now_.lvm->volume({create.vg, create.name}) == nullptr, "the name is taken");
        must(dm_name(create.vg, create.name + "_cpool_cdata").size() <= 127, "the name is too long");
    }
    void operator()(const CreateVolume& create) {
        const bool is_part = tier() != nullptr && tier()->store == Store::Pool;
        must(create.vg == step_.group, "another group");
        must(create.tag == (is_part ? part_tag(rule_name()) : tier_tag(rule_name())), "not tagged from its birth on");
        must(tier() != nullptr && create.layout == tier()->layout, "another layout");
        must(create.places.size() == (create.layout == Layout::Linear ? 1U : 2U), "as many disks as its layout takes");
        const auto each = create.extents / (create.layout == Layout::Striped ? 2 : 1);
        must(each > 0 && each * (create.layout == Layout::Striped ? 2 : 1) == create.extents, "it is not cut evenly");
        std::set<std::string> uuids;
        for (const auto& place : create.places) {
            const auto* pv = check_pv(place.pv_uuid, place.node);
            must(uuids.insert(place.pv_uuid).second, "both halves on one disk");
            if (pv == nullptr) continue;
            must(pv->vg == create.vg && pv->allocatable, "the physical volume is not to be allocated on");
            must(pv->allocated_extents + each <= pv->extents, "it does not fit");
            const auto* disk = now_.device_of(*pv);
            must(disk == nullptr || !is_failing(*disk), "its disk is failing");
        }
        must(now_.lvm->volume({create.vg, create.name}) == nullptr, "the name is taken");
        must(dm_name(create.vg, create.name + (create.layout == Layout::Raid1 ? "_cpool_cdata_rimage_0" : "_cpool_cdata")).size() <= 127 ||
                 create.name.ends_with("_meta"),
             "the name is too long");
    }
    /// LVM erases what is on both.
    void operator()(const MakePool& make) {
        must(make.vg == step_.group, "another group");
        const auto* data = now_.lvm->volume({make.vg, make.data});
        const auto* metadata = now_.lvm->volume({make.vg, make.metadata});
        for (const auto* part : {data, metadata}) {
            must(part != nullptr && tier_of_part(*part) == rule_name() && !part->hidden && !part->is_cached(), "no part of this tier's");
            if (part == nullptr) continue;
            const auto below = now_.lvm->extents_below(*part);
            must(below.size() == 2, "it does not lie on two disks");
            for (const auto& [uuid, extents] : below) {
                const auto* pv = now_.lvm->pv(uuid);
                must(pv != nullptr && ours(*pv), "a part on somebody's disk");
            }
        }
        if (data == nullptr || metadata == nullptr) return;
        must(data->size / make.chunk_size <= now_.setup.cache_pool_max_chunks, "too many chunks");
        must(metadata->size >= 4 * mib + 44 * (data->size / make.chunk_size), "too little metadata");
    }
    /// Only of what has another leg, onto a disk of tierd's.
    void operator()(const RepairPart& repair) {
        const auto* part = now_.lvm->volume(repair.part);
        must(part != nullptr && part->uuid == repair.lv_uuid && part->segtype == "raid1", "no raid1 part");
        const auto* pv = check_pv(repair.place.pv_uuid, repair.place.node);
        must(pv != nullptr && pv->vg == step_.group && pv->allocatable && !pv->missing, "a disk that is not to be allocated on");
        must(step_.needs_person || rule_->replace || tier()->autonomy == Autonomy::Full, "another disk would take its place, unasked");
        if (part == nullptr || pv == nullptr) return;
        const auto below = now_.lvm->extents_below(*part);
        must(!below.contains(pv->uuid), "both legs on one disk");
        std::size_t gone = 0;
        for (const auto& [uuid, extents] : below) gone += now_.lvm->pv(uuid) != nullptr && now_.lvm->pv(uuid)->missing ? 1U : 0U;
        must(gone > 0 && gone < below.size(), "no leg of it is lost, or all are");
    }
    void operator()(const AttachWritecache& attach) { check_attach(attach.volume, attach.cachevol, CacheMode::Writeback, "linear"); }
    void operator()(const AttachCache& attach) {
        check_attach(attach.volume, attach.pool, attach.mode, attach.store == Store::Pool ? "cache-pool" : "linear");
        if (attach.store == Store::Pool) return;
        const auto* cachevol = now_.lvm->volume({attach.volume.vg, attach.pool});
        must(cachevol != nullptr && attach.chunk_size % (32 * kib) == 0 && attach.chunk_size > 0 && attach.metadata_size < cachevol->size &&
                 (cachevol->size - attach.metadata_size) / attach.chunk_size <= now_.setup.cache_pool_max_chunks,
             "a shape that cannot be");
    }
    void check_attach(const VolumeName& name, const std::string& pool_name, CacheMode mode, const std::string& segtype) {
        const auto* rule = tier();
        must(rule != nullptr && is_volume_of(*rule, name), "a volume that the policy does not name");
        check_trust(mode, name);
        check_boots(name, std::holds_alternative<AttachWritecache>(*step_.action) ? now_.root.boots_writecached : now_.root.boots_cached);
        const auto* volume = now_.lvm->volume(name);
        must(volume != nullptr && !volume->is_cached() && (!volume->hidden || volume->name != rule->volume.lv) && volume->origin.empty(),
             "a volume that cannot be cached");
        must(
            volume != nullptr && volume->active && (!*volume->active || volume->suspended == false) && !volume->partial && !volume->merging,
            "a volume whose state is not known or not well");
        const auto* pool = now_.lvm->volume({name.vg, pool_name});
        must(pool != nullptr && tier_of(*pool) == rule_name() && pool->segtype == segtype && !pool->hidden,
             "a pool that is not this tier's");
        if (pool == nullptr) return;
        for (const auto& part : parts_of(*pool)) {
            const auto* below = now_.lvm->volume({name.vg, part});
            if (below == nullptr) must(false, "a pool whose place is not known");
            if (below == nullptr) continue;
            must(!now_.lvm->extents_below(*below).empty(), "a pool whose place is not known");
            for (const auto& [uuid, extents] : now_.lvm->extents_below(*below)) {
                const auto* pv = now_.lvm->pv(uuid);
                must(pv != nullptr && ours(*pv) && !pv->allocatable && device_rule_of(*pv),
                     "a pool that lies on a disk which is not tierd's, or not fenced");
            }
        }
    }
    void operator()(const CommitMetadata&) {}

    /// Only a status that flushes: it is done though the rule is gone, and the group not whole.
    void check_commit(const CommitMetadata& commit) {
        const auto* group = now_.lvm->group(commit.volume.vg);
        must(group != nullptr && !group->shared && !group->exported && !group->busy && !group->partial, "a group that is left alone");
        must(!now_.container || step_.needs_person, "it is a container");
        const auto* volume = now_.lvm->volume(commit.volume);
        must(volume != nullptr && volume->is_cached() && volume->uuid == commit.lv_uuid && volume->active == true, "no active cache");
        const auto* pool = volume == nullptr ? nullptr : now_.lvm->volume({commit.volume.vg, volume->pool});
        must(pool != nullptr && tier_of(*pool), "a cache that is not tierd's");
    }
    void operator()(const SetCachePolicy& set) {
        const auto* volume = check_cached(set.volume, set.lv_uuid);
        if (volume == nullptr) return;
        const auto* rule = tier();
        const bool drains = set.cache_policy == cleaner_policy;
        const std::string usual = set.kind == TierKind::Writecache ? writecache_policy : "smq";
        must((set.kind == TierKind::Writecache) == (volume->segtype == "writecache"), "another kind");
        must(drains || (rule != nullptr && set.cache_policy == (set.kind == rule->kind ? rule->cache_policy : usual)),
             "a policy that nobody asks for");
        const auto requests = requests_of(*volume);
        must(!drains || rule == nullptr || rule->state == Presence::Absent || served_mode() != volume->cache_mode || requests.flush ||
                 requests.remake,
             "a drain that nobody asks for");
    }
    void operator()(const SetCacheMode& set) {
        const auto* volume = check_cached(set.volume, set.lv_uuid);
        if (volume == nullptr) return;
        must(tier() != nullptr && served_mode() == set.mode, "a mode that nobody asks for");
        check_trust(set.mode, set.volume);
        if (volume->cache_mode == CacheMode::Writeback || set.mode == CacheMode::Passthrough) check_clean(*volume);
    }
    [[nodiscard]] CacheMode served_mode() const { return allowed_mode(policy_, *tier(), Scene{now_}).mode; }
    [[nodiscard]] bool is_failing(const BlockDevice& device) const {
        const auto& health = now_.disk_of(device).health;
        return health && health->failing;
    }
    /// One SSD never holds alone what several disks are there to keep; nor one that fails, what is dirty.
    void check_trust(CacheMode mode, const VolumeName& name) {
        const auto trusts = mode == CacheMode::Writeback && tier() != nullptr && tier()->on_failing_device == OnFailingDevice::Demote;
        for (const auto& part : now_.lvm->lvs) {
            if (!trusts || part.vg != name.vg || part.segtype != "cache-pool" || tier_of(part) != rule_name()) continue;
            const auto* data = now_.lvm->volume({part.vg, part.data});
            for (const auto& [uuid, extents] : data == nullptr ? std::map<std::string, std::uint64_t>{} : now_.lvm->extents_below(*data)) {
                const auto* pv = now_.lvm->pv(uuid);
                const auto* disk = pv == nullptr ? nullptr : now_.device_of(*pv);
                must(disk == nullptr || !is_failing(*disk), "write-back on a failing disk");
            }
        }
        const auto* volume = now_.lvm->volume(name);
        if (volume != nullptr && volume->is_cached()) volume = now_.lvm->volume({name.vg, volume->origin});
        const bool redundant = volume != nullptr && volume->segtype.starts_with("raid") && !volume->segtype.starts_with("raid0");
        must(mode != CacheMode::Writeback || !redundant || tier() == nullptr || tier()->layout == Layout::Raid1,
             "write-back on one SSD in front of a RAID volume");
    }
    void operator()(const RemoveCache& remove) {
        const auto* named = now_.lvm->volume(remove.volume);
        const auto* volume = check_cached(remove.volume, named == nullptr ? "" : named->uuid);
        if (volume == nullptr) return;
        must(volume->dm_uuid == remove.dm_uuid, "another device");
        must(tier()->state == Presence::Absent || requests_of(*volume).remake, "the tier is not to go, nor to be made anew");
        check_clean(*volume);
    }
    void operator()(const ReduceVg& reduce) {
        const auto* pv = check_pv(reduce.pv_uuid, reduce.node);
        if (pv == nullptr) return;
        must(pv->vg == step_.group && reduce.vg == step_.group, "another group");
        must(pv->allocated_extents == 0, "a physical volume that is in use");
        for (const auto& volume : now_.lvm->lvs) must(!volume.extents_on.contains(pv->uuid), volume.name + " lies on it");
        check_unwanted(*pv, true);
    }
    void operator()(const RemovePv& remove) {
        const auto* pv = check_pv(remove.pv_uuid, remove.node);
        if (pv == nullptr) return;
        must(pv->vg.empty(), "a physical volume that is in a group");
        check_unwanted(*pv, false);
    }
    /// What a person asked for ends by itself; that a cache is made anew, a person says, or autonomy: full. That a disk died is noted
    /// before its last trace goes, and forgotten when another may take its place.
    void operator()(const TagVolume& tag) {
        const auto* volume = now_.lvm->volume(tag.volume);
        must(volume != nullptr && volume->uuid == tag.lv_uuid, "an LV that is not there");
        if (volume != nullptr && tag.add == std::set{tier_tag(rule_name())}) {
            const auto* data = now_.lvm->volume({volume->vg, volume->data});
            must(tag.volume.vg == step_.group && volume->segtype == "cache-pool" && !volume->hidden && data != nullptr &&
                     tier_of_part(*data) == rule_name() && tag.remove.empty(),
                 "a pool that was not made for this tier");
            return;
        }
        must(tier() != nullptr && is_volume_of(*tier(), tag.volume) && tag.volume.vg == step_.group, "another volume");
        if (volume == nullptr || rule_ == nullptr) return;
        if (tag.add == std::set{lost_tag(rule_->name)}) {
            const auto ours_is_missing = [&](const PhysicalVolume& pv) { return pv.vg == step_.group && pv.missing && device_rule_of(pv); };
            must(std::any_of(now_.lvm->pvs.begin(), now_.lvm->pvs.end(), ours_is_missing), "nothing of tierd's was lost");
        } else {
            const bool says_served = tag.add == std::set<std::string>{served_tag};
            must(tag.add.empty() || says_served || tag.add == std::set{request_tag(RequestKind::Remake)}, "a request that nobody made");
            must(tag.add.empty() || says_served || step_.needs_person || tier()->autonomy == Autonomy::Full, "nobody agreed to it");
        }
        auto ends = request_tags(*volume, RequestKind::Flush);
        ends.merge(request_tags(*volume, RequestKind::Remake));
        ends.merge(request_tags(*volume, RequestKind::Recover));
        const auto lost = lost_tags(*volume);
        for (const auto& each : tag.remove)
            must(ends.contains(each) || lost.contains(each) || each == served_tag, "it would forget what a person asked for");
        const bool for_another = std::any_of(tag.remove.begin(), tag.remove.end(), [&](const auto& each) { return lost.contains(each); }) &&
                                 !volume->is_cached() && tier()->state == Presence::Present;
        must(!for_another || step_.needs_person || rule_->replace || tier()->autonomy == Autonomy::Full,
             "another disk would take the place of one that died, unasked");
    }
    [[nodiscard]] bool is_missing(const LogicalVolume* pool) const {
        for (const auto& part : pool == nullptr ? std::vector<std::string>{} : parts_of(*pool)) {
            const auto* below = now_.lvm->volume({pool->vg, part});
            if (below == nullptr) continue;
            for (const auto& [uuid, extents] : now_.lvm->extents_below(*below)) {
                const auto* pv = now_.lvm->pv(uuid);
                if (pv != nullptr && pv->missing) return true;
            }
        }
        return false;
    }
    /// Promise 2
    void operator()(const UncacheLost& uncache) {
        const auto* volume = now_.lvm->volume(uncache.volume);
        must(tier() != nullptr && is_volume_of(*tier(), uncache.volume) && volume != nullptr && volume->uuid == uncache.lv_uuid &&
                 volume->is_cached(),
             "another volume");
        if (volume == nullptr) return;
        const auto* pool = now_.lvm->volume({volume->vg, volume->pool});
        must(pool != nullptr && tier_of(*pool), "a cache that is not tierd's");
        must(volume->cache_mode && *volume->cache_mode != CacheMode::Writeback, "it may be dirty");
        const auto device = now_.caches.find(volume->uuid);
        const auto* status = device == now_.caches.end() || !device->second.status ? nullptr : &*device->second.status;
        must(status == nullptr || status->mode != "writeback", "it may be dirty in the kernel");
        const bool failed =
            status != nullptr && (status->health == CacheStatus::Health::Error || status->health == CacheStatus::Health::Failed);
        must(failed || is_missing(pool), "it is not lost");
    }
    /// Promise 2: only by the word of a person, and only of what is lost.
    void operator()(const DropCache& drop) {
        const auto* volume = now_.lvm->volume(drop.volume);
        must(tier() != nullptr && is_volume_of(*tier(), drop.volume) && volume != nullptr && volume->uuid == drop.lv_uuid &&
                 volume->is_cached() && volume->dm_uuid == drop.dm_uuid,
             "another volume");
        if (volume == nullptr) return;
        const auto* pool = now_.lvm->volume({volume->vg, volume->pool});
        must(pool != nullptr && tier_of(*pool), "a cache that is not tierd's");
        must(volume->tags.contains("tierd.recover=drop-cache"), "nobody gave it up");
        must(volume->active == true && volume->suspended != true, "it is not active");
        const auto device = now_.caches.find(volume->uuid);
        const auto* status = device == now_.caches.end() || !device->second.status ? nullptr : &*device->second.status;
        const bool failed =
            status != nullptr && (status->health == CacheStatus::Health::Error || status->health == CacheStatus::Health::Failed);
        must(failed || is_missing(pool), "it is not lost");
    }
    /// Promise 2
    void operator()(const RemoveMissing& remove) {
        must(remove.vg == step_.group, "another group");
        std::set<std::string> missing;
        for (const auto& pv : now_.lvm->pvs) {
            if (pv.vg != remove.vg || !pv.missing) continue;
            missing.insert(pv.uuid);
            must(device_rule_of(pv) && pv.allocated_extents == 0, "a missing physical volume that is somebody's, or in use");
        }
        must(!missing.empty() && missing == remove.pv_uuids, "it would take out another");
        for (const auto& volume : now_.lvm->lvs) {
            for (const auto& [uuid, extents] : volume.extents_on)
                must(volume.vg != remove.vg || !missing.contains(uuid), "an LV is partial");
        }
    }
    void operator()(const RestoreMissing& restore) {
        const auto* pv = now_.lvm->pv(restore.pv_uuid);
        must(pv != nullptr && pv->missing && pv->device == restore.node && !restore.node.empty() && pv->vg == step_.group,
             "it is not back");
        const auto* volume = tier() == nullptr ? nullptr : now_.lvm->fronted(tier()->volume);
        const auto* pool = volume == nullptr ? nullptr : now_.lvm->volume({volume->vg, volume->pool});
        if (pool != nullptr && now_.lvm->is_held_by_a_leg(*pool)) return;
        must(volume != nullptr && volume->cache_mode &&
                 (step_.needs_person || (*volume->cache_mode != CacheMode::Writeback && volume->active == false)),
             "a person has to look at it first");
    }
    void operator()(const ClearOutdated& clear) {
        const auto disk =
            std::find_if(now_.devices.begin(), now_.devices.end(), [&](const BlockDevice& each) { return each.node == clear.node; });
        must(disk != now_.devices.end() && disk->probe && now_.lvm->pv(clear.pv_uuid) == nullptr, "a disk that is not there, or known");
        if (disk == now_.devices.end() || !disk->probe || rule_ == nullptr) return;
        must(clear.pv_uuid == pv_uuid_for(now_.machine, identity_of(*disk)) && !identity_of(*disk).empty(),
             "a disk that was never tierd's");
        must(std::any_of(disk->probe->signatures.begin(), disk->probe->signatures.end(),
                         [&](const Signature& each) {
                             return each.uuid == clear.pv_uuid && each.vg == step_.group && clear.vg == step_.group &&
                                    each.writeback == false;
                         }),
             "what is on it may be the only copy");
        must(step_.needs_person || rule_->replace || tier()->autonomy == Autonomy::Full, "it is cleared unasked");
    }
    /// Only where LVM itself had taken the cache off already: of one that stands, a refresh may bring back what is old by now.
    void operator()(const RefreshVolume& refresh) {
        const auto* volume = now_.lvm->volume(refresh.volume);
        must(tier() != nullptr && refresh.volume == tier()->volume && volume != nullptr && volume->uuid == refresh.lv_uuid,
             "another volume");
        const auto* fronted = now_.lvm->fronted(refresh.volume);
        if (fronted != nullptr && fronted->is_cached()) {
            const auto* cache = now_.lvm->volume({fronted->vg, fronted->pool});
            const auto parts = cache == nullptr ? std::vector<std::string>{} : parts_of(*cache);
            must(std::any_of(parts.begin(), parts.end(),
                             [&](const std::string& name) {
                                 const auto* part = now_.lvm->volume({refresh.volume.vg, name});
                                 return part != nullptr && part->needs_refresh();
                             }) &&
                     !fronted->is_mismatched(),
                 "a volume that has its cache");
            return;
        }
        const auto* left = fronted == nullptr ? nullptr : now_.lvm->volume({fronted->vg, fronted->name + "_corig"});
        const auto* pool = left == nullptr ? nullptr : now_.lvm->volume({refresh.volume.vg, left->pool});
        must(left != nullptr && left->origin.empty() && pool != nullptr && tier_of(*pool) == rule_name(), "nothing is left of its cache");
    }
    void operator()(const RemovePool& remove) {
        const auto* gone = now_.lvm->volume({remove.vg, remove.name});
        must(remove.vg == step_.group, "another group");
        must(gone != nullptr && gone->uuid == remove.uuid, "an LV that is not there");
        if (gone == nullptr) return;
        must(tier_of(*gone) == rule_name() || (tier_of_part(*gone) == rule_name() && !gone->hidden), "an LV that is not this tier's");
        // What an uncache that was killed left in front of nothing is no user.
        const auto is_left = [](const LogicalVolume& each) { return each.segtype == "cache" && each.origin.empty() && !each.hidden; };
        const auto uses_it = [&](const LogicalVolume& each) { return each.vg == remove.vg && each.pool == remove.name; };
        const bool is_split = std::any_of(now_.lvm->lvs.begin(), now_.lvm->lvs.end(), uses_it);
        must((!gone->hidden || is_split) && gone->segtype != "cache" && gone->origin.empty(), "an LV that serves");
        for (const auto& rule : policy_.tiers) must(rule.volume != VolumeName{remove.vg, remove.name}, "a volume of the policy's");
        for (const auto& each : now_.lvm->lvs)
            must(each.vg != remove.vg || ((!uses_it(each) || is_left(each)) && each.origin != remove.name), "an LV that another stands on");
        if (gone->segtype == "cache-pool") return;
        must(!now_.lvm->extents_below(*gone).empty(), "an LV whose place is not known");
        for (const auto& [uuid, extents] : now_.lvm->extents_below(*gone)) {
            const auto* pv = now_.lvm->pv(uuid);
            must(pv != nullptr && ours(*pv), "an LV on somebody's disk");
        }
    }

    void check_boots(const VolumeName& name, const std::optional<bool>& boots) {
        for (const auto& each : now_.lvm->lvs) {
            if (each.dm_uuid.empty() || each.dm_uuid != now_.root.dm_uuid) continue;
            const auto* pool = each.segtype == "thin" ? now_.lvm->volume({each.vg, each.pool}) : nullptr;
            const bool is_on_it = each.vg == name.vg && (each.name == name.lv || (pool != nullptr && pool->data == name.lv));
            must(!is_on_it || boots == true, "the machine may not boot any more");
        }
    }

private:
    [[nodiscard]] bool is_volume_of(const TierRule& rule, const VolumeName& name) const {
        const auto* volume = now_.lvm->fronted(rule.volume);
        return volume != nullptr && VolumeName{volume->vg, volume->name} == name;
    }
    void must(bool holds, const std::string& what) {
        if (!holds) broken_.push_back("\"" + step_.sentence + "\": " + what);
    }
    [[nodiscard]] std::string rule_name() const { return step_.entry.rfind("tier ", 0) == 0 ? step_.entry.substr(5) : ""; }
    [[nodiscard]] const TierRule* tier() const { return policy_.tier(rule_name()); }
    [[nodiscard]] bool ours(const PhysicalVolume& pv) const {
        if (device_rule_of(pv)) return true;
        const auto* disk = now_.device_of(pv);
        return disk != nullptr && !identity_of(*disk).empty() && pv.uuid == pv_uuid_for(now_.machine, identity_of(*disk));
    }

    /// Ours, in use, and nothing of it broken.
    const LogicalVolume* check_cached(const VolumeName& name, const std::string& uuid) {
        const auto* volume = now_.lvm->volume(name);
        must(tier() != nullptr && is_volume_of(*tier(), name) && name.vg == step_.group, "another volume");
        must(volume != nullptr && volume->uuid == uuid && volume->is_cached(), "a volume that is not cached");
        if (volume == nullptr) return nullptr;
        const auto* pool = now_.lvm->volume({name.vg, volume->pool});
        must(pool != nullptr && tier_of(*pool), "a cache that is not tierd's");
        must(volume->active == true && volume->suspended == false && !volume->partial && !volume->merging,
             "a volume whose state is not known or not well");
        const auto device = now_.caches.find(volume->uuid);
        const bool well = device != now_.caches.end() && device->second.status && device->second.status->health == CacheStatus::Health::Ok;
        must(well, "a cache that is not known to be well");
        return volume;
    }
    /// Promise 2
    void check_clean(const LogicalVolume& volume) {
        const auto device = now_.caches.find(volume.uuid);
        must(device != now_.caches.end() && device->second.status && device->second.status->dirty_blocks == 0, "it is dirty");
        must(volume.cache_mode && (*volume.cache_mode != CacheMode::Writeback || volume.cache_policy == cleaner_policy),
             "it may become dirty meanwhile");
    }
    /// By the rule that its tag names; an orphan has none, and then one of those that ask for its disk.
    void check_unwanted(const PhysicalVolume& pv, bool in_group_only) {
        const auto wanted_by = [&](const std::string& device) {
            return std::any_of(policy_.tiers.begin(), policy_.tiers.end(), [&](const TierRule& rule) {
                return contains(rule.devices, device) && rule.state == Presence::Present &&
                       (!in_group_only || rule.volume.vg == step_.group);
            });
        };
        if (const auto tagged = device_rule_of(pv)) return must(!wanted_by(*tagged), "somebody wants its disk");
        const auto* disk = now_.device_of(pv);
        must(disk != nullptr &&
                 std::any_of(policy_.devices.begin(), policy_.devices.end(),
                             [&](const DeviceRule& rule) { return judge(rule, *disk, now_).matches && !wanted_by(rule.name); }),
             "somebody wants its disk");
    }

    /// A drain that goes on for nobody ends, and nothing else is done; whoever has the cache by now.
    void check_given_back(const SetCachePolicy& set) {
        must(set.cache_policy != cleaner_policy, "it would begin a drain");
        must(!now_.container || step_.needs_person, "it is a container");
        check_group(set.volume.vg);
        const auto* volume = now_.lvm->volume(set.volume);
        const auto* pool = volume == nullptr ? nullptr : now_.lvm->volume({set.volume.vg, volume->pool});
        must(volume != nullptr && volume->uuid == set.lv_uuid && volume->cache_policy == cleaner_policy && volume->active == true &&
                 pool != nullptr && tier_of(*pool),
             "a cache that is not tierd's, or is not being drained");
    }

    /// Where nothing goes on, tierd's own disk is closed, and nothing else is done.
    void check_bare_fence(const FencePv& fence) {
        must(step_.risk == Risk::None, "more than making safe");
        must(!now_.container || step_.needs_person, "it is a container");
        check_group(fence.vg);
        const auto* pv = now_.lvm->pv(fence.pv_uuid);
        must(pv != nullptr && pv->vg == fence.vg && pv->device == fence.node && ours(*pv) && pv->allocatable && !pv->missing,
             "a physical volume that is not tierd's, or closed already");
        // Of two disks one waits for the other.
        if (tier() != nullptr && tier()->layout != Layout::Linear) return;
        for (const auto& rule : policy_.tiers) {
            const bool goes_on = rule.volume.vg == fence.vg && !policy_.frozen.contains(fence.vg) &&
                                 !policy_.frozen.contains("tier " + rule.name) &&
                                 std::none_of(rule.devices.begin(), rule.devices.end(),
                                              [&](const std::string& name) { return policy_.frozen.contains("device " + name); });
            must(!goes_on, "a tier goes on there: " + rule.name);
        }
    }

    void check_entry() {
        const auto* rule = tier();
        must(rule != nullptr, "no tier asks for it");
        if (rule == nullptr) return;
        rule_ = rule->devices.empty() ? nullptr : policy_.device(rule->devices.front());
        must(rule_ != nullptr, "no device rule");
        must(rule->kind == TierKind::Cache || rule->kind == TierKind::Writecache, "the tier is none of this kind");
        const std::set<std::string> of_one_that_comes{"wipe-signatures", "create-pv",        "extend-vg",     "create-cache-pool",
                                                      "attach-cache",    "set-cache-mode",   "create-volume", "make-pool",
                                                      "repair-part",     "attach-writecache"};
        // LVM drains nothing and takes nothing off of which a leg is gone.
        must(rule->state == Presence::Present || goes_on_with_a_leg() || !of_one_that_comes.contains(step_.verb),
             "the tier is not to be made");
        must(!policy_.frozen.contains(step_.entry), "the entry is frozen");
        must(rule_ == nullptr || !policy_.frozen.contains("device " + rule_->name), "the device rule is frozen");
        must(step_.needs_person || rule->autonomy != Autonomy::Observe, "only a person may");
    }

    [[nodiscard]] bool mends_a_loss() const {
        const auto* tag = std::get_if<TagVolume>(&*step_.action);
        const auto is_about_loss = [](const std::string& each) { return each.starts_with("tierd.recover="); };
        return (tag != nullptr && (!tag->add.empty() || std::any_of(tag->remove.begin(), tag->remove.end(), is_about_loss))) ||
               std::holds_alternative<UncacheLost>(*step_.action) || std::holds_alternative<DropCache>(*step_.action) ||
               std::holds_alternative<RemoveMissing>(*step_.action) || std::holds_alternative<RestoreMissing>(*step_.action) ||
               (goes_on_with_a_leg() &&
                (std::holds_alternative<CreatePv>(*step_.action) || std::holds_alternative<ExtendVg>(*step_.action) ||
                 std::holds_alternative<WipeSignatures>(*step_.action) || std::holds_alternative<RepairPart>(*step_.action)));
    }
    /// Of a raid1 pool that is this tier's, one leg is gone.
    [[nodiscard]] bool goes_on_with_a_leg() const {
        const auto* volume = tier() == nullptr ? nullptr : now_.lvm->fronted(tier()->volume);
        const auto* pool = volume == nullptr || !volume->is_cached() ? nullptr : now_.lvm->volume({volume->vg, volume->pool});
        return pool != nullptr && is_missing(pool) && now_.lvm->is_held_by_a_leg(*pool);
    }

    void check_group(const std::string& name) {
        const auto count =
            std::count_if(now_.lvm->groups.begin(), now_.lvm->groups.end(), [&](const VolumeGroup& each) { return each.name == name; });
        must(count == 1, "its group is not there, or there twice");
        const auto* group = now_.lvm->group(name);
        if (group == nullptr) return;
        must(!group->busy, "its group is busy");
        must(!group->exported && !group->shared && group->writeable, "its group is not to be changed");
        must(mends_a_loss() || (!group->partial && group->missing_pvs == 0), "its group is not whole");
        must(group->extent_size != 0, "its group's extent size is not known");
        for (const auto& pv : now_.lvm->pvs) must(pv.vg != name || !pv.duplicate, "its group has duplicates");
    }

    const PhysicalVolume* check_pv(const std::string& uuid, const std::string& node) {
        const auto* pv = now_.lvm->pv(uuid);
        must(pv != nullptr && !pv->missing, "a physical volume that is not there");
        if (pv == nullptr) return nullptr;
        must(ours(*pv), "a physical volume that is not tierd's");
        must(pv->device == node, "the node is another physical volume's");
        const auto same =
            std::count_if(now_.lvm->pvs.begin(), now_.lvm->pvs.end(), [&](const PhysicalVolume& each) { return each.uuid == uuid; });
        must(same == 1, "a physical volume with duplicates");
        return pv;
    }

    const BlockDevice* check_disk(const DiskClaim& claim) {
        const auto found =
            std::find_if(now_.devices.begin(), now_.devices.end(), [&](const BlockDevice& each) { return each.node == claim.node; });
        must(found != now_.devices.end(), "a disk that is not there");
        if (found == now_.devices.end() || rule_ == nullptr) return nullptr;
        must(!claim.identity.empty() && claim.identity == identity_of(*found) && claim.diskseq == found->diskseq &&
                 claim.size == found->size,
             "the claim is another disk's");
        check_disk_is_free(*found, false);
        return &*found;
    }

    [[nodiscard]] bool pinned() const { return !rule_->match.serial.empty() || !rule_->match.wwn.empty(); }

    void check_disk_is_free(const BlockDevice& disk, bool has_our_label) {
        if (rule_ == nullptr) return;
        const auto* whole = &disk;
        for (const auto& each : now_.devices) {
            if (!disk.parent.empty() && each.name == disk.parent) whole = &each;
        }
        if (rule_->match.kind) {
            must(whole->kind == (*rule_->match.kind == Kind::Ssd ? DiskKind::Ssd : DiskKind::Hdd), "not the kind asked for");
            const bool named = pinned() || !rule_->match.partlabel.empty() || !rule_->match.partuuid.empty();
            must(named || (!whole->virtual_disk && !whole->removable), "a virtual or removable disk by kind alone");
        }
        must(!rule_->match.min_size || disk.size >= *rule_->match.min_size, "too small");
        must(disk.size != 0, "its size is not known");
        must(!disk.multipath_path && !whole->multipath_path, "a path");
        must(!disk.hands_off && !whole->hands_off, "hands off");
        must(!disk.read_only && !whole->read_only, "read-only");
        must(disk.changed == 0 || disk.changed + settled <= now_.time, "not settled");
        for (const auto& each : now_.devices) {
            must(&each == &disk || identity_of(each) != identity_of(disk), "its identity is another's too");
            if (each.name != disk.name && each.parent != disk.name) continue;
            must(each.probe.has_value(), each.node + " was not probed");
            must(each.mounts.empty() && each.holders.empty() && !each.swap && !(each.probe && each.probe->busy), each.node + " is in use");
        }
        if (whole != &disk) {
            must(whole->mounts.empty() && whole->holders.empty() && !whole->swap, "its disk is in use");
            must(whole->probe.has_value(), "its disk was not probed");
        }
        if (!has_our_label || !disk.probe) return;
        for (const auto& signature : disk.probe->signatures)
            must(signature.type == "LVM2_member" || contains(rule_->wipe, signature.type), "it holds " + signature.type);
    }

    void check_listed(const BlockDevice& device, bool is_partition) {
        if (!device.probe) return;
        must(!device.probe->ambivalent, "ambivalent");
        must(!is_partition || !device.probe->signatures.empty(), "a partition without a known signature");
        for (const auto& signature : device.probe->signatures) {
            must(signature.type != "LVM2_member" && contains(rule_->wipe, signature.type), device.node + " holds " + signature.type);
        }
    }

    const Policy& policy_;
    const Observation& now_;
    const Step& step_;
    std::vector<std::string>& broken_;
    const DeviceRule* rule_ = nullptr;
};

}  // namespace

std::vector<std::string> broken_promises(const Case& each, const Plan& plan) {
    std::vector<std::string> broken;
    auto now = each.now;
    const auto policy = resolve(each.policy, each.now);
    for (const auto& step : plan.steps) {
        if (!step.drains.empty()) assume_drained(now, step.drains);
        if (step.state != StepState::Ready) continue;
        if (!step.action) {
            broken.push_back("\"" + step.sentence + "\": ready without an action");
            continue;
        }
        Inspector{policy, now, step, broken}.run();
        try {
            foretell_in_place(now, *step.action);
        } catch (const Error& error) {
            broken.push_back("\"" + step.sentence + "\" would fail: " + error.what());
            return broken;
        }
    }
    compare_the_rest(each.now, now, plan, broken);
    return broken;
}

}  // namespace tierd::property
