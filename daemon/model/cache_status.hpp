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

/// The same of a writecache target, whose table says the block size and whether the cleaner is on. Its status has grown over kernels (4
/// fields, then 12, then more), so that only the first four are needed. What is not free counts as dirty, which is an upper bound; a hit is
/// what went by the SSD. Source: Documentation/admin-guide/device-mapper/writecache.rst
std::optional<CacheStatus> parse_writecache_status(std::string_view line, std::string_view table);

}  // namespace tierd
