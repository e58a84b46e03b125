// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <vector>

#include "daemon/device/disk.hpp"
#include "daemon/model/observation.hpp"

namespace tierd::device {

/// A stretch of an open device, in bytes; size 0 is all of it.
struct Area {
    int fd = -1;
    Bytes offset = 0, size = 0;
};

/// An entry of a partition table, as the table has it: the kernel may not have read it.
struct TableEntry {
    Bytes start = 0, size = 0;
};

struct Content {
    std::vector<Signature> signatures;  ///< everything that wipefs(8) would list; a protective MBR counts as "gpt"
    bool ambivalent = false;            ///< libblkid refuses to say which one is right
    std::vector<TableEntry> partitions;
};

/// Low-level probe (libblkid): all superblocks and all partition tables, with their backups' absence or damage tolerated.
/// Throws Error{ToolFailed} when it cannot be read: unreadable is not blank.
Content look(const Area& area);

/// Erases every signature that look() would find, the backups too. The descriptor must be writable.
void erase(const Area& area);

}  // namespace tierd::device
