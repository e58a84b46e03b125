// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tierd {

/// What a failure is called on the bus (org.tierd1.Error.NAME) and how tierctl exits because of it.
/// One table, in error.cpp; dbus/ and client/ read it and hold no list of their own.
enum class ErrorCode {
    InvalidArgs,          ///< an argument or option that is malformed or unknown
    InvalidPolicy,        ///< the policy text has problems
    StalePlan,            ///< the plan asked for is not the plan of now
    PlanDiverged,         ///< what was observed is not what the plan had foretold
    NoSuchTarget,         ///< no object of that name
    NotAuthorized,        ///< polkit, or its absence, refused
    InteractionRequired,  ///< polkit would ask, and the caller did not allow it to
    Ineligible,           ///< a device that must not be taken
    DeviceNotEmpty,       ///< it holds data
    DeviceBusy,           ///< something has it open
    DeviceChanged,        ///< it is not the disk it was
    InsufficientSpace,
    Unsupported,   ///< not by this version, LVM or kernel
    StateUnknown,  ///< it could not be read, so nothing is done
    Frozen,        ///< given up on until thawed
    Paused,        ///< somebody holds a pause on it
    NotCancelable,
    Canceled,
    ToolFailed,     ///< a command ended with an error
    Timeout,        ///< a command or a wait took longer than its limit
    LimitExceeded,  ///< too many, too large
    NotRunning,     ///< no tierd answers on the bus; tierctl's own
    Internal,
};

/// CamelCase name as used behind org.tierd1.Error.
std::string_view error_name(ErrorCode code);
/// Exit status of tierctl: 1 failed, 3 the daemon is not there, 4 refused, 64 usage.
int exit_status(ErrorCode code);
/// Inverse of error_name; Internal for a name that is not in the table.
ErrorCode error_code(std::string_view name);

/// The only exception type of the project: a failure, with its name and one sentence for people.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error{message}, code_{code} {}
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

}  // namespace tierd
