// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>

namespace tierd {

/// The whole text of a small file, of /proc or /sys mostly; "" when it cannot be read.
std::string text_in(const std::string& path);
/// Its first line, without the newline.
std::string first_line_in(const std::string& path);

/// The whole text of a regular file of at most so many bytes; nullopt when there is none. Throws Error{StateUnknown} for what is no such
/// file, is longer, or cannot be read.
std::optional<std::string> text_of_regular(const std::string& path, std::size_t most);

/// Replaces a file as a whole: who reads it sees the old text or the new one. The folder is made, if only that is missing. Gives "", or
/// what went wrong in a sentence.
std::string write_whole(const std::string& path, const std::string& text);

}  // namespace tierd
