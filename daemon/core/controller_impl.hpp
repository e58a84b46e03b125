// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/core/alerts.hpp"
#include "daemon/core/controller.hpp"
#include "daemon/core/jobs.hpp"
#include "daemon/core/memory.hpp"
#include "daemon/core/patience.hpp"
#include "daemon/core/run.hpp"
#include "daemon/core/views.hpp"
#include "daemon/core/watchers.hpp"
#include "daemon/model/request.hpp"
#include "daemon/model/target.hpp"
#include "daemon/plan/planner.hpp"

namespace tierd {

/// While steps run, what they cause makes events all the time, and a look takes LVM's lock and time from them; at their end there is one
/// anyway.
inline constexpr Usec busy_span = 4 * usec_per_second;

/// The controller's state, in one place. controller.cpp turns the wheel (passes), controller_watch.cpp samples between them,
/// controller_act.cpp runs steps, controller_jobs.cpp keeps their jobs, controller_requests.cpp takes what persons ask for,
/// controller_view.cpp shows.
struct Controller::Impl {
    Impl(Loop& the_loop, Machine& the_machine, PolicySource the_source, Options the_options);
    ~Impl();

    struct EntryJob {
        std::uint32_t id = 0;
        std::string operation;
        std::size_t done = 0, total = 0;     ///< steps
        Presence state = Presence::Present;  ///< what it is to bring about
        Usec until = 0;                      ///< of a flush: when it is given up
    };

    // --- passes: controller.cpp ---
    void start(std::function<bool()> on_started);
    void stop(std::function<void()> on_stopped);
    std::vector<Problem> reload();
    void take_policy(LoadedPolicy loaded);
    void on_event(const MachineEvent& event);
    /// A disk is gone: the cache that stood on it is taken off at once, where that loses nothing. The usual pass comes after.
    void take_off_what_stood_on(const std::string& node);
    void schedule_pass(Usec span);
    void put_off_looks();
    void begin_pass();
    void digest(Observation observation);
    void replan();
    /// The policy, less the entries that were given up on: the others are planned without them.
    [[nodiscard]] Policy in_force() const;
    void schedule_what_is_due();

    // --- watching: controller_watch.cpp ---
    void sample();
    void sample_for_event();
    void look_at_service();
    void remember();
    /// What lacks a disk when the machine has just started is waited for.
    void await_arrivals();
    void note(const std::string& text);
    void settle_alerts();
    void note_foreign_changes(const Observation& before);
    void note_emptied(const Observation& before);
    void say_changed();

    // --- acting: controller_act.cpp ---
    /// Of the steps that may be done, those up to the first that is not wanted: all, when nothing is said.
    void start_runs(const std::function<bool(const Step&)>& is_wanted = {});
    void start_run(const std::string& group, std::vector<Step> steps);
    void end_run(const std::shared_ptr<Run>& run);
    void verify_runs();
    void give_up(const std::string& group, ErrorCode code, const std::string& why);
    [[nodiscard]] bool observes_only() const { return options.observe_only || (observed && observed->container); }
    [[nodiscard]] bool may_act(const Step& step) const;
    /// A person has said apply to what the policy says of that entry.
    [[nodiscard]] bool is_agreed(const std::string& entry) const;
    [[nodiscard]] bool group_is_free(const std::string& group) const;
    void open_job_for(const Step& step);
    void settle_jobs();
    /// Progress of the jobs that wait for a drain.
    void follow_drains();
    [[nodiscard]] std::set<std::string> acting_entries() const;
    [[nodiscard]] const Step* first_step_of(const std::string& entry) const;
    [[nodiscard]] bool anything_left_to_apply() const;
    [[nodiscard]] std::string operation_of(const Step& step) const;
    /// The plan has nothing more to do for it now: it is over, one way or the other.
    void end_job(const EntryJob& job, const std::string& entry, const Step* step);
    /// What somebody asked for is there, whatever else waits for that entry.
    [[nodiscard]] bool came_true(const EntryJob& job, const std::string& entry) const;
    std::uint32_t apply(const std::string& plan_id, std::uint32_t uid);
    void check_apply();
    void settle_apply();
    void tell_pauses();
    void cancel_job(std::uint32_t id);
    void thaw(const std::string& what);
    [[nodiscard]] bool is_meant(const Target& target, const std::string& frozen_key) const;

    // --- what persons ask for: controller_requests.cpp ---
    struct Asked {
        std::string operation, about, why;
        RequestKind kind = RequestKind::Detach;
        std::optional<std::string> value;  ///< of its tag; nullopt: called off
    };
    std::uint32_t ask(const std::string& tier, const Asked& asked, std::uint32_t uid);
    std::uint32_t detach(const std::string& tier, bool called_off, std::uint32_t uid);
    std::uint32_t flush(const std::string& tier, Usec limit, bool called_off, std::uint32_t uid);
    std::uint32_t set_mode(const std::string& tier, std::optional<CacheMode> mode, std::uint32_t uid);
    std::uint32_t recover(const std::string& volume, const std::string& choice, const std::string& confirm, std::uint32_t uid);
    [[nodiscard]] std::optional<std::pair<Bytes, Usec>> last_dirty(const TierRule& rule) const;
    void explain_recoveries(const std::string& target, std::vector<Finding>& findings) const;
    [[nodiscard]] std::vector<RequestToTag> to_be_tagged() const;
    /// Forgets the requests that stand on their volumes by now.
    void settle_requests();
    /// Takes off the volume what asks for the work of that job; false when nothing but the policy does.
    bool call_off(const std::string& entry, const std::string& operation);
    [[nodiscard]] const LogicalVolume* volume_of(const std::string& entry) const;

    std::shared_ptr<void> pause(const std::string& name, const std::string& why, std::uint32_t uid);
    /// Error{NoSuchTarget}.
    [[nodiscard]] std::string group_called(const std::string& name) const;

    // --- showing: controller_view.cpp ---
    [[nodiscard]] ManagerView manager() const;
    [[nodiscard]] ShownPlan shown_plan() const;
    /// After the first observation. Refers to this state.
    [[nodiscard]] Shown shown() const;
    /// Why nothing is done in a group now although it could be; "" when there is no reason.
    [[nodiscard]] std::string pause_of(const std::string& group) const;
    [[nodiscard]] std::string describe() const;

    Loop& loop;
    Machine& machine;
    PolicySource source;
    Options options;
    std::vector<Listener*> listeners;

    Policy policy;
    Policy wanted;  ///< with what persons asked for, as of the last look
    std::vector<Problem> problems;
    bool policy_changed = false, policy_kept = false;
    Usec policy_loaded = 0;         ///< 0: none is in force
    mutable std::string described;  ///< describe()'s answer until something changes: anybody may ask for it, as often as they like

    std::optional<Observation> observed;
    Plan plan;
    std::uint64_t generation = 0;
    Watchers watchers;
    Memory memory;
    AlertBook alerts;
    JobBook jobs;
    Patience patience;

    std::map<std::string, std::shared_ptr<Run>> runs;          ///< by group; there until their result was seen
    std::map<std::string, Usec> not_before;                    ///< group -> steady time of the next try
    std::map<std::string, std::string> foreign;                ///< tier -> what somebody else changed, and is not set right yet
    std::map<std::string, std::string> frozen;                 ///< group or entry -> why it was given up on
    std::map<std::string, std::multiset<std::string>> paused;  ///< group -> why, one for each token
    std::map<std::string, EntryJob> entry_jobs;                ///< by entry, the open one
    std::map<std::string, RequestToTag> asking;                ///< by entry, until it is seen on its volume
    struct ApplyJob {
        std::uint32_t id = 0;
        std::string plan_id;  ///< until a pass has seen that it is still the plan
        std::set<std::string> entries;
        std::map<std::string, TierRule> agreed;  ///< entry -> what the policy said of it then
    };
    std::optional<ApplyJob> applying;

    std::optional<std::set<std::string>> arriving;  ///< groups that have lacked a disk since the start; nullopt: LVM was not read yet
    bool observing = false, observe_again = false, stopping = false;
    bool outdated = false;   ///< a run ended after the observation under way had begun
    Usec last_pass_end = 0;  ///< steady
    Usec pass_due = 0;       ///< steady; 0: none
    std::function<bool()> started;
    std::function<void()> stopped;
    Usec last_event_sample = 0, last_service = 0;  ///< steady
    Watch pass_timer, sample_timer, rescan_timer, arrival_timer, stop_timer;
    std::shared_ptr<bool> alive = std::make_shared<bool>(true);  ///< pause tokens may outlive the controller
};

/// Of an entry of the policy, "tier media"; "" for what is none.
std::string tier_name(const std::string& entry);

/// CLOCK_MONOTONIC, µs: for what must not follow a clock that is set.
Usec steady_now();
/// CLOCK_REALTIME, µs.
Usec wall_now();

}  // namespace tierd
