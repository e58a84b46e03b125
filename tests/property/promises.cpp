// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "promises.hpp"

#include <algorithm>
#include <set>

#include "daemon/model/error.hpp"
#include "daemon/model/identity.hpp"
#include "daemon/model/overloaded.hpp"
#include "daemon/plan/foretell.hpp"

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
        must(pv->allocated_extents + create.data_extents + create.metadata_extents <= pv->extents, "it does not fit");
        must(create.chunk_size >= 32 * kib && create.chunk_size % (32 * kib) == 0, "no chunk");
        must(create.data_extents * create.extent_size / create.chunk_size <= now_.setup.cache_pool_max_chunks, "too many chunks");
        must(create.metadata_extents * create.extent_size >= 4 * mib + 44 * (create.data_extents * create.extent_size / create.chunk_size),
             "too little metadata");
        must(now_.lvm->volume({create.vg, create.name}) == nullptr, "the name is taken");
        must(dm_name(create.vg, create.name + "_cpool_cdata").size() <= 127, "the name is too long");
    }
    void operator()(const AttachCache& attach) {
        const auto* rule = tier();
        must(rule != nullptr && rule->volume == attach.volume, "a volume that the policy does not name");
        const auto* volume = now_.lvm->volume(attach.volume);
        must(volume != nullptr && volume->segtype != "cache" && !volume->hidden && volume->origin.empty(),
             "a volume that cannot be cached");
        must(
            volume != nullptr && volume->active && (!*volume->active || volume->suspended == false) && !volume->partial && !volume->merging,
            "a volume whose state is not known or not well");
        const auto* pool = now_.lvm->volume({attach.volume.vg, attach.pool});
        must(pool != nullptr && tier_of(*pool) == rule_name() && pool->segtype == "cache-pool" && !pool->hidden,
             "a pool that is not this tier's");
        if (pool == nullptr) return;
        for (const auto& part : {pool->data, pool->metadata}) {
            const auto* below = now_.lvm->volume({attach.volume.vg, part});
            must(below != nullptr && !below->extents_on.empty(), "a pool whose place is not known");
            if (below == nullptr) continue;
            for (const auto& [uuid, extents] : below->extents_on) {
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
        must(volume != nullptr && volume->segtype == "cache" && volume->uuid == commit.lv_uuid && volume->active == true,
             "no active cache");
        const auto* pool = volume == nullptr ? nullptr : now_.lvm->volume({commit.volume.vg, volume->pool});
        must(pool != nullptr && tier_of(*pool), "a cache that is not tierd's");
    }
    void operator()(const RemoveHalfMade& remove) {
        const auto* gone = now_.lvm->volume({remove.vg, remove.name});
        must(remove.vg == step_.group, "another group");
        must(gone != nullptr && gone->uuid == remove.uuid, "an LV that is not there");
        if (gone == nullptr) return;
        must(tier_of(*gone) == rule_name(), "an LV that is not this tier's");
        must(!gone->hidden && gone->segtype != "cache" && gone->origin.empty(), "an LV that serves");
        for (const auto& rule : policy_.tiers) must(rule.volume != VolumeName{remove.vg, remove.name}, "a volume of the policy's");
        for (const auto& each : now_.lvm->lvs)
            must(each.vg != remove.vg || (each.pool != remove.name && each.origin != remove.name), "an LV that another stands on");
        if (gone->segtype == "cache-pool") return;
        must(!gone->extents_on.empty(), "an LV whose place is not known");
        for (const auto& [uuid, extents] : gone->extents_on) {
            const auto* pv = now_.lvm->pv(uuid);
            must(pv != nullptr && ours(*pv), "an LV on somebody's disk");
        }
    }

private:
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

    /// Where nothing goes on, tierd's own disk is closed, and nothing else is done.
    void check_bare_fence(const FencePv& fence) {
        must(step_.risk == Risk::None, "more than making safe");
        must(!now_.container || step_.needs_person, "it is a container");
        check_group(fence.vg);
        const auto* pv = now_.lvm->pv(fence.pv_uuid);
        must(pv != nullptr && pv->vg == fence.vg && pv->device == fence.node && ours(*pv) && pv->allocatable && !pv->missing,
             "a physical volume that is not tierd's, or closed already");
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
        must(rule->state == Presence::Present && rule->kind == TierKind::Cache, "the tier is not to be made");
        must(!policy_.frozen.contains(step_.entry), "the entry is frozen");
        must(rule_ == nullptr || !policy_.frozen.contains("device " + rule_->name), "the device rule is frozen");
        must(step_.needs_person || rule->autonomy != Autonomy::Observe, "only a person may");
    }

    void check_group(const std::string& name) {
        const auto count =
            std::count_if(now_.lvm->groups.begin(), now_.lvm->groups.end(), [&](const VolumeGroup& each) { return each.name == name; });
        must(count == 1, "its group is not there, or there twice");
        const auto* group = now_.lvm->group(name);
        if (group == nullptr) return;
        must(!group->busy, "its group is busy");
        must(!group->exported && !group->shared && group->writeable, "its group is not to be changed");
        must(!group->partial && group->missing_pvs == 0, "its group is not whole");
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

// --- what is not tierd's, before and after ---

/// The objects that the steps name, and so may change.
struct Touched {
    std::set<std::string> nodes, pv_uuids, removed;
    std::set<VolumeName> attached;
};

Touched touched_by(const Plan& plan) {
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
                       [&](const AttachCache& attach) { touched.attached.insert(attach.volume); },
                       [&](const CommitMetadata&) {},
                       [&](const RemoveHalfMade& remove) { touched.removed.insert(remove.uuid); },
                   },
                   *step.action);
    }
    return touched;
}

std::string survives(const LogicalVolume& before, const LogicalVolume* after, bool attached) {
    const std::string name = before.vg + '/' + before.name;
    if (after == nullptr) return name + " is gone";
    if (!attached) return before == *after ? "" : name + " was changed";
    const bool same = after->uuid == before.uuid && after->size == before.size && after->tags == before.tags &&
                      after->active == before.active && !after->hidden;
    return same ? "" : name + " is not the volume it was";
}

void compare_lvm(const Lvm& before, const Lvm& after, const Touched& touched, std::vector<std::string>& broken) {
    for (const auto& pv : before.pvs) {
        if (touched.pv_uuids.contains(pv.uuid)) continue;
        if (std::none_of(after.pvs.begin(), after.pvs.end(), [&](const PhysicalVolume& each) { return each == pv; })) {
            // Its room may have been given back by what half-made LV was removed from it.
            const bool shrunk = !touched.removed.empty() && std::any_of(after.pvs.begin(), after.pvs.end(), [&](PhysicalVolume each) {
                each.allocated_extents = pv.allocated_extents;
                return each == pv;
            });
            if (!shrunk) broken.push_back("physical volume " + pv.uuid + " was changed");
        }
    }
    for (const auto& group : before.groups) {
        const auto same = std::any_of(after.groups.begin(), after.groups.end(), [&](VolumeGroup each) {
            each.extents = group.extents;
            each.free_extents = group.free_extents;
            return each == group;
        });
        if (!same) broken.push_back("volume group " + group.name + " was changed");
    }
    std::set<std::pair<std::string, std::string>> ours;  // pools of tierd's, their parts, and the spare that goes with the last
    for (const auto& volume : before.lvs) {
        if (!tier_of(volume)) continue;
        const bool may_change = volume.segtype == "cache-pool" || touched.removed.contains(volume.uuid);
        if (!may_change) continue;
        for (const auto& name : {volume.name, volume.data, volume.metadata, std::string{"lvol0_pmspare"}}) ours.insert({volume.vg, name});
    }
    for (const auto& volume : before.lvs) {
        if (ours.contains({volume.vg, volume.name})) continue;
        const auto fault = survives(volume, after.volume({volume.vg, volume.name}), touched.attached.contains({volume.vg, volume.name}));
        if (!fault.empty()) broken.push_back(fault);
    }
}

}  // namespace

std::vector<std::string> broken_promises(const Case& each, const Plan& plan) {
    std::vector<std::string> broken;
    auto now = each.now;
    for (const auto& step : plan.steps) {
        if (step.state != StepState::Ready) continue;
        if (!step.action) {
            broken.push_back("\"" + step.sentence + "\": ready without an action");
            continue;
        }
        Inspector{each.policy, now, step, broken}.run();
        try {
            foretell_in_place(now, *step.action);
        } catch (const Error& error) {
            broken.push_back("\"" + step.sentence + "\" would fail: " + error.what());
            return broken;
        }
    }
    const auto touched = touched_by(plan);
    for (const auto& device : each.now.devices) {
        if (touched.nodes.contains(device.node)) continue;
        const bool of_touched = std::any_of(each.now.devices.begin(), each.now.devices.end(), [&](const BlockDevice& disk) {
            return disk.name == device.parent && touched.nodes.contains(disk.node);
        });
        if (of_touched) continue;  // a partition of a disk that is erased: each was held against the rule's list
        if (std::find(now.devices.begin(), now.devices.end(), device) == now.devices.end()) broken.push_back(device.node + " was changed");
    }
    if (each.now.lvm) compare_lvm(*each.now.lvm, *now.lvm, touched, broken);
    return broken;
}

}  // namespace tierd::property
