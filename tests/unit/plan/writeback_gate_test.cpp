// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/writeback_gate.hpp"

#include "cache_tier_fixture.hpp"
#include "daemon/plan/explain.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

AllowedMode allowed(const Observation& now, const Policy& policy = world::story_a()) {
    return allowed_mode(policy, policy.tiers[0], Scene{now});
}
BlockDevice& sdb(Observation& now) {
    for (auto& device : now.devices) {
        if (device.node == "/dev/sdb") return device;
    }
    throw std::out_of_range{"sdb"};
}
DiskHealth failing_health() {
    return {true, "its reliability is degraded", std::nullopt};
}
Policy volatile_disk() {
    auto policy = world::story_a();
    policy.devices[0].volatile_contents = true;
    return policy;
}
/// The volume, below its cache or without one, is of another type.
void set_segtype(Observation& now, const std::string& segtype) {
    for (auto& each : now.lvm->lvs) {
        if ((each.name == "hdd" && each.segtype != "cache") || each.name == "hdd_corig") each.segtype = segtype;
    }
}

TEST(Writeback, IsAllowedOnADiskOfItsOwnInFrontOfAPlainVolume) {
    EXPECT_EQ(allowed(attached()).mode, CacheMode::Writeback);
    EXPECT_EQ(allowed(attached()).why, "");
    EXPECT_EQ(allowed(world::hard_disk_alone()).mode, CacheMode::Writeback) << "nothing speaks against it yet";
    Observation unknown;
    EXPECT_EQ(allowed(unknown).why, "");
}

TEST(Writeback, IsNotAllowedOnAVolatileDisk) {
    EXPECT_EQ(allowed(world::with_disk(), volatile_disk()).mode, CacheMode::Writethrough);
    EXPECT_THAT(allowed(world::with_disk(), volatile_disk()).why, HasSubstr("device rule fast says volatile"));
}

TEST(Writeback, IsNotAllowedOnUsb) {
    auto now = attached();
    sdb(now).transport = "usb";
    EXPECT_THAT(allowed(now).why, HasSubstr("/dev/sdb is on USB"));
    sdb(now).transport = "";
    EXPECT_EQ(allowed(now).why, "") << "unknown is not USB";
}

TEST(Writeback, IsNotAllowedOnAFailingDisk) {
    auto now = attached();
    sdb(now).health = failing_health();
    EXPECT_EQ(allowed(now).why, "/dev/sdb is failing: its reliability is degraded");
    auto policy = world::story_a();
    policy.tiers[0].on_failing_device = OnFailingDevice::Alert;
    EXPECT_EQ(allowed(now, policy).why, "") << "the policy lets it be";
    sdb(now).health = DiskHealth{false, "its temperature is out of bounds", 100U};
    EXPECT_EQ(allowed(now).why, "");
    sdb(now).health.reset();
    EXPECT_EQ(allowed(now).why, "") << "unknown is not failing";
}

TEST(Writeback, IsNotAllowedOnAPartitionOfAFailingDisk) {
    auto now = attached();
    auto part = world::partition(sdb(now), 1, sdb(now).size, "1111");
    part.dev = sdb(now).dev;
    sdb(now).dev = "8:99";
    sdb(now).health = failing_health();
    now.devices.push_back(part);
    EXPECT_THAT(allowed(now).why, HasSubstr("/dev/sdb1 is failing"));
}

TEST(Writeback, IsNotAllowedWithOneSsdInFrontOfARaid) {
    for (const std::string segtype : {"raid1", "raid10", "raid10_near", "raid4", "raid5_ls", "raid6_zr"}) {
        for (auto now : {world::with_disk(), attached()}) {
            set_segtype(now, segtype);
            EXPECT_THAT(allowed(now).why, HasSubstr("the volume is " + segtype)) << segtype;
        }
    }
    for (const std::string segtype : {"raid0", "raid0_meta", "striped", "linear"}) {
        auto now = attached();
        set_segtype(now, segtype);
        EXPECT_EQ(allowed(now).why, "") << segtype;
    }
    auto now = attached();
    set_segtype(now, "raid1");
    auto policy = world::story_a();
    policy.tiers[0].layout = Layout::Raid1;
    volume(now, "media_cpool_cdata").segtype = "raid1";
    EXPECT_EQ(allowed(now, policy).why, "") << "two SSDs";
}

TEST(Writeback, IsTheOnlyModeThatIsRefused) {
    auto now = attached();
    set_segtype(now, "raid1");
    for (const auto mode : {CacheMode::Writethrough, CacheMode::Passthrough}) {
        auto policy = volatile_disk();
        policy.tiers[0].mode = mode;
        EXPECT_EQ(allowed(now, policy).mode, mode);
        EXPECT_EQ(allowed(now, policy).why, "");
    }
}

TEST(ACache, IsAttachedAsWritethroughWhereWritebackIsRefused) {
    auto now = world::with_disk();
    set_segtype(now, "raid1");
    const auto plan = make_plan(world::story_a(), now);
    bool said = false;
    for (const auto& step : plan.steps) {
        if (step.verb != "attach-cache") continue;
        said = true;
        EXPECT_EQ(std::get<AttachCache>(*step.action).mode, CacheMode::Writethrough);
        EXPECT_THAT(step.reason, HasSubstr("which it must not be: the volume is raid1"));
    }
    EXPECT_TRUE(said);
    go_all_the_way(world::story_a(), now);
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty()) << "it stays so";
}

TEST(ACache, IsDrainedAndMadeWritethroughWhenWritebackIsRefusedLater) {
    auto now = attached();
    now.caches.begin()->second.status->dirty_blocks = 500;
    sdb(now).transport = "usb";
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("set-cache-policy", "wait", "set-cache-mode", "set-cache-policy"));
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("it must not be writeback: /dev/sdb is on USB"));
    go_all_the_way(world::story_a(), now);
    EXPECT_EQ(volume(now, "hdd").cache_mode, CacheMode::Writethrough);
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
    std::string evidence;
    for (const auto& finding : explain(world::story_a(), now, make_plan(world::story_a(), now), "lvm_hdd/hdd")) {
        if (finding.question == "is served as writeback") evidence = finding.evidence;
    }
    EXPECT_THAT(evidence, HasSubstr("/dev/sdb is on USB"));
    EXPECT_THAT(evidence, HasSubstr("served as writethrough"));
}

// Nothing is taken off: what is written through it lies on the volume's own disk.
TEST(ACache, OnADiskThatBeginsToFailIsDrainedAndMadeWritethrough) {
    auto now = attached();
    now.caches.begin()->second.status->dirty_blocks = 500;
    sdb(now).health = failing_health();
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("set-cache-policy", "wait", "set-cache-mode", "set-cache-policy"));
    go_all_the_way(world::story_a(), now);
    EXPECT_EQ(volume(now, "hdd").cache_mode, CacheMode::Writethrough);
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
    std::string said;
    for (const auto& finding : explain(world::story_a(), now, make_plan(world::story_a(), now), "/dev/sdb")) {
        if (finding.question == "health") said = finding.evidence;
    }
    EXPECT_EQ(said, "failing: its reliability is degraded");
}

TEST(ACache, IsNotMadeOnAFailingDisk) {
    // Taken for it already, and killed before the pool was made.
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 2);
    sdb(now).health = failing_health();
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("fence-pv", "refuse"));
    carry_out(world::story_a(), now);
    EXPECT_EQ(only(make_plan(world::story_a(), now)).reason,
              "/dev/sdb is failing: its reliability is degraded: no new cache is made on it");
}

// As one that is asked for, and as one of another size, which would be removed first.
TEST(ACache, IsNotPutInFrontFromAFailingDisk) {
    for (const Bytes size : {220 * gib, 100 * gib}) {
        auto policy = world::story_a();
        policy.tiers[0].size = SizeSpec{size};
        auto now = world::with_disk();
        carry_out(world::story_a(), now, 3);
        sdb(now).health = failing_health();
        EXPECT_THAT(verbs(policy, now), ElementsAre("fence-pv", "refuse"));
        carry_out(policy, now);
        EXPECT_THAT(only(make_plan(policy, now)).reason, HasSubstr("no new cache is made on it"));
    }
}

TEST(ACache, IsNotMadeAnewInAnotherSizeOnAFailingDisk) {
    auto now = attached();
    sdb(now).health = failing_health();
    auto policy = world::story_a();
    policy.tiers[0].on_failing_device = OnFailingDevice::Alert;
    policy.tiers[0].size = SizeSpec{100 * gib};
    EXPECT_THAT(verbs(policy, now), ElementsAre("refuse"));
    EXPECT_THAT(only(make_plan(policy, now)).reason, HasSubstr("/dev/sdb is failing"));
}

/// The entry's word alone does not make it safe: the old cache stands until it is made anew.
TEST(Writeback, IsNotAllowedOnTheOneDiskThatStandsWhileAPairIsAskedFor) {
    auto policy = world::story_a();
    policy.tiers[0].mode = CacheMode::Writethrough;
    auto now = world::with_disk();
    set_segtype(now, "raid1");
    carry_out(policy, now);
    set_segtype(now, "raid1");
    policy.tiers[0].layout = Layout::Raid1;
    policy.tiers[0].mode = CacheMode::Writeback;
    policy.devices[0].count = 2;
    EXPECT_THAT(allowed(now, policy).why, HasSubstr("lost with the one SSD"));
    EXPECT_EQ(why_never_writeback(policy, policy.tiers[0], Scene{now}), "") << "of a pair it is";
}

TEST(Writeback, IsNotAllowedOnTheVolatileDiskThatStandsWhileAnotherIsAskedFor) {
    auto policy = volatile_disk();
    policy.devices.push_back(policy.devices[0]);
    policy.devices[1].name = "other";
    policy.devices[1].volatile_contents = false;
    policy.tiers[0].devices = {"other"};
    EXPECT_THAT(allowed(attached(), policy).why, HasSubstr("device rule fast says volatile"));
}

TEST(Writeback, IsNotAllowedOnAFailingDiskAfterItsEntryWasRenamed) {
    auto now = attached();
    sdb(now).health = failing_health();
    auto policy = world::story_a();
    policy.tiers[0].name = "films";
    EXPECT_THAT(allowed(now, policy).why, HasSubstr("its reliability is degraded"));
}

/// What could only be refused with the cache off is refused before.
TEST(AWritecache, ThatMustNotBeIsNotMadeInPlaceOfACacheThatMay) {
    auto policy = world::story_a();
    policy.tiers[0].mode = CacheMode::Writethrough;
    auto now = world::with_disk();
    set_segtype(now, "raid1");
    carry_out(policy, now);
    set_segtype(now, "raid1");
    policy.tiers[0].kind = TierKind::Writecache;
    policy.tiers[0].mode = CacheMode::Writeback;
    policy.tiers[0].autonomy = Autonomy::Full;
    expect_refusal("a writecache is nothing else: the volume is raid1", now, policy);
    now = attached();
    sdb(now).transport = "usb";
    expect_refusal("a writecache is nothing else: /dev/sdb is on USB", now, policy);
    policy.devices[0].match.transport = {"usb"};
    now = world::with_disk();
    sdb(now).transport = "usb";
    expect_refusal("a writecache is nothing else: /dev/sdb is on USB", now, policy);
}

}  // namespace
}  // namespace tierd
