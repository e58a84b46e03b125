// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "daemon/model/action.hpp"
#include "daemon/model/observation.hpp"
#include "daemon/plan/volume_index.hpp"

namespace tierd {

/// A machine on paper, as foretelling changes it: what is looked up, and the room on its disks. All throw Error as LVM would refuse:
/// NoSuchTarget for what is not there.
class Ledger {
public:
    /// Both must outlive it. Throws Error{StateUnknown} where LVM could not be read.
    Ledger(Observation& observation, VolumeIndex& by_name);

    [[nodiscard]] Observation& now() { return observation_; }
    [[nodiscard]] Lvm& lvm() { return *observation_.lvm; }
    BlockDevice& device(const std::string& node);
    VolumeGroup& find_group(const std::string& name);
    PhysicalVolume& find_pv(const std::string& uuid);
    LogicalVolume* find_volume(const std::string& vg, const std::string& name);
    LogicalVolume& need_volume(const std::string& vg, const std::string& name);

    /// Throws Error{ToolFailed} when the name is taken.
    void check_new(const std::string& vg, const std::string& name);
    /// Of one PV, for all those parts. Throws Error{InsufficientSpace}.
    void allocate(const std::string& vg, const std::string& pv_uuid, const std::vector<std::uint64_t>& parts);
    static LogicalVolume new_volume(const std::string& vg, const std::string& name, Bytes size);
    void add(LogicalVolume volume);
    /// With its legs, where it is a raid LV.
    void rename(LogicalVolume& volume, const std::string& to);
    /// legs_of, by name.
    [[nodiscard]] std::vector<std::string> legs(const LogicalVolume& volume);
    void add_orphan(const std::string& uuid, const BlockDevice& disk);
    /// One half of a raid1 LV, with its metadata, which carries the LV's tags.
    void add_legs(const CreateVolume& create, std::size_t number);
    /// What of a leg lies on a PV that is missing comes to lie on that one. False when there is nothing.
    bool move_off_missing(LogicalVolume& leg, const std::string& pv_uuid);
    static void make_whole(LogicalVolume& volume);
    /// The volume is its own origin again, and the pool is gone.
    void take_cache_off(LogicalVolume& volume);
    /// Takes LVs away; their room stays taken.
    void erase(const std::function<bool(const LogicalVolume&)>& which);
    /// Takes it away with its parts, and with the group's spare when it was the last pool; their room is free.
    void remove_pool(const std::string& vg, const std::string& pool);

private:
    void rename_alone(LogicalVolume& volume, const std::string& to);
    void release(const std::string& vg, const std::string& name);

    Observation& observation_;
    VolumeIndex& by_name_;
};

}  // namespace tierd
