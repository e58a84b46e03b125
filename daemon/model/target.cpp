// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/target.hpp"

#include <algorithm>
#include <array>

#include "daemon/model/identity.hpp"

namespace tierd {

namespace {

constexpr std::string_view nodes = "/dev/";
constexpr std::array kinds{tier_kind, device_kind, snapshot_kind, pool_kind, group_kind, volume_kind, job_kind};

}  // namespace

Target::Target(std::string text) : text_{std::move(text)} {
    const auto end = text_.find_first_of(" /");
    if (end == std::string::npos || std::find(kinds.begin(), kinds.end(), std::string_view{text_}.substr(0, end)) == kinds.end()) return;
    kind_ = text_.substr(0, end);
    name_ = text_.substr(end + 1);
}

bool Target::means(std::string_view kind, const std::vector<std::string>& names) const {
    const auto is = [&](const std::string& name) { return !name.empty() && (name == text_ || (kind == kind_ && name == name_)); };
    return std::any_of(names.begin(), names.end(), is);
}

std::vector<std::string> names_of_volume(const std::string& vg, const std::string& lv) {
    const std::string name = vg + '/' + lv;
    return {name, std::string{nodes} + name, std::string{nodes} + "mapper/" + dm_name(vg, lv)};
}

std::vector<std::string> names_of_group(const std::string& vg) {
    return {vg, std::string{nodes} + vg};
}

std::vector<std::string> names_of_node(const std::string& node) {
    if (node.rfind(nodes, 0) != 0) return {node};
    return {node, node.substr(nodes.size())};
}

std::vector<std::string> names_of_disk(const BlockDevice& device) {
    auto names = names_of_node(device.node);
    names.insert(names.end(), {device.name, device.serial, device.wwn, identity_of(device)});
    return names;
}

}  // namespace tierd
