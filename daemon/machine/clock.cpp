// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/clock.hpp"

#include <chrono>

namespace tierd {

namespace {

template <typename Clock>
Usec since_epoch() {
    return static_cast<Usec>(std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count());
}

}  // namespace

Usec real_time() {
    return since_epoch<std::chrono::system_clock>();
}

Usec monotonic_time() {
    return since_epoch<std::chrono::steady_clock>();
}

}  // namespace tierd
