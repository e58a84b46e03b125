// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/writeback_gate.hpp"

namespace tierd {

namespace {

bool starts_with(const std::string& text, const char* begin) {
    return text.rfind(begin, 0) == 0;
}

/// Kept so that one of its disks may fail. lvs(8) calls them raid1, raid10, raid5_ls …
bool is_redundant(const std::string& segtype) {
    return starts_with(segtype, "raid") && !starts_with(segtype, "raid0");
}

/// The volume's own segtype, below its cache when it has one.
std::string segtype_of(const VolumeName& name, const Scene& scene) {
    const auto* volume = scene.fronted(name);
    if (volume != nullptr && volume->is_cached()) volume = scene.volume(name.vg, volume->origin);
    return volume == nullptr ? "" : volume->segtype;
}

std::string distrust(const DeviceRule& rule) {
    return rule.volatile_contents ? "the contents of its SSD may vanish (device rule " + rule.name + " says volatile)" : "";
}

/// Of a disk that carries the pool's data.
std::string distrust(const LogicalVolume& pool, const TierRule& rule, const Scene& scene) {
    const auto* data = scene.volume(pool.vg, parts_of(pool).front());
    if (data == nullptr) return "";
    for (const auto& [uuid, extents] : scene.extents_below(*data)) {
        const auto* pv = scene.now().lvm->pv(uuid);
        const auto* device = pv == nullptr ? nullptr : scene.device_of(*pv);
        if (device == nullptr) continue;
        if (device->transport == "usb") return device->node + " is on USB, and a plug is pulled easily";
        auto failure = scene.failure_of(*pv);
        if (rule.on_failing_device == OnFailingDevice::Demote && !failure.empty()) return failure;
    }
    return "";
}

std::string why_not(const Policy& policy, const TierRule& rule, const Scene& scene) {
    for (const auto& name : rule.devices) {
        const auto* device = policy.device(name);
        if (device == nullptr) continue;
        if (auto why = distrust(*device); !why.empty()) return why;
    }
    if (rule.kind == TierKind::Cache && rule.store == Store::Volume)
        return "LVM runs no cleaner on a cachevol (2.03.16 loads mq instead), so it could not be drained while it is written to; store: "
               "pool can";
    if (!scene.lvm_known()) return "";
    for (const auto* pool : scene.tagged(rule.volume.vg, rule.name)) {
        if (auto why = distrust(*pool, rule, scene); !why.empty()) return why;
    }
    const std::string segtype = segtype_of(rule.volume, scene);
    if (rule.layout != Layout::Raid1 && is_redundant(segtype))
        return "the volume is " + segtype + ", and what is dirty would be lost with the one SSD";
    return "";
}

}  // namespace

AllowedMode allowed_mode(const Policy& policy, const TierRule& rule, const Scene& scene) {
    if (rule.mode != CacheMode::Writeback && rule.kind != TierKind::Writecache) return {rule.mode, ""};
    auto why = why_not(policy, rule, scene);
    return {why.empty() ? CacheMode::Writeback : CacheMode::Writethrough, std::move(why)};
}

}  // namespace tierd
