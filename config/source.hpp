// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>

#include "config/report.hpp"

namespace tierd::config {

/// The file's bytes. Anything but a regular file of at most max_file_size is refused without being read.
/// nullopt after a problem was reported.
std::optional<std::string> read_file(const std::string& path, Report& report);

/// The text as the YAML reader may see it: UTF-8 without a byte order mark, every line ended by \n.
/// What the YAML reader would misread without a word is refused here: UTF-16, NUL and other control characters, tabs in the
/// indentation, lines that start with % (directives, behind which it stops reading). nullopt after a problem was reported.
std::optional<std::string> normalise(std::string text, Report& report);

/// Whether the text says something: more than blanks, comments and document markers.
bool says_something(const std::string& text);

}  // namespace tierd::config
