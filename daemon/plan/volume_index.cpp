// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/volume_index.hpp"

namespace tierd {

namespace {

std::string key(const std::string& vg, const std::string& name) {
    return vg + '/' + name;
}

}  // namespace

VolumeIndex::VolumeIndex(const std::vector<LogicalVolume>& volumes) {
    places_.reserve(volumes.size());
    for (std::size_t i = 0; i < volumes.size(); ++i) add(volumes[i], i);
}

std::size_t VolumeIndex::find(const std::string& vg, const std::string& name) const {
    const auto found = places_.find(key(vg, name));
    return found == places_.end() ? none : found->second;
}

void VolumeIndex::add(const LogicalVolume& volume, std::size_t at) {
    places_.emplace(key(volume.vg, volume.name), at);
}

void VolumeIndex::remove(const std::string& vg, const std::string& name) {
    places_.erase(key(vg, name));
}

}  // namespace tierd
