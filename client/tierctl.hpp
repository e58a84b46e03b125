// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "client/context.hpp"

namespace tierd::client {

/// The whole program, but for the world it runs in: reads the arguments (without the program's name), runs the verb, and puts
/// every failure into one line on standard error. The exit status.
int run(World& world, const std::vector<std::string>& arguments);

/// main().
int run_tierctl(int argc, char** argv);

}  // namespace tierd::client
