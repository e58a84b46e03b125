// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "daemon/model/action.hpp"
#include "daemon/model/observation.hpp"
#include "daemon/plan/eligibility.hpp"
#include "daemon/plan/volume_index.hpp"

namespace tierd {

/// An observation that can be foretold further, with what planning looks up in it by name: a plan for ten thousand volumes stays linear.
class Scene {
public:
    /// The observation must outlive the scene; it is copied only when something is foretold.
    explicit Scene(const Observation& observation);
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    [[nodiscard]] const Observation& now() const { return *now_; }
    /// LVM was read. All lookups below need it.
    [[nodiscard]] bool lvm_known() const { return now_->lvm.has_value(); }
    [[nodiscard]] const LogicalVolume* volume(const std::string& vg, const std::string& name) const;
    /// fronted_by_cache
    [[nodiscard]] const LogicalVolume* fronted(const VolumeName& name) const;
    [[nodiscard]] const VolumeGroup* group(const std::string& name) const;
    /// The root file system is on that LV (below_root).
    [[nodiscard]] bool is_below_root(const LogicalVolume& volume) const { return !root_uuid_.empty() && volume.uuid == root_uuid_; }
    /// Two VGs have this name.
    [[nodiscard]] bool is_ambiguous(const std::string& group) const { return twins_.contains(group); }
    // All lists are in an order of their own: in which one the machine was reported says nothing.
    /// LVs of that VG that carry the tier's tag; those that serve nothing first.
    [[nodiscard]] std::vector<const LogicalVolume*> tagged(const std::string& vg, const std::string& tier) const;
    /// LVs of that VG that are parts of a pool of the tier's (part_tag), likewise.
    [[nodiscard]] std::vector<const LogicalVolume*> parts(const std::string& vg, const std::string& tier) const;
    /// PV UUID -> extents of the LV and of its legs.
    [[nodiscard]] std::map<std::string, std::uint64_t> extents_below(const LogicalVolume& volume) const;
    [[nodiscard]] std::vector<const PhysicalVolume*> pvs_of(const std::string& vg) const;
    /// The disk below the PV; nullptr when it is not seen.
    [[nodiscard]] const BlockDevice* device_of(const PhysicalVolume& pv) const;

    /// "/dev/sdb is failing: …", when the disk below the PV says so; "" when it does not, or is not known to.
    [[nodiscard]] std::string failure_of(const PhysicalVolume& pv) const;

    /// The sequence number of the disk below the PV; 0: it is not seen.
    [[nodiscard]] std::uint64_t diskseq_of(const PhysicalVolume& pv) const;

    struct Candidate {
        const BlockDevice* device = nullptr;
        Verdict verdict;
    };
    /// The disks that the rule's lines ask for, each judged.
    [[nodiscard]] const std::vector<Candidate>& candidates(const DeviceRule& rule) const;

    /// Goes on as if the action had been done. Throws what foretell throws. What was looked up before is gone.
    void apply(const Action& action);
    /// Goes on as if that LV's cache had been drained.
    void assume_drained(const std::string& lv_uuid);

private:
    using Index = std::unordered_map<std::string, std::vector<std::size_t>>;
    [[nodiscard]] std::vector<const LogicalVolume*> listed(const Index& index, const std::string& vg, const std::string& tier) const;
    void index_volumes(std::size_t first);
    void index_pvs();
    void index_devices();

    const Observation* now_;
    std::optional<Observation> foretold_;
    std::string root_uuid_;
    VolumeIndex volumes_;
    std::unordered_map<std::string, std::size_t> groups_, devices_;
    std::set<std::string> twins_;
    Index tagged_, parts_, pvs_;
    mutable std::map<std::string, std::vector<Candidate>> candidates_;
};

}  // namespace tierd
