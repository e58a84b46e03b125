// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/observation.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace tierd {

std::string_view name_of(DiskKind value) {
    constexpr std::array<std::string_view, 3> names{"unknown", "ssd", "hdd"};
    return names.at(static_cast<std::size_t>(value));
}

std::string_view name_of(CacheStatus::Health value) {
    constexpr std::array<std::string_view, 5> names{"ok", "needs-check", "read-only", "error", "failed"};
    return names.at(static_cast<std::size_t>(value));
}

std::string identity_of(const BlockDevice& device) {
    if (!device.parent.empty()) return device.partuuid.empty() ? "" : "partuuid:" + device.partuuid;
    if (!device.wwn.empty()) return "wwn:" + device.wwn;
    if (!device.serial.empty()) return "serial:" + device.serial;
    return "";
}

Store store_of(const LogicalVolume& pool) {
    return pool.segtype == "cache-pool" ? Store::Pool : Store::Volume;
}

std::vector<std::string> parts_of(const LogicalVolume& pool) {
    return store_of(pool) == Store::Pool ? std::vector{pool.data, pool.metadata} : std::vector{pool.name};
}

const VolumeGroup* Lvm::group(const std::string& name) const {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const VolumeGroup& group) { return group.name == name; });
    return found == groups.end() ? nullptr : &*found;
}

const LogicalVolume* Lvm::volume(const VolumeName& name) const {
    const auto found =
        std::find_if(lvs.begin(), lvs.end(), [&](const LogicalVolume& volume) { return volume.vg == name.vg && volume.name == name.lv; });
    return found == lvs.end() ? nullptr : &*found;
}

const LogicalVolume* Lvm::fronted(const VolumeName& name) const {
    return fronted_by_cache(name, [this](const std::string& vg, const std::string& lv) { return volume({vg, lv}); });
}

std::map<std::string, std::uint64_t> Lvm::extents_below(const LogicalVolume& each) const {
    return tierd::extents_below(each, [this](const std::string& vg, const std::string& lv) { return volume({vg, lv}); });
}

bool Lvm::is_held_by_a_leg(const LogicalVolume& pool) const {
    const auto parts = parts_of(pool);
    return std::all_of(parts.begin(), parts.end(), [&](const std::string& name) {
        const auto* part = volume({pool.vg, name});
        if (part == nullptr || part->segtype != name_of(Layout::Raid1)) return false;
        const auto below = extents_below(*part);
        return std::any_of(below.begin(), below.end(), [&](const auto& each) {
            const auto* found = pv(each.first);
            return found != nullptr && !found->missing;
        });
    });
}

const PhysicalVolume* Lvm::pv(const std::string& uuid) const {
    const auto found = std::find_if(pvs.begin(), pvs.end(), [&](const PhysicalVolume& pv) { return pv.uuid == uuid && !pv.duplicate; });
    return found == pvs.end() ? nullptr : &*found;
}

const PhysicalVolume* Lvm::pv_on(const BlockDevice& device) const {
    const auto found =
        std::find_if(pvs.begin(), pvs.end(), [&](const PhysicalVolume& pv) { return !pv.dev.empty() && pv.dev == device.dev; });
    return found == pvs.end() ? nullptr : &*found;
}

const BlockDevice* Observation::device(const std::string& identity) const {
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [&](const BlockDevice& each) { return !identity.empty() && identity_of(each) == identity; });
    return found == devices.end() ? nullptr : &*found;
}

const BlockDevice* Observation::device_of(const PhysicalVolume& pv) const {
    const auto found =
        std::find_if(devices.begin(), devices.end(), [&](const BlockDevice& each) { return !pv.dev.empty() && each.dev == pv.dev; });
    return found == devices.end() ? nullptr : &*found;
}

const BlockDevice& Observation::disk_of(const BlockDevice& device) const {
    const auto found = device.parent.empty() ? devices.end() : std::find_if(devices.begin(), devices.end(), [&](const BlockDevice& each) {
        return each.name == device.parent;
    });
    return found == devices.end() ? device : *found;
}

std::vector<const BlockDevice*> Observation::partitions_of(const BlockDevice& disk) const {
    std::vector<const BlockDevice*> found;
    for (const auto& each : devices) {
        if (!each.parent.empty() && each.parent == disk.name) found.push_back(&each);
    }
    std::sort(found.begin(), found.end(), [](const BlockDevice* left, const BlockDevice* right) { return left->name < right->name; });
    return found;
}

std::optional<Bytes> migration_threshold(const CacheStatus& status) {
    const auto found = status.core_settings.find("migration_threshold");
    if (found == status.core_settings.end()) return std::nullopt;
    const auto& text = found->second;
    std::uint64_t sectors = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sectors);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return sectors * sector;
}

}  // namespace tierd
