// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/dm/mapper.hpp"

#include <fcntl.h>
#include <libdevmapper.h>
#include <linux/dm-ioctl.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <memory>
#include <sstream>

#include "daemon/model/cache_status.hpp"
#include "daemon/model/policy.hpp"

namespace tierd::dm {

namespace {

// libdevmapper would print to standard error, which is the journal: what it says is in the outcome.
void be_silent(int, const char*, int, int, const char*, ...) {}

using Task = std::unique_ptr<dm_task, decltype(&dm_task_destroy)>;

struct Target {
    std::string type, parameters;
    bool suspended = false;
};

/// The first target of that device; task_type is DM_DEVICE_STATUS or DM_DEVICE_TABLE.
std::optional<Target> first_target(const std::string& dm_uuid, int task_type) {
    const Task task{dm_task_create(task_type), dm_task_destroy};
    if (!task || dm_uuid.empty() || dm_task_set_uuid(task.get(), dm_uuid.c_str()) == 0) return std::nullopt;
    if (dm_task_no_flush(task.get()) == 0 || dm_task_no_open_count(task.get()) == 0 || dm_task_run(task.get()) == 0) return std::nullopt;
    dm_info info{};
    if (dm_task_get_info(task.get(), &info) == 0 || info.exists == 0) return std::nullopt;
    std::uint64_t start = 0;
    std::uint64_t length = 0;
    char* type = nullptr;
    char* parameters = nullptr;
    dm_get_next_target(task.get(), nullptr, &start, &length, &type, &parameters);
    if (type == nullptr || parameters == nullptr) return std::nullopt;
    return Target{type, parameters, info.suspended != 0};
}

/// The volume's cache, which a thick snapshot (snapshot-origin, snapshot-merge) covers with a layer; suspended is the whole of it.
std::optional<Target> cache_target(const std::string& dm_uuid, int task_type) {
    auto target = first_target(dm_uuid, task_type);
    if (target && target->type.rfind("snapshot-", 0) == 0) {
        const bool covered = target->suspended;
        target = first_target(dm_uuid + "-real", task_type);
        if (target) target->suspended = target->suspended || covered;
    }
    return target && (target->type == "cache" || target->type == "writecache") ? target : std::nullopt;
}

std::optional<CacheStatus> writecache_status(const std::string& dm_uuid, const std::string& line) {
    const auto table = cache_target(dm_uuid, DM_DEVICE_TABLE);
    return table && table->type == "writecache" ? parse_writecache_status(line, table->parameters) : std::nullopt;
}

/// What does not succeed is seen by who looks next.
void control(const std::string& dm_uuid, int task_type) {
    const Task task{dm_task_create(task_type), dm_task_destroy};
    if (!task || dm_uuid.empty() || dm_task_set_uuid(task.get(), dm_uuid.c_str()) == 0) return;
    if (dm_task_no_flush(task.get()) == 0 || dm_task_skip_lockfs(task.get()) == 0) return;
    static_cast<void>(dm_task_run(task.get()));
}

}  // namespace

Mapper::Mapper(Loop& loop, std::function<void()> on_event) : loop_{loop}, on_event_{std::move(on_event)} {
    dm_log_with_errno_init(be_silent);
    control_ = open("/dev/mapper/control", O_RDWR | O_CLOEXEC);
    // An old kernel without it makes no events here; udev's remain.
    if (control_ < 0 || !arm()) return;
    watch_ = loop_.on_io(control_, EPOLLIN, [this](std::uint32_t) {
        // Armed before anybody looks: the other way round an event slips between.
        arm();
        on_event_();
    });
}

Mapper::~Mapper() {
    watch_.reset();
    if (control_ >= 0) close(control_);
}

bool Mapper::arm() {
    dm_ioctl request{};
    request.version[0] = DM_VERSION_MAJOR;
    request.version[1] = 37;  // DM_DEV_ARM_POLL came with 4.37
    request.data_size = sizeof request;
    request.data_start = sizeof request;
    return ioctl(control_, DM_DEV_ARM_POLL, &request) == 0;
}

CacheDevice Mapper::cache_device(const std::string& dm_uuid) const {
    const auto target = cache_target(dm_uuid, DM_DEVICE_STATUS);
    if (!target) {
        // It has another table than LVM says, which may be suspended, too.
        const auto other = first_target(dm_uuid, DM_DEVICE_STATUS);
        return {std::nullopt, std::nullopt, other ? std::optional{other->suspended} : std::nullopt};
    }
    if (target->type == "writecache") return {writecache_status(dm_uuid, target->parameters), true, target->suspended};
    auto status = parse_cache_status(target->parameters);
    // A failed one says nothing more of itself; its table does.
    if (status && status->mode.empty()) status->mode = cache_mode(dm_uuid);
    return {std::move(status), std::nullopt, target->suspended};
}

std::optional<Mapper::CacheParts> Mapper::cache_parts(const std::string& dm_uuid) const {
    const auto target = cache_target(dm_uuid, DM_DEVICE_TABLE);
    if (!target) return std::nullopt;
    std::istringstream words{target->parameters};
    CacheParts parts;
    if (target->type == "writecache") {
        // "s|p ORIGIN CACHE BLOCK-SIZE …", each device as MAJOR:MINOR
        std::string kind;
        if (!(words >> kind >> parts.origin >> parts.data)) return std::nullopt;
        parts.metadata = parts.data;
        return parts;
    }
    // "METADATA CACHE ORIGIN BLOCK-SIZE …"
    return words >> parts.metadata >> parts.data >> parts.origin ? std::optional{parts} : std::nullopt;
}

std::string Mapper::cache_mode(const std::string& dm_uuid) const {
    const auto target = cache_target(dm_uuid, DM_DEVICE_TABLE);
    if (!target || target->type != "cache") return "";
    // "METADATA CACHE ORIGIN BLOCK-SIZE #FEATURES FEATURE… POLICY …"
    std::istringstream words{target->parameters};
    std::string word;
    unsigned features = 0;
    words >> word >> word >> word >> word >> features;
    for (; features > 0 && words >> word; --features) {
        if (value_of<CacheMode>(word)) return word;
    }
    return "";
}

void Mapper::hold(const std::string& dm_uuid) const {
    control(dm_uuid, DM_DEVICE_SUSPEND);
}
void Mapper::let_go(const std::string& dm_uuid) const {
    control(dm_uuid, DM_DEVICE_RESUME);
}
void Mapper::remove(const std::string& dm_uuid) const {
    control(dm_uuid, DM_DEVICE_REMOVE);
}

void Mapper::clear(const std::string& dm_uuid) const {
    control(dm_uuid, DM_DEVICE_CLEAR);
}

}  // namespace tierd::dm
