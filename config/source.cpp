// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "config/loader.hpp"
#include "config/words.hpp"

namespace tierd::config {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_{fd} {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    [[nodiscard]] int get() const { return fd_; }

private:
    int fd_;
};

std::string reason(int error) {
    return std::generic_category().message(error);
}

const char* file_type(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

bool is_readable_file(const struct stat& status, Report& report) {
    if (!S_ISREG(status.st_mode)) {
        report.error({}, std::string{"is "} + file_type(status.st_mode) + "; a policy is read from regular files only");
        return false;
    }
    if (static_cast<Bytes>(status.st_size) > max_file_size) {
        report.error(
            {}, "has " + format_size(static_cast<Bytes>(status.st_size)) + "; a policy file has at most " + format_size(max_file_size));
        return false;
    }
    return true;
}

Spot spot_of(std::string_view text, std::size_t at) {
    const auto before = text.substr(0, at);
    const auto start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    const auto continued = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; };
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto column =
        before.size() - start -
        static_cast<std::size_t>(std::count_if(before.begin() + static_cast<std::ptrdiff_t>(start), before.end(), continued)) + 1;
    return {static_cast<unsigned>(line), static_cast<unsigned>(column)};
}

bool is_utf16(const std::string& text) {
    return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

// \r\n and a lone \r (old Mac) both end a line; the YAML reader knows the first only.
void unify_line_ends(std::string& text) {
    std::size_t to = 0;
    for (std::size_t from = 0; from < text.size(); ++from) {
        const bool ends = text[from] == '\r';
        if (ends && from + 1 < text.size() && text[from + 1] == '\n') continue;
        text[to++] = ends ? '\n' : text[from];
    }
    text.resize(to);
}

void check_line(std::string_view line, unsigned number, Report& report) {
    const auto content = line.find_first_not_of(" \t");
    if (content == std::string_view::npos || line[content] == '#') return;
    if (const auto tab = line.substr(0, content).find('\t'); tab != std::string_view::npos) {
        report.error({number, static_cast<unsigned>(tab) + 1}, "a tab in the indentation; indent with spaces");
    }
    if (line[0] == '%') {
        report.error({number, 1},
                     "a line that starts with % is a directive to YAML, and there is none that a policy needs; put the text in quotes");
    }
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, Report& report) {
    // Looked at before it is opened: opening a device or a pipe can do something, or wait.
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        report.error({}, "cannot be read: " + reason(errno));
        return std::nullopt;
    }
    if (!is_readable_file(status, report)) return std::nullopt;
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (file.get() < 0 || ::fstat(file.get(), &status) != 0) {
        report.error({}, "cannot be read: " + reason(errno));
        return std::nullopt;
    }
    if (!is_readable_file(status, report)) return std::nullopt;

    std::string text;
    std::array<char, 65536> buffer{};
    for (;;) {
        const auto count = ::read(file.get(), buffer.data(), buffer.size());
        if (count == 0) return text;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            report.error({}, "cannot be read: " + reason(errno));
            return std::nullopt;
        }
        text.append(buffer.data(), static_cast<std::size_t>(count));
        if (text.size() > max_file_size) {
            report.error({}, "grew while it was read; a policy file has at most " + format_size(max_file_size));
            return std::nullopt;
        }
    }
}

std::optional<std::string> normalise(std::string text, Report& report) {
    const auto errors = report.errors();
    if (text.size() > max_file_size) {
        report.error({}, "has " + format_size(text.size()) + "; a policy file has at most " + format_size(max_file_size));
        return std::nullopt;
    }
    if (is_utf16(text)) {
        report.error({1, 1}, "is UTF-16; save it as UTF-8");
        return std::nullopt;
    }
    if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
    if (text.starts_with(byte_order_mark)) {
        // The YAML reader would skip this one too, and then count its positions from behind it.
        report.error({1, 1}, "holds a second byte order mark (U+FEFF); take it out");
        return std::nullopt;
    }
    unify_line_ends(text);
    if (const auto at = invalid_utf8(text); at != std::string::npos) {
        report.error(spot_of(text, at), "is no UTF-8 here (" + escape(text.substr(at, 1)) + "); save it as UTF-8");
        return std::nullopt;
    }
    const auto control = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == '\x7f'; };
    if (const auto at = std::find_if(text.begin(), text.end(), control); at != text.end()) {
        report.error(spot_of(text, static_cast<std::size_t>(at - text.begin())),
                     "holds the control character " + escape({&*at, 1}) + "; take it out");
        return std::nullopt;
    }
    unsigned number = 1;
    for (std::size_t at = 0; at < text.size(); ++number) {
        const auto end = std::min(text.find('\n', at), text.size());
        check_line(std::string_view{text}.substr(at, end - at), number, report);
        at = end + 1;
    }
    if (report.errors() != errors) return std::nullopt;
    return text;
}

bool says_something(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        const auto line = std::string_view{text}.substr(at, end - at);
        const auto content = line.find_first_not_of(" \t");
        const bool marker = line.starts_with("---") || line.starts_with("...");
        const auto rest = marker ? line.find_first_not_of(" \t", 3) : content;
        if (rest != std::string_view::npos && line[rest] != '#') return true;
        at = end + 1;
    }
    return false;
}

}  // namespace tierd::config
