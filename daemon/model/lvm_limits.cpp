// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/lvm_limits.hpp"

#include <array>

namespace tierd {

std::optional<ReservedName> reserved_by_lvm(std::string_view lv) {
    constexpr std::array<std::string_view, 2> prefixes{"snapshot", "pvmove"};
    constexpr std::array<std::string_view, 17> infixes{"_cdata",  "_cmeta", "_corig",  "_cpool",   "_cvol",   "_wcorig",
                                                       "_mimage", "_mlog",  "_rimage", "_rmeta",   "_tdata",  "_tmeta",
                                                       "_vdata",  "_imeta", "_iorig",  "_pmspare", "_vorigin"};
    for (const auto prefix : prefixes) {
        if (lv.starts_with(prefix)) return ReservedName{prefix, true};
    }
    for (const auto infix : infixes) {
        if (lv.find(infix) != std::string_view::npos) return ReservedName{infix, false};
    }
    return std::nullopt;
}

}  // namespace tierd
