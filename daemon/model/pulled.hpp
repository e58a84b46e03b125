// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <set>
#include <string>

#include "daemon/model/observation.hpp"

namespace tierd {

/// The disk at that node is gone, with its partitions: the observation becomes what LVM and the kernel say then, which is known without
/// asking them. The UUIDs of the volumes whose cache stood on it; its PVs that were in no VG are forgotten.
std::set<std::string> take_away(Observation& observation, const std::string& node);

}  // namespace tierd
