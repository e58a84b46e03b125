// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <sys/types.h>

#include <string>

namespace tierd::test {

/// A dbus-daemon of one's own that refuses by default, as a system bus does, and takes in dbus/org.tierd1.conf as installed.
class PrivateBus {
public:
    PrivateBus();
    ~PrivateBus();
    PrivateBus(const PrivateBus&) = delete;
    PrivateBus& operator=(const PrivateBus&) = delete;
    [[nodiscard]] const std::string& address() const { return address_; }
    /// As if the bus had crashed.
    void kill_it();

private:
    std::string folder_;
    std::string address_;
    pid_t pid_ = -1;
};

}  // namespace tierd::test
