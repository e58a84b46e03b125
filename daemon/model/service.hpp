// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>

#include "daemon/model/units.hpp"

namespace tierd {

/// What a block device has served since the kernel has it, in one direction: the difference of two makes means.
struct Served {
    std::uint64_t ios = 0;
    Bytes bytes = 0;
    Usec time = 0;  ///< from submission to completion, summed up over the I/Os
    friend bool operator==(const Served&, const Served&) = default;
};

struct DeviceService {
    Served read, write;
    friend bool operator==(const DeviceService&, const DeviceService&) = default;
};

/// Of the two devices that a cache stands on.
struct CacheService {
    DeviceService tier, origin;
    friend bool operator==(const CacheService&, const CacheService&) = default;
};

}  // namespace tierd
