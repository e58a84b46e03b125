// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "daemon/model/error.hpp"
#include "daemon/model/identity.hpp"
#include "daemon/plan/cache_tier.hpp"
#include "daemon/plan/eligibility.hpp"
#include "daemon/plan/planner.hpp"

namespace tierd {

namespace {

bool names(const BlockDevice& device, const std::string& target) {
    return target == device.node || target == device.name || (!device.serial.empty() && target == device.serial) ||
           (!device.wwn.empty() && target == device.wwn) || target == identity_of(device);
}

void explain_device(const Policy& policy, const Observation& observation, const BlockDevice& device, std::vector<Finding>& findings) {
    const auto about = describe_device(device, observation);
    findings.insert(findings.end(), about.begin(), about.end());
    if (policy.devices.empty())
        findings.push_back(
            {device.node, "is asked for", Finding::Verdict::No, "the policy has no device rules", "add one below devices:", {}});
    for (const auto& rule : policy.devices) {
        const auto verdict = judge(rule, device, observation);
        findings.insert(findings.end(), verdict.findings.begin(), verdict.findings.end());
        Finding result{device.node, "taken by rule " + rule.name, Finding::Verdict::No, "", "", rule.place};
        if (!verdict.matches) {
            result.evidence = "the rule does not ask for it";
        } else if (verdict.answer == Verdict::Answer::Eligible || verdict.answer == Verdict::Answer::Serving) {
            result.verdict = Finding::Verdict::Yes;
            result.evidence = verdict.answer == Verdict::Answer::Serving ? "it serves" : "it may be taken";
        } else {
            result.verdict = verdict.answer == Verdict::Answer::Ineligible ? Finding::Verdict::No : Finding::Verdict::Unknown;
            for (const auto& reason : verdict.reasons) result.evidence += (result.evidence.empty() ? "" : "; ") + reason;
        }
        findings.push_back(std::move(result));
    }
    // What speaks against it for one volume only: its sectors, its size.
    for (const auto& step : make_plan(policy, observation).steps) {
        const bool about_it = step.reason.rfind(device.node + ' ', 0) == 0 || step.reason.rfind(device.node + ':', 0) == 0;
        if (step.state == StepState::Refused && about_it)
            findings.push_back({device.node, "serves " + step.target, Finding::Verdict::No, step.reason, "", step.rule});
    }
}

void explain_volume(const LogicalVolume& volume, const Observation& observation, std::vector<Finding>& findings) {
    const std::string name = volume.vg + '/' + volume.name;
    findings.push_back({name, "is", Finding::Verdict::Note, volume.segtype + ", " + format_size(volume.size), "", {}});
    if (volume.segtype != "cache") return;
    const auto* pool = observation.lvm->volume({volume.vg, volume.pool});
    const auto tier = pool != nullptr ? tier_of(*pool) : std::nullopt;
    findings.push_back({name,
                        "its cache is tierd's",
                        tier ? Finding::Verdict::Yes : Finding::Verdict::No,
                        tier ? "pool " + volume.pool + " carries the tag of tier " + *tier
                             : "pool " + volume.pool + " carries no tag of tierd's: it is left alone",
                        "",
                        {}});
}

void explain_tier(const Policy& policy, const Observation& observation, const TierRule& rule, std::vector<Finding>& findings) {
    const std::string about = rule.kind == TierKind::Cache || rule.kind == TierKind::Writecache ? rule.volume.text() : rule.name;
    findings.push_back({about, "is asked for", Finding::Verdict::Yes,
                        "tier " + rule.name + ": " + std::string{name_of(rule.kind)} + ", " + std::string{name_of(rule.mode)} +
                            ", device " + (rule.devices.empty() ? "-" : rule.devices.front()),
                        "", rule.place});
    const auto plan = make_plan(policy, observation);
    bool any = false;
    for (const auto& step : plan.steps) {
        if (step.entry != "tier " + rule.name) continue;
        any = true;
        const auto verdict = step.state == StepState::Waiting ? Finding::Verdict::Unknown
                             : step.state == StepState::Ready ? Finding::Verdict::Note
                                                              : Finding::Verdict::No;
        findings.push_back({about, step.state == StepState::Ready ? "will be done" : std::string{name_of(step.state)}, verdict,
                            step.sentence + ": " + step.reason, "", step.rule});
    }
    if (!any) findings.push_back({about, "is as asked", Finding::Verdict::Yes, "nothing is to be done", "", rule.place});
}

/// At most a handful of what there is, for a target that is not.
std::string known_names(const Policy& policy, const Observation& observation) {
    constexpr std::size_t most = 8;
    std::vector<std::string> all;
    for (const auto& rule : policy.tiers) all.push_back(rule.name);
    for (const auto& device : observation.devices) {
        if (!device.virtual_disk && device.parent.empty()) all.push_back(device.node);
    }
    if (observation.lvm) {
        for (const auto& volume : observation.lvm->lvs) {
            if (!volume.hidden) all.push_back(volume.vg + '/' + volume.name);
        }
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i) text += (i == 0 ? "" : ", ") + all[i];
    return all.size() > most ? text + ", …" : text;
}

}  // namespace

std::vector<Finding> explain(const Policy& policy, const Observation& observation, const std::string& target) {
    std::vector<Finding> findings;
    for (const auto& device : observation.devices) {
        if (names(device, target)) explain_device(policy, observation, device, findings);
    }
    if (observation.lvm) {
        for (const auto& volume : observation.lvm->lvs) {
            if (volume.vg + '/' + volume.name == target) explain_volume(volume, observation, findings);
        }
    }
    bool asked_for = false;
    for (const auto& rule : policy.tiers) {
        if (rule.name != target && rule.volume.text() != target) continue;
        asked_for = true;
        explain_tier(policy, observation, rule, findings);
    }
    if (findings.empty())
        throw Error{ErrorCode::NoSuchTarget,
                    "\"" + target + "\" is no volume, disk or tier here; there are: " + known_names(policy, observation)};
    const bool is_volume = findings.front().question == "is" && target.find('/') != std::string::npos && target.front() != '/';
    if (is_volume && !asked_for)
        findings.push_back({target, "is asked for", Finding::Verdict::No, "no tier of the policy names it", "add one below tiers:", {}});
    return findings;
}

}  // namespace tierd
