// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/scene.hpp"

#include <algorithm>
#include <tuple>

#include "daemon/model/identity.hpp"
#include "daemon/plan/foretell.hpp"
#include "daemon/plan/root_volume.hpp"

namespace tierd {

namespace {

std::string key(const std::string& vg, const std::string& name) {
    return vg + '/' + name;
}

}  // namespace

Scene::Scene(const Observation& observation) : now_{&observation} {
    index_devices();
    if (!now_->lvm) return;
    if (const auto* volume = below_root(*now_)) root_uuid_ = volume->uuid;
    volumes_ = VolumeIndex{now_->lvm->lvs};
    index_volumes(0);
    index_pvs();
    for (std::size_t i = 0; i < now_->lvm->groups.size(); ++i) {
        const std::string& name = now_->lvm->groups[i].name;
        if (!groups_.emplace(name, i).second) twins_.insert(name);
    }
}

void Scene::index_volumes(std::size_t first) {
    for (std::size_t i = first; i < now_->lvm->lvs.size(); ++i) {
        const auto& volume = now_->lvm->lvs[i];
        if (volume.tags.empty()) continue;
        if (const auto tier = tier_of(volume)) tagged_[key(volume.vg, *tier)].push_back(i);
        if (const auto tier = tier_of_part(volume)) parts_[key(volume.vg, *tier)].push_back(i);
    }
}

void Scene::index_pvs() {
    pvs_.clear();
    for (std::size_t i = 0; i < now_->lvm->pvs.size(); ++i) pvs_[now_->lvm->pvs[i].vg].push_back(i);
}

void Scene::index_devices() {
    devices_.clear();
    for (std::size_t i = 0; i < now_->devices.size(); ++i) devices_.emplace(now_->devices[i].dev, i);
}

const LogicalVolume* Scene::volume(const std::string& vg, const std::string& name) const {
    const auto at = volumes_.find(vg, name);
    return at == VolumeIndex::none ? nullptr : &now_->lvm->lvs[at];
}

const LogicalVolume* Scene::fronted(const VolumeName& name) const {
    return fronted_by_cache(name, [this](const std::string& vg, const std::string& lv) { return volume(vg, lv); });
}

const BlockDevice* Scene::device_of(const PhysicalVolume& pv) const {
    const auto found = pv.dev.empty() ? devices_.end() : devices_.find(pv.dev);
    return found == devices_.end() ? nullptr : &now_->devices[found->second];
}

std::string Scene::failure_of(const PhysicalVolume& pv) const {
    const auto* device = device_of(pv);
    const auto health = device == nullptr ? std::nullopt : now_->disk_of(*device).health;
    return health && health->failing ? device->node + " is failing: " + health->evidence : "";
}

std::uint64_t Scene::diskseq_of(const PhysicalVolume& pv) const {
    const auto* device = device_of(pv);
    return device != nullptr ? device->diskseq : 0;
}

const VolumeGroup* Scene::group(const std::string& name) const {
    const auto found = groups_.find(name);
    return found == groups_.end() ? nullptr : &now_->lvm->groups[found->second];
}

std::vector<const LogicalVolume*> Scene::tagged(const std::string& vg, const std::string& tier) const {
    return listed(tagged_, vg, tier);
}

std::vector<const LogicalVolume*> Scene::parts(const std::string& vg, const std::string& tier) const {
    return listed(parts_, vg, tier);
}

std::map<std::string, std::uint64_t> Scene::extents_below(const LogicalVolume& each) const {
    return tierd::extents_below(each, [this](const std::string& vg, const std::string& lv) { return volume(vg, lv); });
}

std::vector<const LogicalVolume*> Scene::listed(const Index& index, const std::string& vg, const std::string& tier) const {
    std::vector<const LogicalVolume*> list;
    const auto found = index.find(key(vg, tier));
    if (found == index.end()) return list;
    for (const auto i : found->second) list.push_back(&now_->lvm->lvs[i]);
    std::sort(list.begin(), list.end(), [](const auto* left, const auto* right) {
        return std::tie(left->hidden, left->name) < std::tie(right->hidden, right->name);
    });
    return list;
}

std::vector<const PhysicalVolume*> Scene::pvs_of(const std::string& vg) const {
    std::vector<const PhysicalVolume*> list;
    const auto found = pvs_.find(vg);
    if (found == pvs_.end()) return list;
    for (const auto i : found->second) list.push_back(&now_->lvm->pvs[i]);
    std::sort(list.begin(), list.end(), [](const auto* left, const auto* right) {
        return std::tie(left->uuid, left->device) < std::tie(right->uuid, right->device);
    });
    return list;
}

const std::vector<Scene::Candidate>& Scene::candidates(const DeviceRule& rule) const {
    const auto known = candidates_.find(rule.name);
    if (known != candidates_.end()) return known->second;
    auto& list = candidates_[rule.name];
    for (const auto& device : now_->devices) {
        if (!can_match(rule, device)) continue;
        auto verdict = judge(rule, device, *now_);
        if (verdict.matches) list.push_back({&device, std::move(verdict)});
    }
    std::sort(list.begin(), list.end(),
              [](const Candidate& left, const Candidate& right) { return left.device->node < right.device->node; });
    return list;
}

void Scene::apply(const Action& action) {
    if (!foretold_) now_ = &foretold_.emplace(*now_);
    const std::size_t known = now_->lvm ? now_->lvm->lvs.size() : 0;
    foretell_in_place(*foretold_, action, volumes_);
    const bool moves_disks = std::holds_alternative<WipeSignatures>(action);
    const bool moves_pvs = std::holds_alternative<CreatePv>(action) || std::holds_alternative<ExtendVg>(action) ||
                           std::holds_alternative<ReduceVg>(action) || std::holds_alternative<RemovePv>(action) ||
                           std::holds_alternative<RemoveMissing>(action) || std::holds_alternative<ClearOutdated>(action);
    const bool removes_volumes = std::holds_alternative<RemovePool>(action) || std::holds_alternative<RemoveCache>(action) ||
                                 std::holds_alternative<UncacheLost>(action) || std::holds_alternative<DropCache>(action);
    // Of a tag only that of a pool that was just made of its parts says whose it is.
    const auto* tag = std::get_if<TagVolume>(&action);
    const auto* pool = tag == nullptr ? nullptr : volume(tag->volume.vg, tag->volume.lv);
    const bool lists_anew = removes_volumes || (pool != nullptr && pool->segtype == "cache-pool");
    if (moves_disks) index_devices();
    if (moves_pvs) index_pvs();
    // A pool that is attached gets another name, and stays in its place.
    if (lists_anew) {
        tagged_.clear();
        parts_.clear();
    }
    index_volumes(lists_anew ? 0 : known);
    // Of the rest only a tag on a PV says something about a disk.
    if (moves_disks || moves_pvs || std::holds_alternative<FencePv>(action)) candidates_.clear();
}

void Scene::assume_drained(const std::string& lv_uuid) {
    if (!foretold_) now_ = &foretold_.emplace(*now_);
    tierd::assume_drained(*foretold_, lv_uuid);
}

}  // namespace tierd
