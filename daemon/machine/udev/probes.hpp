// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/machine/clock.hpp"
#include "daemon/machine/process.hpp"
#include "daemon/model/observation.hpp"

namespace tierd::udev {

/// The answer of `tierd-device probe`: JSON. nullopt: not understood, which is unknown.
std::optional<Probe> parse_probe(const std::string& text);

/// What is on the disks, by a child for each: a sick disk stalls nobody. A disk is probed once, and again when udev has spoken of it, or
/// when it was found to be other than thought; a blank one also after some minutes, one that could not be read after some seconds. What is
/// in use is not read, and what has content and is quiet is never read again.
class Probes {
public:
    /// clock: monotonic.
    Probes(ProcessRunner& runner, std::string tool, std::function<Usec()> clock = monotonic_time)
        : runner_{runner}, tool_{std::move(tool)}, clock_{std::move(clock)} {}

    /// Sets probe in all devices that could ever serve; done is called once all are in. taken: "8:16" of physical volumes that are in a
    /// volume group: what LVM says of those is enough, and every command on the group makes an event on them.
    void fill(std::vector<BlockDevice> devices, const std::set<std::string>& taken, std::function<void(std::vector<BlockDevice>)> done);
    void forget(const std::string& node);

private:
    struct Known {
        std::uint64_t diskseq = 0;
        Usec changed = 0, probed = 0;
        Bytes size = 0;
        bool shared = false;    ///< a partition of it was in use
        unsigned failures = 0;  ///< in a row, while there is no probe
        std::optional<Probe> probe;
    };
    struct Round;
    [[nodiscard]] static bool is_same(const Known& known, const BlockDevice& device);
    [[nodiscard]] bool is_known(const BlockDevice& device, bool shared) const;
    /// Too many probes within a second, and udev still speaks of it: left for when it is quiet, which is when it is judged.
    bool is_storm(const BlockDevice& device);

    ProcessRunner& runner_;
    std::string tool_;
    std::function<Usec()> clock_;
    std::map<std::string, Known> known_;               ///< by node
    std::map<std::string, std::vector<Usec>> recent_;  ///< by node: when it was probed within the last second
};

}  // namespace tierd::udev
