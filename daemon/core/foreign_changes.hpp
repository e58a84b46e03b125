// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <set>
#include <string>

#include "daemon/model/observation.hpp"

namespace tierd {

/// What somebody else changed, between two looks, of caches that tierd made: by the tier's name, in words. ours: the groups in which a step
/// of tierd's ran meanwhile, of which that cannot be told.
std::map<std::string, std::string> changes_by_others(const Observation& before, const Observation& after,
                                                     const std::set<std::string>& ours);

}  // namespace tierd
