// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <string>
#include <vector>

#include "daemon/model/units.hpp"

namespace tierd {

/// One line of a script: what happens to the simulated machine, and when.
///
///     # seconds  verb   arguments
///     2          plug   /dev/sdb serial=S21 size=200GiB kind=ssd transport=sata model="Some SSD" content=gpt,vfat
///     5          pull   /dev/sdb
///     5          health /dev/sdb failing          (what it says of itself; ok, unknown)
///     6          write  lvm_hdd/hdd 40MiB          (a second; 0 stops)
///     9          fail   lvm_hdd/hdd                (its cache reports Fail)
///     12         lvm    down                       (LVM cannot be read; up again)
///
struct ScriptEvent {
    Usec at = 0;  ///< after the start
    std::string verb;
    std::string target;
    std::string value;  ///< of health and write
    std::map<std::string, std::string> options;
};

/// Throws Error{InvalidArgs} "NAME:LINE:COLUMN: …".
std::vector<ScriptEvent> parse_script(const std::string& name, const std::string& text);

/// "200GiB", "512MiB", "0": whole numbers with an optional unit. Throws Error{InvalidArgs}.
Bytes parse_script_size(const std::string& text);

}  // namespace tierd
