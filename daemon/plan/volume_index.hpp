// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <unordered_map>

#include "daemon/model/observation.hpp"

namespace tierd {

/// Where in a list of LVs one is, by its name: for who looks up many of many. Kept up to date by who changes the list.
class VolumeIndex {
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    VolumeIndex() = default;
    explicit VolumeIndex(const std::vector<LogicalVolume>& volumes);
    /// The first of that name; none.
    [[nodiscard]] std::size_t find(const std::string& vg, const std::string& name) const;
    void add(const LogicalVolume& volume, std::size_t at);
    void remove(const std::string& vg, const std::string& name);

private:
    std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace tierd
