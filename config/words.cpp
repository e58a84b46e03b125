// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace tierd::config {

namespace {

constexpr std::size_t quoted_length = 80;
constexpr std::size_t longest_name = 64;  // nearest() costs the product of two lengths

struct Character {
    char32_t code = 0;
    std::size_t length = 0;  // bytes; 0: no valid UTF-8 here
};

// RFC 3629: shortest form only, no surrogates, nothing above U+10FFFF.
Character decode(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(at);
    if (first < 0x80) return {first, 1};
    std::size_t length = 0;
    char32_t code = 0;
    char32_t least = 0;
    if ((first & 0xe0U) == 0xc0) {
        length = 2, code = first & 0x1fU, least = 0x80;
    } else if ((first & 0xf0U) == 0xe0) {
        length = 3, code = first & 0x0fU, least = 0x800;
    } else if ((first & 0xf8U) == 0xf0) {
        length = 4, code = first & 0x07U, least = 0x10000;
    } else {
        return {};
    }
    if (at + length > text.size()) return {};
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0U) != 0x80) return {};
        code = (code << 6U) | (byte(at + i) & 0x3fU);
    }
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
    return {code, length};
}

struct Range {
    char32_t from, to;
};
// Controls, format characters, blanks that look like a space and private-use or unassigned ends: Unicode 15, categories Cc, Cf, Zs, Zl, Zp.
constexpr std::array<Range, 21> hidden_ranges{
    {{0x00, 0x1f},     {0x7f, 0xa0},     {0xad, 0xad},     {0x34f, 0x34f},   {0x600, 0x605},   {0x61c, 0x61c},   {0x6dd, 0x6dd},
     {0x70f, 0x70f},   {0x115f, 0x1160}, {0x1680, 0x1680}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x2000, 0x200f}, {0x2028, 0x202f},
     {0x205f, 0x206f}, {0x3000, 0x3000}, {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0xe0000, 0xe0fff}}};

bool is_hidden(char32_t code) {
    return std::any_of(hidden_ranges.begin(), hidden_ranges.end(), [&](const Range& r) { return code >= r.from && code <= r.to; });
}

std::string hex(char32_t code, std::size_t digits) {
    std::array<char, 8> buffer{};
    char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<std::uint32_t>(code), 16).ptr;
    std::string text{buffer.data(), end};
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

std::string escape_one(std::string_view text, std::size_t at, const Character& character) {
    if (character.length == 0) return "\\x{" + hex(static_cast<unsigned char>(text[at]), 2) + '}';
    if (character.code == '\n') return "\\n";
    if (character.code == '\t') return "\\t";
    if (is_hidden(character.code)) return "\\u{" + hex(character.code, 4) + '}';
    return std::string{text.substr(at, character.length)};
}

std::string escape_up_to(std::string_view text, std::size_t characters) {
    std::string out;
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) {
        if (count == characters) return out + "…";
        const auto character = decode(text, at);
        out += escape_one(text, at, character);
        at += std::max<std::size_t>(character.length, 1);
    }
    return out;
}

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours, regardless of case.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

}  // namespace

std::string escape(std::string_view text) {
    return escape_up_to(text, std::string_view::npos);
}

std::string quote(std::string_view text) {
    return '"' + escape_up_to(text, quoted_length) + '"';
}

std::string hidden_character(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto character = decode(text, at);
        if (character.length == 0) return "byte " + hex(static_cast<unsigned char>(text[at]), 2);
        if (is_hidden(character.code)) return "U+" + hex(character.code, 4);
        at += character.length;
    }
    return "";
}

std::size_t invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto character = decode(text, at);
        if (character.length == 0) return at;
        at += character.length;
    }
    return std::string_view::npos;
}

std::string list_of(const std::vector<std::string_view>& names) {
    std::string text;
    for (const auto name : names) text += (text.empty() ? "" : ", ") + std::string{name};
    return text;
}

std::string_view nearest(std::string_view text, const std::vector<std::string_view>& names) {
    if (text.empty() || text.size() > longest_name) return "";
    std::string_view best;
    std::size_t least = std::min<std::size_t>(3, (text.size() + 1) / 2);  // a short word is no typing error of another short word
    for (const auto name : names) {
        if (name.size() > longest_name) continue;
        const auto steps = distance(text, name);
        if (steps < least) least = steps, best = name;
    }
    return best;
}

std::string suggestion(std::string_view text, const std::vector<std::string_view>& names) {
    if (const auto near = nearest(text, names); !near.empty()) return "; did you mean " + quote(near) + '?';
    constexpr std::size_t most = 20;  // no key has more; of names there may be thousands
    if (names.size() <= most) return "; one of " + list_of(names);
    return "; one of " + list_of({names.begin(), names.begin() + most}) + ", …";
}

}  // namespace tierd::config
