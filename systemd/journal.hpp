// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <utility>
#include <vector>

/// The journal with fields. Knows nothing of tierd: an event is a message id, a priority (syslog), a sentence and fields.
namespace tierd {

struct JournalEntry {
    std::string message_id;  ///< 32 hex digits, as in the catalog; "" for none
    int priority = 6;
    std::string message;
    std::vector<std::pair<std::string, std::string>> fields;  ///< "TIERD_VG" -> "lvm_hdd"; values may hold anything
};

/// To the journal when standard error is connected to it ($JOURNAL_STREAM); else to standard error as "<PRIORITY>message", control
/// characters escaped, and without the prefix on a terminal.
/// Never throws: a failed log line is no reason to fail.
void write_journal(const JournalEntry& entry) noexcept;

}  // namespace tierd
