// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/model/observation.hpp"

namespace tierd::udev {

/// What udev and sysfs say that bears on whether a disk is an SSD.
struct KindEvidence {
    std::string transport;
    std::optional<bool> rotational;  ///< queue/rotational
    std::optional<unsigned> rpm;     ///< ID_ATA_ROTATION_RATE_RPM, or what a SCSI disk says; 0: "solid state"
    bool virtual_disk = false;
};

/// Three values, with the evidence as a sentence. The flag lies both ways (virtio, USB, VMs, remote disks), so only a local disk whose
/// evidence agrees is an SSD or a hard disk.
std::pair<DiskKind, std::string> classify(const KindEvidence& evidence);

/// The rotation rate in a SCSI disk's "block device characteristics" (VPD page 0xb1, SBC-4); nullopt: it says none.
std::optional<unsigned> rotation_rate(std::string_view vpd_page);

}  // namespace tierd::udev
