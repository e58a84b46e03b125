// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "daemon/plan/eligibility.hpp"
#include "world.hpp"

namespace tierd {

using Answer = Verdict::Answer;

inline std::string all_reasons(const Verdict& verdict) {
    std::string text;
    for (const auto& reason : verdict.reasons) text += reason + "; ";
    return text;
}

inline const BlockDevice& named(const Observation& now, const std::string& name) {
    return *std::find_if(now.devices.begin(), now.devices.end(), [&](const BlockDevice& each) { return each.name == name; });
}

inline Verdict judge_sdb(const Observation& now, const DeviceRule& rule = world::fast_rule()) {
    return judge(rule, named(now, "sdb"), now);
}

inline Verdict judge_disk(const BlockDevice& device, const DeviceRule& rule = world::fast_rule()) {
    return judge_sdb(world::with_disk(device), rule);
}

inline DeviceRule wiping(std::vector<std::string> types) {
    auto rule = world::fast_rule();
    rule.match.serial = {"S21*"};
    rule.wipe = std::move(types);
    return rule;
}

inline BlockDevice holding(std::vector<Signature> signatures) {
    auto device = world::ssd();
    device.probe->signatures = std::move(signatures);
    return device;
}

inline const std::vector<Signature>& every_signature() {
    static const std::vector<Signature> list{
        {"vfat", "filesystem", 54},
        {"ext2", "filesystem", 1080},
        {"ext4", "filesystem", 1080},
        {"xfs", "filesystem", 0},
        {"btrfs", "filesystem", 65600},
        {"f2fs", "filesystem", 1024},
        {"ntfs", "filesystem", 3},
        {"swap", "other", 4086},
        {"swsuspend", "other", 4086},
        {"crypto_LUKS", "crypto", 0},
        {"BitLocker", "crypto", 0},
        {"linux_raid_member", "raid", 4096},
        {"isw_raid_member", "raid", 1},
        {"zfs_member", "filesystem", 139264},
        {"bcache", "other", 4120},
        {"jbd", "other", 1080},
        {"xfs_external_log", "other", 0},
        {"DM_snapshot_cow", "other", 0},
        {"drbd", "raid", 4096},
        {"ceph_bluestore", "other", 0},
        {"mpath_member", "raid", 0},
        {"squashfs", "filesystem", 0},
        {"gpt", "table", 512},
        {"dos", "table", 510},
        {"PMBR", "table", 510},
        {"iso9660", "filesystem", 32769},
        {"DDF_raid_member", "raid", 512},
        {"VMFS_volume_member", "raid", 0},
    };
    return list;
}

inline Observation partitioned(std::vector<Signature> on_partition) {
    auto now = world::with_disk(holding({{"gpt", "table", 512}}));
    auto part = world::partition(named(now, "sdb"), 1, 512 * mib, "1111-2222");
    part.partlabel = "EFI";
    part.probe->signatures = std::move(on_partition);
    now.devices.push_back(part);
    return now;
}

inline DeviceRule for_partition() {
    auto rule = world::fast_rule();
    rule.match.min_size = 100 * mib;
    rule.match.partlabel = {"EFI"};
    return rule;
}

inline Verdict judge_sdb1(const Observation& now, const DeviceRule& rule = for_partition()) {
    return judge(rule, named(now, "sdb1"), now);
}

}  // namespace tierd
