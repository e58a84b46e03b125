// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>
#include <set>

#include "daemon/model/identity.hpp"
#include "daemon/model/overloaded.hpp"
#include "daemon/model/request.hpp"
#include "promises.hpp"

namespace tierd::property {

namespace {

/// The objects that the steps name, and so may change.
struct Touched {
    std::set<std::string> nodes, pv_uuids, removed;
    bool gives_room = false;  ///< a pool is removed, and its extents are free again
    std::set<VolumeName> origins;
    std::set<VolumeName> attached;  ///< and changed, and detached
    std::set<VolumeName> put;       ///< pools and cachevols, in front of a volume
    std::set<VolumeName> tagged;
    std::set<std::string> mended;  ///< groups that lacked disks
};

Touched touched_by(const Observation& before, const Plan& plan) {
    Touched touched;
    for (const auto& step : plan.steps) {
        if (step.state != StepState::Ready || !step.action) continue;
        std::visit(Overloaded{
                       [&](const WipeSignatures& wipe) { touched.nodes.insert(wipe.disk.node); },
                       [&](const CreatePv& create) { touched.nodes.insert(create.disk.node); },
                       [&](const ExtendVg& extend) { touched.pv_uuids.insert(extend.pv_uuid); },
                       [&](const FencePv& fence) { touched.pv_uuids.insert(fence.pv_uuid); },
                       [&](const UnfencePv& unfence) { touched.pv_uuids.insert(unfence.pv_uuid); },
                       [&](const CreateCachePool& create) { touched.pv_uuids.insert(create.pv_uuid); },
                       [&](const CreateVolume& create) {
                           for (const auto& place : create.places) touched.pv_uuids.insert(place.pv_uuid);
                       },
                       [&](const MakePool& make) {
                           touched.put.insert({make.vg, make.data});
                           touched.put.insert({make.vg, make.metadata});
                       },
                       [&](const RepairPart& repair) { touched.pv_uuids.insert(repair.place.pv_uuid); },
                       [&](const AttachWritecache& attach) {
                           touched.attached.insert(attach.volume);
                           touched.put.insert({attach.volume.vg, attach.cachevol});
                       },
                       [&](const AttachCache& attach) {
                           touched.attached.insert(attach.volume);
                           touched.put.insert({attach.volume.vg, attach.pool});
                       },
                       [&](const CommitMetadata&) {},
                       [&](const SetCachePolicy& set) { touched.attached.insert(set.volume); },
                       [&](const SetCacheMode& set) { touched.attached.insert(set.volume); },
                       [&](const RemoveCache& remove) {
                           touched.attached.insert(remove.volume);
                           const auto* volume = before.lvm ? before.lvm->volume(remove.volume) : nullptr;
                           if (volume != nullptr) touched.origins.insert({volume->vg, volume->origin});
                           touched.gives_room = true;
                       },
                       [&](const UncacheLost& uncache) {
                           touched.attached.insert(uncache.volume);
                           const auto* volume = before.lvm ? before.lvm->volume(uncache.volume) : nullptr;
                           if (volume != nullptr) touched.origins.insert({volume->vg, volume->origin});
                           touched.gives_room = true;
                           touched.mended.insert(uncache.volume.vg);
                       },
                       [&](const DropCache& drop) {
                           touched.attached.insert(drop.volume);
                           const auto* volume = before.lvm ? before.lvm->volume(drop.volume) : nullptr;
                           if (volume != nullptr) touched.origins.insert({volume->vg, volume->origin});
                           touched.gives_room = true;
                           touched.mended.insert(drop.volume.vg);
                       },
                       [&](const RemoveMissing& remove) {
                           touched.pv_uuids.insert(remove.pv_uuids.begin(), remove.pv_uuids.end());
                           touched.mended.insert(remove.vg);
                       },
                       [&](const RestoreMissing& restore) {
                           touched.pv_uuids.insert(restore.pv_uuid);
                           touched.mended.insert(restore.vg);
                       },
                       [&](const ClearOutdated& clear) { touched.nodes.insert(clear.node); },
                       [&](const RefreshVolume& refresh) {
                           touched.attached.insert(refresh.volume);
                           touched.origins.insert({refresh.volume.vg, refresh.volume.lv + "_corig"});
                       },
                       [&](const ReduceVg& reduce) { touched.pv_uuids.insert(reduce.pv_uuid); },
                       [&](const RemovePv& remove) {
                           touched.pv_uuids.insert(remove.pv_uuid);
                           touched.nodes.insert(remove.node);
                       },
                       [&](const TagVolume& tag) { touched.tagged.insert(tag.volume); },
                       [&](const RemovePool& remove) {
                           touched.removed.insert(remove.uuid);
                           // With what an uncache that was killed left of its user.
                           for (const auto& each : before.lvm ? before.lvm->lvs : std::vector<LogicalVolume>{}) {
                               if (each.vg == remove.vg && each.pool == remove.name && each.origin.empty())
                                   touched.origins.insert({each.vg, each.name});
                           }
                           touched.gives_room = true;
                       },
                   },
                   *step.action);
    }
    return touched;
}

/// Less what a person asked for of it, and what tierd itself notes on its volumes.
LogicalVolume without_notes(LogicalVolume volume) {
    for (const auto kind : {RequestKind::Detach, RequestKind::Flush, RequestKind::Mode, RequestKind::Remake, RequestKind::Recover}) {
        for (const auto& tag : request_tags(volume, kind)) volume.tags.erase(tag);
    }
    for (const auto& tag : lost_tags(volume)) volume.tags.erase(tag);
    volume.tags.erase(served_tag);
    return volume;
}

std::string survives(const LogicalVolume& before, const LogicalVolume* after, bool attached, bool mended) {
    const std::string name = before.vg + '/' + before.name;
    if (after == nullptr) return name + " is gone";
    auto expected = before;
    if (mended) {
        expected.partial = after->partial;
        expected.health = after->health;
    }
    if (!attached) return expected == *after ? "" : name + " was changed";
    const bool same = after->uuid == before.uuid && after->size == before.size && after->tags == before.tags &&
                      (after->active == before.active || !before.active || before.is_mismatched()) && after->hidden == before.hidden;
    return same ? "" : name + " is not the volume it was";
}

void compare_lvm(const Lvm& before, const Lvm& after, const Touched& touched, std::vector<std::string>& broken) {
    for (const auto& pv : before.pvs) {
        if (touched.pv_uuids.contains(pv.uuid)) continue;
        if (std::none_of(after.pvs.begin(), after.pvs.end(), [&](const PhysicalVolume& each) { return each == pv; })) {
            const bool shrunk = touched.gives_room && std::any_of(after.pvs.begin(), after.pvs.end(), [&](PhysicalVolume each) {
                                    each.allocated_extents = pv.allocated_extents;
                                    if (touched.mended.contains(pv.vg)) each.missing = pv.missing;
                                    return each == pv;
                                });
            if (!shrunk) broken.push_back("physical volume " + pv.uuid + " was changed");
        }
    }
    for (const auto& group : before.groups) {
        const auto same = std::any_of(after.groups.begin(), after.groups.end(), [&](VolumeGroup each) {
            each.extents = group.extents;
            each.free_extents = group.free_extents;
            if (touched.mended.contains(group.name)) {
                each.missing_pvs = group.missing_pvs;
                each.partial = group.partial;
            }
            return each == group;
        });
        if (!same) broken.push_back("volume group " + group.name + " was changed");
    }
    std::set<std::pair<std::string, std::string>> ours;  // pools of tierd's, their parts, and the spare that goes with the last
    for (const auto& volume : before.lvs) {
        const auto* data = before.volume({volume.vg, volume.data});
        if (!tier_of(volume) && !tier_of_part(volume) && (data == nullptr || !tier_of_part(*data))) continue;
        const bool may_change = volume.segtype == "cache-pool" || volume.hidden || touched.put.contains({volume.vg, volume.name}) ||
                                touched.removed.contains(volume.uuid);
        if (!may_change) continue;
        for (const auto& name : {volume.name, volume.data, volume.metadata, std::string{"lvol0_pmspare"}}) {
            ours.insert({volume.vg, name});
            const auto* part = before.volume({volume.vg, name});
            const auto find = [&](const std::string& vg, const std::string& lv) { return before.volume({vg, lv}); };
            for (const auto* leg : part == nullptr ? std::vector<const LogicalVolume*>{} : legs_of(*part, find))
                ours.insert({leg->vg, leg->name});
        }
    }
    for (const auto& volume : before.lvs) {
        if (ours.contains({volume.vg, volume.name}) || touched.origins.contains({volume.vg, volume.name})) continue;
        const VolumeName name{volume.vg, volume.name};
        const auto* found = after.volume(name);
        const bool tagged = touched.tagged.contains(name) && found != nullptr;
        const auto left = tagged ? without_notes(*found) : LogicalVolume{};
        const auto fault = survives(tagged ? without_notes(volume) : volume, tagged ? &left : found, touched.attached.contains(name),
                                    touched.mended.contains(volume.vg));
        if (!fault.empty()) broken.push_back(fault);
    }
}

}  // namespace

void compare_the_rest(const Observation& before, const Observation& after, const Plan& plan, std::vector<std::string>& broken) {
    const auto touched = touched_by(before, plan);
    for (const auto& device : before.devices) {
        if (touched.nodes.contains(device.node)) continue;
        const bool of_touched = std::any_of(before.devices.begin(), before.devices.end(), [&](const BlockDevice& disk) {
            return disk.name == device.parent && touched.nodes.contains(disk.node);
        });
        if (of_touched) continue;  // a partition of a disk that is erased: each was held against the rule's list
        if (std::find(after.devices.begin(), after.devices.end(), device) == after.devices.end())
            broken.push_back(device.node + " was changed");
    }
    if (before.lvm) compare_lvm(*before.lvm, *after.lvm, touched, broken);
}

}  // namespace tierd::property
