// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <vector>

#include "daemon/model/observation.hpp"
#include "daemon/model/plan.hpp"
#include "daemon/model/policy.hpp"

namespace tierd {

/// The known risks of this machine, each with what it means, mostly at the next boot, and the way out: Verdict::No; what could not be
/// looked at is Verdict::Unknown. Nothing is said of what is well. Pure.
std::vector<Finding> diagnose(const Policy& policy, const Observation& observation);

}  // namespace tierd
