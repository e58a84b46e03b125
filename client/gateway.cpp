// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/gateway.hpp"

namespace tierd::client {

std::string_view name_of(Event::Kind kind) {
    switch (kind) {
        case Event::Kind::JobNew: return "job-new";
        case Event::Kind::JobRemoved: return "job-removed";
        case Event::Kind::Alert: return "alert";
        case Event::Kind::AlertCleared: return "alert-cleared";
        case Event::Kind::Added: return "added";
        case Event::Kind::Removed: return "removed";
        case Event::Kind::Changed: return "changed";
        case Event::Kind::DaemonGone: return "daemon-gone";
    }
    return "";
}

}  // namespace tierd::client
