// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/device/disk.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "daemon/model/error.hpp"

namespace tierd::device {

namespace fs = std::filesystem;

namespace {

std::string first_line(const fs::path& path) {
    std::ifstream file{path};
    std::string line;
    std::getline(file, line);
    return line;
}

std::uint64_t number_in(const fs::path& path) {
    const std::string line = first_line(path);
    std::uint64_t value = 0;
    std::from_chars(line.data(), line.data() + line.size(), value);
    return value;
}

std::string dev_of(const fs::path& sysfs) {
    return first_line(sysfs / "dev");
}

/// What devtmpfs calls it: sysfs writes '!' where the node's name has '/'.
std::string node_of(const fs::path& sysfs) {
    std::string name = fs::canonical(sysfs).filename().string();
    for (char& c : name) {
        if (c == '!') c = '/';
    }
    return "/dev/" + name;
}

std::string mounted_on(const std::set<std::string>& devs) {
    // Source of the format: proc(5), mountinfo: ID PARENT MAJOR:MINOR ROOT MOUNTPOINT …
    std::ifstream file{"/proc/self/mountinfo"};
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words{line};
        std::string id, parent, dev, root, point;
        if (words >> id >> parent >> dev >> root >> point && devs.count(dev) > 0) return point;
    }
    return "";
}

bool is_swap(const std::set<std::string>& devs) {
    std::ifstream file{"/proc/swaps"};
    std::string line;
    while (std::getline(file, line)) {
        struct stat about {};
        const std::string path = line.substr(0, line.find(' '));
        if (stat(path.c_str(), &about) != 0 || !S_ISBLK(about.st_mode)) continue;
        if (devs.count(std::to_string(major(about.st_rdev)) + ':' + std::to_string(minor(about.st_rdev))) > 0) return true;
    }
    return false;
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        reset();
        fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
}
Descriptor::~Descriptor() {
    reset();
}
void Descriptor::reset() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
}

Disk::Disk(const std::string& node) : node_{node}, fd_{open(node.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)} {
    const int error = errno;
    if (fd_.get() < 0) {
        const bool gone = error == ENOENT || error == ENXIO || error == ENODEV || error == ENOMEDIUM;
        throw Error{gone ? ErrorCode::DeviceChanged : ErrorCode::ToolFailed, node + " cannot be opened: " + std::strerror(error)};
    }
    struct stat about {};
    if (fstat(fd_.get(), &about) != 0) throw Error{ErrorCode::ToolFailed, node + " cannot be looked at: " + std::strerror(errno)};
    if (S_ISBLK(about.st_mode)) {
        sysfs_ = "/sys/dev/block/" + std::to_string(major(about.st_rdev)) + ':' + std::to_string(minor(about.st_rdev));
        if (!fs::exists(sysfs_)) throw Error{ErrorCode::DeviceChanged, node + " is gone"};
    } else if (!S_ISREG(about.st_mode)) {
        throw Error{ErrorCode::InvalidArgs, node + " is no block device"};
    }
}

void Disk::drop_pages() const {
    posix_fadvise(fd_.get(), 0, 0, POSIX_FADV_DONTNEED);
}

bool Disk::is_busy() const {
    // Asked for and given back at once: nobody else is kept from claiming it. Not at all while somebody is seen to use it.
    return is_block_device() && (!user().empty() || !reopen(O_RDONLY | O_EXCL));
}

Bytes Disk::size() const {
    std::uint64_t bytes = 0;
    if (is_block_device()) {
        if (ioctl(fd_.get(), BLKGETSIZE64, &bytes) != 0)
            throw Error{ErrorCode::DeviceChanged, node_ + " does not tell its size: " + std::strerror(errno)};
        return bytes;
    }
    struct stat about {};
    if (fstat(fd_.get(), &about) == 0) bytes = static_cast<std::uint64_t>(about.st_size);
    return bytes;
}

std::optional<std::uint64_t> Disk::diskseq() const {
    std::uint64_t value = 0;
    if (ioctl(fd_.get(), BLKGETDISKSEQ, &value) != 0 || value == 0) return std::nullopt;
    return value;
}

std::vector<KernelPartition> Disk::partitions() const {
    std::vector<KernelPartition> found;
    if (!is_block_device()) return found;
    for (const auto& entry : fs::directory_iterator{sysfs_}) {
        if (!fs::exists(entry.path() / "partition")) continue;
        KernelPartition partition;
        partition.node = node_of(entry.path());
        partition.name = entry.path().filename().string();
        partition.number = static_cast<unsigned>(number_in(entry.path() / "partition"));
        partition.start = number_in(entry.path() / "start") * sector;
        partition.size = number_in(entry.path() / "size") * sector;
        found.push_back(std::move(partition));
    }
    return found;
}

std::string Disk::whole_node() const {
    if (!is_block_device() || !fs::exists(fs::path{sysfs_} / "partition")) return node_;
    return node_of(fs::canonical(sysfs_).parent_path());
}

std::string Disk::user() const {
    std::set<std::string> devs{dev_of(sysfs_)};
    std::vector<fs::path> places{sysfs_};
    for (const auto& partition : partitions()) {
        places.push_back(fs::path{sysfs_} / partition.name);
        devs.insert(dev_of(places.back()));
    }
    for (const auto& place : places) {
        for (const auto& holder : fs::directory_iterator{place / "holders"}) {
            return node_of(place) + " is held by " + holder.path().filename().string();
        }
    }
    if (const auto point = mounted_on(devs); !point.empty()) return node_ + " is mounted on " + point;
    if (is_swap(devs)) return node_ + " is used as swap";
    return "";
}

std::optional<Descriptor> Disk::reopen(int flags) const {
    // Through /proc, so that a link or node that was replaced since does not matter.
    Descriptor fd{open(("/proc/self/fd/" + std::to_string(fd_.get())).c_str(), flags | O_CLOEXEC)};
    if (fd.get() >= 0) return fd;
    if (errno == EBUSY) return std::nullopt;
    throw Error{errno == ENXIO || errno == ENODEV ? ErrorCode::DeviceChanged : ErrorCode::ToolFailed,
                node_ + " cannot be opened: " + std::strerror(errno)};
}

}  // namespace tierd::device
