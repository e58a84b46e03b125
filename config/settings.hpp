// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

#include "config/sections.hpp"

/// The tunables of dm-cache, dm-writecache and bcache that a policy may set: Documentation/admin-guide/device-mapper/cache.rst,
/// …/writecache.rst, Documentation/admin-guide/bcache.rst. One that the kernel does not know stays in LVM's metadata and blocks a later
/// change of policy, so nothing else is let through.
namespace tierd::config {

/// Reads the map of a tier whose kind is known; values are whole numbers, kept as written.
void read_settings(const YamlNode& node, TierKind kind, Report& report, std::map<std::string, std::string>& settings);

/// All names, of whatever kind; for the test of the schema.
std::vector<std::string_view> setting_names();

}  // namespace tierd::config
