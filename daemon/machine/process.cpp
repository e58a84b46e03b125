// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace tierd {

namespace {

constexpr Duration term_grace = std::chrono::seconds{5};
/// After KILL. What does not end then hangs in the kernel, and is not waited for any longer.
constexpr Duration kill_grace = std::chrono::seconds{5};
/// Outputs before exits: what a child wrote is read before its end is handled.
constexpr int output_priority = -10;
constexpr std::size_t chunk = 64 * 1024;

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_{fd} {}
    Descriptor(Descriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) close(fd_);
    }
    [[nodiscard]] int get() const { return fd_; }

private:
    int fd_ = -1;
};

struct Pipe {
    Descriptor read, write;
};

Pipe make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return Pipe{};
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return {Descriptor{ends[0]}, Descriptor{ends[1]}};
}

/// What posix_spawn is told, destroyed with it.
class SpawnPlan {
public:
    SpawnPlan(int output, int error_output, bool changing) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, error_output, STDERR_FILENO);
        posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
        posix_spawn_file_actions_addchdir_np(&actions_, "/");
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        // It goes on without us, and must not end halfway for a line that nobody reads: the runner ignores SIGPIPE, and so will it.
        if (changing) sigdelset(&all, SIGPIPE);
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    int spawn(pid_t& pid, const std::vector<std::string>& argv) {
        std::vector<char*> words;
        words.reserve(argv.size() + 1);
        for (const auto& word : argv) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        std::string locale{"LC_ALL=C"}, path{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"};
        std::array<char*, 3> environment{locale.data(), path.data(), nullptr};
        return posix_spawn(&pid, words.front(), &actions_, &attributes_, words.data(), environment.data());
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

struct ProcessRunner::Child {
    Id id = 0;
    Command command;
    Done done;
    CommandResult result;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    pid_t pid = 0;
    int signals_sent = 0;
    Descriptor output, error_output;
    Watch output_watch, error_watch, exit_watch, timer;

    /// Until there is nothing more for now. False at its end.
    static bool drain(int fd, std::string& text, std::size_t limit, bool& truncated) {
        std::array<char, chunk> buffer{};
        while (true) {
            const auto got = read(fd, buffer.data(), buffer.size());
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return got < 0 && errno == EAGAIN;
            const auto room = limit - std::min(limit, text.size());
            if (static_cast<std::size_t>(got) > room) truncated = true;
            text.append(buffer.data(), std::min(static_cast<std::size_t>(got), room));
        }
    }
    bool drain_output(int fd, std::string& text) { return drain(fd, text, command.output_limit, result.truncated); }
    void signal(int number) const {
        if (pid > 0) kill(-pid, number);
    }
};

ProcessRunner::ProcessRunner(Loop& loop) : loop_{loop} {
    std::signal(SIGPIPE, SIG_IGN);
}

ProcessRunner::~ProcessRunner() {
    for (const auto& [id, child] : children_) {
        if (!child->command.changing) child->signal(SIGKILL);
    }
}

ProcessRunner::Id ProcessRunner::run(Command command, Done done) {
    auto child = std::make_unique<Child>();
    const Id id = ++last_;
    child->id = id;
    child->command = std::move(command);
    child->done = std::move(done);
    auto& started = *children_.emplace(id, std::move(child)).first->second;
    start(started);
    return id;
}

void ProcessRunner::start(Child& child) {
    auto out = make_pipe();
    auto err = make_pipe();
    int error = out.read.get() < 0 || err.read.get() < 0 ? EMFILE : 0;
    if (error == 0) error = SpawnPlan{out.write.get(), err.write.get(), child.command.changing}.spawn(child.pid, child.command.argv);
    if (error != 0) {
        child.pid = 0;
        child.result.exit_status = -1;
        child.result.start_error = child.command.argv.front() + " cannot be run: " + std::strerror(error);
        child.timer = loop_.soon([this, id = child.id] { finish(id); });
        return;
    }
    child.output = std::move(out.read);
    child.error_output = std::move(err.read);
    watch(child, child.output.get(), child.output_watch, child.result.output);
    watch(child, child.error_output.get(), child.error_watch, child.result.error_output);
    child.exit_watch = loop_.on_exit_of(child.pid, [this, id = child.id](int code, int status) { exited(id, code, status); });
    child.timer = loop_.after(child.command.limit, [this, id = child.id] { limit_reached(id); });
}

void ProcessRunner::watch(Child& child, int fd, Watch& slot, std::string& text) {
    const auto read_some = [&child, fd, &slot, &text](std::uint32_t) {
        if (!child.drain_output(fd, text)) slot.reset();
    };
    slot = loop_.on_io(fd, EPOLLIN, read_some, output_priority);
}

void ProcessRunner::end(Id id) {
    const auto found = children_.find(id);
    if (found != children_.end() && found->second->signals_sent == 0 && found->second->pid > 0) limit_reached(id);
}

void ProcessRunner::limit_reached(Id id) {
    auto& child = *children_.at(id);
    child.result.timed_out = true;
    const int stage = child.signals_sent++;
    if (stage == 0) {
        child.signal(SIGTERM);
    } else if (stage == 1) {
        child.signal(SIGKILL);
    } else {
        child.result.exit_status = -SIGKILL;
        given_up_.emplace(id, std::move(child.exit_watch));
        finish(id);
        return;
    }
    child.timer = loop_.after(stage == 0 ? term_grace : kill_grace, [this, id] { limit_reached(id); });
}

void ProcessRunner::exited(Id id, int code, int status) {
    if (given_up_.erase(id) > 0) return;
    auto& child = *children_.at(id);
    // Its own children may still hold the pipes: what is in them now is the answer, their end is not waited for.
    child.drain_output(child.output.get(), child.result.output);
    child.drain_output(child.error_output.get(), child.result.error_output);
    child.result.exit_status = code == CLD_EXITED ? status : -status;
    // Not yet reaped, so the group's number is still its own: whoever ignored TERM ends here.
    if (child.result.timed_out) child.signal(SIGKILL);
    finish(id);
}

void ProcessRunner::finish(Id id) {
    const auto child = std::move(children_.at(id));
    children_.erase(id);
    const auto took = std::chrono::steady_clock::now() - child->began;
    child->result.took = static_cast<Usec>(std::chrono::duration_cast<Duration>(took).count());
    child->done(std::move(child->result));
}

unsigned ProcessRunner::changing() const {
    return static_cast<unsigned>(
        std::count_if(children_.begin(), children_.end(), [](const auto& each) { return each.second->command.changing; }));
}

}  // namespace tierd
