// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tierd {

/// Sizes and offsets are in bytes unless the name says sectors (512 bytes) or extents.
using Bytes = std::uint64_t;
/// Microseconds since the epoch (CLOCK_REALTIME), or a span of microseconds where the name says so.
using Usec = std::uint64_t;

inline constexpr Bytes kib = 1024;
inline constexpr Bytes mib = 1024 * kib;
inline constexpr Bytes gib = 1024 * mib;
inline constexpr Bytes tib = 1024 * gib;
inline constexpr Bytes pib = 1024 * tib;
inline constexpr Bytes sector = 512;
inline constexpr Usec usec_per_second = 1'000'000;

/// A percentage in hundredths of a percent: 7050 is 70.5 %.
struct Percent {
    std::uint32_t hundredths = 0;
    friend auto operator<=>(const Percent&, const Percent&) = default;
};

/// part of whole, rounded down; exact for every 64-bit value.
Bytes share_of(Percent part, Bytes whole);
/// Rounds to a multiple of step (step > 0); up saturates at the largest multiple that 64 bits hold.
Bytes round_down(Bytes value, Bytes step);
Bytes round_up(Bytes value, Bytes step);

/// "220 GiB", "1.5 TiB", "256 KiB", "512 B": at most one decimal, base 2, for people.
std::string format_size(Bytes size);
/// The policy's own spelling, exact: "220GiB", "256KiB", "4194816B".
std::string spell_size(Bytes size);
/// The largest size of at most so many bytes that is short to write, in the policy's own spelling: "255.9GiB" of 262092MiB.
std::string spell_size_within(Bytes size);
/// "70%", "12.5%".
std::string format_percent(Percent percent);
/// "4.1 s", "3 h 10 min", "5 d": for people.
std::string format_span(Usec span);
/// "90s", "30min", "8h", "2d": a whole number above 0 and a unit; nullopt for any other text.
std::optional<Usec> parse_span(std::string_view text);
/// UTC, "20260201T023000Z".
std::string format_time(Usec time);

}  // namespace tierd
