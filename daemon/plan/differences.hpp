// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <set>
#include <string>
#include <vector>

#include "daemon/model/observation.hpp"

namespace tierd {

/// How an observation differs from a foretold one, in what actions change: PVs, VGs, LVs, tags, signatures, committed metadata.
/// Empty when the foretold came true. Only that VG, unless vg is ""; "new:…" UUIDs, times and counters are not compared.
/// Of disks and orphan PVs only those at nodes, unless vg is "".
std::vector<std::string> differences(const Observation& foretold, const Observation& observed, const std::string& vg = "",
                                     const std::set<std::string>& nodes = {});

}  // namespace tierd
