// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

#include "daemon/model/action.hpp"
#include "daemon/model/plan.hpp"

namespace tierd {

enum class Tense { Imperative, Progressive };  ///< "extend volume group …" in a plan, "extending …" in a job's stage

std::string sentence(const Action& action, Tense tense);
Risk risk_of(const Action& action);
/// Whether the result must be seen before anything stands on it. Behind the others LVM itself refuses the next command if they had not
/// happened.
bool must_be_seen(const Action& action);

}  // namespace tierd
