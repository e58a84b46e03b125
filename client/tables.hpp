// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "client/table.hpp"
#include "client/value.hpp"

/// The tables of status and of the verbs that list, from what Describe() says.
namespace tierd::client {

Table device_table(const Value& state);
/// detailed: with what only `tiers` has room for.
Table tier_table(const Value& state, bool detailed, std::size_t indent = 0);
Table snapshot_table(const Value& state, std::size_t indent = 0);
Table job_table(const Value& state);

/// "sdb" for the device of that id, or what is known of it when it is gone.
std::string device_name(const Value& state, const std::string& id);
/// The name that the policy has for it, else its own.
std::string entry_name(const Value& object);

}  // namespace tierd::client
