// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "daemon/model/action.hpp"
#include "daemon/model/observation.hpp"

namespace tierd {

/// The observation that must follow when the action is done. UUIDs that LVM will choose are "new:NAME".
/// Throws Error{ToolFailed} where the machine would refuse (no such VG, no room): the simulated machine reports it as a command's failure.
Observation foretell(const Observation& before, const Action& action);

/// How an observation differs from a foretold one, in what actions change: PVs, VGs, LVs, tags, signatures, committed metadata.
/// Empty when the foretold came true. "new:…" UUIDs, times and counters are not compared.
std::vector<std::string> differences(const Observation& foretold, const Observation& observed);

}  // namespace tierd
