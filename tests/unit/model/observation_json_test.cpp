// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "daemon/model/error.hpp"
#include "world.hpp"

namespace tierd {
namespace {

using testing::HasSubstr;

/// Every field away from its default, so that one which is forgotten shows.
Observation full() {
    auto now = world::with_disk();
    auto& sdb = now.devices.back();
    sdb.logical_block_size = 4096;
    sdb.partlabel = "label \"with\" quotes\n";
    sdb.partuuid = "uuid";
    sdb.by_path = "pci-0000:00:1f.2-ata-2";
    sdb.parent = "sdz";
    sdb.removable = sdb.read_only = sdb.virtual_disk = sdb.multipath_path = sdb.hands_off = sdb.swap = true;
    sdb.udev_fs_type = "ext4";
    sdb.fs_uuid = "9f2c";
    sdb.holders = {"dm-1", "md0"};
    sdb.mounts = {"/data", "/mnt/\xc3\xbc"};
    sdb.changed = world::noon - 1;
    sdb.probe = Probe{{{"gpt", "table", 512}, {"zfs_member", "filesystem", 1ULL << 63U}}, true, true};
    sdb.health = DiskHealth{true, "its reliability is degraded", 97U};
    auto& lvm = *now.lvm;
    auto& group = lvm.groups.front();
    group.missing_pvs = 2;
    group.tags = {"a", "b"};
    group.exported = group.shared = group.partial = group.busy = true;
    group.writeable = false;
    auto& pv = lvm.pvs.front();
    pv.allocatable = false;
    pv.missing = pv.duplicate = pv.exported = true;
    pv.tags = {device_tag("fast")};
    auto& volume = lvm.lvs.front();
    volume.hidden = volume.partial = volume.merging = true;
    volume.tags = {tier_tag("media")};
    volume.active = false;
    volume.suspended = true;
    volume.pool = "p";
    volume.origin = "o";
    volume.data = "d";
    volume.metadata = "m";
    volume.cache_mode = CacheMode::Passthrough;
    volume.cache_policy = "smq";
    volume.cache_settings = {{"migration_threshold", "16384"}};
    volume.chunk_size = 256 * kib;
    volume.health = "partial";
    volume.attr = "Cwi-aoC---";
    volume.data_percent = 99.99;
    CacheStatus status;
    status.health = CacheStatus::Health::NeedsCheck;
    status.block_size = 256 * kib;
    status.used_blocks = 1;
    status.total_blocks = 2;
    status.dirty_blocks = 3;
    status.metadata_block_size = 4096;
    status.metadata_used = 4;
    status.metadata_total = 5;
    status.read_hits = 4'294'967'295U;
    status.read_misses = 6;
    status.write_hits = 7;
    status.write_misses = 8;
    status.demotions = 9;
    status.promotions = 10;
    status.mode = "writethrough";
    status.policy = "cleaner";
    status.policy_settings = {{"x", "1"}};
    status.core_settings = {{"migration_threshold", "2048"}};
    now.caches["uuid-1"] = {status, true, true};
    now.caches["uuid-2"] = {std::nullopt, std::nullopt};
    now.devices_known = false;
    now.lvm_error = "why";
    now.setup.cache_pool_max_chunks = 100'000;
    now.setup.use_devices_file = now.setup.devices_file_exists = true;
    now.setup.devices_file = {"/dev/sda"};
    now.setup.snapshot_autoextend_threshold = 70;
    now.setup.thin_pool_autoextend_threshold = 60;
    now.setup.cache_check = "/usr/sbin/cache_check";
    now.setup.cache_check_found = false;
    now.root = {"LVM-abc", true, false};
    now.container = true;
    return now;
}

std::string fault_in(const std::string& text) {
    try {
        static_cast<void>(observation_from_json(text));
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::InvalidArgs);
        return error.what();
    }
    return "";
}

TEST(AnObservation, SurvivesJson) {
    for (const auto& now : {Observation{}, world::hard_disk_alone(), world::with_disk(), full()}) {
        EXPECT_EQ(observation_from_json(observation_to_json(now)), now);
    }
}

TEST(AnObservation, KeepsUnknownAsUnknownThroughJson) {
    auto now = world::hard_disk_alone();
    now.devices.front().probe.reset();
    now.lvm->lvs.front().active.reset();
    now.lvm->lvs.front().suspended.reset();
    now.lvm->lvs.front().data_percent.reset();
    EXPECT_EQ(observation_from_json(observation_to_json(now)), now);
    now.lvm.reset();
    EXPECT_EQ(observation_from_json(observation_to_json(now)), now);
}

TEST(AnObservation, IsUnknownWhereAFieldIsLeftOut) {
    const auto now = observation_from_json(R"({"format_version":1,"devices":[{"node":"/dev/sdb"}]})");
    EXPECT_FALSE(now.lvm.has_value());
    ASSERT_EQ(now.devices.size(), 1u);
    EXPECT_FALSE(now.devices[0].probe.has_value());
    EXPECT_EQ(now.devices[0].kind, DiskKind::Unknown);
}

TEST(AnObservation, IsFoundInsideWhatDescribeSays) {
    const auto now = world::with_disk();
    EXPECT_EQ(observation_from_json(R"({"format_version":1,"version":"0.1.0","observation":)" + observation_to_json(now) + '}'), now);
}

TEST(AnObservation, IsWrittenThoughItsNamesAreNoUtf8) {
    auto now = world::with_disk();
    now.devices.back().model = "bad \xff byte";
    now.caches["\xfe"] = {};
    EXPECT_NO_THROW(static_cast<void>(observation_from_json(observation_to_json(now))));
}

TEST(AnObservation, SaysWhereItsJsonIsWrong) {
    EXPECT_THAT(fault_in("{"), HasSubstr("not well-formed"));
    EXPECT_THAT(fault_in(""), HasSubstr("not well-formed"));
    EXPECT_THAT(fault_in("[]"), HasSubstr("expected an object"));
    EXPECT_THAT(fault_in("{}"), HasSubstr("observation/format_version"));
    EXPECT_THAT(fault_in(R"({"format_version":2})"), HasSubstr("observation/format_version"));
    EXPECT_THAT(fault_in(R"({"format_version":1,"devices":{}})"), HasSubstr("observation/devices: expected a list, found object"));
    EXPECT_THAT(fault_in(R"({"format_version":1,"devices":[{},{"size":"1"}]})"),
                HasSubstr("observation/devices/1/size: expected a whole number"));
    EXPECT_THAT(fault_in(R"({"format_version":1,"devices":[{"size":-1}]})"), HasSubstr("observation/devices/0/size"));
    EXPECT_THAT(fault_in(R"({"format_version":1,"devices":[{"size":1.5}]})"), HasSubstr("observation/devices/0/size"));
    EXPECT_THAT(fault_in(R"({"format_version":1,"devices":[{"size":18446744073709551616}]})"), HasSubstr("observation/devices/0/size"));
    EXPECT_THAT(fault_in(R"({"format_version":1,"devices":[{"logical_block_size":4294967296}]})"),
                HasSubstr("observation/devices/0/logical_block_size"));
    EXPECT_THAT(fault_in(R"({"format_version":1,"devices":[{"kind":"nvme"}]})"), HasSubstr("observation/devices/0/kind: \"nvme\""));
    EXPECT_THAT(fault_in(R"({"format_version":1,"devices":[{"swap":1}]})"),
                HasSubstr("observation/devices/0/swap: expected true or false"));
    EXPECT_THAT(fault_in(R"({"format_version":1,"lvm":{"lvs":[{"active":"yes"}]}})"), HasSubstr("observation/lvm/lvs/0/active"));
    EXPECT_THAT(fault_in(R"({"format_version":1,"lvm":{"lvs":[{"tags":[1]}]}})"), HasSubstr("observation/lvm/lvs/0/tags/0"));
    EXPECT_THAT(fault_in(R"({"format_version":1,"caches":{"u":{"status":{"health":"well"}}}})"),
                HasSubstr("observation/caches/u/status/health"));
}

/// Cut, changed, doubled: it is read or refused with a place, and never anything else.
TEST(AnObservation, IsReadOrRefusedWhateverItsTextBecomes) {
    const std::string text = observation_to_json(full());
    std::mt19937_64 random{20260201};
    const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
    const std::vector<std::string> pieces{
        "null", "-1", "1e400", "[", "{", "}", "]", ",", "\"\"", "true", "18446744073709551616", "\xff", std::string(1, '\0')};
    unsigned refused = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string changed = text;
        for (auto edits = below(3) + 1; edits > 0; --edits) {
            const auto at = below(changed.size());
            switch (below(4)) {
                case 0: changed[at] = static_cast<char>(below(256)); break;
                case 1: changed.erase(at, below(40)); break;
                case 2: changed.insert(at, pieces[below(pieces.size())]); break;
                default: changed.insert(at, changed.substr(below(changed.size()), below(60)));
            }
        }
        if (below(50) == 0) changed = std::string(20'000, below(2) == 0 ? '[' : '{');
        try {
            static_cast<void>(observation_from_json(changed));
        } catch (const Error& error) {
            ++refused;
            ASSERT_THAT(error.what(), HasSubstr("observation"));
        }
    }
    EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace tierd
