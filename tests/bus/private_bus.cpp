// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "private_bus.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tierd::test {
namespace {

std::string configuration(const std::string& folder) {
    return R"(<busconfig>
  <type>system</type>
  <auth>EXTERNAL</auth>
  <listen>unix:path=)" +
           folder + R"(/bus</listen>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/>
  </policy>
  <policy user="root">
    <allow own="org.freedesktop.PolicyKit1"/>
    <allow send_destination="org.freedesktop.PolicyKit1"/>
  </policy>
  <include>)" TIERD_SOURCE_DIR R"(/dbus/org.tierd1.conf</include>
</busconfig>
)";
}

/// Between fork and exec of a process with threads: system calls alone.
[[noreturn]] void become_dbus_daemon(const char* const* argv, int address_fd, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that dies leaves none behind
    if (getppid() != parent) _exit(1);
    const int null = open("/dev/null", O_RDWR);
    fcntl(address_fd, F_SETFD, 0);  // this one alone is handed down
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, fd);
    execvp(argv[0], const_cast<char* const*>(argv));
    _exit(127);
}

}  // namespace

PrivateBus::PrivateBus() {
    char folder[] = "/tmp/tierd-bus.XXXXXX";
    if (mkdtemp(folder) == nullptr) throw std::runtime_error{"no folder for the bus"};
    folder_ = folder;
    chmod(folder, 0755);  // other users connect as well
    const std::string file = folder_ + "/bus.conf";
    std::ofstream{file} << configuration(folder_);

    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error{"no pipe"};
    const std::string config = "--config-file=" + file, address = "--print-address=" + std::to_string(ends[1]);
    std::array<const char*, 6> argv{"dbus-daemon", config.c_str(), "--nofork", "--nopidfile", address.c_str(), nullptr};
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) become_dbus_daemon(argv.data(), ends[1], parent);
    close(ends[1]);
    // The address is printed once it listens: no other sign of readiness is needed.
    char c = 0;
    while (read(ends[0], &c, 1) == 1 && c != '\n') address_ += c;
    close(ends[0]);
    if (address_.empty()) throw std::runtime_error{"dbus-daemon did not start"};
}

PrivateBus::~PrivateBus() {
    kill_it();
    std::filesystem::remove_all(folder_);
}

void PrivateBus::kill_it() {
    if (pid_ < 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

}  // namespace tierd::test
