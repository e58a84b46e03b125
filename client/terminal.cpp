// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/terminal.hpp"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <clocale>
#include <string_view>

namespace tierd::client {

Terminal detect_terminal(const Environment& environment) {
    Terminal terminal;
    terminal.out_is_tty = ::isatty(STDOUT_FILENO) == 1;
    terminal.err_is_tty = ::isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb";

    std::setlocale(LC_CTYPE, "");
    terminal.utf8 = std::string_view{::nl_langinfo(CODESET)} == "UTF-8" || !terminal.out_is_tty;
    // Widths are asked of a locale that knows them, whatever the terminal can show.
    if (std::string_view{::nl_langinfo(CODESET)} != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");

    winsize size{};
    if (terminal.out_is_tty && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        terminal.columns = size.ws_col;
        terminal.rows = size.ws_row;
    }
    const std::string columns = environment("COLUMNS");
    std::size_t asked = 0;
    const auto [end, error] = std::from_chars(columns.data(), columns.data() + columns.size(), asked);
    if (error == std::errc{} && end == columns.data() + columns.size() && asked > 0) terminal.columns = asked;

    terminal.color =
        terminal.out_is_tty && environment("NO_COLOR").empty() && environment("SYSTEMD_COLORS") != "0" && environment("TERM") != "dumb";
    return terminal;
}

}  // namespace tierd::client
