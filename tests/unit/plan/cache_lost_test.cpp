// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "cache_tier_fixture.hpp"
#include "daemon/model/pulled.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Policy through() {
    auto policy = world::story_a();
    policy.tiers.front().mode = CacheMode::Writethrough;
    return policy;
}
Observation attached_through() {
    auto now = world::with_disk();
    carry_out(through(), now);
    now.caches.begin()->second.metadata_committed = true;
    return now;
}
/// As it is right after the pull.
Observation pulled(Observation now) {
    take_away(now, "/dev/sdb");
    return now;
}
/// The cache is off, the group whole.
Observation survived() {
    auto now = pulled(attached_through());
    return carry_out(through(), now);
}

TEST(ALostWriteThroughCache, IsTakenOffAndTheGroupMadeWhole) {
    auto now = pulled(attached_through());
    const auto plan = make_plan(through(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("uncache-lost", "tag-volume", "remove-missing", "wait"));
    for (const auto& step : plan.steps) EXPECT_FALSE(step.needs_person) << step.sentence;
    carry_out(through(), now);
    EXPECT_EQ(volume(now, "hdd").segtype, "linear");
    EXPECT_FALSE(volume(now, "hdd").partial);
    EXPECT_EQ(now.lvm->groups.front().missing_pvs, 0u);
    EXPECT_FALSE(now.lvm->groups.front().partial);
    EXPECT_EQ(now.lvm->pvs.size(), 1u);
    EXPECT_EQ(now.lvm->groups.front().free_extents, world::hard_disk_alone().lvm->groups.front().free_extents);
}

// It is written on the disks what is to be done next: whoever goes on from any step comes to the same end.
TEST(ALostWriteThroughCache, IsGoneOnWithAfterEachStep) {
    for (std::size_t steps = 0; steps < 4; ++steps) {
        auto now = pulled(attached_through());
        carry_out(through(), now, steps);
        EXPECT_EQ(carry_out(through(), now), survived()) << steps;
    }
}

TEST(ALostWriteThroughCache, IsTakenOffWhateverItsVolumeIsDoing) {
    for (const bool active : {true, false}) {
        auto now = pulled(attached_through());
        volume(now, "hdd").active = active;
        volume(now, "hdd").suspended = active;  // as a daemon leaves it that was killed
        if (!active) now.caches.clear();
        EXPECT_EQ(verbs(through(), now).front(), "uncache-lost");
    }
}

TEST(ALostWriteThroughCache, OfATierThatIsToGoIsTakenOffToo) {
    auto policy = through();
    policy.tiers.front().state = Presence::Absent;
    EXPECT_THAT(verbs(policy, pulled(attached_through())), ElementsAre("uncache-lost", "remove-missing"));
}

// The disk is back under another name, and the kernel's table leads nowhere.
TEST(ALostWriteThroughCache, MayHaveFailedWithItsDiskThere) {
    auto now = attached_through();
    now.caches.begin()->second.status->health = CacheStatus::Health::Error;
    EXPECT_EQ(verbs(through(), now).front(), "uncache-lost");
}

// A05
TEST(ALostCache, ThatMayBeDirtyIsLeftToAPerson) {
    const auto refused = [](const Observation& now, const Policy& policy) {
        const auto plan = make_plan(policy, now);
        EXPECT_EQ(plan.steps.front().state, StepState::Refused);
        EXPECT_THAT(plan.steps.front().reason, HasSubstr("keep it"));
        for (const auto& step : plan.steps) EXPECT_NE(step.state, StepState::Ready) << step.sentence;
    };
    const auto writeback = pulled(attached());
    refused(writeback, world::story_a());
    // It does not matter that it was clean a moment ago, or what the policy says by now.
    refused(writeback, through());
    auto absent = world::story_a();
    absent.tiers.front().state = Presence::Absent;
    refused(writeback, absent);
    auto unknown = pulled(attached_through());
    volume(unknown, "hdd").cache_mode.reset();
    refused(unknown, through());
    // A change of mode that was cut: LVM has written it down, and the kernel goes on as before.
    auto cut = pulled(attached_through());
    cut.caches.begin()->second.status->mode = "writeback";
    refused(cut, through());
}

TEST(ALostCache, ThatTierdDidNotMakeIsLeftAlone) {
    auto now = pulled(attached_through());
    volume(now, "media_cpool").tags.clear();
    for (const auto& step : make_plan(through(), now).steps) EXPECT_NE(step.state, StepState::Ready) << step.sentence;
}

TEST(AGroupThatLacksDisks, IsMadeWholeOnlyWhenAllOfThemAreOurEmptyOnes) {
    auto now = pulled(attached_through());
    carry_out(through(), now, 2);
    ASSERT_THAT(verbs(through(), now), ElementsAre("remove-missing", "wait"));
    auto foreign = now;
    foreign.lvm->pvs.back().tags.clear();
    expect_wait("to be whole", foreign, through());
    auto used = now;
    used.lvm->pvs.back().allocated_extents = 1;
    expect_wait("to be whole", used, through());
    auto another = now;
    another.lvm->groups.front().missing_pvs = 2;
    expect_wait("to be whole", another, through());
}

// Two tiers on one SSD: it is noted on both volumes before the last trace of it goes.
TEST(AGroupThatLacksDisks, IsMadeWholeWhenEachTierHasNotedItsLoss) {
    auto now = survived();
    auto policy = through();
    auto other = policy.tiers.front();
    other.name = "another";
    other.volume.lv = "srv";
    policy.tiers.insert(policy.tiers.begin(), other);
    now = pulled(attached_through());
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "srv", 10, "pv-hdd"));
    carry_out(policy, now);
    for (const std::string name : {"hdd", "srv"}) EXPECT_EQ(lost_tags(volume(now, name)).size(), 1u) << name;
    EXPECT_EQ(now.lvm->groups.front().missing_pvs, 0u);
}

/// Whoever asks for it, and whether anybody does.
TEST(AGroupThatIsMadeWhole, HasItsOtherCachesCommittedInTheSamePlan) {
    auto now = attached_through();
    auto another = world::ssd("sdz", "ANOTHER");
    now.devices.push_back(another);
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "srv", 10, "pv-hdd"));
    auto policy = through();
    policy.devices[0].match.serial = {world::ssd().serial};
    policy.devices.push_back(policy.devices[0]);
    policy.devices[1].name = "newer";
    policy.devices[1].match.serial = {"ANOTHER"};
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[1].name = "srv";
    policy.tiers[1].volume.lv = "srv";
    policy.tiers[1].devices = {"newer"};
    carry_out(policy, now);
    now.caches.at(volume(now, "srv").uuid).metadata_committed = false;
    now = pulled(std::move(now));
    now.lvm->groups.front().partial = true;
    policy.tiers[1].autonomy = Autonomy::Observe;
    const auto plan = make_plan(policy, now);
    EXPECT_THAT(verbs(plan), testing::Contains("commit-metadata").Times(1));
    for (const auto& step : plan.steps) EXPECT_FALSE(step.verb == "commit-metadata" && step.needs_person);
    policy.tiers.pop_back();
    EXPECT_THAT(verbs(policy, now), testing::Contains("commit-metadata").Times(1));
}

TEST(TheNextDisk, TakesThePlaceOfOneThatDiedByAPersonsWordOnly) {
    auto now = survived();
    EXPECT_THAT(verbs(through(), now), ElementsAre("wait"));
    now.devices.push_back(world::ssd("sdc", "S21PNXAG441017"));
    const auto plan = make_plan(through(), now);
    EXPECT_EQ(plan.steps.front().verb, "tag-volume");
    EXPECT_THAT(plan.steps.front().reason, HasSubstr("/dev/sdc is to take its place; 'tierctl apply'"));
    for (const auto& step : plan.steps) EXPECT_TRUE(step.needs_person) << step.sentence;
    carry_out(through(), now);
    EXPECT_EQ(volume(now, "hdd").segtype, "cache");
    EXPECT_TRUE(volume(now, "hdd").tags.empty());
}

TEST(TheNextDisk, TakesThePlaceByItselfWhereThePolicySaysSo) {
    for (const bool replace : {true, false}) {
        auto now = survived();
        now.devices.push_back(world::ssd("sdc", "S21PNXAG441017"));
        auto policy = through();
        policy.devices.front().replace = replace;
        if (!replace) policy.tiers.front().autonomy = Autonomy::Full;
        for (const auto& step : make_plan(policy, now).steps) EXPECT_FALSE(step.needs_person) << step.sentence;
    }
}

// Agreed to once, it goes on by itself: the tag is the first that goes.
TEST(TheNextDisk, IsGoneOnWithAfterAKill) {
    auto now = survived();
    now.devices.push_back(world::ssd("sdc", "S21PNXAG441017"));
    carry_out(through(), now, 1);
    for (const auto& step : make_plan(through(), now).steps) EXPECT_FALSE(step.needs_person) << step.sentence;
}

TEST(ALoss, IsForgottenWithTheTierAndWithACache) {
    auto policy = through();
    policy.tiers.front().state = Presence::Absent;
    EXPECT_THAT(verbs(policy, survived()), ElementsAre("tag-volume"));
    auto now = attached_through();
    volume(now, "hdd").tags.insert(lost_tag("fast"));
    EXPECT_THAT(verbs(through(), now), ElementsAre("tag-volume"));
}

/// Promise 5: the disk that nobody knows yet may be the one that is meant.
TEST(AnOutdatedDisk, IsNotClearedWhileAnotherMayBeMeant) {
    auto now = world::hard_disk_alone();
    auto old = world::ssd("sdc", "OLD");
    Signature label{"LVM2_member", "raid", 536, pv_uuid_for(now.machine, identity_of(old)), "lvm_hdd", {}};
    label.writeback = false;
    old.probe->signatures = {label};
    now.devices.push_back(old);
    auto policy = world::story_a();
    policy.devices[0].replace = true;
    EXPECT_EQ(verbs(policy, now).front(), "clear-outdated");
    now.devices.push_back(world::ssd());
    now.devices.back().probe.reset();
    EXPECT_EQ(verbs(policy, now).front(), "wait");
}

Observation given_up() {
    auto now = world::with_disk();
    carry_out(world::story_a(), now);
    now.caches.begin()->second.metadata_committed = true;
    volume(now, "hdd").tags.insert("tierd.recover=drop-cache");
    return now;
}

TEST(AGivenUpWritebackCache, IsTakenOffAndTheGroupMadeWhole) {
    auto now = pulled(given_up());
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("drop-cache", "tag-volume", "remove-missing", "tag-volume", "wait"));
    carry_out(world::story_a(), now);
    EXPECT_EQ(volume(now, "hdd").segtype, "linear");
    EXPECT_EQ(now.lvm->groups.front().missing_pvs, 0u);
    EXPECT_THAT(volume(now, "hdd").tags, ElementsAre("tierd.lost=fast"));
}

/// The word was for a cache that was lost then.
TEST(AGivenUpWritebackCache, IsKeptWhereItsDiskIsBack) {
    EXPECT_THAT(verbs(world::story_a(), given_up()), ElementsAre("tag-volume"));
}

// Promise 5: written through, nothing of it would have to be given up.
TEST(AGivenUpWritebackCache, IsKeptUntilItIsKnownToBeOne) {
    auto now = pulled(given_up());
    volume(now, "hdd").cache_mode.reset();
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("wait"));
    EXPECT_THAT(make_plan(world::story_a(), now).steps.at(0).sentence, HasSubstr("the mode of the cache"));
}

TEST(AGivenUpWritebackCache, IsRefusedWhileItsVolumeIsInactive) {
    auto now = pulled(given_up());
    volume(now, "hdd").active = false;
    now.caches.clear();
    EXPECT_THAT(make_plan(world::story_a(), now).steps.at(0).reason, HasSubstr("an active volume only"));
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("refuse"));
}

/// vgck clears every disk that the group went on without.
TEST(AnOutdatedDisk, IsNotClearedWithAnotherThatIsKept) {
    auto now = world::hard_disk_alone();
    auto old = world::ssd("sdc", "OLD");
    Signature label{"LVM2_member", "raid", 536, pv_uuid_for(now.machine, identity_of(old)), "lvm_hdd", {}};
    label.writeback = false;
    old.probe->signatures = {label};
    now.devices.push_back(old);
    auto policy = world::story_a();
    policy.devices[0].replace = true;
    EXPECT_EQ(verbs(policy, now).front(), "clear-outdated");
    auto kept = world::ssd("sdd", "KEPT");
    kept.kind = DiskKind::Hdd;
    label.uuid = "kept";
    label.writeback = true;
    kept.probe->signatures = {label};
    now.devices.push_back(kept);
    EXPECT_EQ(verbs(policy, now).front(), "refuse");
    EXPECT_THAT(make_plan(policy, now).steps.front().reason, HasSubstr("what is on /dev/sdd"));
    now.devices.back().probe.reset();
    now.devices.back().udev_fs_type = "LVM2_member";
    EXPECT_THAT(make_plan(policy, now).steps.front().reason, HasSubstr("what is on /dev/sdd")) << "it may be of the group";
}

}  // namespace
}  // namespace tierd
