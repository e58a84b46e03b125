// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "daemon/model/observation.hpp"
#include "daemon/model/policy.hpp"

namespace tierd {

/// What is wanted here and now: the policy, with what persons asked for by verbs (model/request) put in its place. A volume that is to be
/// detached has an entry that says so, one that got a mode by hand an entry that says that mode; and what a person asked for is done
/// without a further word, under autonomy: observe too.
Policy resolve(Policy policy, const Observation& observation);

}  // namespace tierd
