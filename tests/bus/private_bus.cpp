// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "private_bus.hpp"

#include <fcntl.h>
#include <spawn.h>
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
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 3);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    std::array<std::string, 5> words{"dbus-daemon", "--config-file=" + file, "--nofork", "--nopidfile", "--print-address=3"};
    std::array<char*, 6> argv{};
    for (std::size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
    const int failed = posix_spawnp(&pid_, "dbus-daemon", &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    if (failed != 0) throw std::runtime_error{"dbus-daemon cannot be started"};
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
