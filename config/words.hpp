// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tierd::config {

/// As people may see it in one line: control characters, invisible ones and what is no UTF-8 become \n, \u{FEFF}, \x{FF}.
std::string escape(std::string_view text);
/// Escaped, in double quotes, and cut after 80 characters.
std::string quote(std::string_view text);

/// The first control, invisible or look-alike blank character that no value of a policy may hold, as "U+FEFF"; "" if there is none.
std::string hidden_character(std::string_view text);
/// Offset of the first byte that is no valid UTF-8; npos if all is.
std::size_t invalid_utf8(std::string_view text);

/// "a, b, c".
std::string list_of(const std::vector<std::string_view>& names);
/// The one that text was probably meant to be (case, a swap, at most two letters off); "" when none is near.
std::string_view nearest(std::string_view text, const std::vector<std::string_view>& names);
/// "; did you mean "mode"?", or "; one of a, b, c" when nothing is near.
std::string suggestion(std::string_view text, const std::vector<std::string_view>& names);

}  // namespace tierd::config
