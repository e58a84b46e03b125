// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

namespace tierd {

/// The whole text of a small file, of /proc or /sys mostly; "" when it cannot be read.
std::string text_in(const std::string& path);
/// Its first line, without the newline.
std::string first_line_in(const std::string& path);

}  // namespace tierd
