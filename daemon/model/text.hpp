// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <string>

namespace tierd {

/// "a, b, c"
template <typename Parts>
std::string join(const Parts& parts, const std::string& between = ", ") {
    std::string text;
    for (const auto& part : parts) {
        if (!text.empty()) text += between;
        text += part;
    }
    return text;
}

/// "1 disk", "2 disks"
inline std::string plural(std::uint64_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

}  // namespace tierd
