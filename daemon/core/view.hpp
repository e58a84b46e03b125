// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "daemon/model/plan.hpp"

/// What is shown of the state: one struct an object of the bus, in the contract's own words (design section 4). Values, copied out.
/// An unknown number is nullopt; dbus/service turns it into the documented "unknown" (UINT64_MAX, NaN, "").
namespace tierd {

struct DeviceView {
    std::string id;    ///< stable: the disk's identity
    std::string path;  ///< node; "" when gone
    std::string identity, model, serial, wwn, transport;
    Bytes size = 0;
    std::string kind, kind_evidence;
    std::string health = "unknown";  ///< ok failing unknown
    std::string health_evidence;     ///< what it says of itself, where that is more than "ok"
    std::optional<double> wear;      ///< of what it is rated to be written, 0 to 1 and more
    std::string state;               ///< eligible ineligible serving failing gone
    std::vector<std::string> reasons;
    std::string policy;  ///< name of the device rule that wants or has it; "" for none
    friend bool operator==(const DeviceView&, const DeviceView&) = default;
};

struct TierView {
    std::string id;  ///< stable: the tier's name in the policy, or the LV's UUID for one without a rule
    std::string kind, volume, volume_kind;
    std::string uuid;  ///< of the volume; "" while it is not there
    std::string mode, cache_policy;
    std::map<std::string, std::string> settings;
    std::optional<Bytes> chunk_size, size, used, dirty;
    Usec dirty_since = 0;
    std::optional<std::pair<Bytes, Usec>> last_known_dirty;
    std::optional<double> metadata_ratio;
    std::map<std::string, double> hit_ratios;             ///< "read-1m" … "write-1d"; a window without requests is left out
    std::optional<double> promotion_rate, demotion_rate;  ///< chunks a second
    std::map<std::string, double> service_times;          ///< "tier-read", "origin-read", "tier-write", "origin-write": µs an I/O
    bool assumed_dirty = false;                           ///< what is dirty is assumed to be, after an unclean stop
    std::optional<double> assumed_written_back;           ///< of that, 0 to 1; nullopt when nothing is assumed
    bool full = false;                                    ///< nothing is free in it, and writes go to the disk
    std::string phase;                 ///< waiting attaching active draining stalled detaching absent degraded lost unknown
    std::string health;                ///< ok needs-check read-only error failed unknown
    std::vector<std::string> devices;  ///< ids of DeviceView
    std::string policy;                ///< entry name; "" for a foreign cache
    std::string waits_for;             ///< one line; "" when nothing
    bool foreign = false;              ///< not made by tierd: shown, counted, left alone
    std::vector<std::string> asked;    ///< "detach", "flush", "mode writethrough": asked for by a person, and not called off
    friend bool operator==(const TierView&, const TierView&) = default;
};

struct SnapshotView {
    std::string id;  ///< LV UUID
    std::string volume, origin, kind;
    std::optional<Bytes> size;
    std::optional<double> fill_ratio;
    std::string state;  ///< active inactive full invalid merging unknown
    std::string policy;
    friend bool operator==(const SnapshotView&, const SnapshotView&) = default;
};

struct JobView {
    std::uint32_t id = 0;
    std::string operation;                    ///< "attach", "change", "detach", "flush", "set-mode", "apply"
    std::string about;                        ///< one line for people: "media: attach cache to lvm_hdd/hdd"
    std::vector<std::string> tiers, devices;  ///< ids of the views it touches
    std::uint32_t started_by = 0;             ///< uid
    std::string state;                        ///< queued running finished
    std::string stage;                        ///< "creating cache pool …"; "" once it has ended
    std::optional<double> progress;           ///< 0 to 1
    std::optional<Bytes> bytes_done, bytes_total;
    std::optional<Usec> expected_end;
    bool cancelable = false;
    std::string result;  ///< "" while running; done canceled failed
    std::string error_name, error_message;
    friend bool operator==(const JobView&, const JobView&) = default;
};

struct ManagerView {
    std::string version;
    std::string state;        ///< starting idle observing planning acting degraded
    std::string convergence;  ///< converged waiting drift blocked unknown
    std::uint64_t generation = 0;
    std::vector<std::string> policy_files;
    std::vector<Problem> policy_problems;
    bool policy_changed = false;
    bool policy_kept = false;  ///< the files as last read have faults, and what was in force before still is
    Usec policy_loaded = 0;    ///< when what is in force was read
    bool observe_only = false;
    /// Why nothing is done about a group or an entry: "paused: …", "policy: …" (it contradicts another), or why it was given up on.
    std::map<std::string, std::string> frozen;
    std::vector<std::uint32_t> jobs;
    Usec next_pass = 0;  ///< 0: none is due
    std::string waits_for;
    friend bool operator==(const ManagerView&, const ManagerView&) = default;
};

/// One fact that somebody should know. There is one alert a (object, code).
struct AlertView {
    std::string object;                          ///< "tier/media", "device/…", "" for the manager itself
    std::string code;                            ///< kebab-case, design section 4
    unsigned severity = 4;                       ///< syslog: 2 critical, 3 error, 4 warning
    std::map<std::string, std::string> details;  ///< "message" is always there
    Usec since = 0;
    friend bool operator==(const AlertView&, const AlertView&) = default;
};

/// A plan as shown: each step with the commands it would run.
struct ShownStep {
    Step step;
    std::vector<std::string> command;
};
struct ShownPlan {
    std::string id;
    std::uint64_t generation = 0;
    std::string convergence, waits_for;
    std::vector<ShownStep> steps;
};

}  // namespace tierd
