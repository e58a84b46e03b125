// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>
#include <nlohmann/json.hpp>

#include "daemon/core/controller_impl.hpp"
#include "daemon/plan/doctor.hpp"

namespace tierd {

namespace {

using nlohmann::json;

template <typename Value>
void put(json& out, const char* key, const std::optional<Value>& value) {
    out[key] = value ? json(*value) : json{};
}

json to_json(const DeviceView& view) {
    json out{{"id", view.id},
             {"path", view.path},
             {"identity", view.identity},
             {"model", view.model},
             {"serial", view.serial},
             {"wwn", view.wwn},
             {"transport", view.transport},
             {"size", view.size},
             {"kind", view.kind},
             {"kind_evidence", view.kind_evidence},
             {"health", view.health},
             {"health_evidence", view.health_evidence},
             {"state", view.state},
             {"reasons", view.reasons},
             {"policy", view.policy}};
    put(out, "wear", view.wear);
    return out;
}

json to_json(const TierView& view) {
    json out{{"id", view.id},
             {"kind", view.kind},
             {"volume", view.volume},
             {"volume_kind", view.volume_kind},
             {"uuid", view.uuid},
             {"mode", view.mode},
             {"cache_policy", view.cache_policy},
             {"settings", view.settings},
             {"dirty_since", view.dirty_since},
             {"hit_ratios", view.hit_ratios},
             {"service_times", view.service_times},
             {"full", view.full},
             {"assumed_dirty", view.assumed_dirty},
             {"phase", view.phase},
             {"health", view.health},
             {"devices", view.devices},
             {"policy", view.policy},
             {"waits_for", view.waits_for},
             {"foreign", view.foreign},
             {"asked", view.asked}};
    put(out, "chunk_size", view.chunk_size);
    put(out, "size", view.size);
    put(out, "used", view.used);
    put(out, "dirty", view.dirty);
    put(out, "metadata_ratio", view.metadata_ratio);
    put(out, "promotion_rate", view.promotion_rate);
    put(out, "demotion_rate", view.demotion_rate);
    put(out, "assumed_written_back", view.assumed_written_back);
    if (view.last_known_dirty) out["last_known_dirty"] = {{"bytes", view.last_known_dirty->first}, {"time", view.last_known_dirty->second}};
    return out;
}

json to_json(const SnapshotView& view) {
    json out{{"id", view.id},     {"volume", view.volume}, {"origin", view.origin},
             {"kind", view.kind}, {"state", view.state},   {"policy", view.policy}};
    put(out, "size", view.size);
    put(out, "fill_ratio", view.fill_ratio);
    return out;
}

json to_json(const JobView& view) {
    json out{{"id", view.id},         {"operation", view.operation},   {"about", view.about},
             {"tiers", view.tiers},   {"devices", view.devices},       {"started_by", view.started_by},
             {"state", view.state},   {"stage", view.stage},           {"cancelable", view.cancelable},
             {"result", view.result}, {"error_name", view.error_name}, {"error_message", view.error_message}};
    put(out, "progress", view.progress);
    return out;
}

json to_json(const AlertView& view) {
    return {{"object", view.object}, {"code", view.code}, {"severity", view.severity}, {"details", view.details}, {"since", view.since}};
}

json to_json(const Problem& problem) {
    return {{"severity", name_of(problem.severity)},
            {"file", problem.place.file},
            {"line", problem.place.line},
            {"column", problem.place.column},
            {"text", problem.text}};
}

json to_json(const Finding& finding) {
    return {{"subject", finding.subject},   {"question", finding.question}, {"verdict", name_of(finding.verdict)},
            {"evidence", finding.evidence}, {"advice", finding.advice},     {"rule", short_place(finding.rule)}};
}

template <typename View>
json list(const std::vector<View>& views) {
    json out = json::array();
    for (const auto& view : views) out.push_back(to_json(view));
    return out;
}

/// "tier media" -> where it is written.
json entries_of(const Policy& policy) {
    json out = json::object();
    for (const auto& rule : policy.devices) out["device " + rule.name] = full_place(rule.place);
    for (const auto& rule : policy.tiers) out["tier " + rule.name] = full_place(rule.place);
    for (const auto& rule : policy.snapshots) out["snapshot " + rule.name] = full_place(rule.place);
    for (const auto& rule : policy.pools) out["pool " + rule.pool.text()] = full_place(rule.place);
    return out;
}

}  // namespace

ManagerView Controller::Impl::manager() const {
    ManagerView view;
    view.version = options.version;
    view.generation = generation;
    view.policy_files = policy.files;
    view.policy_problems = problems;
    view.policy_changed = policy_changed;
    view.policy_kept = policy_kept;
    view.policy_loaded = policy_loaded;
    view.observe_only = observes_only();
    view.frozen = frozen;
    for (const auto& [entry, why] : policy.frozen) view.frozen.emplace(entry, "policy: " + why);
    for (const auto& [vg, reasons] : paused) view.frozen.emplace(vg, "paused: " + *reasons.begin());
    for (const auto& job : jobs.list()) view.jobs.push_back(job.id);
    if (pass_due != 0 && observed) view.next_pass = observed->time + (pass_due > last_pass_end ? pass_due - last_pass_end : 0);

    const bool given_up = !frozen.empty();
    const bool unknown = observed && (!observed->lvm || !observed->devices_known);
    view.state = !observed ? "starting" : !runs.empty() ? "acting" : given_up || unknown ? "degraded" : "idle";
    auto convergence = plan.convergence;
    view.waits_for = plan.waits_for;
    if (given_up && convergence == Convergence::Drift && runs.empty()) {
        convergence = Convergence::Blocked;
        view.waits_for = frozen.begin()->first + ": " + frozen.begin()->second;
    }
    if (observes_only() && convergence == Convergence::Drift) view.waits_for = "tierd observes only (--dry-run, or a container)";
    // The problems of the policy say all of it.
    const auto contradicts = [this](const Step& step) { return step.state == StepState::Refused && policy.frozen.contains(step.entry); };
    const auto contradiction = std::find_if(plan.steps.begin(), plan.steps.end(), contradicts);
    if (convergence == Convergence::Blocked && contradiction != plan.steps.end() && !given_up)
        view.waits_for = contradiction_of(*contradiction);
    view.convergence = std::string{name_of(convergence)};
    return view;
}

std::string Controller::Impl::pause_of(const std::string& group) const {
    const auto found = paused.find(group);
    return found == paused.end() ? "" : group + " is paused: " + *found->second.begin();
}

Shown Controller::Impl::shown() const {
    Shown shown{wanted, *observed, plan, watchers, memory.all(), acting_entries(), {}, {}, {}};
    for (const auto& [group, run] : runs) {
        if (!run->ended()) shown.running.insert(group);
    }
    if (arriving) shown.arriving = *arriving;
    if (observes_only()) shown.held.emplace("", "tierd observes only");
    for (const auto& [group, reasons] : paused) shown.held.emplace(group, pause_of(group));
    for (const auto& [what, why] : frozen) shown.held.emplace(what, what + " was given up on: " + why);
    return shown;
}

ShownPlan Controller::Impl::shown_plan() const {
    ShownPlan shown{plan.id(), generation, std::string{name_of(plan.convergence)}, plan.waits_for, {}};
    for (const auto& step : plan.steps)
        shown.steps.push_back({step, step.action ? machine.command_of(*step.action) : std::vector<std::string>{}});
    return shown;
}

std::string Controller::Impl::describe() const {
    if (!described.empty()) return described;
    const auto about = manager();
    json out{{"format_version", 1},
             {"version", about.version},
             {"state", about.state},
             {"convergence", about.convergence},
             {"waits_for", about.waits_for},
             {"generation", about.generation},
             {"next_pass", about.next_pass},
             {"policy_files", about.policy_files},
             {"policy_problems", list(about.policy_problems)},
             {"policy_changed", about.policy_changed},
             {"policy_kept", about.policy_kept},
             {"policy_loaded", about.policy_loaded},
             {"observe_only", about.observe_only},
             {"policy_entries", entries_of(policy)},
             {"frozen", about.frozen},
             {"jobs", list(jobs.list())},
             {"alerts", list(alerts.list())}};
    if (observed) {
        const auto shown = this->shown();
        out["devices"] = list(view_devices(shown));
        out["tiers"] = list(view_tiers(shown));
        out["snapshots"] = list(view_snapshots(shown));
        out["risks"] = list(diagnose(policy, *observed));
        out["observation"] = json::parse(observation_to_json(*observed));
    }
    return described = out.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace tierd
