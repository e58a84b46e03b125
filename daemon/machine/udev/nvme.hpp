// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

namespace tierd::udev {

/// How an NVMe disk is reached: "nvme" when it is in this machine, "nvme-tcp", "nvme-rdma", "nvme-fc", "nvme-loop" … when it is another's
/// and may be shared, "" when that cannot be told. folder: "device" in the disk's folder of sysfs, which is its controller, or, where the
/// kernel joins several paths to one disk, its subsystem with the controllers in it. Source: Linux, drivers/nvme/host/sysfs.c
std::string nvme_transport(const std::string& folder);

}  // namespace tierd::udev
