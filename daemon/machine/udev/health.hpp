// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "daemon/machine/clock.hpp"
#include "daemon/machine/process.hpp"
#include "daemon/model/observation.hpp"

namespace tierd::udev {

/// The answer of `smartctl --json -H -A -l ssd`. nullopt: it does not say how the disk is, which is unknown.
/// smartctl, and not ioctls of our own nor a library: libatasmart knows ATA alone and is not kept any more, libnvme NVMe alone;
/// smartmontools knows both, SCSI, and what is behind USB, is in every distribution with the same JSON, and opens the disk read-only, so
/// that it makes no event. Where it is not installed, the health of all disks is unknown.
std::optional<DiskHealth> parse_health(const std::string& text);

/// How the disks say they are, by a child for each: a sick disk stalls nobody. Asked of a disk when it is seen first, and once an hour.
/// Hard disks are left asleep: what a tier trusts is the fast disk.
class Healths {
public:
    /// tool: smartctl's path; "": it is not installed. on_change: a disk says something else than before. clock: monotonic.
    Healths(ProcessRunner& runner, std::string tool, std::function<void()> on_change, std::function<Usec()> clock = monotonic_time)
        : runner_{runner}, tool_{std::move(tool)}, on_change_{std::move(on_change)}, clock_{std::move(clock)} {}

    /// done is called once all that are seen for the first time have answered. The others answer later.
    void ask(const std::vector<BlockDevice>& devices, std::function<void()> done);
    /// Sets health, as it was said last.
    void set(std::vector<BlockDevice>& devices) const;

private:
    struct Known {
        std::uint64_t diskseq = 0;
        Usec asked = 0;
        std::optional<DiskHealth> health;
    };
    void ask_one(const BlockDevice& device, std::function<void()> answered);

    ProcessRunner& runner_;
    std::string tool_;
    std::function<void()> on_change_;
    std::function<Usec()> clock_;
    std::map<std::string, Known> known_;  ///< by node
};

}  // namespace tierd::udev
