// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "daemon/model/plan.hpp"
#include "daemon/model/policy.hpp"
#include "daemon/model/text.hpp"
#include "daemon/plan/scene.hpp"

namespace tierd {

/// One tier's entry before one scene: what the parts of its planning look up, and the forms in which they answer. What was found already
/// (device rule, group, volume) is set by who found it.
struct TierCase {
    const Policy& policy;
    const TierRule& rule;
    const Scene& scene;
    const DeviceRule* device_rule = nullptr;  ///< the one in question: of two the first, but where by() chose
    const VolumeGroup* group = nullptr;
    const LogicalVolume* volume = nullptr;  ///< fronted_by_cache: of a thin pool its data

    /// The same case, with that one of the tier's device rules in question.
    [[nodiscard]] TierCase by(const DeviceRule& each) const;

    // --- forms of a step ---
    [[nodiscard]] Step form(StepState state, std::string verb, std::string text, std::string reason) const;
    [[nodiscard]] Step wait(std::string text, std::string reason, std::optional<Usec> until = std::nullopt) const;
    /// What a command that was killed left, and only a person ends: a wait with the alert half-made.
    [[nodiscard]] Step half_made(std::string text, std::string reason) const;
    /// The LVs that the volume and its cache consist of, but for itself and its pool.
    [[nodiscard]] std::vector<const LogicalVolume*> layers() const;
    /// The commands by which a person has the kernel do what LVM says of the volume.
    [[nodiscard]] std::string refreshing() const;
    /// An LV of the group is suspended in the kernel, which no command of ours leaves.
    [[nodiscard]] Step wait_for_resume(const std::string& lv) const;
    [[nodiscard]] Step refuse(std::string reason) const;
    [[nodiscard]] Step unsupported(std::string reason) const;
    [[nodiscard]] Step act(Action action, std::string reason, Bytes bytes = 0) const;
    /// Sets the policy of the cache that stands there, of whichever kind.
    [[nodiscard]] SetCachePolicy set_policy(std::string cache_policy, std::map<std::string, std::string> settings) const;
    /// The same, by a person's word only: somebody undid by hand what the policy asks for, and will know why.
    [[nodiscard]] Step redo(Action action, std::string what_was_done, Bytes bytes = 0) const;
    /// When to look again at what ends without an event: now and then, and more seldom.
    [[nodiscard]] Usec soon() const { return scene.now().time + 2 * usec_per_second; }
    [[nodiscard]] Usec later() const { return scene.now().time + 10 * usec_per_second; }

    // --- lookups ---
    /// The LV that commands are about: the rule's volume, of a thin pool its data.
    [[nodiscard]] VolumeName fronted() const { return volume == nullptr ? rule.volume : VolumeName{volume->vg, volume->name}; }
    [[nodiscard]] const LogicalVolume* lv(const std::string& name) const { return scene.volume(rule.volume.vg, name); }
    /// What stands in front of the volume is of the kind and store that the rule asks for.
    [[nodiscard]] bool is_of_kind() const;
    /// The volume's cache pool or cachevol, when tierd made it.
    [[nodiscard]] const LogicalVolume* our_pool() const;
    /// What an `lvconvert --uncache` that was killed behind its first commit leaves beside the volume: the pool's last user, of type cache
    /// and without an origin, which LVM neither activates nor counts. nullptr: there is none.
    [[nodiscard]] const LogicalVolume* left_of_uncache(const LogicalVolume& pool) const;
    /// The segment type of what holds its data: "linear", "striped", "raid1"; "" when that was not read.
    [[nodiscard]] std::string layout_of(const LogicalVolume& pool) const;
    /// Under an LV; nullptr for one that LVM did not report.
    [[nodiscard]] std::vector<const PhysicalVolume*> pvs_below(const std::string& part) const;
    [[nodiscard]] bool is_ours(const PhysicalVolume& pv) const;
    /// How many of the PV's extents the pool and its parts have.
    [[nodiscard]] std::uint64_t extents_of(const LogicalVolume& pool, const PhysicalVolume& pv) const;
    /// How many disks the tier is put on: two, where it is striped or raid1.
    [[nodiscard]] std::size_t width() const { return rule.layout == Layout::Linear ? 1 : 2; }
    /// The tier's device rules that the policy has.
    [[nodiscard]] std::vector<const DeviceRule*> device_rules() const;
    /// How many disks that rule is to give the tier.
    [[nodiscard]] std::size_t share_of(const DeviceRule& each) const;
    /// The PVs that are in the group by that device rule: those that carry its tag first.
    [[nodiscard]] std::vector<const PhysicalVolume*> pvs_by(const std::string& rule_name) const;
    struct Serving {
        const PhysicalVolume* pv;
        const DeviceRule* by;
    };
    /// Those of them that serve the tier, or are to, and no more than are wanted of each rule.
    [[nodiscard]] std::vector<Serving> serving() const;
    [[nodiscard]] std::vector<const PhysicalVolume*> serving_pvs() const;
    /// Keeps other allocations off the PV, and tags it; nullopt when that is so.
    [[nodiscard]] std::optional<Step> fence(const PhysicalVolume& pv) const;
    /// The same for what is below the pool.
    [[nodiscard]] std::optional<Step> fence_below(const LogicalVolume& pool) const;
};

}  // namespace tierd
