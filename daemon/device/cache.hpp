// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

namespace tierd::device {

/// Whether a dm-cache's metadata device carries metadata that was committed after the cache was made. The kernel writes a first
/// superblock at once, and it describes a cache of no blocks, which cache_check refuses at the next boot; only a commit writes the true
/// count. Read past the page cache. Source of the format: Linux, drivers/md/dm-cache-metadata.c. Throws Error{ToolFailed}.
bool metadata_committed(const std::string& node);

/// A status of the cache with this dm UUID that flushes: the kernel commits the metadata before it answers. Waits for the disk.
void commit_metadata(const std::string& dm_uuid);

/// Throws Error{DeviceChanged} unless the cache with this dm UUID has no dirty block now and can get none: not writeback, or with the
/// cleaner. A writecache is clean when all its blocks are free.
void require_clean(const std::string& dm_uuid);

/// Throws Error{DeviceChanged} unless the kernel has given up the cache with this dm UUID, which it does, where its SSD is gone, when it is
/// asked to commit the metadata. Before that LVM (2.03.16) would try to flush it, fail, and leave the volume suspended.
void require_failed(const std::string& dm_uuid);

}  // namespace tierd::device
