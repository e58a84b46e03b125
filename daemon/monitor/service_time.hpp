// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "daemon/model/service.hpp"
#include "daemon/monitor/window.hpp"

namespace tierd {

/// How long the SSD of a cache and the volume's own disks take for an I/O, under the load that each has, and whether the SSD is the slower
/// one: then the cache makes the volume slower than it was without.
class ServiceWatch {
public:
    static constexpr Usec span = 300 * usec_per_second;
    /// Fewer I/Os than this in the span, of either, tell nothing: three a second.
    static constexpr std::uint64_t least_ios = 1'000;

    /// Means over the span.
    struct Means {
        std::optional<double> tier, origin;  ///< µs an I/O; nullopt: none in the span
    };
    enum class Direction { Read, Write };

    void add(Usec time, const CacheService& service);
    /// While the cache is drained, its traffic is tierd's own.
    void pause() { window_.clear(); }

    [[nodiscard]] Means means(Direction direction) const;
    /// The tier is slower, as it was found over five minutes of load; what was found stays until another five minutes of load say
    /// otherwise.
    [[nodiscard]] std::optional<Means> slower(Direction direction) const { return slower_.at(static_cast<std::size_t>(direction)); }

private:
    [[nodiscard]] Served since(Served DeviceService::*direction, DeviceService CacheService::*device) const;
    void judge(Direction direction);

    Window<CacheService> window_{span};
    std::array<std::optional<Means>, 2> slower_;
};

inline constexpr std::array<std::pair<const char*, ServiceWatch::Direction>, 2> service_directions{
    {{"read", ServiceWatch::Direction::Read}, {"write", ServiceWatch::Direction::Write}}};

}  // namespace tierd
