// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "daemon/model/policy.hpp"

namespace tierd::config {

/// The policy files of the folders, in the order to read them: by name, each from the last folder that has it, less the masked ones
/// (links to /dev/null). What is not taken is told as an Info, what was probably meant to be taken as a Warning, a folder that cannot be
/// read as an Error.
std::vector<std::string> find_files(const std::vector<std::string>& directories, std::vector<Problem>& problems);

}  // namespace tierd::config
