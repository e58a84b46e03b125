// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "systemd/journal.hpp"

namespace tierd {

/// What the journal's events are called (TIERD_EVENT) and their MESSAGE_ID. One table: the alert codes, then what else is told.
/// systemd/tierd.catalog explains each.
struct EventId {
    std::string_view code;
    std::string_view message_id;
};
inline constexpr std::array event_ids{
    EventId{"snapshot-filling", "185d2869a5254f0b922f9381bd95024a"},
    EventId{"snapshot-full", "88cce603b11e40298735260f4d604c4e"},
    EventId{"snapshot-invalid", "a42d1dc1aad44b61adef763e32e4eaa4"},
    EventId{"extend-failed", "d15284fbee0b406886a07e579b361cca"},
    EventId{"no-space", "3efdb36307b34af49dbb67c7b1bde691"},
    EventId{"dirty-high", "7c7fc93abf1744c1beba0796058223ae"},
    EventId{"drain-stalled", "18c28e97dd6246b9806ce3203291132f"},
    EventId{"tier-degraded", "2436f58c935f47eeabf8c4d50bb76655"},
    EventId{"tier-lost", "de3593fdd1ab49a696fafc9bc0a60b5f"},
    EventId{"tier-slower-than-origin", "1a617c169a0744d4a7d4ca17d83f5ea7"},
    EventId{"device-ambiguous", "97fef4894bd14d40acea03d83a8129e0"},
    EventId{"device-failing", "14aa5aa0cad648b89528d39bb7cde2f3"},
    EventId{"group-frozen", "ecddd9406c8143d78e30b59dd52bf4cc"},
    EventId{"policy-invalid", "08e0b6f5eb7940e09d7e425fea4512ab"},
    EventId{"inventory-lost", "ba60b8b504764dce9df9afd4984ff6a5"},
    EventId{"vg-incomplete", "219af464f2284ba2aa4772702845f026"},
    EventId{"half-made", "f68b1b4fae7d4edaab3f1320a00f4c09"},
    EventId{"foreign-change", "137010b8169b425a99ecfe596150f378"},
    EventId{"alert-cleared", "791644d432cc4ba7a94f4210c364d568"},
    EventId{"job-new", "b8044376376c49bba3cbfdc853c27941"},
    EventId{"job-done", "a25f6b25e00d4f1a88b2bb5d210408ee"},
    EventId{"job-canceled", "cbceb56d66444f49a5774b4d64581ff9"},
    EventId{"job-failed", "9f4f4494d55c4046bb80ed77237ecdfa"},
    EventId{"command", "4945b1e930f649589f55c0bbe6c6f8f5"},
    EventId{"call", "740b191a02ed4e57b6ba2d3d1316b88e"},
    EventId{"bus-lost", "6a730a3c7c094dc3a081994b7d9042f5"},
};

/// An entry with the code's MESSAGE_ID and TIERD_EVENT; without an id for a code that is not in the table.
JournalEntry journal_event(std::string_view code, int priority, std::string message,
                           std::vector<std::pair<std::string, std::string>> fields);

}  // namespace tierd
