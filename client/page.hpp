// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "client/terminal.hpp"

namespace tierd::client {

/// Never carries meaning alone: the words say it too.
enum class Style { Plain, Bold, Dim, Good, Warning, Bad };

/// Text of one style. Whatever it holds is made printable when it is shown, and only then.
struct Span {
    std::string text;
    Style style = Style::Plain;
};
using Line = std::vector<Span>;

/// Collects what a verb shows, for a terminal of this kind. Tables are in client/table.hpp.
class Page {
public:
    explicit Page(const Terminal& terminal) : terminal_{terminal} {}

    void line(const Line& spans);
    void line(const std::string& text, Style style = Style::Plain) { line(Line{{text, style}}); }
    void blank();
    /// Text that is broken at the terminal's width, each line behind so many columns; the first one behind the label.
    void paragraph(std::size_t indent, const std::string& text, Style style = Style::Plain, const std::string& label = {});

    [[nodiscard]] const Terminal& terminal() const { return terminal_; }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    Terminal terminal_;
    std::string text_;
};

/// The text with the style's escape sequences around it, where the terminal has colours.
std::string paint(const std::string& text, Style style, const Terminal& terminal);

}  // namespace tierd::client
