// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/controller.hpp"

#include <algorithm>
#include <chrono>

#include "daemon/core/controller_impl.hpp"
#include "daemon/core/foreign_changes.hpp"
#include "daemon/model/pulled.hpp"
#include "daemon/plan/eligibility.hpp"
#include "daemon/plan/explain.hpp"
#include "daemon/plan/planner.hpp"
#include "daemon/plan/resolve.hpp"

namespace tierd {

namespace {

/// A disk that was just plugged in makes several events: by then it has settled.
constexpr Usec coalesce_span = settle_span + 20'000;
/// Between two passes that events ask for: a storm of events costs one look a second.
constexpr Usec calm_span = usec_per_second;
constexpr Usec sample_calm_span = usec_per_second / 4;
/// Events are hints. This is for what made none.
constexpr Usec rescan_span = 300 * usec_per_second;

template <typename Clock>
Usec time_of() {
    return static_cast<Usec>(std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count());
}

}  // namespace

Usec wall_now() {
    return time_of<std::chrono::system_clock>();
}

Usec steady_now() {
    return time_of<std::chrono::steady_clock>();
}

Controller::Impl::Impl(Loop& the_loop, Machine& the_machine, PolicySource the_source, Options the_options)
    : loop{the_loop},
      machine{the_machine},
      source{std::move(the_source)},
      options{std::move(the_options)},
      memory{options.state_directory, [this](const std::string& text) { note(text); }},
      patience{options.first_retry} {
    machine.on_event = [this](const MachineEvent& event) { on_event(event); };
    machine.on_command = [this](const CommandRecord& record) {
        if (record.argv.empty()) return;
        for (auto* listener : listeners) listener->on_command(record);
    };
    machine.on_note = [this](const std::string& text) { note(text); };
    jobs.clock = steady_now;
    jobs.on_new = [this](const JobView& job) {
        for (auto* listener : listeners) listener->on_job_new(job);
        say_changed();
    };
    jobs.on_removed = [this](const JobView& job) {
        for (auto* listener : listeners) listener->on_job_removed(job);
        say_changed();
    };
    jobs.on_changed = [this] { say_changed(); };
    alerts.on_raised = [this](const AlertView& alert) {
        for (auto* listener : listeners) listener->on_alert(alert);
    };
    alerts.on_cleared = [this](const AlertView& alert) {
        for (auto* listener : listeners) listener->on_alert_cleared(alert);
    };
}

Controller::Impl::~Impl() {
    *alive = false;
}

void Controller::Impl::start(std::function<bool()> on_started) {
    started = std::move(on_started);
    memory.load();
    take_policy(source());
    begin_pass();
}

void Controller::Impl::stop(std::function<void()> on_stopped) {
    stopping = true;
    stopped = std::move(on_stopped);
    memory.save(steady_now());
    pass_timer.reset();
    sample_timer.reset();
    rescan_timer.reset();
    arrival_timer.reset();
    stop_timer = loop.soon([this] {
        if (machine.busy() == 0) stopped();
    });
}

void Controller::Impl::take_policy(LoadedPolicy loaded) {
    problems = std::move(loaded.problems);
    policy_changed = false;
    policy_kept = !loaded.whole && policy_loaded != 0;
    if (!policy_kept) {
        // What was tried under another rule says nothing of this one.
        for (const auto& rule : loaded.policy.tiers) {
            const auto* before = policy.tier(rule.name);
            if (before != nullptr && *before != rule) patience.forget(rule.volume.vg);
        }
        policy = std::move(loaded.policy);
        policy_loaded = wall_now();
    }
    for (auto* listener : listeners) listener->on_policy(problems);
}

std::vector<Problem> Controller::Impl::reload() {
    take_policy(source());
    // What is done is decided by a pass; what is shown follows the policy at once.
    if (observed) {
        replan();
        settle_alerts();
    }
    schedule_pass(0);
    say_changed();
    return problems;
}

void Controller::Impl::on_event(const MachineEvent& event) {
    if (stopping) return;
    if (event.kind == MachineEvent::Kind::Mapper) sample_for_event();
    if (event.kind == MachineEvent::Kind::Devices && event.action == "remove") take_off_what_stood_on(event.node);
    if (!runs.empty()) {
        schedule_pass(busy_span);
        return;
    }
    const Usec since_last = steady_now() - last_pass_end;
    schedule_pass(std::max(coalesce_span, since_last < calm_span ? calm_span - since_last : 0));
}

/// A cache that has become clean is known at once, and a storm of events costs a few samples a second.
void Controller::Impl::sample_for_event() {
    const Usec since = steady_now() - last_event_sample;
    if (since < sample_calm_span) {
        sample_timer = loop.after(Duration{sample_calm_span - since}, [this] { sample(); });
        return;
    }
    last_event_sample = steady_now();
    sample();
}

/// What was due for an event of a moment ago would look in the midst of the steps that have just begun.
void Controller::Impl::put_off_looks() {
    if (runs.empty() || pass_due == 0) return;
    pass_due = 0;
    schedule_pass(busy_span);
}

void Controller::Impl::take_off_what_stood_on(const std::string& node) {
    if (!observed || !observed->lvm || node.empty()) return;
    const auto is_at = [&](const PhysicalVolume& pv) {
        const auto* disk = pv.missing || pv.vg.empty() ? nullptr : observed->device_of(pv);
        return disk != nullptr && (disk->node == node || "/dev/" + disk->parent == node);
    };
    if (std::none_of(observed->lvm->pvs.begin(), observed->lvm->pvs.end(), is_at)) return;
    auto without = *observed;
    if (take_away(without, node).empty()) return;
    observed = std::move(without);
    observed->time = wall_now();
    // A look that has begun may have begun before the disk went.
    outdated = observing;
    replan();
    start_runs([](const Step& step) { return std::holds_alternative<UncacheLost>(*step.action); });
    put_off_looks();
    settle_alerts();
    say_changed();
}

void Controller::Impl::schedule_pass(Usec span) {
    if (stopping) return;
    const Usec due = steady_now() + span;
    if (pass_due != 0 && pass_due <= due) return;
    pass_due = due;
    described.clear();
    pass_timer = loop.after(Duration{span}, [this] { begin_pass(); });
}

void Controller::Impl::begin_pass() {
    pass_due = 0;
    pass_timer.reset();
    if (stopping) return;
    if (observing) {
        observe_again = true;
        return;
    }
    observing = true;
    machine.observe([this](Observation observation) { digest(std::move(observation)); });
}

void Controller::Impl::digest(Observation observation) {
    observing = false;
    if (std::exchange(outdated, false)) {
        observe_again = false;
        if (std::any_of(runs.begin(), runs.end(), [](const auto& each) { return !each.second->ended(); })) {
            schedule_pass(busy_span);
        } else {
            begin_pass();
        }
        return;
    }
    last_pass_end = steady_now();
    const auto before = std::exchange(observed, std::move(observation));
    if (before) note_foreign_changes(*before);
    if (before) note_emptied(*before);
    if (observed->lvm) {
        // A lock that a step of ours holds is nobody else's.
        for (auto& group : observed->lvm->groups) {
            const auto run = runs.find(group.name);
            if (run != runs.end() && !run->second->ended()) group.busy = false;
        }
    }
    // The caches were read last. By the time at which the look began, samples taken meanwhile would be of a clock that was set back.
    watchers.add(wall_now(), observed->caches, memory.all(), observed->boot);
    for (auto& [uuid, device] : observed->caches) {
        const auto* watched = watchers.of(uuid);
        device.at_rest = watched != nullptr && watched->drain && watched->drain->at_rest();
    }
    remember();
    await_arrivals();
    verify_runs();
    settle_requests();
    replan();
    if (started && !std::exchange(started, nullptr)()) {
        stopping = true;
        return;
    }
    check_apply();
    start_runs();
    put_off_looks();
    settle_jobs();
    follow_drains();
    settle_alerts();
    jobs.expire(steady_now());
    if (observe_again) {
        observe_again = false;
        schedule_pass(0);
    }
    schedule_what_is_due();
    say_changed();
}

void Controller::Impl::note_foreign_changes(const Observation& before) {
    std::set<std::string> ours;
    for (const auto& [group, run] : runs) ours.insert(group);
    for (auto& [tier, change] : changes_by_others(policy, before, *observed, ours)) foreign[tier] = std::move(change);
}

/// By what the run in that group has just done.
void Controller::Impl::note_emptied(const Observation& before) {
    if (!observed->lvm || !before.lvm) {
        observed->emptied = before.emptied;
        return;
    }
    for (const auto& pv : observed->lvm->pvs) {
        if (pv.vg.empty() || pv.allocated_extents != 0) continue;
        const auto run = runs.find(pv.vg);
        const auto* was = before.lvm->pv(pv.uuid);
        const bool has_removed = run != runs.end() && run->second->did_anything() &&
                                 (std::holds_alternative<RemoveCache>(*run->second->last_done().action) ||
                                  std::holds_alternative<RemovePool>(*run->second->last_done().action));
        const bool by_us = has_removed && was != nullptr && was->vg == pv.vg && was->allocated_extents != 0;
        if (by_us || before.emptied.contains(pv.uuid)) observed->emptied.insert(pv.uuid);
    }
}

Policy Controller::Impl::in_force() const {
    auto rest = policy;
    rest.frozen.insert(frozen.begin(), frozen.end());
    return rest;
}

void Controller::Impl::replan() {
    const std::string before = plan.id();
    wanted = resolve(policy, *observed);
    plan = make_plan(in_force(), *observed, to_be_tagged());
    if (generation == 0 || plan.id() != before) ++generation;
}

void Controller::Impl::schedule_what_is_due() {
    if (stopping) return;
    for (const auto& step : plan.steps) {
        if (step.until) schedule_pass(*step.until > observed->time ? *step.until - observed->time : 0);
    }
    // What is due had its turn in this pass.
    std::erase_if(not_before, [](const auto& each) { return each.second <= steady_now(); });
    for (const auto& [group, time] : not_before) {
        if (!runs.contains(group)) schedule_pass(time > steady_now() ? time - steady_now() : 0);
    }
    if (!sample_timer && !observed->caches.empty()) sample_timer = loop.after(Duration{watchers.next_span()}, [this] { sample(); });
    rescan_timer = loop.after(Duration{rescan_span}, [this] { schedule_pass(0); });
}

void Controller::Impl::note(const std::string& text) {
    for (auto* listener : listeners) listener->on_note(text);
}

void Controller::Impl::settle_alerts() {
    const auto shown = this->shown();
    auto facts = facts_of(shown, view_tiers(shown));
    // What cannot be seen now is not over.
    if (!observed->lvm) {
        for (const auto& alert : alerts.list()) {
            if (alert.object.rfind("tier/", 0) == 0) facts.push_back(alert);
        }
    }
    const auto fault =
        std::find_if(problems.begin(), problems.end(), [](const Problem& problem) { return problem.severity == Severity::Error; });
    if (fault != problems.end())
        facts.push_back({"", "policy-invalid", 3, {{"message", full_place(fault->place) + ": " + fault->text}}, 0});
    for (const auto& [what, why] : frozen) {
        bool said = false;
        for (const auto& rule : policy.tiers) {
            if (rule.volume.vg != what && "tier " + rule.name != what) continue;
            said = true;
            facts.push_back({"tier/" + rule.name, "group-frozen", 3, {{"message", what + ": " + why}}, 0});
        }
        if (!said) facts.push_back({"", "group-frozen", 3, {{"message", what + ": " + why}}, 0});
    }
    // Set right, or what the policy asks for anyway.
    std::erase_if(foreign, [this](const auto& each) { return first_step_of("tier " + each.first) == nullptr; });
    for (const auto& [tier, change] : foreign) facts.push_back({"tier/" + tier, "foreign-change", 4, {{"message", change}}, 0});
    alerts.settle(std::move(facts), observed->time);
}

void Controller::Impl::say_changed() {
    described.clear();
    for (auto* listener : listeners) listener->on_changed();
}

// --- the port ---

Controller::Controller(Loop& loop, Machine& machine, PolicySource source, Options options)
    : impl_{std::make_unique<Impl>(loop, machine, std::move(source), std::move(options))} {}
Controller::~Controller() = default;

void Controller::add_listener(Listener& listener) {
    impl_->listeners.push_back(&listener);
}
void Controller::start(std::function<bool()> started) {
    impl_->start(std::move(started));
}
void Controller::stop(std::function<void()> stopped) {
    impl_->stop(std::move(stopped));
}
ManagerView Controller::manager() const {
    return impl_->manager();
}
std::vector<JobView> Controller::jobs() const {
    return impl_->jobs.list();
}
std::vector<AlertView> Controller::alerts() const {
    return impl_->alerts.list();
}
ShownPlan Controller::plan() const {
    return impl_->shown_plan();
}
std::string Controller::describe() const {
    return impl_->describe();
}
std::uint32_t Controller::apply(const std::string& plan_id, std::uint32_t uid) {
    return impl_->apply(plan_id, uid);
}
std::vector<Problem> Controller::reload() {
    return impl_->reload();
}
void Controller::thaw(const std::string& what) {
    impl_->thaw(what);
}
std::shared_ptr<void> Controller::pause(const std::string& vg, const std::string& why, std::uint32_t uid) {
    return impl_->pause(vg, why, uid);
}
void Controller::cancel_job(std::uint32_t id) {
    impl_->cancel_job(id);
}
std::uint32_t Controller::detach(const std::string& tier, bool called_off, std::uint32_t uid) {
    return impl_->detach(tier, called_off, uid);
}
std::uint32_t Controller::flush(const std::string& tier, Usec limit, bool called_off, std::uint32_t uid) {
    return impl_->flush(tier, limit, called_off, uid);
}
std::uint32_t Controller::set_mode(const std::string& tier, std::optional<CacheMode> mode, std::uint32_t uid) {
    return impl_->set_mode(tier, mode, uid);
}

std::uint32_t Controller::recover(const std::string& volume, const std::string& choice, const std::string& confirm, std::uint32_t uid) {
    return impl_->recover(volume, choice, confirm, uid);
}

std::vector<Finding> Controller::explain(const std::string& target) const {
    if (!impl_->observed) throw Error{ErrorCode::StateUnknown, "nothing has been observed yet"};
    auto findings = tierd::explain(resolve(impl_->in_force(), *impl_->observed), *impl_->observed, impl_->plan, target);
    explain_watched(impl_->shown(), target, findings);
    return findings;
}

std::vector<DeviceView> Controller::devices() const {
    if (!impl_->observed) return {};
    return view_devices(impl_->shown());
}

std::vector<TierView> Controller::tiers() const {
    if (!impl_->observed) return {};
    return view_tiers(impl_->shown());
}

std::vector<SnapshotView> Controller::snapshots() const {
    if (!impl_->observed) return {};
    return view_snapshots(impl_->shown());
}

void Controller::policy_files_changed() {
    impl_->policy_changed = true;
    impl_->say_changed();
}

}  // namespace tierd
