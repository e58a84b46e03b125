// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "cache_tier_fixture.hpp"
#include "daemon/model/pulled.hpp"
#include "daemon/plan/recoveries.hpp"

/// Pools over two SSDs: striped, and raid1 of which a leg may be lost.
namespace tierd {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Policy of(Layout layout) {
    auto policy = world::story_a();
    policy.devices[0].count = 2;
    policy.tiers[0].layout = layout;
    policy.tiers[0].metadata_size.reset();
    return policy;
}
Policy absent(Policy policy) {
    policy.tiers[0].state = Presence::Absent;
    return policy;
}
Policy replacing(Policy policy) {
    policy.devices[0].replace = true;
    return policy;
}
Observation two_ssds() {
    auto now = world::with_disk();
    now.devices.push_back(world::ssd("sdc", "S21PNXAG441017"));
    return now;
}
Observation attached_by(const Policy& policy) {
    auto now = two_ssds();
    return carry_out(policy, now);
}
void expect_going_on(const Policy& policy, Observation now) {
    auto left = verbs(policy, now);
    for (const auto& step : make_plan(policy, now).steps) {
        go(step, now);
        left.erase(left.begin());
        EXPECT_EQ(verbs(policy, now), left) << "after " << step.verb;
    }
}
/// As LVM shows it once somebody has changed the group without the disk.
void lose(Observation& now, const std::string& node) {
    take_away(now, node);
    for (auto& each : now.lvm->lvs) {
        const auto below = now.lvm->extents_below(each);
        const bool lacks = std::any_of(below.begin(), below.end(), [&](const auto& on) { return now.lvm->pv(on.first)->missing; });
        const bool stands_on_it = each.name == "hdd" || each.name == "media_cpool";
        if (!lacks && !stands_on_it) continue;
        each.partial = true;
        each.health = "partial";
    }
}
const std::vector<std::string> way{"create-pv", "extend-vg",  "create-pv", "extend-vg", "create-volume", "create-volume",
                                   "make-pool", "tag-volume", "fence-pv",  "fence-pv",  "attach-cache",  "commit-metadata"};

TEST(APoolOverTwoDisks, GoesItsWholeWay) {
    for (const auto layout : {Layout::Striped, Layout::Raid1}) {
        const auto policy = of(layout);
        EXPECT_EQ(verbs(policy, two_ssds()), way) << name_of(layout);
        expect_going_on(policy, two_ssds());
        auto now = attached_by(policy);
        EXPECT_THAT(verbs(policy, now), IsEmpty());
        EXPECT_EQ(volume(now, "media_cpool").size, 220 * gib);
        EXPECT_EQ(volume(now, "media_cpool_cdata").segtype, name_of(layout));
        EXPECT_EQ(volume(now, "media_cpool_cmeta").segtype, name_of(layout));
        for (const std::string part : {"media_cpool_cdata", "media_cpool_cmeta"})
            EXPECT_EQ(now.lvm->extents_below(volume(now, part)).size(), 2u) << part;
        EXPECT_THAT(verbs(absent(policy), now),
                    ElementsAre("set-cache-policy", "remove-cache", "reduce-vg", "reduce-vg", "remove-pv", "remove-pv"));
        expect_going_on(absent(policy), now);
        carry_out(absent(policy), now);
        EXPECT_EQ(now.lvm->lvs.size(), 1u);
        EXPECT_EQ(now.lvm->groups[0].extents, now.lvm->pvs[0].extents);
        EXPECT_EQ(now.lvm->groups[0].free_extents, now.lvm->pvs[0].extents - now.lvm->pvs[0].allocated_extents);
    }
}

TEST(APoolOverTwoDisks, IsCutOutOfBoth) {
    auto policy = of(Layout::Striped);
    policy.tiers[0].size.reset();
    auto now = attached_by(policy);
    EXPECT_GT(volume(now, "media_cpool").size, 400 * gib);
    policy = of(Layout::Raid1);
    policy.tiers[0].size = SizeSpec{Percent{5000}};
    now = attached_by(policy);
    const auto half = now.lvm->pvs[1].extents / 2;
    EXPECT_EQ(volume(now, "media_cpool").size, half * world::extent);
    // Of an odd number of extents each disk cannot have half.
    policy = of(Layout::Striped);
    policy.tiers[0].size = SizeSpec{Bytes{4 * mib * 1'001}};
    now = attached_by(policy);
    EXPECT_EQ(volume(now, "media_cpool").size, 4 * mib * 1'002);
    EXPECT_THAT(verbs(policy, now), IsEmpty());
}

TEST(APoolOverTwoDisks, TouchesNoDiskBeforeBothAreThere) {
    expect_wait("waits for 2 disks", world::with_disk(), of(Layout::Raid1));
    auto three = two_ssds();
    three.devices.push_back(world::ssd("sdd", "S21PNXAG441018"));
    EXPECT_THAT(only(make_plan(of(Layout::Raid1), three)).reason, HasSubstr("asks for 2 disks and 3 match"));
}

TEST(APoolOverTwoDisks, TakesNoSecondDiskWhereTwoMoreMatch) {
    auto now = two_ssds();
    carry_out(of(Layout::Raid1), now, 2);
    now.devices.push_back(world::ssd("sdd", "S21PNXAG441018"));
    const auto plan = make_plan(of(Layout::Raid1), now);
    EXPECT_THAT(plan.steps.back().reason, HasSubstr("asks for one disk and 2 match"));
    EXPECT_THAT(verbs(plan).front(), "fence-pv");
}

TEST(APoolOverTwoDisks, IsKeptForTheTierWhileTheOtherIsAway) {
    auto now = two_ssds();
    carry_out(of(Layout::Raid1), now, 2);
    std::erase_if(now.devices, [](const BlockDevice& each) { return each.name == "sdc"; });
    EXPECT_THAT(verbs(of(Layout::Raid1), now), ElementsAre("fence-pv", "wait"));
    carry_out(of(Layout::Raid1), now);
    now.devices.push_back(world::ssd("sdc", "S21PNXAG441017"));
    EXPECT_THAT(verbs(of(Layout::Raid1), now), Contains("attach-cache"));
    EXPECT_THAT(verbs(of(Layout::Raid1), now), Not(Contains("wait")));
}

TEST(APoolOverTwoDisks, MayHaveARuleForEach) {
    auto policy = of(Layout::Raid1);
    policy.devices[0].count = 1;
    policy.devices[0].match.serial = {"S21PNXAG441016"};
    policy.devices.push_back(policy.devices[0]);
    policy.devices[1].name = "other";
    policy.devices[1].match.serial = {"S21PNXAG44101?"};
    policy.tiers[0].devices = {"fast", "other"};
    // Both match the second rule: which it is, is not said.
    EXPECT_THAT(only(make_plan(policy, two_ssds())).reason, HasSubstr("device rule other asks for one disk and 2 match"));
    policy.devices[1].match.serial = {"S21PNXAG441017"};
    EXPECT_EQ(verbs(policy, two_ssds()), way);
    auto now = attached_by(policy);
    EXPECT_THAT(now.lvm->pvs[1].tags, ElementsAre("tierd.device=fast"));
    EXPECT_THAT(now.lvm->pvs[2].tags, ElementsAre("tierd.device=other"));
    EXPECT_THAT(verbs(absent(policy), now),
                ElementsAre("set-cache-policy", "remove-cache", "reduce-vg", "remove-pv", "reduce-vg", "remove-pv"));
}

TEST(APoolOverTwoDisks, TakesAsManyDisksAsItsLayout) {
    auto policy = of(Layout::Raid1);
    policy.devices[0].count = 1;
    EXPECT_THAT(only(make_plan(policy, two_ssds())).reason, HasSubstr("layout raid1 takes 2 disks, and its device rules ask for 1"));
    // A linear one is on one of two.
    policy = of(Layout::Linear);
    EXPECT_THAT(verbs(policy, two_ssds()),
                ElementsAre("create-pv", "extend-vg", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata"));
}

TEST(APoolOverTwoDisks, IsMadeAnewWhereItWasBegunOtherwise) {
    auto now = two_ssds();
    carry_out(of(Layout::Raid1), now, 6);
    EXPECT_THAT(verbs(of(Layout::Striped), now), ElementsAre("remove-pool", "remove-pool", "create-volume", "create-volume", "make-pool",
                                                             "tag-volume", "fence-pv", "fence-pv", "attach-cache", "commit-metadata"));
    expect_going_on(of(Layout::Striped), now);
    EXPECT_THAT(verbs(absent(of(Layout::Raid1)), now),
                ElementsAre("remove-pool", "remove-pool", "reduce-vg", "reduce-vg", "remove-pv", "remove-pv"));
    auto linear = of(Layout::Linear);
    EXPECT_THAT(verbs(linear, now),
                ElementsAre("remove-pool", "remove-pool", "create-cache-pool", "fence-pv", "attach-cache", "fence-pv", "commit-metadata"));
    // What lvcreate leaves when it is killed in the middle of a raid1 LV.
    now = two_ssds();
    carry_out(of(Layout::Raid1), now, 5);
    auto& rest = volume(now, "media_rmeta_0");
    rest.hidden = false;
    std::erase_if(now.lvm->lvs, [](const LogicalVolume& each) { return each.name == "media" || each.name.starts_with("media_rimage"); });
    for (auto& pv : now.lvm->pvs) pv.allocated_extents = now.lvm->extents_below(rest).contains(pv.uuid) ? 1 : 0;
    EXPECT_THAT(verbs(of(Layout::Raid1), now).front(), "remove-pool");
    // A pool that was made of them, and has no tag yet.
    now = two_ssds();
    carry_out(of(Layout::Raid1), now, 7);
    EXPECT_THAT(verbs(absent(of(Layout::Raid1)), now),
                ElementsAre("tag-volume", "remove-pool", "reduce-vg", "reduce-vg", "remove-pv", "remove-pv"));
}

TEST(APoolOverTwoDisks, IsLeftAloneWhereItsTagIsOnSomebodysData) {
    auto now = two_ssds();
    carry_out(of(Layout::Raid1), now, 4);
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "photos", 10, "pv-hdd"));
    now.lvm->lvs.back().tags = {part_tag("media")};
    EXPECT_THAT(make_plan(of(Layout::Raid1), now).steps.front().reason, HasSubstr("carries the tag of this tier, and is no cache pool"));
    EXPECT_THAT(make_plan(absent(of(Layout::Raid1)), now).steps.front().reason, HasSubstr("is no cache pool"));
}

TEST(APoolOverTwoDisks, MayBecomeAnother) {
    auto now = attached();
    now.devices.push_back(world::ssd("sdc", "S21PNXAG441017"));
    const auto plan = make_plan(of(Layout::Raid1), now);
    EXPECT_TRUE(plan.steps.front().needs_person);
    EXPECT_THAT(plan.steps.front().reason, HasSubstr("layout from linear to raid1"));
    auto full = of(Layout::Raid1);
    full.tiers[0].autonomy = Autonomy::Full;
    expect_going_on(full, now);
    go_all_the_way(full, now);
    EXPECT_THAT(verbs(full, now), IsEmpty());
    EXPECT_EQ(volume(now, "media_cpool_cdata").segtype, "raid1");
    // And back: the other disk is nobody's then, and stays in the group for the rule.
    full.tiers[0].layout = Layout::Linear;
    go_all_the_way(full, now);
    EXPECT_EQ(volume(now, "media_cpool_cdata").segtype, "linear");
}

TEST(ARaid1Pool, GoesOnWithOneLegUntilAnotherDiskTakesThePlace) {
    const auto policy = of(Layout::Raid1);
    auto now = attached_by(policy);
    lose(now, "/dev/sdb");
    expect_wait("one leg of its cache is gone", now, policy);
    // Nothing is to be given up, and what somebody gave up before is forgotten.
    EXPECT_THAT(recoveries(policy.tiers[0], now, std::nullopt), IsEmpty());
    volume(now, "hdd").tags.insert("tierd.recover=drop-cache");
    EXPECT_THAT(verbs(policy, now), ElementsAre("tag-volume", "wait"));
    volume(now, "hdd").tags.clear();
    // Not as one whose only SSD is gone, in whatever mode.
    volume(now, "hdd").cache_mode = CacheMode::Writethrough;
    now.caches.begin()->second.status->mode = "writethrough";
    now.caches.begin()->second.status->health = CacheStatus::Health::Ok;
    expect_wait("one leg of its cache is gone", now, policy);
    EXPECT_THAT(verbs(absent(policy), now).front(), "uncache-lost");
    volume(now, "hdd").cache_mode = CacheMode::Writeback;
    now.caches.begin()->second.status->mode = "writeback";
    expect_wait("LVM neither drains nor takes off such a cache, so it is repaired first", now, absent(policy));

    now.devices.push_back(world::ssd("sdd", "S21PNXAG441018"));
    const std::vector<std::string> repairs{"create-pv", "extend-vg", "repair-part", "repair-part", "remove-missing", "fence-pv"};
    EXPECT_EQ(verbs(policy, now), repairs);
    EXPECT_TRUE(make_plan(policy, now).steps.front().needs_person);
    EXPECT_THAT(make_plan(policy, now).steps.front().reason, HasSubstr("replace: true"));
    EXPECT_EQ(verbs(replacing(policy), now), repairs);
    EXPECT_FALSE(make_plan(replacing(policy), now).steps.front().needs_person);
    expect_going_on(replacing(policy), now);
    carry_out(replacing(policy), now);
    EXPECT_THAT(verbs(policy, now), IsEmpty());
    EXPECT_FALSE(volume(now, "hdd").partial);
    EXPECT_EQ(now.lvm->pvs.size(), 3u);
}

TEST(ARaid1Pool, TakesNoDiskThatIsTooSmallForALeg) {
    auto policy = replacing(of(Layout::Raid1));
    policy.tiers[0].size = SizeSpec{Percent{9'000}};
    policy.devices[0].match.min_size.reset();
    auto now = attached_by(policy);
    lose(now, "/dev/sdb");
    now.devices.push_back(world::ssd("sdd", "S21PNXAG441018", 100 * gib));
    EXPECT_THAT(only(make_plan(policy, now)).reason, HasSubstr("is too small"));
}

TEST(ARaid1Pool, TakesALegBackThatWasAwayForAWhile) {
    const auto policy = of(Layout::Raid1);
    auto now = attached_by(policy);
    for (const std::string part : {"media_cpool_cdata", "media_cpool_cmeta"}) volume(now, part).health = "refresh needed";
    EXPECT_THAT(verbs(policy, now), ElementsAre("refresh-volume"));
    expect_going_on(policy, now);
    // Counted out meanwhile.
    now = attached_by(policy);
    lose(now, "/dev/sdb");
    now.devices.push_back(world::ssd());
    auto& pv = now.lvm->pvs[1];
    pv.device = "/dev/sdb";
    pv.dev = now.devices.back().dev;
    EXPECT_THAT(verbs(policy, now), ElementsAre("restore-missing"));
    EXPECT_FALSE(make_plan(policy, now).steps.front().needs_person);
}

TEST(ARaid1Pool, IsTrustedWithWriteBackBeforeARaidVolume) {
    auto policy = of(Layout::Raid1);
    auto now = two_ssds();
    volume(now, "hdd").segtype = "raid1";
    carry_out(policy, now);
    EXPECT_EQ(volume(now, "hdd").cache_mode, CacheMode::Writeback);
}

TEST(AStripedPool, IsLostWithEitherDisk) {
    auto policy = of(Layout::Striped);
    policy.tiers[0].mode = CacheMode::Writethrough;
    auto now = attached_by(policy);
    lose(now, "/dev/sdc");
    EXPECT_THAT(verbs(policy, now).front(), "uncache-lost");
}

/// A killed command may have left a table of errors beside each leg, which the next resume would put in force.
TEST(APoolOverTwoDisks, IsResumedWithTheTablesOfItsLegsCleared) {
    auto now = attached_by(of(Layout::Raid1));
    volume(now, "media_cpool_cdata_rimage_1").suspended = true;
    const auto step = make_plan(of(Layout::Raid1), now).steps.at(0);
    EXPECT_EQ(step.alert, "half-made");
    for (const std::string part : {"cdata", "cdata_rimage_0", "cdata_rmeta_0", "cdata_rimage_1", "cdata_rmeta_1", "cmeta", "cmeta_rimage_0",
                                   "cmeta_rmeta_0", "cmeta_rimage_1", "cmeta_rmeta_1"})
        EXPECT_THAT(step.reason, HasSubstr(" lvm_hdd-media_cpool_" + part)) << part;
}

/// As LVM 2.03.16 leaves it: "Can't remove logical volume … used as RAID device".
TEST(APoolOverTwoDisks, WhoseRaidVolumeWasBegunIsRemovedAsAWhole) {
    const auto policy = of(Layout::Raid1);
    auto now = two_ssds();
    carry_out(policy, now, 5);
    for (auto& each : now.lvm->lvs) {
        if (!each.name.starts_with("media")) continue;
        each.tags = {"tierd.part=media"};
        if (each.name.find("_rmeta_") != std::string::npos) each.hidden = false;
    }
    volume(now, "media").active = false;
    const auto step = make_plan(policy, now).steps.at(0);
    ASSERT_TRUE(step.action) << step.sentence << ": " << step.reason;
    EXPECT_EQ(std::get<RemovePool>(*step.action).name, "media");
    carry_out(policy, now, 1);
    EXPECT_EQ(now.lvm->lvs.size(), 1u) << "with its images";
    EXPECT_EQ(std::get<RemovePool>(*make_plan(absent(policy), carry_out(policy, now, 1)).steps.at(0).action).name, "media");
}

}  // namespace
}  // namespace tierd
