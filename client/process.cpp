// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <sstream>

#include "client/text.hpp"

namespace tierd::client {
namespace {

constexpr int exit_cannot_run = 127;

std::vector<char*> argv_of(const std::vector<std::string>& command) {
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));  // posix_spawn does not write to them
    argv.push_back(nullptr);
    return argv;
}

/// stdin_fd, kept_fd: -1 for none. kept_fd stays open in the child, under the same number. The pid; -1 with errno where it cannot be run.
pid_t spawn(const std::vector<std::string>& command, int stdin_fd, int kept_fd) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    if (stdin_fd >= 0) ::posix_spawn_file_actions_adddup2(&actions, stdin_fd, STDIN_FILENO);
    if (kept_fd >= 0) ::posix_spawn_file_actions_adddup2(&actions, kept_fd, kept_fd);  // the same number: takes FD_CLOEXEC off
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t defaults;
    ::sigemptyset(&defaults);
    for (const int signal : {SIGINT, SIGQUIT, SIGPIPE}) ::sigaddset(&defaults, signal);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, command.front().c_str(), &actions, &attributes, argv_of(command).data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error == 0) return pid;
    errno = error;
    return -1;
}

int wait_for(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Ctrl-C and a closed pipe are the child's business as long as it runs.
class Ignoring {
public:
    Ignoring() : int_{std::signal(SIGINT, SIG_IGN)}, quit_{std::signal(SIGQUIT, SIG_IGN)}, pipe_{std::signal(SIGPIPE, SIG_IGN)} {}
    ~Ignoring() {
        std::signal(SIGINT, int_);
        std::signal(SIGQUIT, quit_);
        std::signal(SIGPIPE, pipe_);
    }
    Ignoring(const Ignoring&) = delete;
    Ignoring& operator=(const Ignoring&) = delete;

private:
    void (*int_)(int);
    void (*quit_)(int);
    void (*pipe_)(int);
};

std::vector<std::string> pager_of(const Environment& environment) {
    for (const char* name : {"SYSTEMD_PAGER", "PAGER"}) {
        std::istringstream words{environment(name)};
        std::vector<std::string> command;
        for (std::string word; words >> word;) command.push_back(word);
        if (!command.empty()) return command;
    }
    return {"less", "-FRSXMK"};
}

}  // namespace

int run_command(const std::vector<std::string>& command) {
    const Ignoring ignoring;
    const pid_t pid = spawn(command, -1, -1);
    if (pid >= 0) return wait_for(pid);
    std::cerr << "tierctl: " << printable(command.front()) << " cannot be run: " << std::strerror(errno) << std::endl;
    return exit_cannot_run;
}

void page_out(const std::string& text, const Environment& environment) {
    // A pager may start other programs: not with rights that somebody borrowed.
    const auto pager = pager_of(environment);
    int ends[2] = {-1, -1};
    if (!environment("SUDO_UID").empty() || pager.front() == "cat" || ::pipe2(ends, O_CLOEXEC) != 0) {
        std::cout << text << std::flush;
        return;
    }
    const Ignoring ignoring;
    const pid_t pid = spawn(pager, ends[0], -1);
    ::close(ends[0]);
    if (pid < 0) {
        std::cout << text << std::flush;
    } else {
        std::string_view left = text;
        while (!left.empty()) {
            const ssize_t written = ::write(ends[1], left.data(), left.size());
            if (written < 0 && errno != EINTR) break;  // the reader has quit
            if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    ::close(ends[1]);
    if (pid >= 0) wait_for(pid);
}

PasswordAgent::PasswordAgent() {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    pid_ =
        spawn({"pkttyagent", "--notify-fd", std::to_string(ends[1]), "--fallback", "--process", std::to_string(::getpid())}, -1, ends[1]);
    ::close(ends[1]);
    // It closes its end once it is registered; without it, the end is closed at once.
    char byte = 0;
    if (pid_ >= 0)
        while (::read(ends[0], &byte, 1) > 0) {
        }
    ::close(ends[0]);
}

PasswordAgent::~PasswordAgent() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGTERM);
    ::kill(pid_, SIGCONT);
    wait_for(pid_);
}

}  // namespace tierd::client
