// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/resolve.hpp"

#include <utility>

#include "daemon/model/request.hpp"
#include "daemon/plan/scene.hpp"
#include "daemon/plan/writeback_gate.hpp"

namespace tierd {

namespace {

/// A mode that was asked for stays asked for; once it is served, what the policy says else is a person's again. (The cleaner: it was
/// begun.)
bool is_still_to_do(const Policy& policy, const TierRule& rule, const LogicalVolume& volume, Requests requests, const Scene& scene) {
    const bool is_asked = std::exchange(requests.mode, std::nullopt).has_value();
    if (requests != Requests{}) return true;
    return is_asked && volume.is_cached() &&
           (volume.cache_mode != allowed_mode(policy, rule, scene).mode || volume.cache_policy == cleaner_policy);
}

}  // namespace

Policy resolve(Policy policy, const Observation& observation) {
    if (!observation.lvm) return policy;
    // Few volumes carry one, of many.
    std::map<VolumeName, Requests> asked;
    for (const auto& volume : observation.lvm->lvs) {
        if (volume.tags.empty()) continue;
        if (const auto requests = requests_of(volume); requests != Requests{}) asked.emplace(VolumeName{volume.vg, volume.name}, requests);
    }
    if (asked.empty()) return policy;
    const Scene scene{observation};
    for (auto& rule : policy.tiers) {
        const auto* fronted = observation.lvm->fronted(rule.volume);
        const auto found = fronted == nullptr ? asked.end() : asked.find({fronted->vg, fronted->name});
        if (found == asked.end()) continue;
        const auto& requests = found->second;
        if (requests.detach) rule.state = Presence::Absent;
        if (requests.mode && rule.kind == TierKind::Cache) rule.mode = *requests.mode;
        if (rule.autonomy == Autonomy::Observe && is_still_to_do(policy, rule, *fronted, requests, scene)) rule.autonomy = Autonomy::Act;
    }
    return policy;
}

}  // namespace tierd
