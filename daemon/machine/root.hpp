// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "daemon/model/observation.hpp"

namespace tierd {

/// Which of the devices the root file system is on, and, when that is an LV, whether the initramfs would activate it with a cache in front:
/// by the hooks of initramfs-tools, which must be older than the initramfs of the running kernel. Some stats and small files; the
/// initramfs itself, many megabytes of compressed archive, is not opened. below: another root folder, for tests.
RootSetup read_root(const std::vector<BlockDevice>& devices, const std::string& below = "");

/// nullopt: neither initramfs-tools nor its initramfs for that kernel release is there.
std::optional<bool> initramfs_has_cache(const std::string& release, const std::string& below);

}  // namespace tierd
