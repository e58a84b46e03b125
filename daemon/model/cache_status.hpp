// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string_view>

#include "daemon/model/observation.hpp"

namespace tierd {

/// The status line of a cache target, without start, length and type. Counts lead through it, not positions; a bare "Fail" or "Error" is a
/// failed one. nullopt: it could not be understood, which is unknown. Source: Documentation/admin-guide/device-mapper/cache.rst
std::optional<CacheStatus> parse_cache_status(std::string_view line);

}  // namespace tierd
