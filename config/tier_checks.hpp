// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "config/sections.hpp"

namespace tierd::config {

/// What one tier's keys say together: what its kind needs and forbids, the limits of dm-cache and LVM, names. A mode that the kind
/// implies is put in.
void check_tier(Entry<TierRule>& entry, Report& report);

}  // namespace tierd::config
