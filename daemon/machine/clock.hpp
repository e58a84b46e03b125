// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "daemon/model/units.hpp"

namespace tierd {

/// CLOCK_REALTIME, as in Observation::time.
Usec real_time();
/// CLOCK_MONOTONIC: for spans.
Usec monotonic_time();

}  // namespace tierd
