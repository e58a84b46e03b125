// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "daemon/machine/machine.hpp"
#include "daemon/model/plan.hpp"

namespace tierd {

/// The steps that one VG takes in one go, one after another, up to the first whose result must be seen. It ends with the first that
/// fails, and knows what must be seen afterwards.
class Run : public std::enable_shared_from_this<Run> {
public:
    struct Hooks {
        std::function<bool(const Step&)> may_go_on;  ///< asked before each step
        std::function<void(const Step&, std::size_t index)> on_step;
    };
    Run(Machine& machine, std::string group, std::vector<Step> steps, Observation before, Hooks hooks);

    void on_end(std::function<void()> callback) { on_end_ = std::move(callback); }
    void start();
    [[nodiscard]] const std::string& group() const { return group_; }
    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
    [[nodiscard]] bool ended() const { return ended_; }
    /// The step that failed; nullptr when none did.
    [[nodiscard]] const Step* failed() const { return failed_ ? &steps_[at_] : nullptr; }
    [[nodiscard]] const Outcome& outcome() const { return outcome_; }
    /// What must be seen now; of the steps that were done.
    [[nodiscard]] const Observation& foretold() const { return foretold_; }
    /// Nodes of the disks that its steps erase or initialise: what became of them is seen on the disks, not in the VG.
    [[nodiscard]] std::set<std::string> claimed_nodes() const;
    [[nodiscard]] bool did_anything() const { return at_ > 0; }
    [[nodiscard]] const Step& last_done() const { return steps_[at_ - 1]; }

    /// The first steps of the plan in that group which may run together: ready, of an entry that may act, up to one that must be seen.
    static std::vector<Step> steps_for(const Plan& plan, const std::string& group, const std::function<bool(const Step&)>& may_act);

private:
    void next();
    void end();

    Machine& machine_;
    std::string group_;
    std::vector<Step> steps_;
    Observation foretold_;
    Hooks hooks_;
    std::function<void()> on_end_;
    std::size_t at_ = 0;
    Outcome outcome_;
    bool failed_ = false, ended_ = false;
};

}  // namespace tierd
