// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daemon/machine/machine.hpp"
#include "systemd/loop.hpp"

namespace tierd {

/// This machine: LVM, device-mapper, udev. Programs are looked for in tools_dir first ("" for none), else at their fixed paths.
/// Throws Error{ToolFailed} when udev's events cannot be had or a program is missing.
std::unique_ptr<Machine> make_real_machine(Loop& loop, const std::string& tools_dir);

/// The command that an action would be on a real machine, for people who look at a simulated one.
std::vector<std::string> describe_command(const Action& action);

}  // namespace tierd
