// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "client/page.hpp"

namespace tierd::client {

struct Column {
    std::string title;
    bool right = false;    ///< numbers
    bool shrinks = false;  ///< gives way, down to eight columns, when the terminal is narrow; what is cut off becomes "…"
};

/// Rows under titles, each column as wide as it must be.
class Table {
public:
    explicit Table(std::vector<Column> columns, std::size_t indent = 0) : columns_{std::move(columns)}, indent_{indent} {}

    /// A row of fewer cells than columns ends early.
    void row(std::vector<Span> cells) { rows_.push_back({std::move(cells), {}}); }
    /// A sentence below the last row, wrapped and never cut.
    void remark(const std::string& text) { rows_.back().remark = text; }
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    /// full: nothing is shortened, whatever the terminal's width.
    void show(Page& page, bool legend, bool full) const;

private:
    struct Row {
        std::vector<Span> cells;
        std::string remark;
    };
    [[nodiscard]] std::vector<std::size_t> widths(bool legend, std::size_t available) const;

    std::vector<Column> columns_;
    std::size_t indent_;
    std::vector<Row> rows_;
};

}  // namespace tierd::client
