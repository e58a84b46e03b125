// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/device/cache.hpp"

#include <endian.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "daemon/device/disk.hpp"
#include "daemon/model/cache_status.hpp"
#include "daemon/model/error.hpp"

namespace tierd::device {

namespace {

constexpr std::size_t block = 4096;
constexpr std::uint64_t magic = 06142003;
constexpr std::size_t magic_at = 32, cache_blocks_at = 240;

constexpr std::size_t answer_size = 64 * 1024;

struct Line {
    std::string type, parameters;
};

/// Of the first target, its table (flags DM_STATUS_TABLE_FLAG) or its status, which flushes; nullopt when there is no such device.
std::optional<Line> ask(int control, const std::string& dm_uuid, std::uint32_t flags) {
    std::vector<char> buffer(answer_size);
    auto* request = reinterpret_cast<dm_ioctl*>(buffer.data());
    request->version[0] = DM_VERSION_MAJOR;
    request->data_size = static_cast<std::uint32_t>(buffer.size());
    request->data_start = sizeof(dm_ioctl);
    request->flags = flags;
    if (dm_uuid.size() >= sizeof request->uuid) throw Error{ErrorCode::InvalidArgs, "no device-mapper UUID: " + dm_uuid};
    std::memcpy(request->uuid, dm_uuid.c_str(), dm_uuid.size());
    if (ioctl(control, DM_TABLE_STATUS, request) == 0) {
        const std::size_t at = request->data_start + sizeof(dm_target_spec);
        if (request->target_count == 0 || at >= buffer.size()) return Line{};
        const auto* target = reinterpret_cast<const dm_target_spec*>(&buffer[request->data_start]);
        return Line{{target->target_type, strnlen(target->target_type, sizeof target->target_type)},
                    {&buffer[at], strnlen(&buffer[at], buffer.size() - at)}};
    }
    if (errno == ENXIO) return std::nullopt;
    throw Error{ErrorCode::ToolFailed, "the status of " + dm_uuid + " cannot be read: " + std::strerror(errno)};
}

/// Under a thick snapshot the cache is the hidden layer, and the volume's own device an origin in front of it.
Line ask_cache(const std::string& dm_uuid, std::uint32_t flags) {
    const Descriptor control{open("/dev/mapper/control", O_RDWR | O_CLOEXEC)};
    if (control.get() < 0) throw Error{ErrorCode::ToolFailed, std::string{"device-mapper cannot be asked: "} + std::strerror(errno)};
    auto line = ask(control.get(), dm_uuid + "-real", flags);
    if (!line) line = ask(control.get(), dm_uuid, flags);
    if (!line) throw Error{ErrorCode::NoSuchTarget, "there is no device " + dm_uuid};
    return *line;
}

/// A writecache says in its table what dm-cache says in its status.
std::optional<CacheStatus> read_status(const std::string& dm_uuid, const Line& line) {
    if (line.type != "writecache") return parse_cache_status(line.parameters);
    return parse_writecache_status(line.parameters, ask_cache(dm_uuid, DM_STATUS_TABLE_FLAG).parameters);
}

}  // namespace

bool metadata_committed(const std::string& node) {
    const Descriptor fd{open(node.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC)};
    if (fd.get() < 0) throw Error{ErrorCode::ToolFailed, node + " cannot be opened: " + std::strerror(errno)};
    const std::unique_ptr<char, decltype(&std::free)> buffer{static_cast<char*>(std::aligned_alloc(block, block)), &std::free};
    const auto got = pread(fd.get(), buffer.get(), block, 0);
    if (got != static_cast<ssize_t>(block))
        throw Error{ErrorCode::ToolFailed, node + " cannot be read: " + std::strerror(got < 0 ? errno : EIO)};
    std::uint64_t found = 0;
    std::uint32_t blocks = 0;
    std::memcpy(&found, buffer.get() + magic_at, sizeof found);
    std::memcpy(&blocks, buffer.get() + cache_blocks_at, sizeof blocks);
    return le64toh(found) == magic && blocks != 0;
}

void commit_metadata(const std::string& dm_uuid) {
    static_cast<void>(ask_cache(dm_uuid, 0));
}

void require_clean(const std::string& dm_uuid) {
    const auto line = ask_cache(dm_uuid, 0);
    const auto status = read_status(dm_uuid, line);
    const bool well = status && status->health == CacheStatus::Health::Ok && status->dirty_blocks == 0;
    if (well && (status->policy == cleaner_policy || status->mode != name_of(CacheMode::Writeback))) return;
    throw Error{ErrorCode::DeviceChanged, "the cache " + dm_uuid + " is not clean, or may not stay so: " + line.parameters};
}

void require_failed(const std::string& dm_uuid) {
    const auto line = ask_cache(dm_uuid, 0);
    const auto status = read_status(dm_uuid, line);
    if (status && (status->health == CacheStatus::Health::Failed || status->health == CacheStatus::Health::Error)) return;
    throw Error{ErrorCode::DeviceChanged, "the cache " + dm_uuid + " has not failed: " + line.parameters};
}

}  // namespace tierd::device
