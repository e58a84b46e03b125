// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/dm/stat.hpp"

#include <array>
#include <cstdint>
#include <sstream>

namespace tierd::dm {

std::optional<DeviceService> parse_stat(const std::string& text) {
    // Reads: I/Os, merged, sectors, ms; then writes likewise.
    std::array<std::uint64_t, 8> numbers{};
    std::istringstream words{text};
    for (auto& number : numbers) {
        if (!(words >> number)) return std::nullopt;
    }
    constexpr Usec usec_per_msec = 1'000;
    return DeviceService{{numbers[0], numbers[2] * sector, numbers[3] * usec_per_msec},
                         {numbers[4], numbers[6] * sector, numbers[7] * usec_per_msec}};
}

}  // namespace tierd::dm
