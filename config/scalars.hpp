// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "daemon/model/policy.hpp"

/// Text to value, one function a type: pure, locale-free, whole text or nothing.
namespace tierd::config {

/// A value, or what is wrong with the text: a clause that follows the text in quotes, 'is ambiguous; write 220GiB'.
template <typename Value>
struct Parsed {
    std::optional<Value> value;
    std::string complaint;
};

/// 1.5GiB, 10G, 10 g, 512B. More than 0, at most 8 EiB. A fraction of a byte is rounded up.
Parsed<Bytes> parse_size(std::string_view text);
/// 0% to 100%, at most two decimals.
Parsed<Percent> parse_percent(std::string_view text);
/// Either; a percentage must be more than 0. whole is what it is a share of ("the device").
Parsed<SizeSpec> parse_size_or_share(std::string_view text, std::string_view whole);
/// Decimal, no leading zero, least to most.
Parsed<std::uint64_t> parse_count(std::string_view text, std::uint64_t least, std::uint64_t most);
/// true or false; nothing else.
Parsed<bool> parse_flag(std::string_view text);
/// hourly, daily, weekly, monthly, "02:30", "Mon..Fri 02:30", "Sun 04:00".
Parsed<Schedule> parse_schedule(std::string_view text);
/// "01:00-06:00".
Parsed<DrainWindow> parse_window(std::string_view text);

}  // namespace tierd::config
