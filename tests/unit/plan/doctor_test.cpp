// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/doctor.hpp"

#include "cache_tier_fixture.hpp"
#include "daemon/model/pulled.hpp"

namespace tierd {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Is = Finding::Verdict;

std::vector<Finding> risks(const Observation& now, const Policy& policy = world::story_a()) {
    return diagnose(policy, now);
}
const Finding& only_risk(const std::vector<Finding>& findings) {
    static const Finding none;
    EXPECT_EQ(findings.size(), 1U);
    for (const auto& each : findings) EXPECT_THAT(each.advice, Not(IsEmpty())) << each.evidence;
    return findings.empty() ? none : findings.front();
}
BlockDevice& named_disk(Observation& now, const std::string& name) {
    for (auto& device : now.devices) {
        if (device.name == name) return device;
    }
    throw std::out_of_range{name};
}
/// Story A attached, and then its SSD pulled.
Observation pulled(CacheMode mode) {
    auto now = attached();
    volume(now, "hdd").cache_mode = mode;
    take_away(now, "/dev/sdb");
    return now;
}

TEST(TheDoctor, SaysNothingOfWhatIsWell) {
    EXPECT_THAT(risks(world::hard_disk_alone()), IsEmpty());
    EXPECT_THAT(risks(world::with_disk()), IsEmpty());
    EXPECT_THAT(risks(attached()), IsEmpty());
    EXPECT_THAT(diagnose(Policy{}, attached()), IsEmpty());
}

// Promise 5
TEST(TheDoctor, SaysWhatCannotBeLookedAt) {
    Observation now;
    now.lvm_error = "lvm exited with 5";
    const auto findings = risks(now);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].verdict, Is::Unknown);
    EXPECT_EQ(findings[0].evidence, "lvm exited with 5");
}

// A07
TEST(TheDoctor, WarnsOfAnEmptyPhysicalVolumeThatIsMissing) {
    auto now = world::hard_disk_alone();
    PhysicalVolume pv;
    pv.uuid = "pv-gone";
    pv.vg = "lvm_hdd";
    pv.extents = 100;
    pv.missing = true;
    now.lvm->pvs.push_back(pv);
    now.lvm->groups.front().missing_pvs = 1;
    const auto foreign = risks(now);
    EXPECT_EQ(only_risk(foreign).subject, "lvm_hdd");
    EXPECT_THAT(only_risk(foreign).evidence, AllOf(HasSubstr("pv-gone is missing"), HasSubstr("nothing lies on it"), HasSubstr("at boot")));
    EXPECT_THAT(only_risk(foreign).advice, HasSubstr("'vgreduce --removemissing lvm_hdd'"));
    now.lvm->pvs.back().tags = {device_tag("fast")};
    EXPECT_THAT(only_risk(risks(now)).advice, HasSubstr("tierd takes it out by itself"));
}

TEST(TheDoctor, ExplainsAGroupThatIsIncompleteBecauseOfAnSsd) {
    const auto back = risks(pulled(CacheMode::Writeback));
    EXPECT_THAT(only_risk(back).evidence,
                AllOf(HasSubstr("it is the SSD with the writeback cache of lvm_hdd/hdd (tier media)"), HasSubstr("at boot LVM activates"),
                      HasSubstr("lvm_hdd/hdd cannot be activated without it")));
    EXPECT_THAT(only_risk(back).advice, AllOf(HasSubstr("keep the SSD"), HasSubstr("'lvchange -ay lvm_hdd/hdd'"), Not(HasSubstr("force"))));
    const auto through = risks(pulled(CacheMode::Writethrough));
    EXPECT_THAT(only_risk(through).evidence, HasSubstr("writethrough cache"));
    EXPECT_THAT(only_risk(through).advice, AllOf(HasSubstr("tierd takes the cache off by itself"), HasSubstr("nothing is lost")));
}

/// A cachevol has no data and metadata apart.
TEST(TheDoctor, ExplainsTheSsdOfACachevolAndOfAWritecache) {
    for (const auto kind : {TierKind::Cache, TierKind::Writecache}) {
        auto policy = world::story_a();
        policy.tiers[0].store = Store::Volume;
        policy.tiers[0].kind = kind;
        policy.tiers[0].metadata_size.reset();
        if (kind == TierKind::Writecache) policy.tiers[0].cache_policy = writecache_policy;
        auto now = world::with_disk();
        carry_out(policy, now);
        take_away(now, "/dev/sdb");
        EXPECT_THAT(only_risk(risks(now)).evidence, HasSubstr("cache of lvm_hdd/hdd (tier media)"));
    }
}

TEST(TheDoctor, TellsHowADiskThatIsBackIsCounted) {
    auto now = pulled(CacheMode::Writeback);
    for (auto& pv : now.lvm->pvs) {
        if (pv.missing) pv.device = "/dev/sdc";
    }
    EXPECT_THAT(only_risk(risks(now)).evidence, HasSubstr("came back as /dev/sdc"));
    EXPECT_THAT(only_risk(risks(now)).advice, HasSubstr("'vgextend --restoremissing lvm_hdd /dev/sdc'"));
}

TEST(TheDoctor, LeavesAForeignCacheToItsOwner) {
    auto now = pulled(CacheMode::Writethrough);
    volume(now, volume(now, "hdd").pool).tags.clear();
    EXPECT_THAT(only_risk(risks(now)).advice, HasSubstr("'lvconvert --uncache lvm_hdd/hdd'"));
}

TEST(TheDoctor, NamesWhatLiesOnADiskThatIsNoSsd) {
    auto now = world::hard_disk_alone();
    take_away(now, "/dev/sda");
    EXPECT_THAT(only_risk(risks(now)).evidence, HasSubstr("hdd lie on it"));
}

// A14
TEST(TheDoctor, FindsWhatLvmDoesNotSee) {
    auto hidden = world::ssd();
    hidden.probe->signatures = {{"LVM2_member", "raid", 536, "pv-x", "other", {}}};
    auto now = world::with_disk(hidden);
    EXPECT_THAT(only_risk(risks(now)).evidence, HasSubstr("a filter in lvm.conf hides it"));
    now.setup.use_devices_file = now.setup.devices_file_exists = true;
    EXPECT_EQ(only_risk(risks(now)).subject, "/dev/sdb");
    EXPECT_THAT(only_risk(risks(now)).advice, HasSubstr("'lvmdevices --adddev /dev/sdb'"));
    auto& disk = named_disk(now, "sdb");
    disk.probe.reset();
    EXPECT_THAT(risks(now), IsEmpty()) << "unknown";
    disk.udev_fs_type = "LVM2_member";
    EXPECT_EQ(risks(now).size(), 1U);
    disk.multipath_path = true;
    EXPECT_THAT(risks(now), IsEmpty()) << "LVM sees it by its multipath device";
}

// A28
TEST(TheDoctor, LooksAtCachesThatDoNotComeUp) {
    auto now = attached();
    volume(now, "hdd").active = false;
    EXPECT_EQ(only_risk(risks(now)).verdict, Is::Unknown);
    EXPECT_THAT(only_risk(risks(now)).advice,
                AllOf(HasSubstr("Check of pool"), HasSubstr("'lvconvert --repair lvm_hdd/hdd'"), HasSubstr("repairs nothing by itself")));
    volume(now, "hdd").attr = "Cwi---C--k";
    EXPECT_THAT(risks(now), IsEmpty()) << "it is to be skipped";
    volume(now, "hdd").attr = "Cwi-cCC---";
    EXPECT_EQ(only_risk(risks(now)).verdict, Is::No);
    EXPECT_THAT(only_risk(risks(now)).evidence, HasSubstr("needs_check"));
}

TEST(TheDoctor, LooksAtACachedRoot) {
    auto now = attached();
    now.root.dm_uuid = volume(now, "hdd").dm_uuid;
    EXPECT_EQ(only_risk(risks(now)).verdict, Is::Unknown);
    now.root.boots_cached = false;
    EXPECT_EQ(only_risk(risks(now)).verdict, Is::No);
    EXPECT_THAT(only_risk(risks(now)).evidence, HasSubstr("without dm-cache and cache_check"));
    EXPECT_THAT(only_risk(risks(now)).advice, HasSubstr("update-initramfs -u"));
    now.root.boots_cached = true;
    EXPECT_THAT(risks(now), IsEmpty());
    now.root = {"LVM-another", false, false};
    EXPECT_THAT(risks(now), IsEmpty());
    now.root = {volume(now, "hdd").dm_uuid, true, false};
    volume(now, "hdd").segtype = "writecache";
    EXPECT_THAT(only_risk(risks(now)).evidence, HasSubstr("without dm-writecache"));
    EXPECT_THAT(only_risk(risks(now)).advice, HasSubstr("the line dm-writecache into /etc/initramfs-tools/modules"));
}

TEST(TheDoctor, MissesCacheCheckWhereThereAreCaches) {
    auto now = attached();
    now.setup.cache_check = "/usr/sbin/cache_check";
    EXPECT_THAT(risks(now), IsEmpty()) << "unknown";
    now.setup.cache_check_found = false;
    EXPECT_THAT(only_risk(risks(now)).evidence, HasSubstr("/usr/sbin/cache_check is not installed"));
    EXPECT_EQ(only_risk(diagnose(Policy{}, now)).advice, "install thin-provisioning-tools");
    auto none = world::hard_disk_alone();
    none.setup = now.setup;
    EXPECT_EQ(only_risk(risks(none)).advice, "install thin-provisioning-tools") << "one is asked for";
    EXPECT_THAT(diagnose(Policy{}, none), IsEmpty());
    now.setup.cache_check = "";
    EXPECT_THAT(only_risk(risks(now)).evidence, HasSubstr("lvm.conf switches it off"));
}

// B08
TEST(TheDoctor, FindsTwoFilesystemsOfOneUuid) {
    auto now = world::with_disk();
    for (const std::string name : {"dm-4", "dm-3", "dm-9"}) {
        BlockDevice device;
        device.name = name;
        device.node = "/dev/" + name;
        device.virtual_disk = true;
        device.fs_uuid = name == "dm-9" ? "other" : "1234-5678";
        now.devices.push_back(device);
    }
    EXPECT_EQ(only_risk(risks(now)).subject, "/dev/dm-3, /dev/dm-4");
    EXPECT_THAT(only_risk(risks(now)).advice, HasSubstr("/dev/VG/LV"));
}

TEST(TheDoctor, FindsWhatTwoExtend) {
    auto policy = world::story_a();
    policy.snapshots.emplace_back();
    policy.snapshots.back().name = "nightly";
    policy.snapshots.back().extend = ExtendRule{};
    policy.pools.emplace_back();
    policy.pools.back().pool = {"vg", "pool"};
    policy.pools.back().extend = ExtendRule{};
    auto now = world::hard_disk_alone();
    EXPECT_THAT(risks(now, policy), IsEmpty());
    now.setup.snapshot_autoextend_threshold = 70;
    EXPECT_EQ(only_risk(risks(now, policy)).subject, "snapshot nightly");
    EXPECT_THAT(only_risk(risks(now, policy)).evidence, HasSubstr("dmeventd extends from 70% on"));
    now.setup.snapshot_autoextend_threshold = 100;
    now.setup.thin_pool_autoextend_threshold = 80;
    EXPECT_EQ(only_risk(risks(now, policy)).subject, "pool vg/pool");
}

TEST(TheDoctor, PassesOnWhatADiskSaysOfItself) {
    auto now = world::with_disk();
    named_disk(now, "sdb").health = DiskHealth{true, "its SMART status is failed", std::nullopt};
    EXPECT_EQ(only_risk(risks(now)).evidence, "it says of itself that it is failing: its SMART status is failed");
    named_disk(now, "sdb").health = DiskHealth{false, "", 120U};
    EXPECT_THAT(risks(now), IsEmpty());
}

}  // namespace
}  // namespace tierd
