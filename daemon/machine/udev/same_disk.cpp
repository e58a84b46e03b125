// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/same_disk.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <charconv>
#include <filesystem>

#include "daemon/machine/files.hpp"
#include "daemon/model/error.hpp"

namespace tierd::udev {

std::optional<std::uint64_t> diskseq_behind(const std::string& node) {
    struct stat about {};
    if (stat(node.c_str(), &about) != 0 || !S_ISBLK(about.st_mode)) return std::nullopt;
    // By number, since that is what the node opens; its name may be a link.
    std::error_code fault;
    auto folder = std::filesystem::canonical(
        "/sys/dev/block/" + std::to_string(major(about.st_rdev)) + ':' + std::to_string(minor(about.st_rdev)), fault);
    if (fault) return std::nullopt;
    if (std::filesystem::exists(folder / "partition", fault)) folder = folder.parent_path();
    const std::string text = first_line_in(folder / "diskseq");
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

void check_same_disk(const std::string& node, std::uint64_t planned, std::optional<std::uint64_t> listed,
                     std::optional<std::uint64_t> found) {
    if (!found) throw Error{ErrorCode::DeviceChanged, node + " is gone"};
    if (planned == 0 && !listed) throw Error{ErrorCode::DeviceChanged, node + " is no disk that was seen before: looking again"};
    const std::uint64_t expected = planned != 0 ? planned : *listed;
    if (expected == 0 || *found == expected) return;
    throw Error{ErrorCode::DeviceChanged,
                node + " is another disk now: sequence number " + std::to_string(*found) + ", expected " + std::to_string(expected)};
}

}  // namespace tierd::udev
