// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <string>

#include "dbus/sdbus_compat.hpp"
#include "systemd/loop.hpp"

namespace tierd::bus {

/// Lets the loop drive a connection: waits for what it wants to wait for, and has it handle a bounded number of messages at a time,
/// so that a flood of calls starves neither disks nor timers.
class Pump {
public:
    /// lost is called once, from the loop, when the bus has gone; the connection is dead from then on.
    Pump(Loop& loop, sdbus::IConnection& connection, std::function<void(const std::string& why)> lost);
    Pump(const Pump&) = delete;
    Pump& operator=(const Pump&) = delete;

private:
    void process();
    void arm();
    void give_up(const std::string& why);

    Loop& loop_;
    sdbus::IConnection& connection_;
    std::function<void(const std::string&)> lost_;
    PollState state_;
    Watch before_, io_, event_, timer_;
};

}  // namespace tierd::bus
