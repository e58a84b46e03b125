// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "daemon/model/observation.hpp"
#include "daemon/model/plan.hpp"
#include "daemon/model/policy.hpp"

/// The pure heart. No clock, no files, no machine: time is observation.time.
namespace tierd {

/// The whole way from the observation to the policy: the next safe step of each tier, again and again on its own foretold result.
Plan make_plan(const Policy& policy, const Observation& observation);

}  // namespace tierd
