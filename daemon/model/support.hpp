// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

#include "daemon/model/policy.hpp"

namespace tierd {

/// What of an entry this version reads and checks, and does not act on: "kind: journal"; "" when it acts on all that decides about it.
/// For key the key of the policy that says so is given, "" for the entry as a whole.
struct Unsupported {
    std::string key, what;
};
Unsupported unsupported_part(const TierRule& rule);
Unsupported unsupported_part(const DeviceRule& rule);
Unsupported unsupported_part(const SnapshotRule& rule);
Unsupported unsupported_part(const PoolRule& rule);

}  // namespace tierd
