// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/terminal.hpp"

/// Other programs, always as an argument vector, never through a shell.
namespace tierd::client {

/// Runs it on this terminal and waits. Ctrl-C reaches the command, not us. Its exit status; 128 + signal; 127 if it cannot be run.
int run_command(const std::vector<std::string>& command);

/// Writes the text to $SYSTEMD_PAGER, $PAGER or less, whichever is first; to standard output where there is none, or under sudo.
void page_out(const std::string& text, const Environment& environment);

/// Lets polkit ask for a password on this terminal, as long as it lives. Where polkit's text agent is not installed, nothing happens.
class PasswordAgent {
public:
    PasswordAgent();
    ~PasswordAgent();
    PasswordAgent(const PasswordAgent&) = delete;
    PasswordAgent& operator=(const PasswordAgent&) = delete;

private:
    int pid_ = -1;
};

}  // namespace tierd::client
