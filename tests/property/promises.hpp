// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "daemon/model/plan.hpp"
#include "generator.hpp"

namespace tierd::property {

/// Carries a plan's ready steps out by foretell and holds each against the promises (README, "The promises"), and all that is not tierd's
/// against what it was. Written without a look at how the plan is made: it shares no line with it but the values and foretell.
/// Gives what is broken, in words; empty when nothing is.
std::vector<std::string> broken_promises(const Case& each, const Plan& plan);

/// What no step names is as it was.
void compare_the_rest(const Observation& before, const Observation& after, const Plan& plan, std::vector<std::string>& broken);

}  // namespace tierd::property
