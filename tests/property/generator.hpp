// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "daemon/model/observation.hpp"
#include "daemon/model/policy.hpp"
#include "random.hpp"

namespace tierd::property {

/// A machine and what is asked of it.
struct Case {
    Policy policy;
    Observation now;
};

/// Machines of every kind: disks with every content, volume groups with cached, thin, raid, partial, busy and foreign-tagged volumes, what
/// an interrupted attach leaves, and unknowns everywhere. Sound as a report is: extents add up, names are their own (but where two are the
/// point).
Case generate(Random& random);

// Its parts, in files of their own.
Observation generate_machine(Random& random);
Policy generate_policy(Random& random, const Observation& now);
/// As config does with both of two for one volume.
void freeze_twins(Policy& policy);
/// Goes some steps of the way that the policy asks for, and then has an accident.
void interrupt(Random& random, Case& each);
/// Makes something of it what cannot be acted on: busy, exported, shared, missing, unknown, contradictory.
void trouble(Random& random, Observation& now);

}  // namespace tierd::property
