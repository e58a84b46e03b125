// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "daemon/core/controller_impl.hpp"
#include "daemon/model/text.hpp"
#include "daemon/plan/describe.hpp"
#include "daemon/plan/differences.hpp"
#include "daemon/plan/foretell.hpp"

namespace tierd {

namespace {

/// When what is still done in a group that was given up on (committing metadata) is tried again.
constexpr Usec given_up_span = 60 * usec_per_second;

/// A step is the same when its verb and what it is about are: sizes in its sentence may differ from try to try. Tags are many things.
std::string fingerprint(const Step& step) {
    const bool is_tag = step.action && std::holds_alternative<TagVolume>(*step.action);
    return (is_tag ? step.sentence : step.verb) + ' ' + step.target;
}

}  // namespace

bool Controller::Impl::may_act(const Step& step) const {
    if (observes_only() || stopping || step.assumed) return false;
    // What only makes safe what is there is done for who was given up on or canceled, too; and what a person says of a tier is noted.
    if ((step.risk == Risk::None && !step.needs_person) || (asking.contains(step.entry) && std::holds_alternative<TagVolume>(*step.action)))
        return true;
    if (frozen.contains(step.entry) || frozen.contains(step.group)) return false;
    // A run that is under way goes on only with what the policy of now still asks for.
    const auto* rule = wanted.tier(tier_name(step.entry));
    if (rule == nullptr || policy.frozen.contains(step.entry)) return false;
    return !step.needs_person || is_agreed(step.entry);
}

bool Controller::Impl::is_agreed(const std::string& entry) const {
    if (!applying || !applying->plan_id.empty() || !applying->entries.contains(entry)) return false;
    const auto agreed = applying->agreed.find(entry);
    const auto* rule = policy.tier(tier_name(entry));
    return agreed != applying->agreed.end() && rule != nullptr && *rule == agreed->second;
}

bool Controller::Impl::group_is_free(const std::string& group) const {
    if (runs.contains(group) || paused.contains(group)) return false;
    const auto wait = not_before.find(group);
    return wait == not_before.end() || wait->second <= steady_now();
}

void Controller::Impl::start_runs(const std::function<bool(const Step&)>& is_wanted) {
    std::set<std::string> groups;
    for (const auto& step : plan.steps) {
        if (step.state == StepState::Ready) groups.insert(step.group);
    }
    for (const auto& group : groups) {
        if (!group_is_free(group)) continue;
        auto steps = Run::steps_for(plan, group, [&](const Step& step) { return (!is_wanted || is_wanted(step)) && may_act(step); });
        if (!steps.empty()) start_run(group, std::move(steps));
    }
}

void Controller::Impl::start_run(const std::string& group, std::vector<Step> steps) {
    not_before.erase(group);
    std::map<std::string, TierRule> rules;
    for (const auto& step : steps) {
        open_job_for(step);
        if (const auto* rule = wanted.tier(tier_name(step.entry))) rules.emplace(step.entry, *rule);
    }
    Run::Hooks hooks;
    hooks.may_go_on = [this, group, rules = std::move(rules)](const Step& step) {
        if (!may_act(step) || paused.contains(group)) return false;
        // It was planned for what the entry said then.
        const auto* rule = wanted.tier(tier_name(step.entry));
        if (const auto then = rules.find(step.entry); then != rules.end() && (rule == nullptr || *rule != then->second)) return false;
        if (patience.may_run(group, fingerprint(step), steady_now())) return true;
        give_up(group, ErrorCode::PlanDiverged,
                "\"" + step.sentence + "\" was done " + std::to_string(Patience::most_runs) + " times and does not stay done");
        return false;
    };
    hooks.on_step = [this](const Step& step, std::size_t) {
        const auto job = entry_jobs.find(step.entry);
        if (job == entry_jobs.end()) return;
        auto& [id, operation, done, total, state, until] = job->second;
        const auto progress = std::min(1.0, static_cast<double>(done++) / static_cast<double>(std::max<std::size_t>(total, 1)));
        jobs.stage(id, sentence(*step.action, Tense::Progressive), progress);
        if (applying && applying->entries.contains(step.entry))
            jobs.stage(applying->id, sentence(*step.action, Tense::Progressive), progress);
    };
    const auto run = std::make_shared<Run>(machine, group, std::move(steps), *observed, hooks);
    runs[group] = run;
    // The run holds its hooks, and its hooks hold no run: it is looked up by its group.
    run->on_end([this, group] { end_run(runs.at(group)); });
    run->start();
}

void Controller::Impl::end_run(const std::shared_ptr<Run>& run) {
    if (stopping) {
        if (machine.busy() == 0 && stopped) stopped();
        return;
    }
    if (const auto* step = run->failed()) {
        const Usec wait = patience.failed(run->group(), fingerprint(*step));
        const std::string why = step->sentence + ": " + run->outcome().message;
        if (wait == 0) {
            give_up(run->group(), run->outcome().code, why);
        } else {
            not_before[run->group()] = steady_now() + wait;
            const auto job = entry_jobs.find(step->entry);
            if (job != entry_jobs.end()) jobs.stage(job->second.id, "trying again in " + format_span(wait) + ": " + why, std::nullopt);
        }
    }
    outdated = observing;
    // Done means seen: the run stays until the next observation has been held against what it foretold.
    schedule_pass(0);
}

void Controller::Impl::verify_runs() {
    for (auto each = runs.begin(); each != runs.end();) {
        const auto run = each->second;
        if (!run->ended()) {
            ++each;
            continue;
        }
        each = runs.erase(each);
        // After a failure the last command may have left anything: what it left is planned from, and a fault in the rest is not news.
        if (!run->did_anything() || run->failed() != nullptr) continue;
        const auto found = differences(run->foretold(), *observed, run->group(), run->claimed_nodes());
        if (found.empty()) {
            patience.succeeded(run->group());
            continue;
        }
        const std::string why = "after \"" + run->last_done().sentence + "\": " + found.front() +
                                (found.size() > 1 ? " (and " + std::to_string(found.size() - 1) + " more)" : "");
        const Usec wait = patience.failed(run->group(), "diverged");
        if (wait == 0) {
            give_up(run->group(), ErrorCode::PlanDiverged, why);
        } else {
            not_before[run->group()] = steady_now() + wait;
        }
        for (auto* listener : listeners) listener->on_note("the outcome differs from what was foretold " + why);
    }
}

void Controller::Impl::give_up(const std::string& group, ErrorCode code, const std::string& why) {
    frozen[group] = why;
    not_before[group] = steady_now() + given_up_span;
    const auto is_in_group = [&](const std::string& entry) {
        const auto* step = first_step_of(entry);
        return step != nullptr && step->group == group;
    };
    for (auto each = entry_jobs.begin(); each != entry_jobs.end();) {
        if (!is_in_group(each->first)) {
            ++each;
            continue;
        }
        jobs.fail(each->second.id, code, why);
        asking.erase(each->first);
        each = entry_jobs.erase(each);
    }
    if (applying && std::any_of(applying->entries.begin(), applying->entries.end(), is_in_group)) {
        jobs.fail(applying->id, code, group + ": " + why);
        applying.reset();
    }
}

// --- verbs ---

std::uint32_t Controller::Impl::apply(const std::string& plan_id, std::uint32_t uid) {
    if (!observed) throw Error{ErrorCode::StateUnknown, "nothing has been observed yet: try again in a moment"};
    if (observes_only()) {
        throw Error{ErrorCode::Unsupported, "tierd observes only (--dry-run, or a container): nothing is changed"};
    }
    if (!plan_id.empty() && plan_id != plan.id())
        throw Error{ErrorCode::StalePlan, "the plan has changed since it was shown: look at it again"};
    ApplyJob job;
    const Step* given_up = nullptr;
    std::set<std::string> pauses;
    for (const auto& step : plan.steps) {
        if (step.state != StepState::Ready) continue;
        if (frozen.contains(step.group)) {
            given_up = &step;
        } else if (paused.contains(step.group)) {
            pauses.insert(pause_of(step.group));
        } else {
            job.entries.insert(step.entry);
        }
    }
    // The others go on; when there are none, it is said why.
    if (job.entries.empty() && !pauses.empty()) throw Error{ErrorCode::Paused, join(pauses, "; ") + "; nothing else is to be done"};
    if (job.entries.empty() && given_up != nullptr) {
        throw Error{ErrorCode::Frozen, given_up->group + " was given up on: " + frozen.at(given_up->group) + "; 'tierctl thaw " +
                                           given_up->group + "' tries again"};
    }
    if (job.entries.empty() && !frozen.empty())
        throw Error{ErrorCode::Frozen, frozen.begin()->first + " was given up on: " + frozen.begin()->second};
    if (applying) {
        // The same once more is the same job; what is new to it has to wait until it is over.
        if (std::includes(applying->entries.begin(), applying->entries.end(), job.entries.begin(), job.entries.end())) return applying->id;
        throw Error{ErrorCode::DeviceBusy,
                    "job " + std::to_string(applying->id) + " still applies an earlier plan: wait for it, or cancel it"};
    }
    std::vector<std::string> tiers;
    for (const auto& entry : job.entries) {
        tiers.push_back(tier_name(entry));
        const auto* rule = policy.tier(tiers.back());
        if (rule == nullptr) continue;
        job.agreed.emplace(entry, *rule);
        // By a person's word it may be done again, however often it was.
        patience.forget(rule->volume.vg);
    }
    job.plan_id = plan.id();
    job.id = jobs.open("apply",
                       "apply the plan, " + std::to_string(job.entries.size()) + (job.entries.size() == 1 ? " entry" : " entries") +
                           (pauses.empty() ? "" : "; the rest waits: " + join(pauses, "; ")),
                       std::move(tiers), uid);
    const auto id = job.id;
    applying = std::move(job);
    // Done by a pass, on what is there then.
    schedule_pass(0);
    return id;
}

/// What was agreed to is the plan that was shown: when a new look gives another one, nothing of it is done.
void Controller::Impl::check_apply() {
    if (!applying) return;
    // Later, too, it is for what the policy said when it was agreed to.
    for (const auto& [entry, agreed] : applying->agreed) {
        const auto* rule = policy.tier(tier_name(entry));
        if (rule != nullptr && *rule == agreed) continue;
        jobs.fail(applying->id, ErrorCode::StalePlan, entry + " is another one in the policy by now: look at the plan again");
        applying.reset();
        return;
    }
    if (applying->plan_id.empty()) return;
    if (applying->plan_id == plan.id()) {
        applying->plan_id.clear();
        return;
    }
    jobs.fail(applying->id, ErrorCode::StalePlan, "the plan has changed since it was shown: look at it again");
    applying.reset();
}

void Controller::Impl::cancel_job(std::uint32_t id) {
    if (!jobs.running(id)) {
        static_cast<void>(jobs.get(id));
        throw Error{ErrorCode::NotCancelable, "job " + std::to_string(id) + " has ended"};
    }
    for (const auto& [entry, job] : entry_jobs) {
        if (job.id != id) continue;
        // The step that runs is not cut: it ends, and no other follows.
        if (!call_off(entry, job.operation)) frozen[entry] = "canceled; 'tierctl thaw' goes on";
        entry_jobs.erase(entry);
        break;
    }
    if (applying && applying->id == id) {
        for (const auto& entry : applying->entries) call_off(entry, "change");
        applying.reset();
    }
    jobs.finish(id, "canceled");
    schedule_pass(0);
    settle_alerts();
    say_changed();
}

/// "tier media" or "lvm_hdd": a volume group is called by its name alone, as no entry is.
bool Controller::Impl::is_meant(const Target& target, const std::string& frozen_key) const {
    const auto space = frozen_key.find(' ');
    if (space == std::string::npos) return target.means(group_kind, names_of_group(frozen_key));
    const std::string kind = frozen_key.substr(0, space), name = frozen_key.substr(space + 1);
    if (target.means(kind, {name})) return true;
    const auto* rule = kind == tier_kind ? policy.tier(name) : nullptr;
    return rule != nullptr && target.means(volume_kind, names_of_volume(rule->volume.vg, rule->volume.lv));
}

void Controller::Impl::thaw(const std::string& what) {
    const Target target{what};
    std::vector<std::string> meant;
    std::string known;
    for (const auto& [key, why] : frozen) {
        known += (known.empty() ? "; frozen are " : ", ") + key;
        if (is_meant(target, key)) meant.push_back(key);
    }
    for (const auto& [key, why] : policy.frozen) {
        if (meant.empty() && is_meant(target, key)) throw Error{ErrorCode::InvalidPolicy, key + " is frozen by the policy itself: " + why};
    }
    if (meant.empty()) throw Error{ErrorCode::NoSuchTarget, "\"" + what + "\" is not frozen" + (known.empty() ? "; nothing is" : known)};
    for (const auto& key : meant) {
        frozen.erase(key);
        patience.forget(key);
        not_before.erase(key);
        const auto* rule = policy.tier(tier_name(key));
        if (rule != nullptr) patience.forget(rule->volume.vg);
    }
    schedule_pass(0);
    settle_alerts();
    say_changed();
}

std::string Controller::Impl::group_called(const std::string& name) const {
    const Target target{name};
    std::string known;
    if (observed && observed->lvm) {
        for (const auto& group : observed->lvm->groups) {
            if (target.means(group_kind, names_of_group(group.name))) return group.name;
            known += (known.empty() ? "; there are " : ", ") + group.name;
        }
    }
    throw Error{ErrorCode::NoSuchTarget, "there is no volume group \"" + name + '"' + known};
}

std::shared_ptr<void> Controller::Impl::pause(const std::string& name, const std::string& why, std::uint32_t uid) {
    const std::string vg = group_called(name);
    if (const auto run = runs.find(vg); run != runs.end() && !run->second->ended())
        throw Error{ErrorCode::DeviceBusy, "a step is under way in " + vg + ": try again in a moment"};
    const auto token = paused[vg].insert(why + (why.empty() ? "" : " ") + "(user " + std::to_string(uid) + ')');
    tell_pauses();
    say_changed();
    return {nullptr, [this, vg, token, still_there = std::weak_ptr<bool>{alive}](std::nullptr_t) {
                if (still_there.expired() || !*still_there.lock()) return;
                auto& tokens = paused[vg];
                tokens.erase(token);
                if (tokens.empty()) paused.erase(vg);
                schedule_pass(0);
                say_changed();
            }};
}

}  // namespace tierd
