// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/sections.hpp"

namespace tierd::config {

/// Two of one name, two tiers for one volume, tiers that ask more of a device than there can be, a snapshot of a volume whose tier
/// forbids it. Reports an error at the later of the two places, naming the other; returns Policy::frozen.
std::map<std::string, std::string> find_contradictions(const Draft& draft, std::vector<Problem>& problems);

/// A warning at each rule of a volume that has more thick snapshots by several rules than any of them would allow.
void warn_of_crowds(const Draft& draft, std::vector<Problem>& problems);

/// A warning at each rule for thick snapshots of a volume that has a writecache.
void warn_of_copies(const Draft& draft, std::vector<Problem>& problems);

}  // namespace tierd::config
