// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/planner.hpp"

#include <algorithm>

#include "daemon/model/error.hpp"
#include "daemon/plan/cache_tier.hpp"
#include "daemon/plan/scene.hpp"

namespace tierd {

namespace {

/// No way from anything to anything is longer: a plan that reaches it goes round in a circle, which is a fault of ours and is shown, not run.
constexpr std::size_t longest_way = 16;

class Planner {
public:
    Planner(const Policy& policy, const Observation& observation) : policy_{policy}, scene_{observation} {}

    Plan run() {
        note_container();
        // Those that only report come last: nothing that is done stands on a step which is not.
        for (const auto& rule : policy_.tiers) {
            if (rule.autonomy != Autonomy::Observe) plan_tier(rule);
        }
        for (const auto& rule : policy_.tiers) {
            if (rule.autonomy == Autonomy::Observe) plan_tier(rule);
        }
        for (const auto& rule : policy_.snapshots) note_unsupported("snapshot " + rule.name, rule.volumes.empty() ? "" : rule.volumes.front().text(), rule.place, rule.state);
        for (const auto& rule : policy_.pools) note_unsupported("pool " + rule.pool.text(), rule.pool.text(), rule.place, Presence::Present);
        refuse_disks();
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) plan_.steps[i].id = static_cast<std::uint32_t>(i + 1);
        link();
        conclude();
        return std::move(plan_);
    }

private:
    /// Without a udevd of its own nothing on this machine is ours to change.
    void note_container() {
        if (!scene_.now().container) return;
        Step step;
        step.state = StepState::Refused;
        step.verb = "refuse";
        step.target = "this machine";
        step.sentence = "nothing is changed here";
        step.reason = "it is a container, or there is no udevd: tierd only observes";
        plan_.steps.push_back(std::move(step));
        observe_only_ = true;
    }

    void plan_tier(const TierRule& rule) {
        for (std::size_t length = 0;; ++length) {
            auto step = next_step(policy_, rule, scene_);
            if (!step) return;
            if (step->state != StepState::Ready) {
                plan_.steps.push_back(std::move(*step));
                return;
            }
            if (length == longest_way) throw Error{ErrorCode::Internal, "the plan for tier " + rule.name + " does not end: " + step->sentence};
            if (observe_only_) step->needs_person = true;
            scene_.apply(*step->action);
            plan_.steps.push_back(std::move(*step));
        }
    }

    void note_unsupported(const std::string& entry, const std::string& target, const Place& place, Presence state) {
        if (state == Presence::Absent) return;
        Step step;
        step.state = StepState::Unsupported;
        step.verb = "unsupported";
        step.target = target;
        step.entry = entry;
        step.sentence = "this version of tierd only shows snapshots and pools";
        step.reason = entry + " is read and checked, and not acted on yet";
        if (const auto frozen = policy_.frozen.find(entry); frozen != policy_.frozen.end()) step.reason = frozen->second;
        step.rule = place;
        plan_.steps.push_back(std::move(step));
    }

    /// Disks that a rule asks for and that must not be taken: said once a disk and rule.
    void refuse_disks() {
        if (!scene_.lvm_known()) return;
        for (const auto& rule : policy_.devices) {
            for (const auto& candidate : scene_.candidates(rule)) {
                if (candidate.verdict.answer != Verdict::Answer::Ineligible) continue;
                Step step;
                step.state = StepState::Refused;
                step.verb = "refuse-device";
                step.target = candidate.device->node;
                step.entry = "device " + rule.name;
                step.sentence = candidate.device->node + " is not taken";
                for (const auto& reason : candidate.verdict.reasons) step.reason += (step.reason.empty() ? "" : "; ") + reason;
                step.rule = rule.place;
                plan_.steps.push_back(std::move(step));
            }
        }
    }

    /// Steps of one entry follow each other.
    void link() {
        for (std::size_t i = 1; i < plan_.steps.size(); ++i) {
            const auto& before = plan_.steps[i - 1];
            auto& step = plan_.steps[i];
            if (before.state == StepState::Ready && before.entry == step.entry) step.after.push_back(before.id);
        }
    }

    void conclude() {
        const auto first = [&](auto&& is) { return std::find_if(plan_.steps.begin(), plan_.steps.end(), is); };
        const auto end = plan_.steps.end();
        const auto ready = first([](const Step& step) { return step.state == StepState::Ready; });
        const auto blocked = first([](const Step& step) {
            return (step.state == StepState::Refused && step.verb != "refuse-device") || step.state == StepState::Unsupported;
        });
        const auto waiting = first([](const Step& step) { return step.state == StepState::Waiting; });
        if (!scene_.lvm_known() || !scene_.now().devices_known) {
            plan_.convergence = Convergence::Unknown;
            plan_.waits_for = scene_.lvm_known() ? "the disks cannot be read" : "LVM could not be read: " + scene_.now().lvm_error;
        } else if (ready != end) {
            plan_.convergence = Convergence::Drift;
        } else if (blocked != end) {
            plan_.convergence = Convergence::Blocked;
            plan_.waits_for = blocked->target + ": " + blocked->reason;
        } else if (waiting != end) {
            plan_.convergence = Convergence::Waiting;
            plan_.waits_for = waiting->target + ' ' + waiting->sentence + (waiting->reason.empty() ? "" : " (" + waiting->reason + ')');
        } else {
            plan_.convergence = Convergence::Converged;
        }
    }

    const Policy& policy_;
    Scene scene_;
    Plan plan_;
    bool observe_only_ = false;
};

}  // namespace

Plan make_plan(const Policy& policy, const Observation& observation) { return Planner{policy, observation}.run(); }

}  // namespace tierd
