// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <string>
#include <vector>

#include "daemon/model/plan.hpp"

namespace tierd::property {

/// What the generated machines reached: which verbs, waits, refusals and states. What is listed and was never reached is a hole in the
/// generator, and fails the test.
class Coverage {
public:
    void add(const Plan& plan);
    [[nodiscard]] std::vector<std::string> never_reached() const;
    /// A line each, with the number of plans that it was in.
    [[nodiscard]] std::string report() const;

private:
    std::map<std::string, std::size_t> counts_;
};

}  // namespace tierd::property
