// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/device/claim.hpp"

#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "daemon/device/lvm_label.hpp"
#include "daemon/device/probe.hpp"
#include "daemon/model/error.hpp"

namespace tierd::device {

namespace {

constexpr unsigned lock_limit_seconds = 10;

std::string name_of(const ClaimRequest& request) {
    return request.disk.identity.empty() ? request.disk.node : request.disk.node + " (" + request.disk.identity + ')';
}

/// Block devices are locked by flock(LOCK_EX) on the whole disk: https://systemd.io/BLOCK_DEVICE_LOCKING
void lock(const Disk& whole, const ClaimRequest& request) {
    struct sigaction on_alarm {};
    on_alarm.sa_handler = [](int) {};
    sigaction(SIGALRM, &on_alarm, nullptr);
    alarm(lock_limit_seconds);
    const int result = flock(whole.fd(), LOCK_EX);
    const int error = errno;
    alarm(0);
    if (result == 0) return;
    if (error == EINTR) {
        throw Error{ErrorCode::Timeout,
                    name_of(request) + " is locked by another program since " + std::to_string(lock_limit_seconds) + " s: try again later"};
    }
    throw Error{ErrorCode::ToolFailed, name_of(request) + " cannot be locked: " + std::strerror(error)};
}

void check_same(const Disk& disk, const ClaimRequest& request) {
    if (!disk.is_block_device()) throw Error{ErrorCode::InvalidArgs, disk.node() + " is no block device"};
    const auto diskseq = disk.diskseq();
    if (!diskseq)
        throw Error{ErrorCode::DeviceChanged,
                    name_of(request) + " has no sequence number from this kernel, so that it cannot be recognised"};
    if (*diskseq != request.disk.diskseq) {
        throw Error{ErrorCode::DeviceChanged, name_of(request) + " is another disk now: sequence number " + std::to_string(*diskseq) +
                                                  ", expected " + std::to_string(request.disk.diskseq)};
    }
    if (request.disk.size != 0 && disk.size() != request.disk.size) {
        throw Error{ErrorCode::DeviceChanged,
                    name_of(request) + " has " + std::to_string(disk.size()) + " bytes, expected " + std::to_string(request.disk.size)};
    }
}

/// A stretch of the disk with what is on it: the disk itself first, then each partition of the kernel or of the table.
struct Stretch {
    std::string name;
    Bytes offset = 0, size = 0;
    Content content;
};

bool covered(const std::vector<Stretch>& stretches, const TableEntry& entry) {
    return std::any_of(stretches.begin() + 1, stretches.end(),
                       [&](const Stretch& each) { return each.offset == entry.start && each.size == entry.size; });
}

std::vector<Stretch> look_everywhere(const Disk& disk) {
    std::vector<Stretch> stretches;
    disk.drop_pages();
    stretches.push_back({disk.node(), 0, 0, look({disk.fd(), 0, 0})});
    for (const auto& partition : disk.partitions()) {
        // By its own node: what was written through it may not have reached the disk's yet.
        const Disk own{partition.node};
        own.drop_pages();
        stretches.push_back({partition.node, partition.start, partition.size, look({own.fd(), 0, 0})});
    }
    for (const auto& entry : stretches.front().content.partitions) {
        if (covered(stretches, entry) || entry.start + entry.size > disk.size()) continue;
        stretches.push_back(
            {"the partition at byte " + std::to_string(entry.start), entry.start, entry.size, look({disk.fd(), entry.start, entry.size})});
    }
    return stretches;
}

void check_content(const std::vector<Stretch>& stretches, const Disk& disk, const ClaimRequest& request) {
    const auto& allowed = request.disk.may_wipe;
    for (const auto& stretch : stretches) {
        if (stretch.content.ambivalent) {
            throw Error{ErrorCode::DeviceNotEmpty,
                        stretch.name + " carries signatures that contradict each other: look at it, and empty it with wipefs"};
        }
        for (const auto& signature : stretch.content.signatures) {
            const std::string found = stretch.name + " holds data: " + signature.type + " at byte " + std::to_string(signature.offset);
            if (!request.wipe) throw Error{ErrorCode::DeviceNotEmpty, found};
            if (std::find(allowed.begin(), allowed.end(), signature.type) == allowed.end()) {
                throw Error{ErrorCode::DeviceNotEmpty, found + ", which the policy does not allow to be erased"};
            }
            if (signature.type == "LVM2_member" && in_volume_group({disk.fd(), stretch.offset, stretch.size})) {
                throw Error{ErrorCode::DeviceBusy, stretch.name + " belongs to a volume group: take it out of there with vgreduce first"};
            }
        }
        const bool is_partition = &stretch != &stretches.front();
        if (is_partition && stretch.content.signatures.empty()) {
            throw Error{
                ErrorCode::DeviceNotEmpty,
                stretch.name + " carries no known signature, and may hold anything: delete the partition if nothing on it is wanted"};
        }
    }
}

void check_label(const Disk& disk, const ClaimRequest& request) {
    disk.drop_pages();
    const auto found = pv_uuid_in({disk.fd(), 0, 0});
    if (found == request.pv_uuid) return;
    throw Error{ErrorCode::DeviceChanged, name_of(request) +
                                              (found.empty() ? " is no physical volume any more" : " is physical volume " + found) +
                                              ", expected " + request.pv_uuid};
}

/// Takes the partitions out of the kernel, which it refuses while one is open: from then on nobody can use them.
void drop_partitions(const Disk& disk, int writable) {
    for (const auto& partition : disk.partitions()) {
        blkpg_partition about{};
        about.pno = static_cast<int>(partition.number);
        blkpg_ioctl_arg request{};
        request.op = BLKPG_DEL_PARTITION;
        request.datalen = sizeof about;
        request.data = &about;
        if (ioctl(writable, BLKPG, &request) == 0 || errno == ENXIO) continue;
        throw Error{ErrorCode::DeviceBusy, partition.node + " is in use: " + std::strerror(errno)};
    }
}

void erase_all(std::vector<Stretch> stretches, const Disk& disk, int writable, const ClaimRequest& request) {
    drop_partitions(disk, writable);
    // Once more, by the disk's own descriptor now, so that what the partitions' nodes had not yet written is seen.
    disk.drop_pages();
    for (auto& stretch : stretches) stretch.content = look({writable, stretch.offset, stretch.size});
    check_content(stretches, disk, request);
    // The table goes first: when the power fails in between, the next look finds a blank disk, and not a partition that nobody knows.
    for (const auto& stretch : stretches) erase({writable, stretch.offset, stretch.size});
    for (const auto& stretch : stretches) {
        if (!look({writable, stretch.offset, stretch.size}).signatures.empty()) {
            throw Error{ErrorCode::DeviceNotEmpty,
                        stretch.name + " still carries a signature after it was erased: does something write to it?"};
        }
    }
}

void wipe(const Disk& disk, int writable, const ClaimRequest& request) {
    auto stretches = look_everywhere(disk);
    check_content(stretches, disk, request);
    try {
        erase_all(std::move(stretches), disk, writable, request);
    } catch (...) {
        // The partitions were taken out of the kernel, and are still on the disk: as it is now, so it is shown.
        ioctl(writable, BLKRRPART);
        throw;
    }
    if (ioctl(writable, BLKRRPART) != 0 && errno != EINVAL && !disk.partitions().empty()) {
        throw Error{ErrorCode::DeviceBusy, name_of(request) + " still has partitions in the kernel: " + std::strerror(errno)};
    }
}

}  // namespace

int run(const std::vector<std::string>& command) {
    std::vector<char*> argv;
    argv.reserve(command.size() + 1);
    for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    pid_t pid = 0;
    if (const int error = posix_spawn(&pid, argv.front(), nullptr, nullptr, argv.data(), environ); error != 0) {
        throw Error{ErrorCode::ToolFailed, command.front() + " cannot be run: " + std::strerror(error)};
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) throw Error{ErrorCode::ToolFailed, command.front() + " cannot be waited for: " + std::strerror(errno)};
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int claim(const ClaimRequest& request) {
    const Disk disk{request.disk.node};
    check_same(disk, request);
    const Disk whole{disk.whole_node()};
    lock(whole, request);
    check_same(disk, request);

    if (const auto user = disk.user(); !user.empty()) throw Error{ErrorCode::DeviceBusy, user};
    auto exclusive = disk.reopen((request.wipe ? O_RDWR : O_RDONLY) | O_EXCL);
    if (!exclusive) throw Error{ErrorCode::DeviceBusy, name_of(request) + " is claimed by something in the kernel"};
    if (request.wipe) {
        wipe(disk, exclusive->get(), request);
    } else if (!request.pv_uuid.empty()) {
        check_label(disk, request);
    } else {
        check_content(look_everywhere(disk), disk, request);
    }
    // The command claims it for itself; the lock goes on keeping udevd and whoever else honours it away.
    exclusive->reset();
    return request.command.empty() ? 0 : run(request.command);
}

}  // namespace tierd::device
