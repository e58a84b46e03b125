// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>

#include "daemon/model/plan.hpp"
#include "daemon/model/policy.hpp"
#include "daemon/plan/scene.hpp"

namespace tierd {

inline constexpr const char* uncommitted_reason = "the metadata of a new cache is in memory only until it is committed";

/// The next safe step of a tier of kind cache: something to do, to wait for, or to refuse; nullopt when it is as the policy asks.
/// A function of what is there alone: it remembers nothing, so it carries on after any interruption.
std::optional<Step> next_step(const Policy& policy, const TierRule& rule, const Scene& scene);

/// "fast (ssd; sata or nvme; 200 GiB or more)": what a device rule asks for, for people.
std::string describe_rule(const DeviceRule& rule);

}  // namespace tierd
