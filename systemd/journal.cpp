// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "systemd/journal.hpp"

#include <sys/stat.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

#include <cstdlib>

namespace tierd {
namespace {

/// systemd.exec(5): JOURNAL_STREAM holds device and inode of the stream that was connected to the journal.
bool stderr_is_the_journal() {
    const char* stream = std::getenv("JOURNAL_STREAM");
    struct stat status {};
    if (stream == nullptr || fstat(STDERR_FILENO, &status) != 0) return false;
    return std::to_string(status.st_dev) + ':' + std::to_string(status.st_ino) == stream;
}

/// A device's serial may hold anything: it must not begin a line of its own.
std::string escaped(const std::string& text) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string result;
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte >= 0x20 && byte != 0x7f) {
            result += character;
        } else {
            result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        }
    }
    return result;
}

bool send_to_journal(const JournalEntry& entry) {
    std::vector<std::string> lines{"MESSAGE=" + entry.message, "PRIORITY=" + std::to_string(entry.priority)};
    if (!entry.message_id.empty()) lines.push_back("MESSAGE_ID=" + entry.message_id);
    for (const auto& [name, value] : entry.fields) lines.push_back(name + '=' + value);
    std::vector<iovec> vectors;
    vectors.reserve(lines.size());
    for (std::string& line : lines) vectors.push_back({line.data(), line.size()});
    return sd_journal_sendv(vectors.data(), static_cast<int>(vectors.size())) == 0;
}

void send_to_stderr(const JournalEntry& entry) {
    std::string line = escaped(entry.message) + '\n';
    if (isatty(STDERR_FILENO) == 0) line.insert(0, '<' + std::to_string(entry.priority) + '>');
    // One write, so that lines of several processes do not mix; what does not fit a full pipe is lost.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

void write_journal(const JournalEntry& entry) noexcept {
    try {
        if (stderr_is_the_journal() && send_to_journal(entry)) return;
        send_to_stderr(entry);
    } catch (const std::exception&) {
        // Out of memory while logging: there is nobody left to tell.
        return;
    }
}

}  // namespace tierd
