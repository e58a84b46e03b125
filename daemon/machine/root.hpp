// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/model/observation.hpp"

namespace tierd {

/// Which LV the root file system is on, if it is on one, and whether the initramfs of the running kernel would activate it with a cache in
/// front. Some stats and small files; the initramfs itself, many megabytes of compressed archive, is not opened. below: another root
/// folder, for tests.
RootSetup read_root(const std::vector<BlockDevice>& devices, const std::string& below = "");

/// Whether a hook or a list of modules of initramfs-tools names one of the words, and is older than the initramfs. nullopt: neither
/// initramfs-tools nor its initramfs for that kernel release is there.
std::optional<bool> initramfs_has(const std::set<std::string>& words, const std::string& release, const std::string& below);

}  // namespace tierd
