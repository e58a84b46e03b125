// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "daemon/model/policy.hpp"

namespace tierd::config {

/// Line and column in a file, from 1; 0 is "the file as a whole".
struct Spot {
    unsigned line = 0;
    unsigned column = 0;
};

/// Collects what is wrong in one file. Beyond the limit problems are counted only, so that no file makes a reply too large for the bus.
class Report {
public:
    static constexpr std::size_t limit = 500;

    explicit Report(std::string file) : file_{std::move(file)} {}

    void error(Spot spot, std::string text);
    [[nodiscard]] std::size_t errors() const { return errors_; }
    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] Place place(Spot spot) const { return {file_, spot.line, spot.column}; }
    /// What was collected, with a last one that says how many more there are.
    [[nodiscard]] std::vector<Problem> problems() const;

private:
    std::string file_;
    std::vector<Problem> problems_;
    std::size_t errors_ = 0;
};

}  // namespace tierd::config
