// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "daemon/model/identity.hpp"
#include "daemon/plan/cache_lost.hpp"
#include "daemon/plan/cache_parts.hpp"
#include "daemon/plan/cache_tier.hpp"
#include "daemon/plan/writeback_gate.hpp"

namespace tierd {

namespace {

Step refuse_ambiguous(const TierCase& tier, std::size_t allowed, const std::vector<const Scene::Candidate*>& takable) {
    std::vector<std::string> nodes;
    for (const auto* candidate : takable) nodes.push_back(candidate->device->node + " (" + identity_of(*candidate->device) + ')');
    const bool one = allowed == 1;
    auto step = tier.refuse("device rule " + tier.device_rule->name + " asks for " +
                            (one ? "one disk" : std::to_string(allowed) + " disks") + " and " + std::to_string(nodes.size()) +
                            " match, so none is taken: " + join(nodes, ", ") + "; name " + (one ? "one" : "them") + " by serial or wwn");
    step.verb = "device-ambiguous";
    step.alert = "device-ambiguous";
    return step;
}

/// Before the disk is touched: everything that could only fail later.
std::optional<Step> check_fit(const TierCase& tier, const BlockDevice& device) {
    const auto extents = device.size > pv_data_offset ? (device.size - pv_data_offset) / tier.group->extent_size : 0;
    if (const auto size = size_on(tier, {extents, extents}); !size.problem.empty()) return tier.refuse(device.node + ": " + size.problem);
    if (const auto why = why_not_on(device); tier.rule.kind == TierKind::Writecache && !why.empty())
        return tier.refuse(no_writecache + why);
    const auto* pool = tier.our_pool();
    for (const auto* pv : tier.scene.pvs_of(tier.rule.volume.vg)) {
        const auto lost = pool != nullptr && pv->missing ? tier.extents_of(*pool, *pv) : 0;
        if (lost > extents)
            return tier.refuse(device.node + " is too small: its cache had " + format_size(lost * tier.group->extent_size) +
                               " on the disk that is gone");
        const auto* other = tier.scene.device_of(*pv);
        if (other == nullptr || other->logical_block_size == device.logical_block_size) continue;
        return tier.refuse(device.node + " has logical blocks of " + format_size(device.logical_block_size) + " and " + other->node +
                           " of " + format_size(other->logical_block_size) + ": LVM does not mix them in one volume group");
    }
    return std::nullopt;
}

std::optional<Step> take(const TierCase& tier, const Scene::Candidate& candidate) {
    const auto& device = *candidate.device;
    const auto* pv = tier.scene.now().lvm->pv_on(device);
    if (auto step = check_fit(tier, device)) return step;
    const std::string why =
        device.node + " is the disk that rule " + tier.device_rule->name + " asks for (" + short_place(tier.device_rule->place) + ')';
    DiskClaim claim{device.node, identity_of(device), device.diskseq, device.size, {}};
    if (pv != nullptr) return tier.act(ExtendVg{tier.rule.volume.vg, device.node, pv->uuid, device.diskseq}, why);
    const std::string uuid = pv_uuid_for(tier.scene.now().machine, claim.identity);
    const auto& pvs = tier.scene.now().lvm->pvs;
    if (std::any_of(pvs.begin(), pvs.end(), [&](const PhysicalVolume& each) { return each.uuid == uuid; })) {
        return tier.refuse(device.node + ": LVM knows another physical volume of the UUID that it is to get (" + uuid +
                           "): a copy of this disk, or one that is missing");
    }
    if (candidate.verdict.needs_wipe) {
        claim.may_wipe = tier.device_rule->wipe;
        auto step = tier.act(WipeSignatures{std::move(claim)}, why);
        step.target = device.node;
        return step;
    }
    auto step = tier.act(CreatePv{claim, uuid}, why);
    step.target = device.node;
    return step;
}

/// It serves by the rule in question, wherever; or by no rule that it is tagged with yet.
bool serves_by_rule(const TierCase& tier, const Scene::Candidate& candidate) {
    if (candidate.verdict.answer != Verdict::Answer::Serving) return false;
    return device_rule_of(*tier.scene.now().lvm->pv_on(*candidate.device)).value_or(tier.device_rule->name) == tier.device_rule->name;
}

/// What the rule in question gives, when it is to give that many more.
struct Choice {
    std::vector<const Scene::Candidate*> disks;
    std::optional<Step> instead;  ///< of taking them: a wait, a refusal, or what has to be cleared first
};

Choice choose(const TierCase& tier, std::size_t wanted) {
    std::vector<const Scene::Candidate*> takable;
    std::vector<const Scene::Candidate*> begun;
    std::vector<std::string> others;
    const BlockDevice* unknown = nullptr;
    std::optional<Usec> until;
    std::size_t serving = 0;
    for (const auto& candidate : tier.scene.candidates(*tier.device_rule)) {
        const auto& verdict = candidate.verdict;
        if (serves_by_rule(tier, candidate)) ++serving;
        if (verdict.answer == Verdict::Answer::Eligible) {
            takable.push_back(&candidate);
            if (tier.scene.now().lvm->pv_on(*candidate.device) != nullptr) begun.push_back(&candidate);
        } else if (verdict.answer == Verdict::Answer::Settling) {
            takable.push_back(&candidate);
            until = std::max(until.value_or(0), verdict.until);
        } else if (verdict.answer == Verdict::Answer::Serving) {
            others.push_back(candidate.device->node + " serves volume group " + tier.scene.now().lvm->pv_on(*candidate.device)->vg);
        } else {
            if (verdict.answer == Verdict::Answer::Unknown) unknown = candidate.device;
            others.push_back(candidate.device->node + ": " + join(verdict.reasons, "; "));
        }
    }
    if (begun.size() == wanted) takable = begun;
    const auto allowed = std::max<std::size_t>(tier.device_rule->count - std::min<std::size_t>(tier.device_rule->count, serving), 1);
    if (takable.size() > allowed) return {{}, refuse_ambiguous(tier, allowed, takable)};
    // An outdated one may be cleared for it only where no other may be the one that is meant.
    if (takable.size() < wanted && unknown == nullptr) {
        for (const auto& candidate : tier.scene.candidates(*tier.device_rule)) {
            if (tier.group->missing_pvs > 0) break;
            if (const auto* label = outdated_label(*candidate.device, tier.scene.now()))
                return {{}, clear_outdated(tier, *candidate.device, *label)};
        }
    }
    if (takable.size() < wanted) {
        for (const auto* candidate : takable) others.push_back(candidate->device->node + ": waits for the other");
        return {{},
                tier.wait("waits for " + (wanted == 1 ? std::string{"a disk"} : std::to_string(wanted) + " disks") + ": " +
                              describe_rule(*tier.device_rule),
                          others.empty() ? "none is there" : "not taken: " + join(others, "; "),
                          unknown != nullptr ? std::optional{tier.later()} : std::nullopt)};
    }
    // It may be the disk that is meant: then more match than are asked for, and none is taken.
    if (unknown != nullptr && begun.size() < wanted)
        return {{}, tier.wait("waits until " + unknown->node + " is known", "it matches too: " + join(others, "; "), tier.later())};
    takable.resize(wanted);
    if (until)
        return {{}, tier.wait("waits until " + takable.front()->device->node + " has settled", "udev spoke of it a moment ago", until)};
    return {takable, std::nullopt};
}

/// What was taken while the other disk was there, and waits for it now, is kept for the tier.
std::optional<Step> keep_off_others(const TierCase& tier) {
    for (const auto* pv : tier.serving_pvs()) {
        if (!pv->allocatable || tier.group->missing_pvs > 0) continue;
        auto step = tier.act(FencePv{tier.rule.volume.vg, pv->device, pv->uuid, "", tier.scene.diskseq_of(*pv)},
                             "it waits for the other disk, and others could be put on it");
        step.risk = Risk::None;
        return step;
    }
    return std::nullopt;
}

}  // namespace

/// None is touched before all that are wanted are there.
std::optional<Step> take_disk(const TierCase& tier) {
    std::optional<Step> first;
    const auto serving = tier.serving();
    for (const auto* rule : tier.device_rules()) {
        const auto here = std::count_if(serving.begin(), serving.end(), [&](const auto& each) { return each.by == rule; });
        const auto share = tier.share_of(*rule);
        if (static_cast<std::size_t>(here) >= share) continue;
        const auto by_rule = tier.by(*rule);
        auto [disks, instead] = choose(by_rule, share - static_cast<std::size_t>(here));
        if (instead) {
            if (auto step = keep_off_others(tier)) return step;
            return instead;
        }
        for (const auto* disk : disks) {
            auto step = take(by_rule, *disk);
            if (!step || step->state != StepState::Ready) {
                if (auto before = keep_off_others(tier)) return before;
                return step;
            }
            if (first) continue;
            first = lost_tags(*tier.volume).empty() ? std::move(step) : replace(by_rule, *disk->device);
        }
    }
    return first;
}

std::string describe_rule(const DeviceRule& rule) {
    std::vector<std::string> parts;
    const auto& match = rule.match;
    if (match.kind) parts.emplace_back(name_of(*match.kind));
    if (!match.transport.empty()) parts.push_back(join(match.transport, " or "));
    if (match.min_size) parts.push_back(format_size(*match.min_size) + " or more");
    if (!match.serial.empty()) parts.push_back("serial " + join(match.serial, " or "));
    if (!match.wwn.empty()) parts.push_back("WWN " + join(match.wwn, " or "));
    if (!match.model.empty()) parts.push_back("model " + join(match.model, " or "));
    if (!match.path.empty()) parts.push_back("at " + join(match.path, " or "));
    if (!match.partlabel.empty()) parts.push_back("partition label " + join(match.partlabel, " or "));
    if (!match.partuuid.empty()) parts.push_back("partition UUID " + join(match.partuuid, " or "));
    return rule.name + " (" + join(parts, ", ") + ')';
}

}  // namespace tierd
