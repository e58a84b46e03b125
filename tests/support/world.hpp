// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "daemon/model/identity.hpp"
#include "daemon/model/observation.hpp"
#include "daemon/model/policy.hpp"

/// Small machines and policies for tests: the one of story A (a hard disk with volume group lvm_hdd, an SSD plugged in), and its parts.
namespace tierd::world {

inline constexpr Usec noon = 1'769'947'200 * usec_per_second;
inline constexpr Bytes extent = 4 * mib;
inline constexpr const char* machine_id = "0123456789abcdef0123456789abcdef";

inline BlockDevice disk(const std::string& name, DiskKind kind, Bytes size, const std::string& serial) {
    BlockDevice device;
    device.node = "/dev/" + name;
    device.name = name;
    device.dev = "8:" + std::to_string((name.back() - 'a') * 16);
    device.diskseq = static_cast<std::uint64_t>(name.back() - 'a' + 1);
    device.size = size;
    device.serial = serial;
    device.wwn = serial.empty() ? "" : "0x" + serial;
    device.model = kind == DiskKind::Ssd ? "Samsung SSD 850" : "WDC WD40EFRX";
    device.transport = "sata";
    device.kind = kind;
    device.kind_evidence = kind == DiskKind::Ssd ? R"(rotational 0, rotation rate "solid state")" : "rotational 1, 5400 rpm";
    device.probe = Probe{};
    return device;
}

inline BlockDevice partition(const BlockDevice& parent, unsigned number, Bytes size, const std::string& partuuid) {
    BlockDevice device;
    device.name = parent.name + std::to_string(number);
    device.node = "/dev/" + device.name;
    device.dev = parent.dev + std::to_string(number);
    device.parent = parent.name;
    device.diskseq = parent.diskseq;
    device.size = size;
    device.partuuid = partuuid;
    device.probe = Probe{};
    return device;
}

inline BlockDevice ssd(const std::string& name = "sdb", const std::string& serial = "S21PNXAG441016", Bytes size = 240'057'409'536) {
    return disk(name, DiskKind::Ssd, size, serial);
}

inline PhysicalVolume pv_of(const std::string& uuid, const BlockDevice& device, const std::string& vg) {
    PhysicalVolume pv;
    pv.uuid = uuid;
    pv.device = device.node;
    pv.dev = device.dev;
    pv.vg = vg;
    pv.extents = vg.empty() ? 0 : (device.size - mib) / extent;
    pv.size = vg.empty() ? device.size : pv.extents * extent;
    return pv;
}

inline LogicalVolume linear(const std::string& vg, const std::string& name, std::uint64_t extents, const std::string& pv_uuid) {
    LogicalVolume volume;
    volume.vg = vg;
    volume.name = name;
    volume.uuid = "lv-" + vg + '-' + name;
    volume.dm_uuid = "LVM-";
    for (const char c : vg + name) volume.dm_uuid += c == '_' ? '-' : c;
    volume.size = extents * extent;
    volume.segtype = "linear";
    volume.active = true;
    volume.suspended = false;
    volume.extents_on[pv_uuid] = extents;
    return volume;
}

/// One hard disk, sda, of 4 TB with all of volume group lvm_hdd; LV hdd fills 3.6 TiB of it.
inline Observation hard_disk_alone() {
    Observation now;
    now.time = noon;
    now.machine = machine_id;
    now.boot = "boot-1";
    now.setup.version = "2.03.16";
    auto sda = disk("sda", DiskKind::Hdd, 4'000'787'030'016, "WD-WCC4E0000017");
    sda.probe = Probe{{{"LVM2_member", "raid", sector}}, false, true};
    sda.holders = {"dm-0"};
    auto& lvm = now.lvm.emplace();
    auto pv = pv_of("pv-hdd", sda, "lvm_hdd");
    const std::uint64_t used = 900'000;
    pv.allocated_extents = used;
    VolumeGroup group;
    group.name = "lvm_hdd";
    group.uuid = "vg-lvm_hdd";
    group.extent_size = extent;
    group.extents = pv.extents;
    group.free_extents = pv.extents - used;
    lvm.groups.push_back(group);
    lvm.lvs.push_back(linear("lvm_hdd", "hdd", used, pv.uuid));
    lvm.pvs.push_back(pv);
    now.devices.push_back(sda);
    return now;
}

/// The same with one more disk.
inline Observation with_disk(BlockDevice device = ssd()) {
    auto now = hard_disk_alone();
    now.devices.push_back(std::move(device));
    return now;
}

inline DeviceRule fast_rule() {
    DeviceRule rule;
    rule.name = "fast";
    rule.place = {"/etc/tierd/10-media.yaml", 3, 3};
    rule.match.kind = Kind::Ssd;
    rule.match.transport = {"sata", "nvme"};
    rule.match.min_size = 200 * gib;
    return rule;
}

inline TierRule media_rule() {
    TierRule rule;
    rule.name = "media";
    rule.place = {"/etc/tierd/10-media.yaml", 12, 3};
    rule.volume = {"lvm_hdd", "hdd"};
    rule.devices = {"fast"};
    rule.size = SizeSpec{220 * gib};
    rule.metadata_size = 3 * gib;
    rule.mode = CacheMode::Writeback;
    return rule;
}

/// Story A's policy: one SSD for lvm_hdd/hdd, 220 GiB, write-back.
inline Policy story_a() {
    Policy policy;
    policy.files = {"/etc/tierd/10-media.yaml"};
    policy.devices = {fast_rule()};
    policy.tiers = {media_rule()};
    return policy;
}

inline std::string our_uuid(const BlockDevice& device) {
    return pv_uuid_for(machine_id, identity_of(device));
}

}  // namespace tierd::world
