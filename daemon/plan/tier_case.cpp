// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/tier_case.hpp"

#include <algorithm>

#include "daemon/model/identity.hpp"
#include "daemon/model/text.hpp"
#include "daemon/plan/describe.hpp"

namespace tierd {

Step TierCase::form(StepState state, std::string verb, std::string text, std::string reason) const {
    Step step;
    step.state = state;
    step.verb = std::move(verb);
    step.target = rule.volume.lv.empty() ? rule.name : rule.volume.text();
    step.entry = "tier " + rule.name;
    step.group = rule.volume.vg;
    step.sentence = std::move(text);
    step.reason = std::move(reason);
    step.rule = rule.place;
    return step;
}

Step TierCase::wait(std::string text, std::string reason, std::optional<Usec> until) const {
    auto step = form(StepState::Waiting, "wait", std::move(text), std::move(reason));
    step.until = until;
    return step;
}

Step TierCase::half_made(std::string text, std::string reason) const {
    auto step = wait(std::move(text), std::move(reason), soon());
    step.alert = "half-made";
    return step;
}

/// A killed command may have left its new tables beside those that run, and a refresh alone would put them in force where LVM still says
/// the old: without its cache the volume is then written to behind the cache's back (seen, 2.03.16). Where LVM says the new already, it
/// loads them anyway.
std::string TierCase::refreshing() const {
    std::string clear;
    if (volume != nullptr && volume->is_cached()) {
        const std::string name = dm_name(volume->vg, volume->name);
        clear = "'dmsetup clear " + name;
        // lvs(8): below its thick snapshots.
        if (volume->attr.starts_with('o') || volume->attr.starts_with('O')) clear += ' ' + name + "-real";
        for (const auto* part : layers()) clear += ' ' + dm_name(part->vg, part->name);
        const auto* pool = lv(volume->pool);
        if (volume->segtype == "cache" && pool != nullptr && store_of(*pool) == Store::Volume) {
            for (const char* part : {"-cdata", "-cmeta"}) clear += ' ' + dm_name(pool->vg, pool->name) + part;
        }
        clear += "', and then ";
    }
    return clear + "'lvchange --refresh " + rule.volume.text() + '\'';
}

std::vector<const LogicalVolume*> TierCase::layers() const {
    if (volume == nullptr) return {};
    return layers_below(*volume, [this](const std::string& vg, const std::string& name) { return scene.volume(vg, name); });
}

Step TierCase::wait_for_resume(const std::string& lv) const {
    return half_made("waits until " + rule.volume.vg + '/' + lv + " is resumed",
                     "it is suspended in the kernel, and no command is under way: whoever reads or writes it stands still; " +
                         refreshing() + " resumes it");
}

Step TierCase::refuse(std::string reason) const {
    return form(StepState::Refused, "refuse",
                rule.volume.text() + (rule.state == Presence::Absent ? " stays as it is" : " is not made fast"), std::move(reason));
}

Step TierCase::unsupported(std::string reason) const {
    return form(StepState::Unsupported, "unsupported", "this version of tierd cannot do it yet", std::move(reason));
}

Step TierCase::act(Action action, std::string reason, Bytes bytes) const {
    auto step = form(StepState::Ready, std::string{verb_of(action)}, sentence(action, Tense::Imperative), std::move(reason));
    step.risk = risk_of(action);
    step.bytes = bytes;
    step.needs_person = rule.autonomy == Autonomy::Observe;
    step.action = std::move(action);
    return step;
}

SetCachePolicy TierCase::set_policy(std::string cache_policy, std::map<std::string, std::string> settings) const {
    const auto kind = volume->segtype == "writecache" ? TierKind::Writecache : TierKind::Cache;
    return {fronted(), volume->uuid, volume->dm_uuid, std::move(cache_policy), std::move(settings), kind};
}

Step TierCase::redo(Action action, std::string what_was_done, Bytes bytes) const {
    auto step = act(std::move(action), std::move(what_was_done), bytes);
    step.needs_person = true;
    step.alert = "foreign-change";
    step.risk = Risk::Disruptive;
    return step;
}

const LogicalVolume* TierCase::our_pool() const {
    const auto* pool = volume == nullptr ? nullptr : lv(volume->pool);
    return pool != nullptr && tier_of(*pool) ? pool : nullptr;
}

bool TierCase::is_of_kind() const {
    const auto* pool = our_pool();
    return pool != nullptr && volume->segtype == name_of(rule.kind) && store_of(*pool) == rule.store;
}

const LogicalVolume* TierCase::left_of_uncache(const LogicalVolume& pool) const {
    const auto* left = lv(fronted().lv + "_corig");
    const bool is_that = left != nullptr && left->segtype == "cache" && left->pool == pool.name && left->origin.empty() && !left->hidden;
    return is_that && volume != nullptr && !volume->is_cached() ? left : nullptr;
}

std::string TierCase::layout_of(const LogicalVolume& pool) const {
    const auto* data = lv(parts_of(pool).front());
    return data == nullptr ? "" : data->segtype;
}

TierCase TierCase::by(const DeviceRule& each) const {
    auto same = *this;
    same.device_rule = &each;
    return same;
}

std::vector<const PhysicalVolume*> TierCase::pvs_below(const std::string& part) const {
    std::vector<const PhysicalVolume*> pvs;
    const auto* found = lv(part);
    if (found == nullptr) return pvs;
    for (const auto& [uuid, extents] : scene.extents_below(*found)) pvs.push_back(scene.now().lvm->pv(uuid));
    return pvs;
}

bool TierCase::is_ours(const PhysicalVolume& pv) const {
    return tierd::is_ours(pv, scene.now());
}

std::uint64_t TierCase::extents_of(const LogicalVolume& pool, const PhysicalVolume& pv) const {
    std::uint64_t extents = 0;
    for (const auto& name : {pool.data, pool.metadata, pool.name}) {
        const auto* part = lv(name);
        if (part == nullptr) continue;
        const auto below = scene.extents_below(*part);
        if (const auto found = below.find(pv.uuid); found != below.end()) extents += found->second;
    }
    return extents;
}

std::vector<const DeviceRule*> TierCase::device_rules() const {
    std::vector<const DeviceRule*> rules;
    for (const auto& name : rule.devices) {
        if (const auto* each = policy.device(name); each != nullptr) rules.push_back(each);
    }
    return rules;
}

std::size_t TierCase::share_of(const DeviceRule& each) const {
    return rule.devices.size() > 1 ? 1 : std::min<std::size_t>(each.count, width());
}

std::vector<const PhysicalVolume*> TierCase::pvs_by(const std::string& rule_name) const {
    std::vector<const PhysicalVolume*> tagged, others;
    const auto* asked = policy.device(rule_name);
    for (const auto* pv : scene.pvs_of(rule.volume.vg)) {
        if (pv->missing || !is_ours(*pv)) continue;
        if (const auto tag = device_rule_of(*pv)) {
            if (*tag == rule_name) tagged.push_back(pv);
            continue;
        }
        const auto* device = scene.device_of(*pv);
        if (device != nullptr && asked != nullptr && judge(*asked, *device, scene.now()).matches) others.push_back(pv);
    }
    tagged.insert(tagged.end(), others.begin(), others.end());
    return tagged;
}

std::vector<TierCase::Serving> TierCase::serving() const {
    std::vector<Serving> all;
    for (const auto* each : device_rules()) {
        auto wanted = share_of(*each);
        for (const auto* pv : pvs_by(each->name)) {
            const bool is_taken = std::any_of(all.begin(), all.end(), [&](const Serving& other) { return other.pv == pv; });
            if (wanted == 0 || is_taken) continue;
            all.push_back({pv, each});
            --wanted;
        }
    }
    return all;
}

std::vector<const PhysicalVolume*> TierCase::serving_pvs() const {
    std::vector<const PhysicalVolume*> pvs;
    for (const auto& each : serving()) pvs.push_back(each.pv);
    return pvs;
}

std::optional<Step> TierCase::fence(const PhysicalVolume& pv) const {
    if (!pv.allocatable && device_rule_of(pv)) return std::nullopt;
    auto rule_name = device_rule_of(pv).value_or(device_rule->name);
    for (const auto& each : serving()) {
        if (each.pv == &pv) rule_name = each.by->name;
    }
    return act(FencePv{rule.volume.vg, pv.device, pv.uuid, device_tag(rule_name), scene.diskseq_of(pv)},
               "a later lvextend or snapshot without a list of disks could land on the SSD");
}

std::optional<Step> TierCase::fence_below(const LogicalVolume& pool) const {
    for (const auto& part : parts_of(pool)) {
        for (const auto* pv : pvs_below(part)) {
            if (pv == nullptr || !is_ours(*pv)) continue;
            // Below a cache that stands, a tag that is missing was taken off by somebody, and stays off.
            if (pool.hidden && !pv->allocatable) continue;
            if (auto step = fence(*pv)) return step;
        }
    }
    return std::nullopt;
}

}  // namespace tierd
