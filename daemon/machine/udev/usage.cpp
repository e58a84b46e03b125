// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/usage.hpp"

#include <algorithm>
#include <charconv>

namespace tierd::udev {

namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view at) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(at), text.size());
        if (end > 0) parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

/// The kernel writes blank, tab, newline and backslash as \ooo.
std::string unescape(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto octal = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '7'; };
        if (text[i] == '\\' && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
            plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

}  // namespace

Mounts parse_mountinfo(std::string_view text) {
    Mounts mounts;
    for (const auto line : split(text, "\n")) {
        const auto words = split(line, " ");
        if (words.size() < 9) continue;
        const std::string point = unescape(words[4]);
        mounts.by_number[std::string{words[2]}].push_back(point);
        for (std::size_t i = 6; i + 2 < words.size(); ++i) {
            if (words[i] != "-") continue;
            mounts.by_source[unescape(words[i + 2])].push_back(point);
            break;
        }
    }
    return mounts;
}

std::set<std::string> parse_swaps(std::string_view text) {
    std::set<std::string> nodes;
    const auto lines = split(text, "\n");
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const auto words = split(lines[i], " \t");
        if (!words.empty()) nodes.insert(unescape(words[0]));
    }
    return nodes;
}

std::string decode(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned byte = 0;
        const auto* digits = text.data() + i + 2;
        const bool coded =
            text.substr(i, 2) == "\\x" && i + 4 <= text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        plain += coded ? static_cast<char>(byte) : text[i];
        if (coded) i += 3;
    }
    return plain;
}

}  // namespace tierd::udev
