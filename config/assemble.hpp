// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <vector>

#include "config/sections.hpp"

namespace tierd::config {

/// Holds the entries against each other, and makes the policy of them. The order of the files plays no part.
/// An entry that needs another which is not there, or cannot stand with it (a volatile device and mode writeback), is left out. Entries
/// that contradict each other stay and are frozen; each is reported at its own place, naming the other's. Consumes the draft; adds to
/// problems.
Policy assemble(Draft draft, std::vector<Problem>& problems);

}  // namespace tierd::config
