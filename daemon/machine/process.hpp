// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "daemon/model/units.hpp"
#include "systemd/loop.hpp"

namespace tierd {

/// A program to run as a child: an argument vector, never a shell. argv[0] is an absolute path.
struct Command {
    std::vector<std::string> argv;
    Duration limit = std::chrono::seconds{30};  ///< then TERM to the process group, and KILL a little later
    std::size_t output_limit = 256 * mib;       ///< of each of the two outputs; what is more is read and dropped
    bool changing = false;                      ///< it changes the machine: it goes on when the runner is destroyed
};

struct CommandResult {
    int exit_status = 0;  ///< negative: killed by that signal; -1 with start_error set: it never ran
    std::string start_error;
    std::string output, error_output;
    bool timed_out = false;  ///< ended because of its time limit
    bool truncated = false;  ///< an output was longer than its limit
    Usec took = 0;

    [[nodiscard]] bool ok() const { return exit_status == 0 && !timed_out && !truncated; }
};

/// Runs children on the loop, with stdin from /dev/null, outputs in pipes of their own, LC_ALL=C and a minimal environment, every other
/// descriptor closed, no signal blocked or ignored (but SIGPIPE in what is changing), in a process group of their own. Every child is
/// reaped.
class ProcessRunner {
public:
    using Id = unsigned;
    using Done = std::function<void(CommandResult)>;

    /// Ignores SIGPIPE, for the whole process.
    explicit ProcessRunner(Loop& loop);
    /// Kills what is not changing; what is changing goes on. No callback comes any more.
    ~ProcessRunner();
    ProcessRunner(const ProcessRunner&) = delete;
    ProcessRunner& operator=(const ProcessRunner&) = delete;

    /// done comes from the loop, exactly once, also when the program cannot be started.
    Id run(Command command, Done done);
    /// As if its time limit had come.
    void end(Id id);
    /// Changing commands under way.
    [[nodiscard]] unsigned changing() const;

private:
    struct Child;
    void start(Child& child);
    void watch(Child& child, int fd, Watch& slot, std::string& text);
    void limit_reached(Id id);
    void exited(Id id, int code, int status);
    void finish(Id id);

    Loop& loop_;
    Id last_ = 0;
    std::map<Id, std::unique_ptr<Child>> children_;
    std::map<Id, Watch> given_up_;  ///< answered already, and still to be reaped
};

}  // namespace tierd
