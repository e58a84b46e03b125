// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/journal_events.hpp"

#include <algorithm>

namespace tierd {

JournalEntry journal_event(std::string_view code, int priority, std::string message,
                           std::vector<std::pair<std::string, std::string>> fields) {
    const auto row = std::find_if(event_ids.begin(), event_ids.end(), [&](const EventId& id) { return id.code == code; });
    fields.emplace_back("TIERD_EVENT", code);
    return {row == event_ids.end() ? "" : std::string{row->message_id}, priority, std::move(message), std::move(fields)};
}

}  // namespace tierd
