// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/model/observation.hpp"

namespace tierd {

/// What a person, a script or tierd itself called something, for every verb alike: a name alone ("media", "/dev/sdb", a serial), with the
/// word for its kind before it ("tier media", as a policy's entry is called) or as a path ("tier/media", as an object of the bus is).
class Target {
public:
    explicit Target(std::string text);
    [[nodiscard]] const std::string& text() const { return text_; }
    /// Whether it means the thing of that kind which has these names. The empty text means nothing.
    [[nodiscard]] bool means(std::string_view kind, const std::vector<std::string>& names) const;

private:
    std::string text_;
    std::string kind_, name_;  ///< where the text begins with the word for a kind; else ""
};

/// The words for kinds. A disk and the rule that asks for it are both a device.
inline constexpr std::string_view tier_kind = "tier", device_kind = "device", snapshot_kind = "snapshot", pool_kind = "pool",
                                  group_kind = "group", volume_kind = "volume", job_kind = "job";

/// "lvm_hdd/hdd" as LVM, its device nodes and people spell it.
std::vector<std::string> names_of_volume(const std::string& vg, const std::string& lv);
std::vector<std::string> names_of_group(const std::string& vg);
/// Node, the kernel's name, serial, WWN, identity: what of these there is.
std::vector<std::string> names_of_disk(const BlockDevice& device);
/// "/dev/sdb", "sdb".
std::vector<std::string> names_of_node(const std::string& node);

}  // namespace tierd
