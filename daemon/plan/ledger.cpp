// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/ledger.hpp"

#include <algorithm>

#include "daemon/model/error.hpp"
#include "daemon/model/lvm_limits.hpp"

namespace tierd {

namespace {

constexpr const char* spare_name = "lvol0_pmspare";

}  // namespace

Ledger::Ledger(Observation& observation, VolumeIndex& by_name) : observation_{observation}, by_name_{by_name} {
    if (!observation_.lvm) throw Error{ErrorCode::StateUnknown, "LVM could not be read"};
}

BlockDevice& Ledger::device(const std::string& node) {
    for (auto& each : observation_.devices) {
        if (each.node == node) return each;
    }
    throw Error{ErrorCode::NoSuchTarget, "no disk " + node};
}

VolumeGroup& Ledger::find_group(const std::string& name) {
    for (auto& each : lvm().groups) {
        if (each.name == name) return each;
    }
    throw Error{ErrorCode::NoSuchTarget, "no volume group " + name};
}

PhysicalVolume& Ledger::find_pv(const std::string& uuid) {
    for (auto& each : lvm().pvs) {
        if (each.uuid == uuid) return each;
    }
    throw Error{ErrorCode::NoSuchTarget, "no physical volume " + uuid};
}

LogicalVolume* Ledger::find_volume(const std::string& vg, const std::string& name) {
    const auto at = by_name_.find(vg, name);
    return at == VolumeIndex::none ? nullptr : &lvm().lvs[at];
}

LogicalVolume& Ledger::need_volume(const std::string& vg, const std::string& name) {
    auto* found = find_volume(vg, name);
    if (found == nullptr) throw Error{ErrorCode::NoSuchTarget, "no logical volume " + vg + '/' + name};
    return *found;
}

void Ledger::check_new(const std::string& vg, const std::string& name) {
    static_cast<void>(find_group(vg));
    if (find_volume(vg, name) != nullptr) throw Error{ErrorCode::ToolFailed, vg + '/' + name + " exists already"};
}

void Ledger::allocate(const std::string& vg, const std::string& pv_uuid, const std::vector<std::uint64_t>& parts) {
    auto& group = find_group(vg);
    auto& pv = find_pv(pv_uuid);
    if (!pv.allocatable) throw Error{ErrorCode::InsufficientSpace, pv.device + " is not allocatable"};
    auto room = pv.extents - std::min(pv.extents, pv.allocated_extents);
    for (const auto extents : parts) {
        if (extents > room) throw Error{ErrorCode::InsufficientSpace, pv.device + " has too few free extents"};
        room -= extents;
        pv.allocated_extents += extents;
        group.free_extents -= extents;
    }
}

LogicalVolume Ledger::new_volume(const std::string& vg, const std::string& name, Bytes size) {
    LogicalVolume volume;
    volume.vg = vg;
    volume.name = name;
    volume.uuid = "new:" + vg + '/' + name;
    volume.size = size;
    volume.active = false;
    volume.suspended = false;
    return volume;
}

void Ledger::add(LogicalVolume volume) {
    by_name_.add(volume, lvm().lvs.size());
    lvm().lvs.push_back(std::move(volume));
}

std::vector<std::string> Ledger::legs(const LogicalVolume& volume) {
    std::vector<std::string> names;
    const auto find = [this](const std::string& vg, const std::string& name) { return find_volume(vg, name); };
    for (const auto* leg : legs_of(volume, find)) names.push_back(leg->name);
    return names;
}

void Ledger::rename(LogicalVolume& volume, const std::string& to) {
    for (const auto& leg : legs(volume)) rename_alone(*find_volume(volume.vg, leg), to + leg.substr(volume.name.size()));
    rename_alone(volume, to);
}

void Ledger::rename_alone(LogicalVolume& volume, const std::string& to) {
    by_name_.remove(volume.vg, volume.name);
    volume.name = to;
    by_name_.add(volume, static_cast<std::size_t>(&volume - lvm().lvs.data()));
}

void Ledger::erase(const std::function<bool(const LogicalVolume&)>& which) {
    if (std::erase_if(lvm().lvs, which) > 0) by_name_ = VolumeIndex{lvm().lvs};
}

void Ledger::add_orphan(const std::string& uuid, const BlockDevice& disk) {
    PhysicalVolume pv;
    pv.uuid = uuid;
    pv.device = disk.node;
    pv.dev = disk.dev;
    pv.size = disk.size;
    pv.allocatable = false;
    lvm().pvs.push_back(std::move(pv));
}

void Ledger::add_legs(const CreateVolume& create, std::size_t number) {
    const auto& place = create.places[number];
    const auto metadata = raid_metadata / create.extent_size + (raid_metadata % create.extent_size != 0 ? 1 : 0);
    allocate(create.vg, place.pv_uuid, {metadata, create.extents});
    for (const bool is_image : {false, true}) {
        const auto extents = is_image ? create.extents : metadata;
        auto leg =
            new_volume(create.vg, create.name + (is_image ? "_rimage_" : "_rmeta_") + std::to_string(number), extents * create.extent_size);
        leg.hidden = true;
        leg.segtype = "linear";
        if (!is_image) leg.tags.insert(create.tag);
        leg.extents_on[place.pv_uuid] = extents;
        add(std::move(leg));
    }
}

bool Ledger::move_off_missing(LogicalVolume& leg, const std::string& pv_uuid) {
    bool moved = false;
    const auto extents_on = leg.extents_on;
    for (const auto& [uuid, extents] : extents_on) {
        auto& pv = find_pv(uuid);
        if (!pv.missing) continue;
        allocate(leg.vg, pv_uuid, {extents});
        pv.allocated_extents -= extents;
        find_group(leg.vg).free_extents += extents;
        leg.extents_on.erase(uuid);
        leg.extents_on[pv_uuid] += extents;
        // It is another LV of the same name.
        leg.uuid = "new:" + leg.vg + '/' + leg.name;
        leg.dm_uuid.clear();
        leg.tags.clear();
        make_whole(leg);
        moved = true;
    }
    return moved;
}

void Ledger::make_whole(LogicalVolume& volume) {
    volume.partial = false;
    if (volume.health == "partial") volume.health.clear();
}

void Ledger::take_cache_off(LogicalVolume& volume) {
    const auto& origin = need_volume(volume.vg, volume.origin);
    volume.segtype = origin.segtype;
    volume.extents_on = origin.extents_on;
    volume.partial = origin.partial;
    volume.health = origin.health;
    if (volume.suspended) volume.suspended = false;
    const std::string vg = volume.vg;
    const std::string origin_name = origin.name;
    const std::string pool = volume.pool;
    volume.pool.clear();
    volume.origin.clear();
    volume.cache_mode.reset();
    volume.cache_policy.clear();
    volume.cache_settings.clear();
    volume.chunk_size = 0;
    observation_.caches.erase(volume.uuid);
    erase([&](const LogicalVolume& each) { return each.vg == vg && each.name == origin_name; });
    remove_pool(vg, pool);
}

void Ledger::remove_pool(const std::string& vg, const std::string& pool) {
    const auto& gone = need_volume(vg, pool);
    std::vector<std::string> names{gone.name, gone.data, gone.metadata};
    for (const auto& part : parts_of(gone)) {
        const auto* volume = find_volume(vg, part);
        for (auto& leg : volume == nullptr ? std::vector<std::string>{} : legs(*volume)) names.push_back(std::move(leg));
    }
    const bool last_pool = std::none_of(lvm().lvs.begin(), lvm().lvs.end(), [&](const LogicalVolume& each) {
        return each.vg == vg && each.name != pool && (each.segtype == "cache-pool" || each.segtype == "thin-pool");
    });
    if (last_pool) names.emplace_back(spare_name);
    for (const auto& name : names) release(vg, name);
    erase([&](const LogicalVolume& each) { return each.vg == vg && std::find(names.begin(), names.end(), each.name) != names.end(); });
}

void Ledger::release(const std::string& vg, const std::string& name) {
    const auto* volume = find_volume(vg, name);
    if (volume == nullptr) return;
    for (auto& pv : lvm().pvs) {
        const auto found = volume->extents_on.find(pv.uuid);
        if (found == volume->extents_on.end()) continue;
        pv.allocated_extents -= found->second;
        find_group(vg).free_extents += found->second;
    }
}

}  // namespace tierd
