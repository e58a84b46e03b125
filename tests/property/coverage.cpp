// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "coverage.hpp"

#include <set>

#include "each_action.hpp"

namespace tierd::property {

namespace {

/// Words of a step's sentence or reason, by which its kind is known.
const std::vector<std::string>& kinds_of_reason() {
    static const std::vector<std::string> list{
        // disks
        "it holds data", "carries signatures that contradict each other", "without a known signature", "as a whole", "LVM does not list it",
        "hidden-by-devices-file", "what is on it is not known yet", "its size is not known", "it is in use",
        "is claimed by something in the kernel", "a path of a multipath device", "the same identity", "neither WWN nor serial",
        "its partition has no UUID", "is failing", "it is read-only", "not to be touched", "on two devices",
        "a physical volume of volume group", "a physical volume that tierd did not make", "serves device rule", "serves volume group",
        "has settled", "is known: it matches too", "match, so none is taken", "logical blocks", "the UUID that it is to get",
        "none is there",
        // groups
        "waits for volume group", "another command holds its lock", "shared with other hosts", "is exported", "is read-only",
        "two volume groups called", "on more than one device", "to be whole", "its extent size is not known", "machine's id",
        // volumes
        "it is a part of another volume", "Ceph", "cannot be cached by LVM", "it is a snapshot of", "is being merged",
        "a part of it is missing", "the state of", "is suspended", "waits for volume vg/nowhere", "a cache that tierd did not make",
        // pools
        "in use by another volume", "left parts of it in the kernel", "in the kernel it runs without", "another table than LVM says",
        "the root file system is on it", "the policy itself calls its pool", "is no cache pool", "where it lies is not known", "landed on",
        "are asked for", "it was to become a cache pool", "does not fit", "nothing fits", "would make", "cannot be: LVM takes multiples",
        "metadata_size",
        // policy
        "contradicts tier", "two device rules are called", "there is no device rule", "kind: journal", "state: absent",
        "LVM changes that of no cache that stands", "its time is over", "it is clean", "it is as the policy asks",
        "somebody asked for what is dirty", "it has no cache", "is read and checked", "it is a container", "LVM can be read",
        "the disks can be read"};
    return list;
}

std::vector<std::string> listed() {
    std::vector<std::string> list;
    for (const auto& action : each_action()) list.push_back("verb " + std::string{verb_of(action)});
    for (const std::string verb : {"wait", "refuse", "refuse-device", "device-ambiguous", "unsupported"}) list.push_back("verb " + verb);
    for (const auto& reason : kinds_of_reason()) list.push_back("because " + reason);
    for (const auto convergence :
         {Convergence::Unknown, Convergence::Converged, Convergence::Waiting, Convergence::Drift, Convergence::Blocked}) {
        list.push_back("convergence " + std::string{name_of(convergence)});
    }
    list.emplace_back("needs a person");
    list.emplace_back("goes on in the middle");
    return list;
}

}  // namespace

void Coverage::add(const Plan& plan) {
    std::set<std::string> reached{"convergence " + std::string{name_of(plan.convergence)}};
    for (const auto& step : plan.steps) {
        reached.insert("verb " + step.verb);
        const std::string said = step.sentence + ": " + step.reason;
        for (const auto& reason : kinds_of_reason()) {
            if (said.find(reason) != std::string::npos) reached.insert("because " + reason);
        }
        if (step.needs_person) reached.insert("needs a person");
    }
    const bool from_the_middle =
        !plan.steps.empty() && (plan.steps.front().verb == "attach-cache" || plan.steps.front().verb == "create-cache-pool" ||
                                plan.steps.front().verb == "commit-metadata");
    if (from_the_middle) reached.insert("goes on in the middle");
    for (const auto& each : reached) ++counts_[each];
}

std::vector<std::string> Coverage::never_reached() const {
    std::vector<std::string> missing;
    for (const auto& each : listed()) {
        if (!counts_.contains(each)) missing.push_back(each);
    }
    return missing;
}

std::string Coverage::report() const {
    std::string text;
    for (const auto& each : listed()) {
        const auto found = counts_.find(each);
        const std::string count = std::to_string(found == counts_.end() ? 0 : found->second);
        text += std::string(count.size() < 8 ? 8 - count.size() : 0, ' ') + count + "  " + each + '\n';
    }
    return text;
}

}  // namespace tierd::property
