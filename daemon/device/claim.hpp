// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "daemon/model/action.hpp"

namespace tierd::device {

struct ClaimRequest {
    DiskClaim disk;       ///< a size of 0 is not compared
    std::string pv_uuid;  ///< of the physical volume that the disk must be; empty: it must be blank, or may be wiped
    bool wipe = false;
    std::vector<std::string> command;  ///< run with the lock held; empty for none
};

/// Locks the disk, makes sure that it is the one meant and that nothing on it is lost, and only then touches it.
/// Returns the command's exit status (128 + N when a signal ended it), 0 without one. Throws Error: DeviceNotEmpty, DeviceBusy,
/// DeviceChanged, Timeout.
int claim(const ClaimRequest& request);

/// Runs it and waits; its exit status, 128 + N when a signal ended it. Throws Error{ToolFailed} when it cannot be run.
int run(const std::vector<std::string>& command);

}  // namespace tierd::device
