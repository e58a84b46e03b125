// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Text as a terminal shows it. All of it is UTF-8; columns are what wcwidth(3) says, in the C.UTF-8 locale that run_tierctl sets.
namespace tierd::client {

/// What cannot be shown is spelled out: control characters and bytes that are no UTF-8 as \x1b, and what would reorder or
/// hide text (bidirectional controls, zero-width characters) as \u202e. Whatever a disk calls itself, it cannot steer a terminal.
std::string printable(std::string_view text);

/// Columns of printable text.
std::size_t width_of(std::string_view text);

/// At most that many columns; what was cut off the end becomes "…".
std::string shorten(std::string_view text, std::size_t columns);

/// Every character that is not ASCII as the nearest one that is, or "?": for terminals without UTF-8.
std::string to_ascii(std::string_view text);

/// Lines of at most that many columns, broken at spaces; a word longer than a line stands alone. 0 columns: one line.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

/// The candidate nearest to the word, if it is near enough to have been meant; "" otherwise.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace tierd::client
