// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tierd::udev {

/// The sequence number of the disk that a node leads to at this moment; of a partition, its disk's. 0: the kernel counts none. nullopt: it
/// leads to no block device.
std::optional<std::uint64_t> diskseq_behind(const std::string& node);

/// Whether a command that knows a disk by its node only reaches the one that is meant. planned: what the plan saw, 0 when it does not say;
/// listed: what the last listing saw, nullopt when the node was not in it; found: what is there now.
/// Throws Error{DeviceChanged} for another disk, and for what nobody knows.
void check_same_disk(const std::string& node, std::uint64_t planned, std::optional<std::uint64_t> listed,
                     std::optional<std::uint64_t> found);

}  // namespace tierd::udev
