// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "generator.hpp"

namespace tierd::property {

namespace {

DeviceRule generate_device_rule(Random& random, const std::string& name, const Observation& now) {
    DeviceRule rule;
    rule.name = name;
    rule.place = {"/etc/tierd/10.yaml", 3, 3};
    auto& match = rule.match;
    if (random.chance(85)) match.kind = random.chance(95) ? Kind::Ssd : Kind::Hdd;
    if (random.chance(20)) match.transport = {"sata", "nvme"};
    if (random.chance(20)) match.min_size = (50 + random.below(400)) * gib;
    if (!match.kind || random.chance(20)) match.serial = {random.pick<std::string>({"S1*", "S100[0-9]", "*"})};
    const auto& disk = random.pick(now.devices);
    if (disk.kind != DiskKind::Hdd && !disk.serial.empty() && random.chance(90)) match.serial = {disk.serial};
    if (random.chance(10)) match.wwn = {"0xS1*"};
    if (random.chance(10)) match.model = {"Samsung*"};
    if (random.chance(10)) match.partlabel = {"cache"};
    const bool pinned = !match.serial.empty() || !match.wwn.empty();
    if (pinned && random.chance(60)) {
        const std::vector<std::string> types{
            "gpt", "dos", "vfat", "ext4", "xfs", "swap", "LVM2_member", "linux_raid_member", "bcache", "crypto_LUKS", "zfs_member", "jbd"};
        for (const auto& type : types) {
            if (random.chance(60)) rule.wipe.push_back(type);
        }
    }
    if (random.chance(2)) rule.count = 2;
    return rule;
}

/// Mostly one that no other tier has.
VolumeName pick_volume(Random& random, const Observation& now, const Policy& policy) {
    std::vector<VolumeName> names;
    for (const auto& volume : now.lvm->lvs) {
        const VolumeName name{volume.vg, volume.name};
        const bool wanted =
            std::any_of(policy.tiers.begin(), policy.tiers.end(), [&](const TierRule& rule) { return rule.volume == name; });
        if (random.chance(volume.hidden ? 2 : wanted ? 5 : 100)) names.push_back(name);
    }
    if (names.empty() || random.chance(3)) return {"vg", "nowhere"};
    return random.pick(names);
}

TierRule generate_tier(Random& random, const std::string& name, const Observation& now, const Policy& policy) {
    TierRule rule;
    rule.name = name;
    rule.place = {"/etc/tierd/10.yaml", 20, 3};
    rule.volume = pick_volume(random, now, policy);
    rule.devices = {random.chance(70) ? 'd' + name.substr(1) : random.chance(95) ? random.pick(policy.devices).name : "nobody"};
    if (random.chance(60)) rule.size = SizeSpec{(10 + random.below(200)) * gib};
    if (random.chance(10)) rule.size = SizeSpec{Percent{static_cast<std::uint32_t>(random.below(10'001))}};
    if (random.chance(3)) rule.size = SizeSpec{Bytes{1} << 62U};
    if (random.chance(15)) rule.metadata_size = (1 + random.below(400)) * mib;
    if (random.chance(15)) rule.chunk_size = random.pick<Bytes>({256 * kib, 512 * kib, mib, 64 * kib, 48 * kib, 2 * gib});
    rule.mode = random.pick<CacheMode>({CacheMode::Writethrough, CacheMode::Writeback});
    if (random.chance(20)) rule.settings = {{"migration_threshold", "16384"}};
    if (random.chance(2)) rule.kind = random.pick<TierKind>({TierKind::Bcache, TierKind::Journal});
    if (random.chance(15)) rule.store = Store::Volume;
    if (random.chance(15)) {
        // As config makes it.
        rule.kind = TierKind::Writecache;
        rule.mode = CacheMode::Writeback;
        rule.cache_policy = writecache_policy;
        rule.store = Store::Volume;
        rule.settings.clear();
    }
    if (rule.store == Store::Pool && random.chance(20)) rule.layout = random.pick<Layout>({Layout::Raid1, Layout::Striped});
    if (random.chance(6)) rule.state = Presence::Absent;
    if (random.chance(15)) rule.autonomy = Autonomy::Observe;
    if (random.chance(20)) rule.on_failing_device = OnFailingDevice::Alert;
    return rule;
}

/// Mostly as many disks as its layout takes: of one rule, or of two.
void ask_for_two(Random& random, const TierRule& rule, const Observation& now, Policy& policy) {
    for (auto& device : policy.devices) {
        if (device.name != rule.devices.front()) continue;
        device.count = random.chance(90) ? 2 : 1;
        std::vector<std::string> blank;
        for (const auto& disk : now.devices) {
            const bool is = disk.kind == DiskKind::Ssd && disk.parent.empty() && disk.probe && disk.probe->signatures.empty();
            if (is && !disk.serial.empty()) blank.push_back(disk.serial);
        }
        if (blank.size() < 2) continue;
        device.match = {};
        device.match.kind = Kind::Ssd;
        device.match.serial = {random.pick(blank), random.pick(blank)};
        if (random.chance(30)) device.match.serial.push_back(random.pick(blank));
        device.replace = random.chance(50);
    }
}

}  // namespace

void freeze_twins(Policy& policy) {
    for (const auto& one : policy.tiers) {
        for (const auto& other : policy.tiers) {
            if (&one != &other && one.volume == other.volume) policy.frozen["tier " + one.name] = "it contradicts tier " + other.name;
        }
    }
}

Policy generate_policy(Random& random, const Observation& now) {
    Policy policy;
    const auto tiers = 1 + random.below(4);
    for (std::uint64_t i = 0; i < tiers; ++i) policy.devices.push_back(generate_device_rule(random, "d" + std::to_string(i), now));
    for (std::uint64_t i = 0; i < tiers; ++i) policy.tiers.push_back(generate_tier(random, "t" + std::to_string(i), now, policy));
    for (auto& rule : policy.tiers) {
        if (rule.layout == Layout::Linear) continue;
        ask_for_two(random, rule, now, policy);
        if (random.chance(15)) rule.devices.push_back(random.pick(policy.devices).name);
    }
    freeze_twins(policy);
    for (const auto& one : policy.tiers) {
        for (const auto& other : policy.tiers) {
            const bool contradict =
                one.devices == other.devices && (one.volume.vg != other.volume.vg || (&one != &other && !one.size && !other.size));
            if (contradict && !random.chance(10))
                policy.frozen["tier " + one.name] = policy.frozen["tier " + other.name] = "it contradicts tier " + other.name;
        }
    }
    if (random.chance(2)) policy.frozen["device d0"] = "two device rules are called d0";
    if (random.chance(10)) {
        policy.snapshots.emplace_back();
        policy.snapshots.back().name = "nightly";
    }
    return policy;
}

Case generate(Random& random) {
    Case each;
    each.now = generate_machine(random);
    each.policy = generate_policy(random, each.now);
    if (random.chance(75)) interrupt(random, each);
    if (random.chance(25)) trouble(random, each.now);
    if (each.now.lvm && !each.now.lvm->lvs.empty() && random.chance(20)) {  // one that boots from it
        const auto maybe = [&] { return random.pick<std::optional<bool>>({true, false, std::nullopt}); };
        each.now.root = {random.pick(each.now.lvm->lvs).dm_uuid, maybe(), maybe()};
    }
    return each;
}

}  // namespace tierd::property
