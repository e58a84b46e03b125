// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/table.hpp"

#include <algorithm>

#include "client/text.hpp"

namespace tierd::client {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t narrowest = 8;

std::string aligned(const std::string& text, std::size_t width, bool right) {
    const std::string shown = shorten(text, width);
    const std::string space(width - width_of(shown), ' ');
    return right ? space + shown : shown + space;
}

}  // namespace

Table::Shape Table::shape(bool legend, std::size_t available) const {
    Shape shape{std::vector<std::size_t>(columns_.size(), 0), std::vector<bool>(columns_.size(), true)};
    auto& widths = shape.widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (legend) widths[i] = width_of(columns_[i].title);
        for (const Row& row : rows_)
            if (i < row.cells.size()) widths[i] = std::max(widths[i], width_of(printable(row.cells[i].text)));
    }
    const auto fits = [&] {
        std::size_t total = indent_;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (shape.shown[i]) total += widths[i] + (i > 0 ? gap : 0);
        return available == 0 || total <= available;
    };
    for (const When step : {When::Below, When::Dropped})
        for (std::size_t i = columns_.size(); i-- > 0 && !fits();)
            if (columns_[i].narrow == step) shape.shown[i] = false;
    while (!fits()) {  // the widest that may gives way first
        std::size_t* widest = nullptr;
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (columns_[i].narrow == When::Shrunk && widths[i] > narrowest && (widest == nullptr || widths[i] > *widest))
                widest = &widths[i];
        if (widest == nullptr) break;
        --*widest;
    }
    return shape;
}

void Table::show(Page& page, bool legend, bool full) const {
    const Shape shape = this->shape(legend, full ? 0 : page.terminal().columns);
    const auto line_of = [&](const std::vector<Span>& cells) {
        Line line{{std::string(indent_, ' ')}};
        std::size_t last = 0;
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (shape.shown[i]) last = i;
        for (std::size_t i = 0; i <= last && i < cells.size(); ++i) {
            if (!shape.shown[i]) continue;
            const std::string text = printable(cells[i].text);
            const bool padded = columns_[i].right || i < last;
            line.push_back({padded ? aligned(text, shape.widths[i], columns_[i].right) : shorten(text, shape.widths[i]), cells[i].style});
            if (i < last) line.push_back({std::string(gap, ' ')});
        }
        return line;
    };
    if (legend) {
        std::vector<Span> titles;
        for (const Column& column : columns_) titles.push_back({column.title, Style::Bold});
        page.line(line_of(titles));
    }
    for (const Row& row : rows_) {
        page.line(line_of(row.cells));
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            if (!shape.shown[i] && columns_[i].narrow == When::Below && !row.cells[i].text.empty())
                page.paragraph(indent_ + 2, row.cells[i].text, row.cells[i].style);
        if (!row.remark.empty()) page.paragraph(indent_ + 2, row.remark);
    }
}

}  // namespace tierd::client
