// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "daemon/model/observation.hpp"
#include "daemon/model/plan.hpp"
#include "daemon/model/policy.hpp"

/// The pure heart. No clock, no files, no machine: time is observation.time.
namespace tierd {

/// What a person asks for now, to be put on a volume before anything else is done.
struct RequestToTag {
    std::string entry;  ///< "tier media"
    TagVolume tag;
    std::string why;
    friend bool operator==(const RequestToTag&, const RequestToTag&) = default;
};

/// The whole way from the observation to the policy: the next safe step of each tier, again and again on its own foretold result.
Plan make_plan(const Policy& policy, const Observation& observation, const std::vector<RequestToTag>& requests = {});

}  // namespace tierd
