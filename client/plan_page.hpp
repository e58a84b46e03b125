// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstddef>

#include "client/gateway.hpp"
#include "client/page.hpp"

namespace tierd::client {

/// The steps of a plan by what becomes of them.
struct PlanSummary {
    std::size_t automatic = 0;  ///< tierd does them by itself
    std::size_t by_person = 0;  ///< done by `tierctl apply` only
    std::size_t waiting = 0;    ///< for something outside
    std::size_t unsupported = 0;
    std::size_t refused = 0;
    [[nodiscard]] std::size_t to_do() const { return automatic + by_person; }
};
PlanSummary summarize(const PlanReply& plan);

/// The plan, one paragraph for each entry of the policy, each step with its reason; commands: with the argv of each step.
/// What keeps tierd from doing the plan: that it observes only, or a pause. manager: its properties.
void show_hindrances(Page& page, const Value& manager);
void show_plan(Page& page, const PlanReply& plan, bool commands);

}  // namespace tierd::client
