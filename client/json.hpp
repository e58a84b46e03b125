// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

#include "client/value.hpp"

namespace tierd::client {

/// Version of everything that tierctl writes as JSON: the member "format_version" of each document and of each line.
inline constexpr std::uint64_t json_format_version = 1;

/// Throws Error{Internal} for text that is no JSON or nested without end.
Value parse_json(const std::string& text);

/// ASCII only: whatever the text, nothing in it can steer a terminal. Unknown is null. Ends without a line feed.
std::string to_json(const Value& value, bool pretty);

}  // namespace tierd::client
