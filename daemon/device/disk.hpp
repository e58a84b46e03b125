// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/model/units.hpp"

namespace tierd::device {

/// A file descriptor that closes itself. Always O_CLOEXEC.
class Descriptor {
public:
    explicit Descriptor(int fd = -1) : fd_{fd} {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();
    [[nodiscard]] int get() const { return fd_; }
    void reset();

private:
    int fd_;
};

/// A partition as the kernel knows it; start and size in bytes of the whole disk.
struct KernelPartition {
    std::string node, name;
    unsigned number = 0;
    Bytes start = 0, size = 0;
};

/// An open disk or partition, and what sysfs says of it. Opened read-only: closing it makes no event.
class Disk {
public:
    /// A regular file may be opened too, to look at an image. Throws Error{DeviceChanged} when there is no such device.
    explicit Disk(const std::string& node);

    [[nodiscard]] int fd() const { return fd_.get(); }
    [[nodiscard]] const std::string& node() const { return node_; }
    [[nodiscard]] bool is_block_device() const { return !sysfs_.empty(); }
    [[nodiscard]] Bytes size() const;
    /// nullopt where the kernel counts none.
    [[nodiscard]] std::optional<std::uint64_t> diskseq() const;
    /// What of it the kernel shows as partitions; none for a partition.
    [[nodiscard]] std::vector<KernelPartition> partitions() const;
    /// The node of the disk that this is a partition of; its own, when it is none.
    [[nodiscard]] std::string whole_node() const;
    /// Who uses it or one of its partitions: holders, mounts, swap, in words; "" for nobody that is seen.
    [[nodiscard]] std::string user() const;
    /// Used by somebody, or claimed by something that is not seen.
    [[nodiscard]] bool is_busy() const;
    /// Lets the next look read the disk itself: pages that were read before may be older than what a partition's own node wrote since.
    void drop_pages() const;
    /// The same device once more, with other flags; nothing when it is claimed (EBUSY), or throws Error.
    [[nodiscard]] std::optional<Descriptor> reopen(int flags) const;

private:
    std::string node_;
    Descriptor fd_;
    std::string sysfs_;  ///< "/sys/dev/block/8:16"; "" for a regular file
};

}  // namespace tierd::device
