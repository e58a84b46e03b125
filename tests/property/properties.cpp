// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "properties.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "daemon/model/error.hpp"
#include "daemon/model/identity.hpp"
#include "daemon/model/overloaded.hpp"
#include "daemon/plan/explain.hpp"
#include "daemon/plan/foretell.hpp"
#include "daemon/plan/planner.hpp"
#include "promises.hpp"

namespace tierd::property {

namespace {

constexpr std::size_t longest_way = 32;

std::vector<Step> ready(const Plan& plan) {
    std::vector<Step> steps;
    std::copy_if(plan.steps.begin(), plan.steps.end(), std::back_inserter(steps),
                 [](const Step& step) { return step.state == StepState::Ready; });
    return steps;
}

/// What is done, and what is waited for meanwhile, in order.
std::vector<Step> way(const Plan& plan) {
    std::vector<Step> steps;
    std::copy_if(plan.steps.begin(), plan.steps.end(), std::back_inserter(steps),
                 [](const Step& step) { return step.state == StepState::Ready || !step.drains.empty(); });
    return steps;
}

void go(const Step& step, Observation& now) {
    if (step.action) foretell_in_place(now, *step.action);
    if (!step.drains.empty()) assume_drained(now, step.drains);
}

std::string carry_out(const std::vector<Step>& steps, Observation& now) {
    for (const auto& step : steps) {
        try {
            go(step, now);
        } catch (const Error& error) {
            return "\"" + step.sentence + "\" would fail: " + error.what();
        }
    }
    return "";
}

/// After all of the plan that tierd does by itself nothing is left of that; after what a person lets it do as well, nothing at all, but for
/// entries that only then can go on: one round for each.
std::string ends(const Planner& planner, const Policy& policy, Observation now) {
    for (std::size_t round = 0;; ++round) {
        auto steps = way(planner(policy, now));
        if (steps.size() > longest_way * policy.tiers.size()) return "the plan has " + std::to_string(steps.size()) + " steps";
        if (steps.empty()) return "";
        if (round > policy.tiers.size())
            return "there is always something left to do: \"" + steps.front().sentence + "\" (" + steps.front().reason + ')';
        const bool by_itself = !steps.front().needs_person;
        // What stands behind a drain and beside a person's step may be thought to stand on that.
        std::set<std::pair<std::string, std::string>> behind;
        for (const auto& step : steps) {
            if (step.needs_person && step.assumed) behind.insert({step.entry, step.verb});
        }
        if (by_itself) std::erase_if(steps, [](const Step& step) { return step.needs_person; });
        if (auto fault = carry_out(steps, now); !fault.empty()) return fault;
        if (!by_itself) continue;
        for (const auto& step : way(planner(policy, now))) {
            if (!step.needs_person && !behind.contains({step.entry, step.verb}))
                return "when all is done there is still \"" + step.sentence + "\" (" + step.reason + ')';
        }
    }
}

/// The disk that a step takes or uses; "" for none.
std::string node_of(const Step& step) {
    return std::visit(Overloaded{
                          [](const WipeSignatures& wipe) { return wipe.disk.node; },
                          [](const CreatePv& create) { return create.disk.node; },
                          [](const ExtendVg& extend) { return extend.node; },
                          [](const FencePv& fence) { return fence.node; },
                          [](const UnfencePv& unfence) { return unfence.node; },
                          [](const CreateCachePool& create) { return create.node; },
                          [](const ReduceVg& reduce) { return reduce.node; },
                          [](const RemovePv& remove) { return remove.node; },
                          [](const auto&) { return std::string{}; },
                      },
                      *step.action);
}

using Known = std::tuple<std::string, std::string, std::string>;
std::set<Known> planned(const Plan& plan) {
    std::set<Known> steps;
    for (const auto& step : ready(plan)) steps.insert({step.entry, step.verb, step.target});
    return steps;
}

/// Takes one known thing away. What it was, in words; and the disk that the field belongs to, where without it a rule does not ask for that
/// disk any more ("a disk of unknown kind never matches"): then another may be the one that is meant, and only that disk must not be
/// touched.
struct Forgotten {
    std::string what;
    std::optional<std::string> node;
};

Forgotten forget_of_disk(Random& random, Observation& now) {
    auto& device = now.devices[static_cast<std::size_t>(random.below(now.devices.size()))];
    switch (random.below(5)) {
        case 0: device.kind = DiskKind::Unknown; return {"the kind of " + device.node, device.node};
        case 1: device.size = 0; return {"the size of " + device.node, device.node};
        case 2: device.wwn = device.serial = ""; return {"the identity of " + device.node, device.node};
        default: device.probe.reset(); return {"the content of " + device.node, std::nullopt};
    }
}

/// Mostly one that the policy names.
Forgotten forget_of_volume(Random& random, const Policy& policy, Observation& now) {
    auto at = static_cast<std::size_t>(random.below(now.lvm->lvs.size()));
    const auto& wanted = random.pick(policy.tiers).volume;
    for (std::size_t i = 0; i < now.lvm->lvs.size() && random.chance(95); ++i) {
        if (VolumeName{now.lvm->lvs[i].vg, now.lvm->lvs[i].name} == wanted) at = i;
    }
    auto& volume = now.lvm->lvs[at];
    const std::string name = volume.vg + '/' + volume.name;
    switch (random.below(6)) {
        case 0: volume.active.reset(); return {"whether " + name + " is active", {}};
        case 1: volume.suspended.reset(); return {"whether " + name + " is suspended", {}};
        case 2: volume.cache_mode.reset(); return {"the mode of " + name, {}};
        case 3: volume.cache_policy.clear(); return {"the policy of " + name, {}};
        case 4: volume.data_percent.reset(); return {"the fill of " + name, {}};
        default: volume.extents_on.clear(); return {"the place of " + name, {}};
    }
}

Forgotten forget_something(Random& random, const Policy& policy, Observation& now) {
    const auto which = random.below(20);
    if (which < 9 && !now.devices.empty()) return forget_of_disk(random, now);
    if (which < 15 && now.lvm && !now.lvm->lvs.empty()) return forget_of_volume(random, policy, now);
    if (which < 17 && !now.caches.empty()) {
        auto& cache = std::next(now.caches.begin(), static_cast<std::ptrdiff_t>(random.below(now.caches.size())))->second;
        if (random.chance(50)) {
            cache.metadata_committed.reset();
        } else {
            cache.status.reset();
        }
        return {"the state of a cache", {}};
    }
    if (which == 17 && now.lvm && !now.lvm->groups.empty()) {
        auto& group = now.lvm->groups[static_cast<std::size_t>(random.below(now.lvm->groups.size()))];
        group.extent_size = 0;
        return {"the extent size of " + group.name, {}};
    }
    if (which == 18) {
        now.devices_known = false;
        return {"the disks", {}};
    }
    if (random.chance(30)) {
        now.root.boots_cached = now.root.boots_writecached = std::nullopt;
        return {"what the initramfs has", {}};
    }
    if (random.chance(30)) {
        now.machine.clear();
        return {"the machine's id", {}};
    }
    now.lvm.reset();
    return {"LVM", {}};
}

}  // namespace

std::string converges(const Planner& planner, const Case& each, Random& random) {
    if (auto fault = ends(planner, each.policy, each.now); !fault.empty()) return fault;
    const auto steps = way(planner(each.policy, each.now));
    if (steps.empty()) return "";
    auto now = each.now;
    const auto done = random.below(steps.size());
    for (std::size_t i = 0; i < done; ++i) go(steps[i], now);
    const auto fault = ends(planner, each.policy, now);
    return fault.empty() ? "" : "killed after " + std::to_string(done) + " steps: " + fault;
}

std::string keeps_its_promises(const Planner& planner, const Case& each, Random&) {
    std::string text;
    for (const auto& fault : broken_promises(each, planner(each.policy, each.now))) text += (text.empty() ? "" : "\n") + fault;
    return text;
}

std::string ignores_the_order(const Planner& planner, const Case& each, Random& random) {
    const auto plan = planner(each.policy, each.now);
    auto now = each.now;
    random.shuffle(now.devices);
    if (now.lvm) {
        random.shuffle(now.lvm->groups);
        random.shuffle(now.lvm->pvs);
        random.shuffle(now.lvm->lvs);
    }
    const auto other = planner(each.policy, now);
    if (other == plan) return "";
    for (std::size_t i = 0; i < std::max(plan.steps.size(), other.steps.size()); ++i) {
        if (i >= plan.steps.size() || i >= other.steps.size()) return "in another order the plan has another length";
        const auto& one = plan.steps[i];
        const auto& two = other.steps[i];
        if (one != two)
            return "in another order \"" + one.target + ": " + one.sentence + ": " + one.reason + "\" is \"" + two.target + ": " +
                   two.sentence + ": " + two.reason + '"';
    }
    return "in another order it converges otherwise: " + plan.waits_for + " / " + other.waits_for;
}

std::string never_acts_on_the_unknown(const Planner& planner, const Case& each, Random& random) {
    auto now = each.now;
    // Something bad that is known keeps steps away; once it is not known any more they must not come.
    if (now.lvm && random.chance(30)) {
        for (auto& volume : now.lvm->lvs) {
            const VolumeName name{volume.vg, volume.name};
            const auto wanted = [&](const TierRule& rule) { return rule.volume == name; };
            if (std::any_of(each.policy.tiers.begin(), each.policy.tiers.end(), wanted) && volume.active == true) volume.suspended = true;
        }
    }
    const auto plan = planner(each.policy, now);
    const auto before = planned(plan);
    const auto forgotten = forget_something(random, each.policy, now);
    std::set<std::string> excused;  // entries
    for (const auto& step : ready(planner(each.policy, now))) {
        if (before.contains({step.entry, step.verb, step.target}) || excused.contains(step.entry)) continue;
        // What stands open by now is not opened: the plan itself closes it first.
        const auto* unfence = std::get_if<UnfencePv>(&*step.action);
        const auto* pv = unfence != nullptr && now.lvm ? now.lvm->pv(unfence->pv_uuid) : nullptr;
        if (pv != nullptr && pv->allocatable) continue;
        const auto node = node_of(step);
        // A disk that was to be taken for another entry, which does not get it now: they compete for it.
        const auto steps = ready(plan);
        const bool was_taken = !node.empty() && std::any_of(steps.begin(), steps.end(), [&](const Step& old) {
            return node_of(old) == node && old.entry != step.entry;
        });
        // Or of which it was not known which of two is meant, and one of them is in use still.
        const bool was_one_of_two = std::any_of(plan.steps.begin(), plan.steps.end(), [&](const Step& old) {
            return old.verb == "device-ambiguous" && old.entry == step.entry && old.reason.find(node) != std::string::npos;
        });
        const bool follows = forgotten.node && !excused.empty();  // the disk that another has now is out of the question
        if (was_taken || was_one_of_two || follows || (forgotten.node && node != *forgotten.node)) {
            excused.insert(step.entry);
            continue;
        }
        return "without " + forgotten.what + " there is a new step: \"" + step.sentence + "\" (" + step.target + ", " + step.reason + ')';
    }
    return "";
}

std::string survives_json(const Planner& planner, const Case& each, Random&) {
    const auto text = observation_to_json(each.now);
    const auto again = observation_from_json(text);
    if (again != each.now) return "it is another observation after JSON";
    if (observation_to_json(again) != text) return "it is another text";
    return planner(each.policy, again) == planner(each.policy, each.now) ? "" : "it is another plan after JSON";
}

std::string can_be_explained(const Planner&, const Case& each, Random& random) {
    std::vector<std::string> targets;
    for (const auto& device : each.now.devices) targets.push_back(device.node);
    for (const auto& rule : each.policy.tiers) targets.push_back(rule.name);
    if (each.now.lvm) {
        for (const auto& volume : each.now.lvm->lvs) targets.push_back(volume.vg + '/' + volume.name);
    }
    const auto& target = random.pick(targets);
    const auto findings = explain(each.policy, each.now, make_plan(each.policy, each.now), target);
    if (findings.empty()) return target + " is not explained";
    for (const auto& finding : findings) {
        if (finding.subject.empty() || finding.question.empty()) return target + ": a finding about nothing: " + finding.evidence;
    }
    return "";
}

}  // namespace tierd::property
