// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

/// sd_notify(3) messages; nothing happens without a service manager.
namespace tierd::notify {

void ready();
void reloading();
void stopping();
void status(const std::string& line);
/// More time for a stop that waits for a command which must not be cut.
void extend_timeout(unsigned seconds);

}  // namespace tierd::notify
