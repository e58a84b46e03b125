// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <string>

#include "client/context.hpp"
#include "client/table.hpp"

namespace tierd::client {

/// What `devices`, `tiers`, `snapshots` and `jobs` have in common: one list of Describe() as JSON, as a table, or as the sentence that says
/// what to do when it is empty.
int list_objects(Context& context, const std::string& member, const std::function<Table(const Value& state)>& table,
                 const std::string& if_empty);

}  // namespace tierd::client
