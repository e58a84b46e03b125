// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/resolve.hpp"

#include "daemon/model/request.hpp"

namespace tierd {

Policy resolve(Policy policy, const Observation& observation) {
    if (!observation.lvm) return policy;
    // Few volumes carry one, of many.
    std::map<VolumeName, Requests> asked;
    for (const auto& volume : observation.lvm->lvs) {
        if (volume.tags.empty()) continue;
        if (const auto requests = requests_of(volume); requests != Requests{}) asked.emplace(VolumeName{volume.vg, volume.name}, requests);
    }
    if (asked.empty()) return policy;
    for (auto& rule : policy.tiers) {
        const auto* fronted = observation.lvm->fronted(rule.volume);
        const auto found = fronted == nullptr ? asked.end() : asked.find({fronted->vg, fronted->name});
        if (found == asked.end()) continue;
        const auto& requests = found->second;
        if (requests.detach) rule.state = Presence::Absent;
        if (requests.mode && rule.kind == TierKind::Cache) rule.mode = *requests.mode;
        if (rule.autonomy == Autonomy::Observe) rule.autonomy = Autonomy::Act;
    }
    return policy;
}

}  // namespace tierd
