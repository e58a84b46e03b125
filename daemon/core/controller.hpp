// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/core/view.hpp"
#include "daemon/machine/machine.hpp"
#include "daemon/model/error.hpp"
#include "daemon/model/plan.hpp"
#include "daemon/model/policy.hpp"
#include "systemd/loop.hpp"

namespace tierd {

/// What reading the policy anew gave.
struct LoadedPolicy {
    Policy policy;  ///< the entries without fault
    std::vector<Problem> problems;
    /// Each file was read and each entry understood. A policy that is not whole never replaces one in force: what a fault hides
    /// is not what somebody took away. (Entries that contradict each other are understood, and frozen.)
    bool whole = true;
};
using PolicySource = std::function<LoadedPolicy()>;

/// Who wants to know. Called from the loop, after the state has changed.
class Listener {
public:
    virtual ~Listener() = default;
    virtual void on_changed() = 0;  ///< any view may have changed
    virtual void on_job_new(const JobView& job) = 0;
    virtual void on_job_removed(const JobView& job) = 0;
    virtual void on_alert(const AlertView& alert) = 0;
    virtual void on_alert_cleared(const AlertView& alert) = 0;
    virtual void on_command(const CommandRecord& record) = 0;
    virtual void on_policy(const std::vector<Problem>& problems) = 0;  ///< the files were read; what is wrong with them
    virtual void on_note(const std::string& text) = 0;                 ///< one line for the log
};

/// The only owner of state. Everything that happens (udev, device-mapper, a timer, the policy, a call) only marks what is
/// stale; a pass observes, plans, performs the steps that are safe now, and observes again. Nothing else changes the machine.
class Controller {
public:
    struct Options {
        bool observe_only = false;  ///< --dry-run, or a container
        std::string version;
        Usec first_retry = usec_per_second;        ///< after a failed step; the next ones wait four times as long each
        Usec arrival_span = 60 * usec_per_second;  ///< a volume group that lacks a disk at the start is waited for, before that is an alert
        std::string state_directory{};             ///< where what was last seen of the caches is kept over a restart; "": nowhere
    };
    Controller(Loop& loop, Machine& machine, PolicySource source, Options options);
    ~Controller();

    void add_listener(Listener& listener);
    /// Loads the policy and begins the first pass; started is called when the first observation is in, before anything is done. False: this
    /// daemon is not the one (its name is taken, say), and nothing will be done.
    void start(std::function<bool()> started);
    /// Begins nothing more; stopped is called once no command runs any longer.
    void stop(std::function<void()> stopped);

    // Reading.
    [[nodiscard]] ManagerView manager() const;
    [[nodiscard]] std::vector<DeviceView> devices() const;
    [[nodiscard]] std::vector<TierView> tiers() const;
    [[nodiscard]] std::vector<SnapshotView> snapshots() const;
    [[nodiscard]] std::vector<JobView> jobs() const;  ///< running ones, and finished ones of the last minute
    [[nodiscard]] std::vector<AlertView> alerts() const;
    [[nodiscard]] ShownPlan plan() const;                                         ///< of the last observation
    [[nodiscard]] std::vector<Finding> explain(const std::string& target) const;  ///< Error{NoSuchTarget}
    [[nodiscard]] std::string describe() const;                                   ///< JSON: everything above, and the observation

    // Changing. Each throws Error; none waits.
    /// "" is the plan of now; another id must be the plan of now (StalePlan). Returns the job's id. Paused, Frozen when that keeps all of
    /// it from being done; when a part, the rest is done.
    std::uint32_t apply(const std::string& plan_id, std::uint32_t uid);
    /// Reads the files again, at once; the problems found, also kept in manager(). Broken files leave the last good policy in force.
    std::vector<Problem> reload();
    /// A VG or a policy entry that was given up on is tried again.
    void thaw(const std::string& what);
    /// While the token lives, nothing is changed in that VG. Fails with NoSuchTarget.
    std::shared_ptr<void> pause(const std::string& vg, const std::string& why, std::uint32_t uid);
    void cancel_job(std::uint32_t id);
    // What a person asks for of one tier of the policy, by its name there. It is put on the volume as a tag (model/request) before the
    // first step, so that it outlives the daemon; called_off takes it away again. Each returns the job's id.
    /// No cache any more, whatever the policy says, until that is called off.
    std::uint32_t detach(const std::string& tier, bool called_off, std::uint32_t uid);
    /// What is dirty is written back once, the cache stays; given up after limit.
    std::uint32_t flush(const std::string& tier, Usec limit, bool called_off, std::uint32_t uid);
    /// That mode, whatever the policy says; nullopt: the policy's again.
    std::uint32_t set_mode(const std::string& tier, std::optional<CacheMode> mode, std::uint32_t uid);
    /// A lost write-back cache: recoveries() says the choices. A lossy one is done only when confirm is the volume's name.
    std::uint32_t recover(const std::string& volume, const std::string& choice, const std::string& confirm, std::uint32_t uid);
    /// The files differ from what is in force (inotify): said, not acted on.
    void policy_files_changed();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tierd
