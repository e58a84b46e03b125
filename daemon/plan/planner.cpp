// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/planner.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "daemon/model/error.hpp"
#include "daemon/model/identity.hpp"
#include "daemon/model/request.hpp"
#include "daemon/model/text.hpp"
#include "daemon/plan/cache_tier.hpp"
#include "daemon/plan/describe.hpp"
#include "daemon/plan/resolve.hpp"
#include "daemon/plan/scene.hpp"

namespace tierd {

namespace {

/// No way from anything to anything is longer: a plan that reaches it goes round in a circle, which is a fault of ours and is shown, not
/// run.
constexpr std::size_t longest_way = 32;

class Planner {
public:
    Planner(const Policy& policy, const Observation& observation, const std::vector<RequestToTag>& requests) : scene_{observation} {
        for (const auto& request : requests) put_on(request, policy);
        policy_ = resolve(policy, scene_.now());
    }

    Plan run() {
        note_container();
        commit_what_is_not();
        made_safe_ = plan_.steps.size();
        plan_tiers();
        go_on_behind_drains();
        fence_what_is_given_up();
        give_back_what_nobody_drains();
        // What is done first; then what is waited for or refused, as it is by then.
        for (auto& [rule, step] : ends_) plan_.steps.push_back(std::move(step));
        for (const auto& rule : policy_.snapshots)
            note_unsupported("snapshot " + rule.name, rule.volumes.empty() ? "" : rule.volumes.front().text(), rule.place, rule.state);
        for (const auto& rule : policy_.pools)
            note_unsupported("pool " + rule.pool.text(), rule.pool.text(), rule.place, Presence::Present);
        refuse_disks();
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) plan_.steps[i].id = static_cast<std::uint32_t>(i + 1);
        link();
        conclude();
        return std::move(plan_);
    }

private:
    void put_on(const RequestToTag& request, const Policy& policy) {
        const auto& volume = request.tag.volume;
        // What is to be done about a loss is said of a group that is not whole.
        const bool of_loss = request.tag.add.contains(request_tag(RequestKind::Recover, drop_choice)) || request.tag.add.empty();
        if (!scene_.lvm_known() || !is_ours_to_change(volume.vg, of_loss)) return;
        const auto* found = scene_.volume(volume.vg, volume.lv);
        if (found == nullptr || found->uuid != request.tag.lv_uuid) return;
        Step step;
        step.verb = verb_of(request.tag);
        step.target = volume.text();
        step.entry = request.entry;
        step.group = volume.vg;
        step.sentence = sentence(request.tag, Tense::Imperative);
        step.reason = request.why;
        if (const auto* rule = policy.tier(request.entry.substr(request.entry.find(' ') + 1))) step.rule = rule->place;
        step.risk = risk_of(request.tag);
        step.action = request.tag;
        scene_.apply(request.tag);
        plan_.steps.push_back(std::move(step));
    }

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

    /// What makes safe that which is there is done whatever else holds, its rule gone or given up on. (With autonomy: observe for all,
    /// which is also what a file that cannot be read may have said, only a status that flushes is.)
    [[nodiscard]] Step make_safe(Action action, std::string target, const std::string& tier, std::string group, std::string reason) const {
        Step step;
        step.verb = verb_of(action);
        step.target = std::move(target);
        step.entry = "tier " + tier;
        step.group = std::move(group);
        step.sentence = sentence(action, Tense::Imperative);
        step.reason = std::move(reason);
        if (const auto* rule = policy_.tier(tier)) step.rule = rule->place;
        step.needs_person = observe_only_;
        step.action = std::move(action);
        return step;
    }

    void append(std::vector<Step> steps) {
        std::sort(steps.begin(), steps.end(), [](const Step& left, const Step& right) { return left.target < right.target; });
        for (auto& step : steps) {
            scene_.apply(*step.action);
            plan_.steps.push_back(std::move(step));
        }
    }

    [[nodiscard]] bool has_duplicates(const std::string& vg) const {
        const auto pvs = scene_.pvs_of(vg);
        return std::any_of(pvs.begin(), pvs.end(), [](const PhysicalVolume* pv) { return pv->duplicate; });
    }
    [[nodiscard]] bool is_ours_to_change(const std::string& vg, bool or_partial = false) const {
        const auto* group = scene_.group(vg);
        return group != nullptr && (or_partial || !group->partial) && !group->shared && !group->exported && group->writeable &&
               !group->busy && group->extent_size != 0 && !scene_.is_ambiguous(vg) && !has_duplicates(vg);
    }

    /// A cache of ours whose metadata never reached the SSD: it is a status that flushes, and without it the volume does not activate after
    /// a power cut.
    void commit_what_is_not() {
        if (!scene_.lvm_known()) return;
        std::vector<Step> steps;
        for (const auto& volume : scene_.now().lvm->lvs) {
            if (!volume.is_cached() || volume.active != true) continue;
            const auto device = scene_.now().caches.find(volume.uuid);
            if (device == scene_.now().caches.end() || device->second.metadata_committed != false) continue;
            const auto* pool = scene_.volume(volume.vg, volume.pool);
            const auto tier = pool != nullptr ? tier_of(*pool) : std::nullopt;
            if (!tier || !is_ours_to_change(volume.vg)) continue;
            const VolumeName name{volume.vg, volume.name};
            steps.push_back(
                make_safe(CommitMetadata{name, volume.uuid, volume.dm_uuid}, name.text(), *tier, volume.vg, uncommitted_reason));
            steps.back().needs_person = observe_only_ || persons_in_.contains(volume.vg);
            steps.back().assumed = assumed_;
        }
        append(std::move(steps));
    }

    /// A drain whose entry is gone, frozen or canceled goes on for nobody, and the cache takes nothing new meanwhile. Not in a group that
    /// was itself given up on: what failed there would fail again.
    void give_back_what_nobody_drains() {
        if (!scene_.lvm_known() || policy_.autonomy == Autonomy::Observe) return;
        std::vector<Step> steps;
        for (const auto& volume : scene_.now().lvm->lvs) {
            if (!volume.is_cached() || volume.cache_policy != cleaner_policy || volume.active != true) continue;
            const auto* pool = scene_.volume(volume.vg, volume.pool);
            const auto tier = pool != nullptr ? tier_of(*pool) : std::nullopt;
            if (!tier || !is_ours_to_change(volume.vg) || policy_.frozen.contains(volume.vg)) continue;
            const auto& group = *scene_.group(volume.vg);
            if (group.missing_pvs > 0) continue;
            const VolumeName name{volume.vg, volume.name};
            const auto asks = [&](const TierRule& rule) {
                return scene_.fronted(rule.volume) == &volume && !policy_.frozen.contains("tier " + rule.name);
            };
            if (std::any_of(policy_.tiers.begin(), policy_.tiers.end(), asks)) continue;
            const auto* rule = policy_.tier(*tier);
            const auto kind = volume.segtype == "writecache" ? TierKind::Writecache : TierKind::Cache;
            const bool is_asked = rule != nullptr && rule->kind == kind && rule->cache_policy != cleaner_policy;
            const std::string asked = is_asked ? rule->cache_policy : kind == TierKind::Writecache ? writecache_policy : "smq";
            auto step = make_safe(SetCachePolicy{name, volume.uuid, volume.dm_uuid, asked, {}, kind}, name.text(), *tier, volume.vg,
                                  "nobody asks for its drain any more");
            step.risk = Risk::None;
            steps.push_back(std::move(step));
        }
        append(std::move(steps));
    }

    /// A disk of ours that stands open in its group, and no tier goes on there. Without a tag, so that a later try goes on by itself.
    void fence_what_is_given_up() {
        if (!scene_.lvm_known() || policy_.autonomy == Autonomy::Observe) return;
        std::vector<Step> steps;
        for (const auto& pv : scene_.now().lvm->pvs) {
            if (pv.vg.empty() || !pv.allocatable || pv.missing || pv.duplicate || !is_ours(pv, scene_.now())) continue;
            const TierRule* given_up = nullptr;
            if (!is_ours_to_change(pv.vg) || goes_on_in(pv.vg, given_up)) continue;
            auto step =
                make_safe(FencePv{pv.vg, pv.device, pv.uuid, "", scene_.diskseq_of(pv)}, pv.vg, given_up != nullptr ? given_up->name : "",
                          pv.vg, "what was begun on it does not go on, and others could be put on it");
            step.risk = Risk::None;
            steps.push_back(std::move(step));
        }
        append(std::move(steps));
    }
    [[nodiscard]] bool goes_on_in(const std::string& vg, const TierRule*& given_up) const {
        for (const auto& rule : policy_.tiers) {
            if (rule.volume.vg != vg) continue;
            given_up = &rule;
            const bool frozen = policy_.frozen.contains(vg) || policy_.frozen.contains("tier " + rule.name) ||
                                std::any_of(rule.devices.begin(), rule.devices.end(),
                                            [&](const std::string& name) { return policy_.frozen.contains("device " + name); });
            if (!frozen) return true;
        }
        return false;
    }

    /// A tier may go on once another has been served: round by round, until a round does nothing. What waits for a person comes last, with
    /// what stands on that: in its group, and behind a drain anywhere, since disks go from one group to another.
    void plan_tiers() {
        for (const bool with_persons : {false, true}) {
            with_persons_ = with_persons;
            for (std::size_t round = 0; round < longest_way; ++round) {
                const std::size_t before = plan_.steps.size();
                for (const auto& rule : policy_.tiers)
                    go_on(rule, with_persons || persons_in_.contains(rule.volume.vg) || (assumed_ && !persons_in_.empty()));
                if (plan_.steps.size() == before) break;
            }
            // In a group that was made whole meanwhile.
            commit_what_is_not();
        }
    }

    /// A drain takes its time, and only what stands behind it waits for it: so it comes last, with what is assumed of it.
    void go_on_behind_drains() {
        for (auto waiting = take_drains(); !waiting.empty(); waiting = take_drains()) {
            assumed_ = true;
            with_persons_ = true;
            for (const auto& [rule, drain] : waiting) {
                scene_.assume_drained(drain.drains);
                go_on(*rule, drain.needs_person);
            }
        }
        if (assumed_) plan_tiers();
    }

    /// The drains that are waited for, all at the same time.
    std::vector<std::pair<const TierRule*, Step>> take_drains() {
        std::vector<std::pair<const TierRule*, Step>> waiting;
        for (const auto& rule : policy_.tiers) {
            const auto end = ends_.find(&rule);
            if (end == ends_.end() || end->second.drains.empty()) continue;
            end->second.assumed = assumed_;
            waiting.emplace_back(&rule, end->second);
            plan_.steps.push_back(std::move(end->second));
            ends_.erase(end);
        }
        return waiting;
    }

    /// Goes on with a tier as far as it can be; how it ends is kept: a wait, or a refusal. What stands behind a step that needs a person
    /// needs one, too.
    void go_on(const TierRule& rule, bool needs_person) {
        ends_.erase(&rule);
        needs_person = needs_person || observe_only_;
        for (std::size_t length = 0;; ++length) {
            auto step = next_step(policy_, rule, scene_);
            if (!step || (step->needs_person && !with_persons_)) return;
            if (step->state != StepState::Ready) {
                // A drain that is under way asks nobody.
                step->needs_person = by_persons_.contains(&rule);
                ends_.emplace(&rule, std::move(*step));
                return;
            }
            try {
                if (length == longest_way) throw Error{ErrorCode::Internal, "its plan does not end: " + step->sentence};
                scene_.apply(*step->action);
            } catch (const Error& error) {
                // A fault of ours: shown, not run, and the other tiers go on.
                refuse_plan(rule, error);
                return;
            }
            // Behind a drain, a disk may be empty only by what a person lets be done in its group.
            const bool is_emptied = std::holds_alternative<ReduceVg>(*step->action) && persons_in_.contains(rule.volume.vg);
            step->needs_person = needs_person = needs_person || step->needs_person || is_emptied;
            if (needs_person) {
                by_persons_.insert(&rule);
                persons_in_.insert(rule.volume.vg);
            }
            step->assumed = assumed_;
            plan_.steps.push_back(std::move(*step));
        }
    }

    void refuse_plan(const TierRule& rule, const Error& error) {
        Step step;
        step.state = StepState::Refused;
        step.verb = "refuse";
        step.target = rule.volume.text();
        step.entry = "tier " + rule.name;
        step.group = rule.volume.vg;
        step.sentence = rule.volume.text() + " is not made fast";
        step.reason = std::string{"an internal fault: "} + error.what();
        step.rule = rule.place;
        ends_.emplace(&rule, std::move(step));
        const auto first = plan_.steps.begin() + static_cast<std::ptrdiff_t>(made_safe_);
        plan_.steps.erase(std::remove_if(first, plan_.steps.end(), [&](const Step& each) { return each.entry == "tier " + rule.name; }),
                          plan_.steps.end());
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
                step.reason = join(candidate.verdict.reasons, "; ");
                step.rule = rule.place;
                plan_.steps.push_back(std::move(step));
            }
        }
    }

    /// Steps of one entry follow each other.
    void link() {
        std::map<std::string, std::uint32_t> last;
        for (auto& step : plan_.steps) {
            if (const auto before = last.find(step.entry); before != last.end()) step.after.push_back(before->second);
            if (step.state == StepState::Ready || !step.drains.empty()) last[step.entry] = step.id;
        }
    }

    void conclude() {
        const auto first = [&](auto&& is) { return std::find_if(plan_.steps.begin(), plan_.steps.end(), is); };
        const auto end = plan_.steps.end();
        const auto ready = first([](const Step& step) { return step.state == StepState::Ready && !step.assumed; });
        // What somebody can do something about is named before what this version cannot.
        const auto refused = first([](const Step& step) { return step.state == StepState::Refused && step.verb != "refuse-device"; });
        const auto unsupported = first([](const Step& step) { return step.state == StepState::Unsupported; });
        const auto blocked = refused != end ? refused : unsupported;
        const auto waiting = first([](const Step& step) { return step.state == StepState::Waiting; });
        if (!scene_.lvm_known() || !scene_.now().devices_known) {
            plan_.convergence = Convergence::Unknown;
            plan_.waits_for = scene_.lvm_known() ? "the disks cannot be read" : "LVM could not be read: " + scene_.now().lvm_error;
        } else if (ready != end) {
            const auto alone =
                first([](const Step& step) { return step.state == StepState::Ready && !step.assumed && !step.needs_person; });
            plan_.convergence = Convergence::Drift;
            if (alone == end) plan_.waits_for = ready->target + ": " + ready->sentence + ", which waits for 'tierctl apply'";
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

    Scene scene_;
    Policy policy_;  ///< with what persons asked for
    Plan plan_;
    std::map<const TierRule*, Step> ends_;  ///< the rules lie in one vector: in its order
    std::set<const TierRule*> by_persons_;  ///< for which something was planned that a person lets be done
    std::set<std::string> persons_in_;      ///< their groups
    std::size_t made_safe_ = 0;             ///< so many steps come first, whatever is planned for the tiers
    bool observe_only_ = false;
    bool with_persons_ = false;  ///< steps that wait for a person are planned, too
    bool assumed_ = false;       ///< what is planned now stands behind a drain
};

}  // namespace

Plan make_plan(const Policy& policy, const Observation& observation, const std::vector<RequestToTag>& requests) {
    return Planner{policy, observation, requests}.run();
}

}  // namespace tierd
