// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "daemon/core/controller_impl.hpp"
#include "daemon/model/text.hpp"

namespace tierd {

std::string tier_name(const std::string& entry) {
    return entry.rfind("tier ", 0) == 0 ? entry.substr(5) : "";
}

namespace {

bool follows_a_loss(const Action& action) {
    return std::holds_alternative<UncacheLost>(action) || std::holds_alternative<DropCache>(action) ||
           std::holds_alternative<RemoveMissing>(action) || std::holds_alternative<RestoreMissing>(action);
}

}  // namespace

void Controller::Impl::open_job_for(const Step& step) {
    const auto steps = static_cast<std::size_t>(std::count_if(plan.steps.begin(), plan.steps.end(), [&](const Step& each) {
        return each.entry == step.entry && each.state == StepState::Ready;
    }));
    if (const auto open = entry_jobs.find(step.entry); open != entry_jobs.end()) {
        open->second.total = std::max(open->second.total, steps);
        return;
    }
    const std::string tier = tier_name(step.entry);
    // What is only made safe belongs to no tier of the policy any more, or to one that was given up on: nobody waits for that.
    if (tier.empty() || frozen.contains(step.entry) || frozen.contains(step.group)) return;
    EntryJob job;
    job.total = steps;
    const auto* rule = wanted.tier(tier);
    const std::string volume = rule != nullptr ? rule->volume.text() : step.target;
    if (rule != nullptr) job.state = rule->state;
    job.operation = operation_of(step);
    if (const auto* about = volume_of(step.entry)) job.until = requests_of(*about).flush.value_or(0);
    const std::string about = job.operation == "detach"    ? "take the cache off "
                              : job.operation == "flush"   ? "write back what is dirty in front of "
                              : job.operation == "change"  ? "change the cache of "
                              : job.operation == "recover" ? "recover from the loss of the SSD of "
                                                           : "attach cache to ";
    job.id = jobs.open(job.operation, tier + ": " + about + volume + ", " + plural(steps, "step", "steps"), {tier}, 0);
    entry_jobs[step.entry] = std::move(job);
}

std::string Controller::Impl::operation_of(const Step& step) const {
    const auto* rule = wanted.tier(tier_name(step.entry));
    if (rule != nullptr && rule->state == Presence::Absent) return "detach";
    if (step.action && follows_a_loss(*step.action)) return "recover";
    if (const auto* volume = volume_of(step.entry)) {
        const auto requests = requests_of(*volume);
        if (requests.remake) return "change";
        if (requests.flush) return "flush";
    }
    const bool changes = !step.drains.empty() || (step.action && (std::holds_alternative<SetCachePolicy>(*step.action) ||
                                                                  std::holds_alternative<SetCacheMode>(*step.action) ||
                                                                  std::holds_alternative<TagVolume>(*step.action)));
    return changes ? "change" : "attach";
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
        jobs.bytes(job->second.id, drain.done(), drain.total(), drain.expected_end());
        std::string stage = "writing back: " + format_size(drain.left()) + " left";
        if (const auto rate = drain.bytes_per_second()) stage += ", " + format_size(static_cast<Bytes>(*rate)) + "/s";
        if (const auto end = drain.expected_end(); end && *end > watched->dirty.seen())
            stage += ", about " + format_span(*end - watched->dirty.seen());
        if (const auto why = drain.stalled(); !why.empty()) stage = "it stands still: " + why;
        const double progress = drain.total() == 0 ? 1.0 : static_cast<double>(drain.done()) / static_cast<double>(drain.total());
        jobs.stage(job->second.id, stage, progress);
        if (applying && applying->entries.contains(step.entry)) jobs.stage(applying->id, stage, progress);
    }
}

/// A job ends when the plan has nothing more to do for its entry: by what is observed, not by what was run.
void Controller::Impl::settle_jobs() {
    for (auto each = entry_jobs.begin(); each != entry_jobs.end();) {
        const auto* step = first_step_of(each->first);
        if (asking.contains(each->first)) {
            ++each;
            continue;
        }
        const auto* rule = wanted.tier(tier_name(each->first));
        if (rule == nullptr || rule->state != each->second.state) {
            jobs.finish(each->second.id, "canceled");
            each = entry_jobs.erase(each);
            continue;
        }
        const bool ready = step != nullptr && step->state == StepState::Ready && (!step->needs_person || is_agreed(each->first));
        const bool goes_on = ready || (step != nullptr && (step->until || runs.contains(step->group)));
        if (goes_on) {
            ++each;
            continue;
        }
        end_job(each->second, each->first, step);
        each = entry_jobs.erase(each);
    }
    settle_apply();
    tell_pauses();
}

void Controller::Impl::end_job(const EntryJob& job, const std::string& entry, const Step* step) {
    if (job.operation == "flush" && job.until != 0 && observed->time >= job.until) {
        jobs.fail(job.id, ErrorCode::Timeout, "its time was over before all of it was written back");
    } else if (step == nullptr || came_true(job, entry)) {
        jobs.finish(job.id, "done");
    } else {
        jobs.fail(job.id, step->state == StepState::Refused ? ErrorCode::Ineligible : ErrorCode::StateUnknown,
                  step->sentence + ": " + step->reason);
    }
}

bool Controller::Impl::came_true(const EntryJob& job, const std::string& entry) const {
    const auto* volume = volume_of(entry);
    const auto* rule = wanted.tier(tier_name(entry));
    if (volume == nullptr || rule == nullptr) return false;
    if (job.operation == "flush") return !requests_of(*volume).flush;
    if (job.operation == "set-mode") return volume->cache_mode == rule->mode;
    if (job.operation == "recover") return observed->lvm->group(volume->vg)->missing_pvs == 0 && !volume->partial;
    return false;
}

/// A job that a pause keeps from going on says so.
void Controller::Impl::tell_pauses() {
    const auto tell = [this](std::uint32_t job, const std::string& entry) {
        const auto* step = first_step_of(entry);
        if (step != nullptr && paused.contains(step->group) && !runs.contains(step->group))
            jobs.stage(job, "waits: " + pause_of(step->group), std::nullopt);
    };
    for (const auto& [entry, job] : entry_jobs) tell(job.id, entry);
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
