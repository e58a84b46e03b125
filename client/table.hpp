// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "client/page.hpp"

namespace tierd::client {

/// What becomes of a column when the terminal is too narrow for all of them, in this order.
enum class When {
    Kept,
    Below,    ///< it moves below the row, where it is wrapped and never cut
    Dropped,  ///< it is left out, the rightmost first
    Shrunk,   ///< it gives way, down to eight columns; what is cut off becomes "…"
};

struct Column {
    std::string title;
    bool right = false;  ///< numbers
    When narrow = When::Kept;
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
    struct Shape {
        std::vector<std::size_t> widths;
        std::vector<bool> shown;
    };
    [[nodiscard]] Shape shape(bool legend, std::size_t available) const;

    std::vector<Column> columns_;
    std::size_t indent_;
    std::vector<Row> rows_;
};

}  // namespace tierd::client
