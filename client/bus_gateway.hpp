// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <memory>
#include <string>

#include "client/gateway.hpp"

namespace tierd::client {

/// Where tierd is, and how it is asked.
struct Connection {
    std::string bus = "system";  ///< system, session or an address
    std::string host;            ///< USER@HOST: the system bus of that machine, over ssh; "" for this machine
    bool ask_password = true;    ///< polkit may ask the person at this terminal
};

/// Throws Error{NotRunning} when the bus cannot be reached. Whether a tierd is on it shows with the first call.
std::unique_ptr<Gateway> connect_to_bus(const Connection& connection);

}  // namespace tierd::client
