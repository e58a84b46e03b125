// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/scene.hpp"

#include <algorithm>
#include <tuple>

#include "daemon/model/identity.hpp"
#include "daemon/plan/foretell.hpp"

namespace tierd {

namespace {

std::string key(const std::string& vg, const std::string& name) { return vg + '/' + name; }

}  // namespace

Scene::Scene(Observation observation) : now_{std::move(observation)} { index(); }

void Scene::index() {
    volumes_.clear();
    groups_.clear();
    twins_.clear();
    tagged_.clear();
    pvs_.clear();
    candidates_.clear();
    if (!now_.lvm) return;
    for (std::size_t i = 0; i < now_.lvm->lvs.size(); ++i) {
        const auto& volume = now_.lvm->lvs[i];
        volumes_.emplace(key(volume.vg, volume.name), i);
        if (volume.tags.empty()) continue;
        if (const auto tier = tier_of(volume)) tagged_[key(volume.vg, *tier)].push_back(i);
    }
    for (std::size_t i = 0; i < now_.lvm->groups.size(); ++i) {
        const std::string& name = now_.lvm->groups[i].name;
        if (!groups_.emplace(name, i).second) twins_.insert(name);
    }
    for (std::size_t i = 0; i < now_.lvm->pvs.size(); ++i) pvs_[now_.lvm->pvs[i].vg].push_back(i);
}

const LogicalVolume* Scene::volume(const std::string& vg, const std::string& name) const {
    const auto found = volumes_.find(key(vg, name));
    return found == volumes_.end() ? nullptr : &now_.lvm->lvs[found->second];
}

const VolumeGroup* Scene::group(const std::string& name) const {
    const auto found = groups_.find(name);
    return found == groups_.end() ? nullptr : &now_.lvm->groups[found->second];
}

std::vector<const LogicalVolume*> Scene::tagged(const std::string& vg, const std::string& tier) const {
    std::vector<const LogicalVolume*> list;
    const auto found = tagged_.find(key(vg, tier));
    if (found == tagged_.end()) return list;
    for (const auto i : found->second) list.push_back(&now_.lvm->lvs[i]);
    std::sort(list.begin(), list.end(), [](const auto* left, const auto* right) { return std::tie(left->hidden, left->name) < std::tie(right->hidden, right->name); });
    return list;
}

std::vector<const PhysicalVolume*> Scene::pvs_of(const std::string& vg) const {
    std::vector<const PhysicalVolume*> list;
    const auto found = pvs_.find(vg);
    if (found == pvs_.end()) return list;
    for (const auto i : found->second) list.push_back(&now_.lvm->pvs[i]);
    std::sort(list.begin(), list.end(), [](const auto* left, const auto* right) { return std::tie(left->uuid, left->device) < std::tie(right->uuid, right->device); });
    return list;
}

const std::vector<Scene::Candidate>& Scene::candidates(const DeviceRule& rule) const {
    const auto known = candidates_.find(rule.name);
    if (known != candidates_.end()) return known->second;
    auto& list = candidates_[rule.name];
    for (const auto& device : now_.devices) {
        auto verdict = judge(rule, device, now_);
        if (verdict.matches) list.push_back({&device, std::move(verdict)});
    }
    std::sort(list.begin(), list.end(), [](const Candidate& left, const Candidate& right) { return left.device->node < right.device->node; });
    return list;
}

void Scene::apply(const Action& action) {
    const std::size_t known = now_.lvm ? now_.lvm->lvs.size() : 0;
    foretell_in_place(now_, action);
    candidates_.clear();
    const bool adds_only = std::holds_alternative<CreateCachePool>(action) && now_.lvm->lvs.size() >= known;
    if (!adds_only && !std::holds_alternative<FencePv>(action) && !std::holds_alternative<UnfencePv>(action) && !std::holds_alternative<CommitMetadata>(action)) {
        index();
        return;
    }
    for (std::size_t i = known; i < now_.lvm->lvs.size(); ++i) {
        const auto& volume = now_.lvm->lvs[i];
        volumes_.emplace(key(volume.vg, volume.name), i);
        if (const auto tier = tier_of(volume)) tagged_[key(volume.vg, *tier)].push_back(i);
    }
}

}  // namespace tierd
