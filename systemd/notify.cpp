// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "systemd/notify.hpp"

#include <systemd/sd-daemon.h>

#include <algorithm>
#include <chrono>

namespace tierd::notify {

void ready() {
    sd_notify(0, "READY=1");
}

void reloading() {
    // The time stamp is what Type=notify-reload (systemd 253 and later) wants; older ones ignore it.
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const auto usec = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    sd_notify(0, ("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(usec)).c_str());
}

void stopping() {
    sd_notify(0, "STOPPING=1");
}

void status(const std::string& line) {
    std::string text = "STATUS=" + line;
    // A line feed would begin another assignment.
    std::replace(text.begin(), text.end(), '\n', ' ');
    sd_notify(0, text.c_str());
}

void extend_timeout(unsigned seconds) {
    sd_notify(0, ("EXTEND_TIMEOUT_USEC=" + std::to_string(seconds) + "000000").c_str());
}

}  // namespace tierd::notify
