// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "daemon/model/action.hpp"
#include "daemon/model/error.hpp"
#include "daemon/model/observation.hpp"
#include "daemon/model/service.hpp"

namespace tierd {

/// What became of a command or of a whole action. Ok means only "it said so": done means seen, by the next observation.
struct Outcome {
    bool ok = false;
    ErrorCode code = ErrorCode::ToolFailed;
    std::string message;  ///< one sentence; of a failed command with its last line of standard error
};

/// A command that was run, for the journal and the audit line.
struct CommandRecord {
    std::vector<std::string> argv;
    int exit_status = 0;  ///< negative: killed by that signal
    Usec took = 0;
    std::string error_output;
};

/// Something moved on the machine. Events are hints: the truth is the next observation.
struct MachineEvent {
    enum class Kind {
        Devices,  ///< udev: a disk came, went or changed; node says which, action is udev's word
        Mapper,   ///< device-mapper: a table, mode or dirty state changed
        Overrun,  ///< events were lost: look at everything
    };
    Kind kind = Kind::Devices;
    std::string node, action;
};

/// The port between what is decided and what is done. Behind it stand the real machine and the simulated one.
/// Every callback comes from the loop, later, exactly once; none after the destructor.
class Machine {
public:
    virtual ~Machine() = default;

    /// Everything that a plan needs. Never fails as a whole: what could not be read is unknown in it.
    virtual void observe(std::function<void(Observation)> done) = 0;

    /// The status of the caches of these LVs (UUIDs) as of the last observation: a few ioctls, in place, without flushing.
    virtual std::map<std::string, CacheDevice> sample(const std::set<std::string>& lv_uuids) = 0;

    /// What the devices below these caches have served: two small files of the kernel's each. Without those that cannot be read.
    virtual std::map<std::string, CacheService> service(const std::set<std::string>& lv_uuids) = 0;

    /// Does one action. Commands run as children with a time limit; the loop goes on meanwhile.
    virtual void perform(const Action& action, std::function<void(Outcome)> done) = 0;

    /// The commands that perform would run, for people; empty for what is no command.
    [[nodiscard]] virtual std::vector<std::string> command_of(const Action& action) const = 0;

    /// Set once, before the first observe.
    std::function<void(const MachineEvent&)> on_event;
    std::function<void(const CommandRecord&)> on_command;
    /// Something about the machine itself that people should know, in one sentence; each is said once.
    std::function<void(const std::string&)> on_note;

    /// How many changing actions are under way; a stop waits until it is 0.
    [[nodiscard]] virtual unsigned busy() const = 0;
};

}  // namespace tierd
