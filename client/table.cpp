// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/table.hpp"

#include <algorithm>
#include <numeric>

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

std::vector<std::size_t> Table::widths(bool legend, std::size_t available) const {
    std::vector<std::size_t> widths(columns_.size(), 0);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (legend) widths[i] = width_of(columns_[i].title);
        for (const Row& row : rows_)
            if (i < row.cells.size()) widths[i] = std::max(widths[i], width_of(printable(row.cells[i].text)));
    }
    if (available == 0) return widths;

    const auto total = [&] { return std::accumulate(widths.begin(), widths.end(), indent_ + gap * (widths.size() - 1)); };
    while (total() > available) {  // the widest that may gives way first
        std::size_t* widest = nullptr;
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (columns_[i].shrinks && widths[i] > narrowest && (widest == nullptr || widths[i] > *widest)) widest = &widths[i];
        if (widest == nullptr) break;
        --*widest;
    }
    return widths;
}

void Table::show(Page& page, bool legend, bool full) const {
    const auto width = widths(legend, full ? 0 : page.terminal().columns);
    if (legend) {
        std::string titles(indent_, ' ');
        for (std::size_t i = 0; i < columns_.size(); ++i)
            titles += aligned(columns_[i].title, width[i], columns_[i].right) + std::string(i + 1 < columns_.size() ? gap : 0, ' ');
        page.line(titles, Style::Bold);
    }
    for (const Row& row : rows_) {
        const auto& cells = row.cells;
        Line line{{std::string(indent_, ' ')}};
        for (std::size_t i = 0; i < cells.size() && i < columns_.size(); ++i) {
            if (i > 0) line.push_back({std::string(gap, ' ')});
            const std::string text = printable(cells[i].text);
            const bool padded = columns_[i].right || i + 1 < cells.size();
            line.push_back({padded ? aligned(text, width[i], columns_[i].right) : shorten(text, width[i]), cells[i].style});
        }
        page.line(line);
        if (!row.remark.empty()) page.paragraph(indent_ + 2, row.remark);
    }
}

}  // namespace tierd::client
