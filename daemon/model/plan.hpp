// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/model/action.hpp"

namespace tierd {

enum class Risk { None, Reversible, Disruptive, Destructive };
enum class StepState { Ready, Waiting, Unsupported, Refused };
enum class Convergence { Unknown, Converged, Waiting, Drift, Blocked };
std::string_view name_of(Risk value);
std::string_view name_of(StepState value);
std::string_view name_of(Convergence value);

/// One line of a plan: something to do, something waited for, or something refused.
struct Step {
    std::uint32_t id = 0;  ///< counts from 1 within the plan
    StepState state = StepState::Ready;
    std::optional<Action> action;  ///< of a Ready step
    std::string verb;              ///< verb_of(action), or "wait", "refuse", "unsupported"
    std::string target;            ///< "lvm_hdd/hdd", "/dev/sdb": what it is about
    std::string entry;             ///< the policy entry: "tier media"
    std::string group;             ///< VG in which it happens: one step at a time there
    std::string sentence;          ///< "initialise sdb as a physical volume"
    std::string reason;            ///< why, or what is waited for, or why not
    Place rule;
    Risk risk = Risk::None;
    Bytes bytes = 0;                   ///< moved or used, where it means something
    bool assumed = false;              ///< stands behind a wait whose outcome is assumed
    bool needs_person = false;         ///< planned, but done by apply only
    std::optional<Usec> until;         ///< of a wait for time: when to look again
    std::string drains;                ///< of a wait until that LV's cache is clean: its UUID; what follows assumes it
    std::string alert;                 ///< code of the alert that is raised while the step stands in the plan; "" for none
    std::vector<std::uint32_t> after;  ///< ids of the steps that must have happened
    friend bool operator==(const Step&, const Step&) = default;
};

struct Plan {
    std::vector<Step> steps;
    Convergence convergence = Convergence::Unknown;
    std::string waits_for;  ///< one line, when convergence is Waiting or Blocked
    friend bool operator==(const Plan&, const Plan&) = default;
    /// Same text, same id: derived from the steps.
    [[nodiscard]] std::string id() const;
};

/// One line of an explanation: a rule, its verdict, the evidence.
struct Finding {
    enum class Verdict { Yes, No, Unknown, Note };
    std::string subject;   ///< "/dev/sdb", "lvm_hdd/hdd"
    std::string question;  ///< "is an SSD", "holds no data"
    Verdict verdict = Verdict::Note;
    std::string evidence;  ///< 'rotational 0, …', 'partition table gpt at 512; /dev/sdb1: vfat'
    std::string advice;    ///< what to do to change the verdict; "" where there is nothing to do
    Place rule;
    friend bool operator==(const Finding&, const Finding&) = default;
};
std::string_view name_of(Finding::Verdict value);

}  // namespace tierd
