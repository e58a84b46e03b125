// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/interrupt.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "daemon/model/error.hpp"

namespace tierd::client {
namespace {

sigset_t awaited() {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGINT);
    ::sigaddset(&set, SIGTERM);
    return set;
}

}  // namespace

Interrupt::Interrupt() {
    const sigset_t set = awaited();
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    fd_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd_ < 0) throw Error{ErrorCode::Internal, std::string{"cannot wait for signals: "} + std::strerror(errno)};
}

Interrupt::~Interrupt() {
    // Taken out before they are let through again: the one that ended the wait has been answered.
    signalfd_siginfo info{};
    while (::read(fd_, &info, sizeof info) > 0) {
    }
    ::close(fd_);
    const sigset_t set = awaited();
    ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace tierd::client
