// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "daemon/model/units.hpp"

namespace tierd {

/// CLOCK_REALTIME, as in Observation::time.
Usec real_time();
/// CLOCK_MONOTONIC: for spans.
Usec monotonic_time();
/// Of local time, 0 to 1439, by the time zone of now.
unsigned minute_of_day(Usec real_time);

}  // namespace tierd
