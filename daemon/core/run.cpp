// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/run.hpp"

#include "daemon/plan/describe.hpp"
#include "daemon/plan/foretell.hpp"

namespace tierd {

Run::Run(Machine& machine, std::string group, std::vector<Step> steps, Observation before, Hooks hooks)
    : machine_{machine}, group_{std::move(group)}, steps_{std::move(steps)}, foretold_{std::move(before)}, hooks_{std::move(hooks)} {}

void Run::start() {
    next();
}

void Run::next() {
    if (at_ == steps_.size() || !hooks_.may_go_on(steps_[at_])) {
        end();
        return;
    }
    hooks_.on_step(steps_[at_], at_);
    machine_.perform(*steps_[at_].action, [self = shared_from_this()](const Outcome& outcome) {
        self->outcome_ = outcome;
        if (!outcome.ok) {
            self->failed_ = true;
            self->end();
            return;
        }
        try {
            foretell_in_place(self->foretold_, *self->steps_[self->at_].action);
        } catch (const Error& error) {
            self->outcome_ = {false, ErrorCode::Internal, std::string{"it was done, and could not have been foretold: "} + error.what()};
            self->failed_ = true;
            self->end();
            return;
        }
        ++self->at_;
        self->next();
    });
}

void Run::end() {
    ended_ = true;
    on_end_();
}

std::set<std::string> Run::claimed_nodes() const {
    std::set<std::string> nodes;
    for (const auto& step : steps_) {
        if (const auto* wipe = std::get_if<WipeSignatures>(&*step.action)) nodes.insert(wipe->disk.node);
        if (const auto* create = std::get_if<CreatePv>(&*step.action)) nodes.insert(create->disk.node);
    }
    return nodes;
}

std::vector<Step> Run::steps_for(const Plan& plan, const std::string& group, const std::function<bool(const Step&)>& may_act) {
    std::vector<Step> steps;
    for (const auto& step : plan.steps) {
        if (step.group != group || step.state != StepState::Ready) continue;
        // What stands behind a step that is not done was planned as if it had been.
        if (!may_act(step)) break;
        steps.push_back(step);
        if (must_be_seen(*step.action)) break;
    }
    return steps;
}

}  // namespace tierd
