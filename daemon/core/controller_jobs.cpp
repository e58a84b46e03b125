// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "daemon/core/controller_impl.hpp"

namespace tierd {

std::string tier_name(const std::string& entry) {
    return entry.rfind("tier ", 0) == 0 ? entry.substr(5) : "";
}

void Controller::Impl::open_job_for(const Step& step) {
    if (entry_jobs.contains(step.entry)) return;
    const std::string tier = tier_name(step.entry);
    // What is only made safe belongs to no tier of the policy any more, or to one that was given up on: nobody waits for that.
    if (tier.empty() || frozen.contains(step.entry) || frozen.contains(step.group)) return;
    entry_done[step.entry] = 0;
    entry_total[step.entry] = static_cast<std::size_t>(std::count_if(plan.steps.begin(), plan.steps.end(), [&](const Step& each) {
        return each.entry == step.entry && each.state == StepState::Ready;
    }));
    const auto* rule = policy.tier(tier);
    const std::string volume = rule != nullptr ? rule->volume.text() : step.target;
    const bool leaves = rule != nullptr && rule->state == Presence::Absent;
    const bool changes =
        !step.drains.empty() ||
        (step.action && (std::holds_alternative<SetCachePolicy>(*step.action) || std::holds_alternative<SetCacheMode>(*step.action)));
    entry_state[step.entry] = leaves ? Presence::Absent : Presence::Present;
    const std::string operation = leaves ? "detach" : changes ? "change" : "attach";
    const std::string about = leaves ? "take the cache off " : changes ? "change the cache of " : "attach cache to ";
    const auto steps = entry_total[step.entry];
    entry_jobs[step.entry] =
        jobs.open(operation, tier + ": " + about + volume + ", " + std::to_string(steps) + (steps == 1 ? " step" : " steps"), {tier}, 0);
}

const Step* Controller::Impl::first_step_of(const std::string& entry) const {
    const auto found = std::find_if(plan.steps.begin(), plan.steps.end(), [&](const Step& step) { return step.entry == entry; });
    return found == plan.steps.end() ? nullptr : &*found;
}

bool Controller::Impl::anything_left_to_apply() const {
    return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const Step& step) {
        return step.state == StepState::Ready && applying->entries.contains(step.entry) && may_act(step) && !frozen.contains(step.group);
    });
}

void Controller::Impl::follow_drains() {
    for (const auto& step : plan.steps) {
        if (step.drains.empty() || step.assumed || observes_only()) continue;
        // It may have been begun by a daemon before this one.
        open_job_for(step);
        const auto job = entry_jobs.find(step.entry);
        const auto* watched = watchers.of(step.drains);
        if (job == entry_jobs.end() || watched == nullptr || !watched->drain) continue;
        const auto& drain = *watched->drain;
        jobs.bytes(job->second, drain.done(), drain.total(), drain.expected_end());
        std::string stage = "writing back: " + format_size(drain.left()) + " left";
        if (const auto rate = drain.bytes_per_second()) stage += ", " + format_size(static_cast<Bytes>(*rate)) + "/s";
        if (const auto end = drain.expected_end(); end && *end > watched->dirty.seen())
            stage += ", about " + format_span(*end - watched->dirty.seen());
        if (const auto why = drain.stalled(); !why.empty()) stage = "it stands still: " + why;
        const double progress = drain.total() == 0 ? 1.0 : static_cast<double>(drain.done()) / static_cast<double>(drain.total());
        jobs.stage(job->second, stage, progress);
        if (applying && applying->entries.contains(step.entry)) jobs.stage(applying->id, stage, progress);
    }
}

/// A job ends when the plan has nothing more to do for its entry: by what is observed, not by what was run.
void Controller::Impl::settle_jobs() {
    for (auto each = entry_jobs.begin(); each != entry_jobs.end();) {
        const auto* step = first_step_of(each->first);
        const auto* rule = policy.tier(tier_name(each->first));
        if (rule == nullptr || rule->state != entry_state[each->first]) {
            jobs.finish(each->second, "canceled");
            each = entry_jobs.erase(each);
            continue;
        }
        const bool ready = step != nullptr && step->state == StepState::Ready && (!step->needs_person || is_agreed(each->first));
        const bool goes_on = ready || (step != nullptr && (step->until || runs.contains(step->group)));
        if (goes_on) {
            ++each;
            continue;
        }
        if (step == nullptr) {
            jobs.finish(each->second, "done");
        } else {
            jobs.fail(each->second, step->state == StepState::Refused ? ErrorCode::Ineligible : ErrorCode::StateUnknown,
                      step->sentence + ": " + step->reason);
        }
        each = entry_jobs.erase(each);
    }
    settle_apply();
    tell_pauses();
}

/// A job that a pause keeps from going on says so.
void Controller::Impl::tell_pauses() {
    const auto tell = [this](std::uint32_t job, const std::string& entry) {
        const auto* step = first_step_of(entry);
        if (step != nullptr && paused.contains(step->group) && !runs.contains(step->group))
            jobs.stage(job, "waits: " + pause_of(step->group), std::nullopt);
    };
    for (const auto& [entry, job] : entry_jobs) tell(job, entry);
    if (!applying) return;
    for (const auto& entry : applying->entries) tell(applying->id, entry);
}

/// An apply is done when each of its entries is as asked; it has failed when one of them ended in a wait or a refusal.
void Controller::Impl::settle_apply() {
    if (!applying || !applying->plan_id.empty() || !runs.empty() || anything_left_to_apply()) return;
    for (const auto& entry : applying->entries) {
        const auto* step = first_step_of(entry);
        if (step == nullptr) continue;
        if (step->until) return;
        const auto why = frozen.contains(step->group) ? frozen.at(step->group) : step->reason;
        jobs.fail(applying->id, step->state == StepState::Waiting ? ErrorCode::StateUnknown : ErrorCode::PlanDiverged,
                  step->target + ": " + step->sentence + ": " + why);
        applying.reset();
        return;
    }
    jobs.finish(applying->id, "done");
    applying.reset();
}

std::set<std::string> Controller::Impl::acting_entries() const {
    std::set<std::string> entries;
    for (const auto& [entry, job] : entry_jobs) entries.insert(entry);
    return entries;
}

}  // namespace tierd
