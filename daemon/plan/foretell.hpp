// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <set>
#include <string>
#include <vector>

#include "daemon/model/action.hpp"
#include "daemon/model/observation.hpp"
#include "daemon/plan/volume_index.hpp"

namespace tierd {

/// The observation that must follow when the action is done. UUIDs that LVM will choose are "new:VG/NAME".
/// Throws Error where the machine would refuse (NoSuchTarget, InsufficientSpace, ToolFailed): the simulated machine reports it as a
/// command's failure.
Observation foretell(const Observation& before, const Action& action);
/// The same, in place.
void foretell_in_place(Observation& observation, const Action& action);
/// For who foretells step after step: by_name, of the observation's LVs, is kept up to date, and no step costs a look at every volume.
void foretell_in_place(Observation& observation, const Action& action, VolumeIndex& by_name);

/// How an observation differs from a foretold one, in what actions change: PVs, VGs, LVs, tags, signatures, committed metadata.
/// Empty when the foretold came true. Only that VG, unless vg is ""; "new:…" UUIDs, times and counters are not compared.
/// Of disks and orphan PVs only those at nodes, unless vg is "".
std::vector<std::string> differences(const Observation& foretold, const Observation& observed, const std::string& vg = "",
                                     const std::set<std::string>& nodes = {});

}  // namespace tierd
