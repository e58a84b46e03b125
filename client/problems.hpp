// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "client/page.hpp"
#include "client/value.hpp"
#include "daemon/model/policy.hpp"

namespace tierd::client {

bool any_error(const std::vector<Problem>& problems);
/// "2 problems", "1 problem, 1 warning", "no problems".
std::string problem_count(const std::vector<Problem>& problems);
/// What holds now, for every verb alike: that the policy is in force, or which one is instead. kept, loaded: PolicyKept, PolicyLoadedUSec.
std::string in_force_sentence(const std::vector<Problem>& problems, bool kept, const Value& loaded);
/// A line each, file:line:column first, as compilers write it.
void show_problems(Page& page, const std::vector<Problem>& problems);

/// Why nothing is done about a volume group or an entry, and what to do: "lvm_hdd is frozen: …" or "lvm_hdd is paused: …".
std::string frozen_sentence(const std::string& what, const std::string& why);
/// The reason is a contradiction in the policy, which is among its problems: thawing does not help.
bool frozen_by_policy(const std::string& why);
bool is_pause(const std::string& why);

/// For JSON, and back from Describe()'s. severity, file, line, column, text.
Value problems_value(const std::vector<Problem>& problems);
std::vector<Problem> problems_of(const Value& value);

}  // namespace tierd::client
