// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/machine/machine.hpp"
#include "daemon/machine/udev/changes.hpp"
#include "daemon/model/observation.hpp"
#include "systemd/loop.hpp"

struct udev;
struct udev_device;
struct udev_monitor;

namespace tierd::udev {

/// The block devices that the kernel shows, by udev's database and sysfs, and what happens to them ("udev" events: the rules are through;
/// that a disk is gone is told at the kernel's own word, before the rules, and once more after). Subscribed before the first enumeration,
/// so that nothing slips between. Opens no device.
class Disks {
public:
    Disks(Loop& loop, std::function<void(const MachineEvent&)> on_event);
    ~Disks();
    Disks(const Disks&) = delete;
    Disks& operator=(const Disks&) = delete;

    /// All of them, without probes; of virtual ones only what they are and where. nullopt: they could not be listed, which is not "none".
    [[nodiscard]] std::optional<std::vector<BlockDevice>> list();

private:
    using Monitor = std::unique_ptr<udev_monitor, udev_monitor* (*)(udev_monitor*)>;
    /// type: of the block devices, "disk", say; nullptr for all.
    void listen(Monitor& monitor, const char* who, const char* type) const;
    void receive();
    void receive_from_kernel();
    [[nodiscard]] BlockDevice read(::udev_device* device) const;

    Loop& loop_;
    std::function<void(const MachineEvent&)> on_event_;
    std::unique_ptr<::udev, ::udev* (*)(::udev*)> udev_;
    Monitor monitor_, kernel_;
    Changes changes_;
    Watch watch_, kernel_watch_;
};

}  // namespace tierd::udev
