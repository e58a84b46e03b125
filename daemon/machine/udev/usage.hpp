// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tierd::udev {

/// Mount points by "major:minor" and by source node (btrfs has a number of its own). Text of /proc/self/mountinfo, proc(5).
struct Mounts {
    std::map<std::string, std::vector<std::string>> by_number, by_source;
};
Mounts parse_mountinfo(std::string_view text);

/// Nodes in use as swap. Text of /proc/swaps.
std::set<std::string> parse_swaps(std::string_view text);

/// udev's database writes what is not plain as \xNN.
std::string decode(std::string_view text);

}  // namespace tierd::udev
