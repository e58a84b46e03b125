// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cwchar>
#include <numeric>
#include <utility>

namespace tierd::client {
namespace {

struct Character {
    char32_t code = 0;
    std::size_t bytes = 1;
    bool valid = false;
};

/// Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
Character next_character(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80) return {first, 1, true};
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (bytes == 0 || first > 0xf4 || text.size() < bytes) return {};
    char32_t code = first & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xc0U) != 0x80) return {};
        code = (code << 6U) | (byte & 0x3fU);
    }
    constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    if (code < smallest[bytes] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
    return {code, bytes, true};
}

bool reorders_or_hides(char32_t code) {
    return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
           code == 0xfeff || code == 0x061c || code == 0xad || (code >= 0xe0000 && code <= 0xe007f);
}

int columns_of(char32_t code) {
    return ::wcwidth(static_cast<wchar_t>(code));
}

void append_hex(std::string& out, const char* prefix, char32_t code, int digits) {
    out += prefix;
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += "0123456789abcdef"[(code >> static_cast<unsigned>(shift)) & 0xfU];
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Character c = next_character(text);
        if (!c.valid)
            append_hex(out, "\\x", static_cast<unsigned char>(text.front()), 2);
        else if (c.code < 0x20 || (c.code < 0xa0 && columns_of(c.code) < 0))
            append_hex(out, "\\x", c.code, 2);
        else if (reorders_or_hides(c.code) || columns_of(c.code) < 0)
            append_hex(out, c.code > 0xffff ? "\\U" : "\\u", c.code, c.code > 0xffff ? 8 : 4);
        else
            out += text.substr(0, c.bytes);
        text.remove_prefix(c.bytes);
    }
    return out;
}

std::size_t width_of(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        const Character c = next_character(text);
        columns += static_cast<std::size_t>(std::max(c.valid ? columns_of(c.code) : 1, 0));
        text.remove_prefix(c.bytes);
    }
    return columns;
}

std::string shorten(std::string_view text, std::size_t columns) {
    if (width_of(text) <= columns) return std::string{text};
    if (columns == 0) return {};
    std::string out;
    std::size_t used = 0;
    while (!text.empty()) {
        const Character c = next_character(text);
        const auto wide = static_cast<std::size_t>(std::max(columns_of(c.code), 0));
        if (used + wide > columns - 1) break;
        used += wide;
        out += text.substr(0, c.bytes);
        text.remove_prefix(c.bytes);
    }
    return out + "…";
}

std::string to_ascii(std::string_view text) {
    constexpr std::array<std::pair<char32_t, const char*>, 10> nearest_ascii{{{U'…', "..."},
                                                                              {U'·', "-"},
                                                                              {U'█', "#"},
                                                                              {U'░', "."},
                                                                              {U'━', "="},
                                                                              {U'╸', "-"},
                                                                              {U'─', "-"},
                                                                              {U'–', "-"},
                                                                              {U'µ', "u"},
                                                                              {U'→', "->"}}};
    std::string out;
    while (!text.empty()) {
        const Character c = next_character(text);
        if (c.valid && c.code < 0x80) {
            out += static_cast<char>(c.code);
        } else {
            const auto* found =
                std::find_if(nearest_ascii.begin(), nearest_ascii.end(), [&](const auto& pair) { return pair.first == c.code; });
            out += found != nearest_ascii.end() ? found->second : "?";
        }
        text.remove_prefix(c.bytes);
    }
    return out;
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
    if (columns == 0) return {std::string{text}};
    std::vector<std::string> lines{{}};
    std::size_t used = 0;
    while (!text.empty()) {
        const std::size_t space = text.find(' ', 1);
        const std::string_view word = text.substr(0, space);  // with the space before it
        const std::size_t wide = width_of(word);
        if (used > 0 && used + wide > columns) {
            const std::string_view bare = word.front() == ' ' ? word.substr(1) : word;
            lines.emplace_back(bare);
            used = width_of(bare);
        } else {
            lines.back() += word;
            used += wide;
        }
        text.remove_prefix(word.size());
    }
    return lines;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t best_distance = (word.size() + 2) / 3 + 1;
    for (const std::string& candidate : candidates) {
        std::vector<std::size_t> row(candidate.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (std::size_t i = 1; i <= word.size(); ++i) {
            std::size_t diagonal = std::exchange(row[0], i);
            for (std::size_t j = 1; j <= candidate.size(); ++j) {
                const std::size_t replaced = diagonal + (word[i - 1] == candidate[j - 1] ? 0 : 1);
                diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
            }
        }
        if (row.back() < best_distance) {
            best_distance = row.back();
            best = candidate;
        }
    }
    return best;
}

}  // namespace tierd::client
