// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/writeback_gate.hpp"

#include "daemon/model/identity.hpp"

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

std::string one_leg(const std::string& segtype) {
    return "the volume is " + segtype + ", and what is dirty would be lost with the one SSD";
}

/// Of a disk that carries the pool's data.
std::string distrust(const LogicalVolume& pool, const Policy& policy, const TierRule& rule, const Scene& scene) {
    const auto* data = scene.volume(pool.vg, parts_of(pool).front());
    if (data == nullptr) return "";
    for (const auto& [uuid, extents] : scene.extents_below(*data)) {
        const auto* pv = scene.now().lvm->pv(uuid);
        if (pv == nullptr) continue;
        const auto* taken_by = policy.device(device_rule_of(*pv).value_or(""));
        if (auto why = taken_by == nullptr ? "" : distrust(*taken_by); !why.empty()) return why;
        const auto* device = scene.device_of(*pv);
        if (device == nullptr) continue;
        if (auto why = why_not_on(*device); !why.empty()) return why;
        auto failure = scene.failure_of(*pv);
        if (rule.on_failing_device == OnFailingDevice::Demote && !failure.empty()) return failure;
    }
    return "";
}

/// What stands in front of the volume, whatever entry it was made for; or what is there to be put there.
std::vector<const LogicalVolume*> pools_of(const TierRule& rule, const Scene& scene) {
    const auto* volume = scene.fronted(rule.volume);
    if (volume == nullptr || !volume->is_cached()) return scene.tagged(rule.volume.vg, rule.name);
    const auto* pool = scene.volume(volume->vg, volume->pool);
    return pool == nullptr ? std::vector<const LogicalVolume*>{} : std::vector{pool};
}

bool stands_on_one_leg(const LogicalVolume& pool, const Scene& scene) {
    const auto* data = scene.volume(pool.vg, parts_of(pool).front());
    return data != nullptr && data->segtype != name_of(Layout::Raid1);
}

}  // namespace

std::string why_never_writeback(const Policy& policy, const TierRule& rule, const Scene& scene) {
    for (const auto& name : rule.devices) {
        const auto* device = policy.device(name);
        if (device == nullptr) continue;
        if (auto why = distrust(*device); !why.empty()) return why;
    }
    if (rule.kind == TierKind::Cache && rule.store == Store::Volume)
        return "LVM runs no cleaner on a cachevol (2.03.16 loads mq instead), so it could not be drained while it is written to; store: "
               "pool can";
    if (!scene.lvm_known()) return "";
    const std::string segtype = segtype_of(rule.volume, scene);
    return rule.layout != Layout::Raid1 && is_redundant(segtype) ? one_leg(segtype) : "";
}

std::string why_not_on(const BlockDevice& device) {
    return device.transport == "usb" ? device.node + " is on USB, and a plug is pulled easily" : "";
}

/// The rule's word is not enough: until a cache is made anew, the old one stands.
AllowedMode allowed_mode(const Policy& policy, const TierRule& rule, const Scene& scene) {
    if (rule.mode != CacheMode::Writeback && rule.kind != TierKind::Writecache) return {rule.mode, ""};
    auto why = why_never_writeback(policy, rule, scene);
    const auto pools = scene.lvm_known() ? pools_of(rule, scene) : std::vector<const LogicalVolume*>{};
    const std::string segtype = scene.lvm_known() ? segtype_of(rule.volume, scene) : "";
    for (const auto* pool : pools) {
        if (why.empty()) why = distrust(*pool, policy, rule, scene);
        if (why.empty() && is_redundant(segtype) && stands_on_one_leg(*pool, scene)) why = one_leg(segtype);
    }
    return {why.empty() ? CacheMode::Writeback : CacheMode::Writethrough, std::move(why)};
}

}  // namespace tierd
