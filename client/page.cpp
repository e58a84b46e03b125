// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/page.hpp"

#include <algorithm>

#include "client/text.hpp"

namespace tierd::client {
namespace {

const char* sequence_of(Style style) {
    switch (style) {
        case Style::Plain: break;
        case Style::Bold: return "\x1b[1m";
        case Style::Dim: return "\x1b[2m";
        case Style::Good: return "\x1b[32m";
        case Style::Warning: return "\x1b[33m";
        case Style::Bad: return "\x1b[1;31m";
    }
    return "";
}

}  // namespace

std::string paint(const std::string& text, Style style, const Terminal& terminal) {
    std::string shown = terminal.utf8 ? text : to_ascii(text);
    if (!terminal.color || style == Style::Plain || text.empty()) return shown;
    return sequence_of(style) + shown + "\x1b[0m";
}

void Page::line(const Line& spans) {
    std::string shown;
    for (const Span& span : spans) shown += paint(printable(span.text), span.style, terminal_);
    // What the last column of a table leaves free is not written.
    while (!shown.empty() && shown.back() == ' ') shown.pop_back();
    text_ += shown + '\n';
}

void Page::blank() {
    if (!text_.empty() && !text_.ends_with("\n\n")) text_ += '\n';
}

void Page::paragraph(std::size_t indent, const std::string& text, Style style, const std::string& label) {
    constexpr std::size_t least = 24;  // columns that text needs to be readable; narrower terminals wrap it by themselves
    const std::size_t columns = terminal_.columns == 0 ? 0 : std::max(least, terminal_.columns > indent ? terminal_.columns - indent : 0);
    const std::string shown_label = printable(label);
    std::string before = shown_label;
    const std::size_t used = width_of(shown_label);
    before += std::string(used < indent ? indent - used : (used > 0 ? 1 : 0), ' ');
    for (const std::string& piece : wrap(printable(text), columns)) {
        line(Line{{before, Style::Plain}, {piece, style}});
        before.assign(indent, ' ');
    }
}

}  // namespace tierd::client
