// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

#include "daemon/model/policy.hpp"
#include "daemon/plan/scene.hpp"

namespace tierd {

/// What a tier's pool is called: the tier's own name where LVM allows it and it is free.
std::string pool_name(const TierRule& rule, const Scene& scene);

}  // namespace tierd
