// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/model/observation.hpp"

namespace tierd::lvm {

struct Report {
    Lvm lvm;
    /// Fields that were asked for and are missing where "unknown" has a place in the model: said once.
    std::vector<std::string> warnings;
    friend bool operator==(const Report&, const Report&) = default;
};

/// Reads the standard output of the command that argv.hpp's report_command makes: `lvm fullreport` as JSON, in bytes.
/// Values may be strings, numbers, null or arrays (json and json_std); unknown keys and a "log" beside "report" are passed over.
/// Throws Error{StateUnknown} for whatever cannot be right: no JSON, something before it, a size with a unit, a name or UUID missing.
Report parse_report(std::string_view json);

/// Marks the physical volumes that LVM sees on two devices, from `lvm pvs -a` (duplicates_command): only there the second device shows.
/// Adds the unused second devices as physical volumes of their own.
void add_duplicates(Lvm& lvm, std::string_view json);

}  // namespace tierd::lvm
