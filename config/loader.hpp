// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/model/policy.hpp"

namespace tierd::config {

/// A policy file larger than this is refused before it is read.
inline constexpr Bytes max_file_size = 1 * mib;

struct Result {
    Policy policy;                  ///< the entries without fault; contradicting ones are in, and in policy.frozen
    std::vector<Problem> problems;  ///< all of all files, sorted by place
    /// Each file was read, and each entry is in the policy. Contradictions leave a policy whole: their entries are in it, frozen.
    bool whole = true;
    [[nodiscard]] bool ok() const;  ///< no problem of Severity::Error
};

/// /usr/lib/tierd, /run/tierd, /etc/tierd: a file in a later folder replaces the one of the same name.
std::vector<std::string> default_directories();

/// Reads *.yaml of the folders; ordered by file name, whatever the folder. A missing folder is no problem.
/// Never throws for what is in the files.
Result load(const std::vector<std::string>& directories);

/// These files, in this order (tierctl check FILE…).
Result load_files(const std::vector<std::string>& files);

/// One text, as if it were the file of that name (CheckPolicy).
Result load_text(const std::string& name, const std::string& text);

/// "/etc/tierd/10-media.yaml:14:11: mode: …"; warnings with "warning: " before the text.
std::string format(const Problem& problem);

}  // namespace tierd::config
