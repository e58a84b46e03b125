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
    /// on_due: a disk that was probed too often to be probed again may be now. clock: monotonic.
    Probes(Loop& loop, ProcessRunner& runner, std::string tool, std::function<void()> on_due, std::function<Usec()> clock = monotonic_time)
        : loop_{loop}, runner_{runner}, tool_{std::move(tool)}, on_due_{std::move(on_due)}, clock_{std::move(clock)} {}

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
    /// A disk of which udev speaks all the time is probed once a second on the average; what was left is due later.
    bool may_probe(const BlockDevice& device);

    Loop& loop_;
    ProcessRunner& runner_;
    std::string tool_;
    std::function<void()> on_due_;
    std::function<Usec()> clock_;
    std::map<std::string, Known> known_;               ///< by node
    std::map<std::string, std::vector<Usec>> recent_;  ///< by node: when it was probed lately
    Watch due_;
    Usec due_in_ = 0;
};

}  // namespace tierd::udev
