// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "daemon/model/observation.hpp"
#include "systemd/loop.hpp"

namespace tierd::dm {

/// device-mapper by ioctl: status without forking, and the control device in the loop. Works before the module is there: it then says
/// "unknown".
class Mapper {
public:
    Mapper(Loop& loop, std::function<void()> on_event);
    ~Mapper();
    Mapper(const Mapper&) = delete;
    Mapper& operator=(const Mapper&) = delete;

    /// Its status and whether it is suspended. Never flushes: watching must not commit metadata. Unknown: no such device, not a cache, or
    /// not understood. Under a thick snapshot the cache is the layer "-real".
    [[nodiscard]] CacheDevice cache_device(const std::string& dm_uuid) const;
    /// What the cache of that LV stands on, each as "254:3"; nullopt when there is none. A writecache has one device for both.
    struct CacheParts {
        std::string metadata, data, origin;
    };
    [[nodiscard]] std::optional<CacheParts> cache_parts(const std::string& dm_uuid) const;

    /// The mode that the kernel has loaded, also of a cache whose status is "Fail"; "" when it cannot be read.
    [[nodiscard]] std::string cache_mode(const std::string& dm_uuid) const;
    // Suspends the volume without writing anything back or freezing its filesystem: who writes to it waits instead of failing. And resumes
    // it.
    void hold(const std::string& dm_uuid) const;
    void let_go(const std::string& dm_uuid) const;
    /// Drops the table that is loaded beside the one that runs, if there is one.
    void clear(const std::string& dm_uuid) const;
    /// Takes the device out of the kernel; not while something has it open.
    void remove(const std::string& dm_uuid) const;

private:
    bool arm();

    Loop& loop_;
    std::function<void()> on_event_;
    int control_ = -1;
    Watch watch_;
};

}  // namespace tierd::dm
