// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <string_view>

#include "daemon/model/observation.hpp"

namespace tierd::lvm {

struct Setup {
    LvmSetup setup;
    std::string devices_file = "/etc/lvm/devices/system.devices";
    std::string locking_dir = "/run/lock/lvm";
};

/// From the outputs of `lvmconfig` (key=value lines; one that is not set has its default) and `lvm version`.
Setup parse_setup(std::string_view config, std::string_view version);
/// The nodes and ids (IDNAME=, DEVNAME=) of an LVM devices file.
std::set<std::string> parse_devices_file(std::string_view text);

}  // namespace tierd::lvm
