// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "daemon/model/observation.hpp"
#include "daemon/model/plan.hpp"
#include "daemon/model/policy.hpp"

namespace tierd {

/// Why the target (a disk, a volume, a volume group, an entry of the policy; see Target) is or is not what the policy asks.
/// plan: the one made of this policy and this observation. Throws Error{NoSuchTarget} with the names there are when nothing is called so.
std::vector<Finding> explain(const Policy& policy, const Observation& observation, const Plan& plan, const std::string& target);

/// Why no other disk is taken under the rule: "rule fast is served already by /dev/sdb"; "" while it may have one more.
std::string served_already(const DeviceRule& rule, const Observation& observation);

}  // namespace tierd
