// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "client/page.hpp"
#include "client/value.hpp"
#include "daemon/model/units.hpp"

/// Values as people read them. Unknown is "?"; whether something does not apply ("-") is the caller's to know.
namespace tierd::client {

/// "220 GiB".
std::string size_text(const Value& bytes);
/// 0.814 -> "81%", 0.006 -> "0.6%"; "<0.1%" for what is not quite nothing, never "100%" for what is not quite all.
std::string ratio_text(std::optional<double> ratio);
/// part of whole; nullopt where either is unknown or the whole is 0.
std::optional<double> ratio_of(const Value& part, const Value& whole);
/// "████████░░ 81%", ten cells.
std::string bar_text(std::optional<double> ratio);
/// "1 file", "2 files".
std::string count_text(std::size_t number, const std::string& one);
/// Local time of day, "14:02:11"; TZ is honoured.
std::string clock_text(Usec time);
/// Local date and time, "2026-02-01 09:00:12".
std::string time_text(Usec time);
/// "media" of "tier media", "tier/media" and "/org/tierd1/tier/media"; the whole text where there is no such prefix.
std::string short_name(const std::string& text);
/// "tier/vg1/archive" of "/org/tierd1/tier/vg1_2farchive"; other paths as they are.
std::string object_name(const std::string& path);

}  // namespace tierd::client
