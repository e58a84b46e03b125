// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>

#include "daemon/model/observation.hpp"

/// The counters of a cache's status have 32 bits in the kernel: they wrap, and start at zero with each new table.
namespace tierd {

/// A cache that is lost says nothing but that: its status has no counts.
bool is_counted(const CacheStatus& status);

/// A new table was loaded between these samples of a cache: what its counters had come to before says nothing.
bool is_new_table(const CacheStatus& before, const CacheStatus& now);

/// By how much a counter has grown, over its wrap.
constexpr std::uint32_t growth(std::uint64_t before, std::uint64_t now) {
    return static_cast<std::uint32_t>(now) - static_cast<std::uint32_t>(before);
}

}  // namespace tierd
