// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "dbus/sdbus_compat.hpp"
#include "systemd/loop.hpp"

namespace tierd::bus {

/// Pauses that clients hold: each the writing end of a pipe, whose last closing ends the pause.
class Pauses {
public:
    explicit Pauses(Loop& loop) : loop_{loop} {}
    /// The descriptor to hand out; token lives until it is closed. Error{LimitExceeded, Internal}.
    sdbus::UnixFd hold(std::shared_ptr<void> token);

private:
    struct Held;
    Loop& loop_;
    std::uint64_t last_id_ = 0;
    std::map<std::uint64_t, std::shared_ptr<Held>> held_;
};

}  // namespace tierd::bus
