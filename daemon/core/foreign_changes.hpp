// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <set>
#include <string>

#include "daemon/model/observation.hpp"
#include "daemon/model/policy.hpp"

namespace tierd {

/// What somebody else changed, between two looks, of caches that tierd made: by the name of the entry, in words. ours: the groups in which
/// a step of tierd's ran meanwhile, of which that cannot be told.
std::map<std::string, std::string> changes_by_others(const Policy& policy, const Observation& before, const Observation& after,
                                                     const std::set<std::string>& ours);

}  // namespace tierd
