// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/foretell.hpp"

#include <algorithm>

#include "daemon/model/error.hpp"
#include "daemon/model/overloaded.hpp"
#include "daemon/plan/ledger.hpp"
#include "daemon/plan/sizing.hpp"

namespace tierd {

namespace {

class Teller : private Ledger {
public:
    using Ledger::Ledger;

    void operator()(const WipeSignatures& wipe) {
        auto& disk = device(wipe.disk.node);
        disk.probe = Probe{};
        const std::string name = disk.name;
        std::erase_if(now().devices, [&](const BlockDevice& each) { return each.parent == name; });
    }

    void operator()(const CreatePv& create) {
        auto& disk = device(create.disk.node);
        if (!disk.probe || !disk.probe->signatures.empty()) throw Error{ErrorCode::DeviceNotEmpty, disk.node + " is not known to be blank"};
        if (lvm().pv(create.uuid) != nullptr) throw Error{ErrorCode::ToolFailed, "a physical volume with UUID " + create.uuid + " exists"};
        disk.probe->signatures.push_back({"LVM2_member", "raid", sector});
        add_orphan(create.uuid, disk);
    }

    void operator()(const ExtendVg& extend) {
        auto& group = find_group(extend.vg);
        auto& pv = find_pv(extend.pv_uuid);
        if (group.extent_size == 0) throw Error{ErrorCode::StateUnknown, "the extent size of volume group " + extend.vg + " is not known"};
        if (!pv.vg.empty()) throw Error{ErrorCode::ToolFailed, pv.device + " is in volume group " + pv.vg + " already"};
        pv.vg = extend.vg;
        pv.allocatable = true;
        pv.extents = pv.size > pv_data_offset ? (pv.size - pv_data_offset) / group.extent_size : 0;
        pv.size = pv.extents * group.extent_size;
        group.extents += pv.extents;
        group.free_extents += pv.extents;
    }

    void operator()(const FencePv& fence) {
        auto& pv = find_pv(fence.pv_uuid);
        pv.allocatable = false;
        if (!fence.tag.empty()) pv.tags.insert(fence.tag);
    }

    void operator()(const UnfencePv& unfence) { find_pv(unfence.pv_uuid).allocatable = true; }

    void operator()(const CreateCachePool& create) {
        check_new(create.vg, create.name);
        allocate(create.vg, create.pv_uuid, {create.data_extents, create.metadata_extents});
        add_part(create, create.name + "_cdata", create.data_extents);
        add_part(create, create.name + "_cmeta", create.metadata_extents);
        auto pool = new_volume(create.vg, create.name, create.data_extents * create.extent_size);
        pool.segtype = "cache-pool";
        pool.tags.insert(create.tag);
        pool.data = create.name + "_cdata";
        pool.metadata = create.name + "_cmeta";
        pool.chunk_size = create.chunk_size;
        add(std::move(pool));
    }

    void operator()(const CreateVolume& create) {
        check_new(create.vg, create.name);
        auto volume = new_volume(create.vg, create.name, create.extents * create.extent_size);
        volume.segtype = name_of(create.layout);
        volume.tags.insert(create.tag);
        if (create.layout == Layout::Raid1) {
            for (std::size_t i = 0; i < create.places.size(); ++i) add_legs(create, i);
        } else {
            const auto each = create.extents / std::max<std::size_t>(create.places.size(), 1);
            for (const auto& place : create.places) {
                allocate(create.vg, place.pv_uuid, {each});
                volume.extents_on[place.pv_uuid] = each;
            }
        }
        add(std::move(volume));
    }

    void operator()(const MakePool& make) {
        auto& data = need_volume(make.vg, make.data);
        auto& metadata = need_volume(make.vg, make.metadata);
        if (data.hidden || data.is_cached() || metadata.hidden || metadata.is_cached())
            throw Error{ErrorCode::ToolFailed, make.vg + '/' + make.data + " cannot become a cache pool"};
        auto pool = new_volume(make.vg, make.data, data.size);
        pool.segtype = "cache-pool";
        pool.data = make.data + "_cdata";
        pool.metadata = make.data + "_cmeta";
        pool.chunk_size = make.chunk_size;
        rename(data, pool.data);
        rename(metadata, pool.metadata);
        data.hidden = metadata.hidden = true;
        add(std::move(pool));
    }

    void operator()(const RepairPart& repair) {
        auto& part = need_volume(repair.part.vg, repair.part.lv);
        if (part.uuid != repair.lv_uuid) throw Error{ErrorCode::NoSuchTarget, repair.part.text() + " is not the LV it was"};
        bool mended = false;
        for (const auto& name : legs(part)) mended = move_off_missing(*find_volume(part.vg, name), repair.place.pv_uuid) || mended;
        if (!mended) throw Error{ErrorCode::ToolFailed, repair.part.text() + " lacks nothing"};
        make_whole(part);
        for (auto& pool : lvm().lvs) {
            if (pool.vg != part.vg || (pool.data != part.name && pool.metadata != part.name)) continue;
            const auto lacks = [&](const std::string& name) {
                const auto* each = find_volume(pool.vg, name);
                return each != nullptr && each->partial;
            };
            if (lacks(pool.data) || lacks(pool.metadata)) continue;
            make_whole(pool);
            for (auto& volume : lvm().lvs) {
                if (volume.vg == pool.vg && volume.pool == pool.name) make_whole(volume);
            }
        }
    }

    void operator()(const AttachCache& attach) {
        const std::string& vg = attach.volume.vg;
        auto& volume = need_volume(vg, attach.volume.lv);
        auto& pool = need_volume(vg, attach.pool);
        const bool is_pool = attach.store == Store::Pool;
        if (is_pool != (pool.segtype == "cache-pool"))
            throw Error{ErrorCode::ToolFailed, vg + '/' + attach.pool + " is no cache " + std::string{name_of(attach.store)}};

        auto origin = origin_of(volume, "_corig");
        rename(pool, pool.name + (is_pool ? "_cpool" : "_cvol"));
        pool.hidden = true;
        if (is_pool) name_parts(pool, attach);

        volume.segtype = "cache";
        volume.pool = pool.name;
        volume.origin = origin.name;
        volume.cache_mode = attach.mode;
        volume.cache_policy = attach.cache_policy;
        volume.cache_settings = attach.settings;
        volume.chunk_size = is_pool ? pool.chunk_size : attach.chunk_size;
        volume.extents_on.clear();
        if (volume.active == true) now().caches[volume.uuid] = fresh_cache(attach, volume.chunk_size, pool.size - attach.metadata_size);
        add(std::move(origin));
    }

    void operator()(const AttachWritecache& attach) {
        auto& volume = need_volume(attach.volume.vg, attach.volume.lv);
        auto& cachevol = need_volume(attach.volume.vg, attach.cachevol);
        if (cachevol.segtype != "linear") throw Error{ErrorCode::ToolFailed, attach.cachevol + " is not linear"};
        auto origin = origin_of(volume, "_wcorig");
        rename(cachevol, cachevol.name + "_cvol");
        cachevol.hidden = true;
        volume.segtype = "writecache";
        volume.pool = cachevol.name;
        volume.origin = origin.name;
        volume.cache_mode = CacheMode::Writeback;
        volume.cache_policy = writecache_policy;
        volume.cache_settings = attach.settings;
        volume.extents_on.clear();
        if (volume.active == true) now().caches[volume.uuid] = fresh_writecache(attach, cachevol.size);
        add(std::move(origin));
    }

    void operator()(const CommitMetadata& commit) {
        const auto found = now().caches.find(commit.lv_uuid);
        if (found == now().caches.end()) throw Error{ErrorCode::NoSuchTarget, commit.volume.text() + " has no cache in the kernel"};
        found->second.metadata_committed = true;
    }

    void operator()(const SetCachePolicy& set) {
        auto& volume = need_cached(set.volume);
        auto& pool = need_volume(volume.vg, volume.pool);
        // A cachevol has none of its own.
        for (auto* each : {&volume, pool.segtype == "cache-pool" ? &pool : &volume}) {
            each->cache_policy = set.cache_policy;
            for (const auto& [key, value] : set.settings) {
                each->cache_settings[key] = value;
                if (value == "default") each->cache_settings.erase(key);
            }
        }
        const auto device = now().caches.find(volume.uuid);
        if (device == now().caches.end() || !device->second.status) return;
        device->second.status->policy = set.cache_policy;
        device->second.at_rest = false;
        const auto threshold = set.settings.find("migration_threshold");
        if (threshold != set.settings.end()) device->second.status->core_settings[threshold->first] = threshold->second;
    }

    void operator()(const SetCacheMode& set) {
        auto& volume = need_cached(set.volume);
        if (volume.cache_mode == CacheMode::Writeback || set.mode == CacheMode::Passthrough) need_clean(volume);
        volume.cache_mode = set.mode;
        if (auto& pool = need_volume(volume.vg, volume.pool); pool.segtype == "cache-pool") pool.cache_mode = set.mode;
        const auto device = now().caches.find(volume.uuid);
        if (device != now().caches.end() && device->second.status) device->second.status->mode = std::string{name_of(set.mode)};
    }

    void operator()(const RemoveCache& remove) {
        auto& volume = need_cached(remove.volume);
        need_clean(volume);
        take_cache_off(volume);
    }

    void operator()(const ReduceVg& reduce) {
        auto& pv = find_pv(reduce.pv_uuid);
        auto& group = find_group(reduce.vg);
        if (pv.vg != reduce.vg) throw Error{ErrorCode::ToolFailed, pv.device + " is not in volume group " + reduce.vg};
        if (pv.allocated_extents != 0) throw Error{ErrorCode::ToolFailed, pv.device + " is still in use"};
        group.extents -= pv.extents;
        // lvm counts what is free on a fenced PV as free too
        group.free_extents -= pv.extents;
        pv.vg.clear();
        pv.tags.clear();
        pv.allocatable = false;
        pv.extents = 0;
        const auto disk =
            std::find_if(now().devices.begin(), now().devices.end(), [&](const BlockDevice& each) { return each.dev == pv.dev; });
        if (disk == now().devices.end()) return;
        pv.size = disk->size;
        disk->holders.clear();
    }

    void operator()(const RemovePv& remove) {
        const auto& pv = find_pv(remove.pv_uuid);
        if (!pv.vg.empty()) throw Error{ErrorCode::ToolFailed, pv.device + " is in volume group " + pv.vg};
        auto& disk = device(remove.node);
        if (disk.probe) std::erase_if(disk.probe->signatures, [](const Signature& each) { return each.type == "LVM2_member"; });
        std::erase_if(lvm().pvs, [&](const PhysicalVolume& each) { return each.uuid == remove.pv_uuid; });
    }

    void operator()(const TagVolume& tag) {
        auto& volume = need_volume(tag.volume.vg, tag.volume.lv);
        if (volume.uuid != tag.lv_uuid) throw Error{ErrorCode::NoSuchTarget, tag.volume.text() + " is not the LV it was"};
        for (const auto& each : tag.remove) volume.tags.erase(each);
        volume.tags.insert(tag.add.begin(), tag.add.end());
    }

    void operator()(const UncacheLost& uncache) {
        auto& volume = need_cached(uncache.volume);
        if (volume.cache_mode == CacheMode::Writeback)
            throw Error{ErrorCode::ToolFailed, "Cannot uncache writeback cache volume " + uncache.volume.text() + " without --force."};
        take_lost_off(volume);
    }

    void operator()(const DropCache& drop) {
        auto& volume = need_cached(drop.volume);
        if (volume.active != true) throw Error{ErrorCode::ToolFailed, "Failed to activate " + drop.volume.text() + " to flush cache."};
        take_lost_off(volume);
    }

    void operator()(const RemoveMissing& remove) {
        auto& group = find_group(remove.vg);
        for (const auto& uuid : remove.pv_uuids) {
            const auto& pv = find_pv(uuid);
            if (pv.vg != remove.vg || !pv.missing || pv.allocated_extents != 0)
                throw Error{ErrorCode::ToolFailed, "There are still partial LVs in VG " + remove.vg + '.'};
            group.extents -= pv.extents;
            group.free_extents -= pv.extents;
            if (group.missing_pvs > 0) --group.missing_pvs;
        }
        std::erase_if(lvm().pvs, [&](const PhysicalVolume& each) { return remove.pv_uuids.contains(each.uuid); });
        group.partial = group.missing_pvs > 0;
    }

    void operator()(const RestoreMissing& restore) {
        auto& group = find_group(restore.vg);
        auto& pv = find_pv(restore.pv_uuid);
        if (pv.vg != restore.vg || !pv.missing || pv.device.empty())
            throw Error{ErrorCode::ToolFailed, "there is no missing physical volume " + restore.pv_uuid + " that is back"};
        pv.missing = false;
        if (group.missing_pvs > 0) --group.missing_pvs;
        group.partial = group.missing_pvs > 0;
        if (group.partial) return;
        for (auto& volume : lvm().lvs) {
            if (volume.vg != restore.vg) continue;
            volume.partial = false;
            if (volume.health == "partial") volume.health.clear();
        }
    }

    void operator()(const ClearOutdated& clear) {
        static_cast<void>(find_group(clear.vg));
        auto& disk = device(clear.node);
        if (disk.probe) {
            for (auto& signature : disk.probe->signatures) {
                signature.vg.clear();
                signature.writeback.reset();
            }
        }
        if (lvm().pv(clear.pv_uuid) != nullptr) throw Error{ErrorCode::ToolFailed, clear.node + " is a physical volume that LVM knows"};
        add_orphan(clear.pv_uuid, disk);
    }

    void operator()(const RefreshVolume& refresh) {
        auto& volume = need_volume(refresh.volume.vg, refresh.volume.lv);
        if (volume.uuid != refresh.lv_uuid) throw Error{ErrorCode::NoSuchTarget, refresh.volume.text() + " is not the LV it was"};
        auto* fronted = volume.segtype == "thin-pool" ? find_volume(volume.vg, volume.data) : &volume;
        if (fronted == nullptr) return;
        for (auto* each : {&volume, fronted}) {
            if (!each->active) each->active = true;
            each->suspended = false;
            each->attr.clear();
        }
        if (const auto* cache = find_volume(volume.vg, fronted->pool); cache != nullptr && fronted->is_cached()) {
            for (const auto& name : parts_of(*cache)) {
                if (auto* part = find_volume(volume.vg, name); part != nullptr && part->needs_refresh()) part->health.clear();
            }
        }
        const auto* left = find_volume(volume.vg, fronted->name + "_corig");
        const auto* pool = left == nullptr || left->hidden ? nullptr : find_volume(volume.vg, left->pool);
        if (pool == nullptr) return;
        auto parts = parts_of(*pool);
        parts.push_back(left->name);
        for (const auto& name : parts) {
            auto* part = find_volume(volume.vg, name);
            if (part == nullptr) continue;
            part->active = part->suspended = false;
            part->attr.clear();
        }
    }

    void operator()(const RemovePool& remove) {
        const auto& gone = need_volume(remove.vg, remove.name);
        if (gone.uuid != remove.uuid) throw Error{ErrorCode::NoSuchTarget, remove.vg + '/' + remove.name + " is not the LV it was"};
        // With what an uncache that was killed left of its user.
        const auto uses_it = [&](const LogicalVolume& each) {
            return each.vg == remove.vg && !each.pool.empty() && each.pool == remove.name;
        };
        erase([&](const LogicalVolume& each) { return uses_it(each) && each.origin.empty(); });
        if (std::any_of(lvm().lvs.begin(), lvm().lvs.end(), uses_it))
            throw Error{ErrorCode::ToolFailed, remove.vg + '/' + remove.name + " is in use"};
        remove_pool(remove.vg, remove.name);
    }

private:
    LogicalVolume& need_cached(const VolumeName& name) {
        auto& volume = need_volume(name.vg, name.lv);
        if (!volume.is_cached()) throw Error{ErrorCode::ToolFailed, name.text() + " is not cached"};
        return volume;
    }
    /// LVM would flush, and hold the group's lock meanwhile.
    void need_clean(const LogicalVolume& volume) {
        const auto device = now().caches.find(volume.uuid);
        const bool clean = device != now().caches.end() && device->second.status && device->second.status->dirty_blocks == 0;
        if (!clean) throw Error{ErrorCode::ToolFailed, volume.vg + '/' + volume.name + " is not known to be clean"};
    }
    void take_lost_off(LogicalVolume& volume) {
        auto& group = find_group(volume.vg);
        take_cache_off(volume);
        // One that is back is counted again by itself once nothing lies on it (seen: "unused reappeared PV").
        for (auto& pv : lvm().pvs) {
            if (pv.vg != group.name || !pv.missing || pv.device.empty() || pv.allocated_extents != 0) continue;
            pv.missing = false;
            if (group.missing_pvs > 0) --group.missing_pvs;
        }
        group.partial = group.missing_pvs > 0;
    }
    void add_part(const CreateCachePool& create, const std::string& name, std::uint64_t extents) {
        auto part = new_volume(create.vg, name, extents * create.extent_size);
        part.hidden = true;
        part.segtype = "linear";
        part.extents_on[create.pv_uuid] = extents;
        add(std::move(part));
    }
    void name_parts(LogicalVolume& pool, const AttachCache& attach) {
        pool.cache_mode = attach.mode;
        pool.cache_policy = attach.cache_policy;
        pool.cache_settings = attach.settings;
        if (auto* data = find_volume(pool.vg, pool.data)) rename(*data, pool.name + "_cdata");
        if (auto* metadata = find_volume(pool.vg, pool.metadata)) rename(*metadata, pool.name + "_cmeta");
        pool.data = pool.name + "_cdata";
        pool.metadata = pool.name + "_cmeta";
    }
    static LogicalVolume origin_of(const LogicalVolume& volume, const char* suffix) {
        if (volume.is_cached()) throw Error{ErrorCode::ToolFailed, volume.vg + '/' + volume.name + " is cached already"};
        auto origin = volume;
        origin.name += suffix;
        origin.uuid = "new:" + volume.vg + '/' + origin.name;
        origin.hidden = true;
        origin.tags.clear();
        origin.dm_uuid.clear();
        return origin;
    }
    static CacheDevice fresh_writecache(const AttachWritecache& attach, Bytes size) {
        constexpr Bytes usual_block = 4096;
        const auto asked = attach.settings.find("block_size");
        CacheStatus status;
        status.block_size = asked == attach.settings.end() ? usual_block : std::stoull(asked->second);
        status.total_blocks = size / status.block_size;
        status.mode = name_of(CacheMode::Writeback);
        status.policy = writecache_policy;
        return {status, true};
    }
    static CacheDevice fresh_cache(const AttachCache& attach, Bytes chunk_size, Bytes data) {
        CacheStatus status;
        status.block_size = chunk_size;
        status.total_blocks = chunk_size > 0 ? data / chunk_size : 0;
        status.mode = std::string{name_of(attach.mode)};
        status.policy = attach.cache_policy;
        return {status, false};
    }
};

}  // namespace

void assume_drained(Observation& observation, const std::string& lv_uuid) {
    const auto device = observation.caches.find(lv_uuid);
    if (device != observation.caches.end() && device->second.status) device->second.status->dirty_blocks = 0;
}

void foretell_in_place(Observation& observation, const Action& action, VolumeIndex& by_name) {
    std::visit(Teller{observation, by_name}, action);
}

void foretell_in_place(Observation& observation, const Action& action) {
    VolumeIndex by_name;
    if (observation.lvm) by_name = VolumeIndex{observation.lvm->lvs};
    foretell_in_place(observation, action, by_name);
}

Observation foretell(const Observation& before, const Action& action) {
    auto after = before;
    foretell_in_place(after, action);
    return after;
}

}  // namespace tierd
