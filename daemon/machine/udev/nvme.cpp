// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/nvme.hpp"

#include <filesystem>
#include <set>

#include "daemon/machine/files.hpp"

namespace tierd::udev {

std::string nvme_transport(const std::string& folder) {
    std::set<std::string> words{first_line_in(folder + "/transport")};
    std::error_code fault;
    for (const auto& entry : std::filesystem::directory_iterator{folder, fault}) words.insert(first_line_in(entry.path() / "transport"));
    words.erase("");
    if (words.empty()) return "";
    // One remote path is enough to make it somebody else's too.
    for (const auto* local : {"pcie", "apple-nvme"}) words.erase(local);
    return words.empty() ? "nvme" : "nvme-" + *words.begin();
}

}  // namespace tierd::udev
