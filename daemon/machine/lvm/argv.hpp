// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "daemon/model/action.hpp"

/// The only place that spells an lvm option.
namespace tierd::lvm {

/// The programs that are run, by absolute path.
struct Tools {
    std::string lvm = "/usr/sbin/lvm";
    std::string device;  ///< tierd-device
};

/// The command that does the action. Throws Error{InvalidArgs} for a name, node, tag or setting with a character that has no business
/// there: nothing that begins with a dash, no quotes, no white space, no brackets ever reaches an argument vector.
std::vector<std::string> argv_of(const Action& action, const Tools& tools);

/// Everything about LVM in one report, read by report.hpp's parse_report. Hidden LVs and orphan PVs are in it.
/// Without locking it does not wait for who holds a VG's lock, and may see what is half written.
std::vector<std::string> report_command(const Tools& tools, bool locking);
/// PVs of which there are two; read by add_duplicates.
std::vector<std::string> duplicates_command(const Tools& tools);
/// How LVM is set up; read by setup.hpp's parse_setup.
std::vector<std::string> config_command(const Tools& tools);
std::vector<std::string> version_command(const Tools& tools);

}  // namespace tierd::lvm
