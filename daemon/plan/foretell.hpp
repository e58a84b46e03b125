// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

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

/// What a wait for a drain is assumed to end in: the cache of that LV is clean.
void assume_drained(Observation& observation, const std::string& lv_uuid);

}  // namespace tierd
