// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

namespace tierd::client {

enum class JsonMode { Off, Short, Pretty };

/// The command line, read.
struct Options {
    // Everywhere.
    std::string bus = "system";  ///< system, session or an address
    std::string host;            ///< USER@HOST, over ssh
    std::string json = "off";    ///< as given: pretty, short or off
    bool json_flag = false;      ///< -j
    bool no_pager = false, no_legend = false, full = false, quiet = false, no_ask_password = false;
    bool help = false, version = false;
    // Of single verbs.
    bool commands = false, detailed_exitcode = false, no_block = false, cancel = false;
    std::string property, why, limit, confirm;

    std::string verb = "status";
    bool verb_given = false;
    std::vector<std::string> arguments;
    std::vector<std::string> command;  ///< what stands behind "--"

    [[nodiscard]] JsonMode json_mode(bool tty) const;
};

/// One flag as help, the man page and the completions know it.
struct Flag {
    std::string names;  ///< "-j" or "-q,--quiet"
    std::string value;  ///< "pretty|short|off", "USER@HOST"; "" for a switch
    std::string help;
    std::string verbs;  ///< that take it, with spaces between; "" for everywhere
    bool Options::*on = nullptr;
    std::string Options::*text = nullptr;
};
const std::vector<Flag>& flags();
/// Whether it is a flag of that verb; one of all verbs is none of a single one.
bool belongs_to(const Flag& flag, const std::string& verb);

/// Flags may stand anywhere before "--". Throws Error{InvalidArgs} with what was meant.
Options parse_options(const std::vector<std::string>& arguments);

}  // namespace tierd::client
