// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tierd::client {

/// Reads an environment variable; "" where it is not set.
using Environment = std::function<std::string(const char*)>;

/// What standard output and standard error can show.
struct Terminal {
    bool out_is_tty = false, err_is_tty = false;
    std::size_t columns = 0;  ///< 0: no limit, nothing is shortened or wrapped (a file, a pipe)
    std::size_t rows = 0;     ///< 0: no limit, no pager
    bool color = false;
    bool utf8 = true;
};

/// Standard output as it is. COLUMNS holds also where there is no terminal; NO_COLOR (not empty), SYSTEMD_COLORS=0, TERM=dumb and
/// whatever is no terminal are without colour. Sets the locale's character type, for wcwidth(3).
Terminal detect_terminal(const Environment& environment);

}  // namespace tierd::client
