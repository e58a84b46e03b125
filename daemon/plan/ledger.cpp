// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/ledger.hpp"

#include <algorithm>

#include "daemon/model/error.hpp"

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
