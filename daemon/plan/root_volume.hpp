// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>

#include "daemon/model/observation.hpp"
#include "daemon/model/policy.hpp"

namespace tierd {

/// The LV below the root file system that a cache stands in front of, or could: the root volume itself, what it is a snapshot of, or the
/// data of its thin pool. nullptr: it is on no LV that LVM reports.
const LogicalVolume* below_root(const Observation& now);

/// Why the machine does not boot, as far as is known, with a cache of that kind below the root file system, and what helps.
struct BootRisk {
    bool known = false;  ///< false: it may boot
    std::string evidence, advice;
};
/// nullopt: it is known to boot.
std::optional<BootRisk> boot_risk(const RootSetup& root, TierKind kind);

}  // namespace tierd
