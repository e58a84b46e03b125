// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

#include "daemon/model/units.hpp"

namespace tierd {

/// How a cache was when last seen. For people: nothing is ever planned from it.
struct LastSeen {
    Bytes dirty = 0;
    Usec time = 0;         ///< CLOCK_REALTIME
    std::string boot;      ///< the boot id then
    bool assumed = false;  ///< what was dirty was assumed to be (daemon/monitor/assumed_dirty)
    friend bool operator==(const LastSeen&, const LastSeen&) = default;
};

}  // namespace tierd
