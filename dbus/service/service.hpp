// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/core/controller.hpp"
#include "systemd/loop.hpp"

namespace tierd {

/// The controller on the bus: org.tierd1. Unpacks, authorises, delegates; no storage decision is made here.
class Service {
public:
    /// Exit statuses that the loop ends with, or main should: the bus has gone; another process owns the name.
    static constexpr int exit_bus_lost = 75;
    static constexpr int exit_name_taken = 73;

    struct Options {
        std::string bus = "system";  ///< "system", "session" or an address
        std::function<std::vector<Problem>(const std::string& name, const std::string& yaml)> check_policy;
        std::function<std::string()> log_level = [] { return "info"; };  ///< syslog's names: emerg alert crit err warning notice info debug
        std::function<void(const std::string&)> set_log_level = {};
        std::string log_target = "console";                      ///< "journal" or "console"
        Duration authorisation_limit = std::chrono::minutes{2};  ///< how long polkit, and a person asked by it, may take
    };

    /// Connects and exports; nobody sees it until own_name(). Error{Internal} when the bus cannot be reached.
    /// It listens to the controller for as long as both live: destroy it after the last run of the loop.
    Service(Loop& loop, Controller& controller, Options options);
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    /// The last step of a start, once there is something to show. False: another process has the name, and keeps it; nothing is queued.
    [[nodiscard]] bool own_name();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tierd
