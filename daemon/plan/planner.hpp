// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "daemon/model/observation.hpp"
#include "daemon/model/plan.hpp"
#include "daemon/model/policy.hpp"

/// The pure heart. No clock, no files, no machine: time is observation.time.
namespace tierd {

/// The whole way from the observation to the policy: the next safe step of each tier, again and again on its own foretold result.
Plan make_plan(const Policy& policy, const Observation& observation);

/// Why the target (a volume, a disk's node or serial, a tier's name) is or is not what the policy asks.
/// Throws Error{NoSuchTarget} with the names there are when nothing is called so.
std::vector<Finding> explain(const Policy& policy, const Observation& observation, const std::string& target);

}  // namespace tierd
