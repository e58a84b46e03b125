// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/clock.hpp"

#include <chrono>
#include <ctime>

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

unsigned minute_of_day(Usec real_time) {
    const auto seconds = static_cast<std::time_t>(real_time / usec_per_second);
    std::tm local{};
    tzset();  // which localtime_r does not do: /etc/localtime may be another one by now
    localtime_r(&seconds, &local);
    return static_cast<unsigned>(local.tm_hour * 60 + local.tm_min);
}

Usec monotonic_time() {
    return since_epoch<std::chrono::steady_clock>();
}

}  // namespace tierd
