// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <utility>

#include "cache_tier_fixture.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr Usec minute = 60 * usec_per_second;

CacheStatus& status(Observation& now) {
    return *now.caches.begin()->second.status;
}
Policy absent() {
    auto policy = world::story_a();
    policy.tiers[0].state = Presence::Absent;
    return policy;
}

TEST(AnAbsentTier, IsDrainedTakenOffAndItsDiskGivenBack) {
    auto now = attached();
    const auto before = world::with_disk();
    status(now).dirty_blocks = 500;
    const auto plan = make_plan(absent(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("set-cache-policy", "wait", "remove-cache", "reduce-vg", "remove-pv"));
    for (std::size_t i = 0; i < plan.steps.size(); ++i) EXPECT_EQ(plan.steps[i].assumed, i >= 2) << plan.steps[i].sentence;
    go_all_the_way(absent(), now);
    EXPECT_THAT(verbs(absent(), now), IsEmpty());
    EXPECT_EQ(now.lvm->lvs.size(), before.lvm->lvs.size());
    EXPECT_EQ(now.lvm->pvs, before.lvm->pvs);
    EXPECT_EQ(volume(now, "hdd").segtype, "linear");
    EXPECT_EQ(now.devices.back().probe, Probe{});
    EXPECT_EQ(now.lvm->groups, before.lvm->groups);
}

/// Promise 7, after each step and in the middle of the wait.
TEST(AnAbsentTier, GoesOnFromEachState) {
    auto now = attached();
    status(now).dirty_blocks = 500;
    auto left = verbs(absent(), now);
    for (const auto& step : make_plan(absent(), now).steps) {
        go(step, now);
        left.erase(left.begin());
        EXPECT_EQ(verbs(absent(), now), left) << "after " << step.verb;
    }
}

/// In between it may be wanted again: it keeps its cache, and gets its policy back.
TEST(AnAbsentTier, IsPresentAgainAtAnyMoment) {
    auto now = attached();
    status(now).dirty_blocks = 500;
    const auto plan = make_plan(absent(), now);
    for (std::size_t done = 0; done <= plan.steps.size(); ++done) {
        auto then = now;
        for (std::size_t i = 0; i < done; ++i) go(plan.steps[i], then);
        go_all_the_way(world::story_a(), then);
        EXPECT_THAT(verbs(world::story_a(), then), IsEmpty()) << done;
        EXPECT_EQ(volume(then, "hdd").segtype, "cache") << done;
        EXPECT_EQ(volume(then, "hdd").cache_policy, "smq") << done;
    }
}

// Promise 2
TEST(AnAbsentTier, IsNotTakenOffWhileItsDirtIsNotKnown) {
    auto now = attached();
    now.caches.begin()->second.status.reset();
    auto plan = make_plan(absent(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("wait"));
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("could not be read"));
    EXPECT_TRUE(plan.steps[0].drains.empty());
    now = attached();
    volume(now, "hdd").cache_mode.reset();
    EXPECT_THAT(verbs(absent(), now), ElementsAre("wait"));
    now = attached();
    volume(now, "hdd").active = false;
    now.caches.clear();
    plan = make_plan(absent(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("wait"));
    EXPECT_THAT(plan.steps[0].sentence, HasSubstr("to be active"));
    for (const auto health :
         {CacheStatus::Health::NeedsCheck, CacheStatus::Health::ReadOnly, CacheStatus::Health::Error, CacheStatus::Health::Failed}) {
        now = attached();
        status(now).health = health;
        EXPECT_THAT(verbs(absent(), now), ElementsAre("refuse"));
    }
}

/// A clean write-back cache may be dirty a moment later; a clean write-through one may not.
TEST(AnAbsentTier, IsDrainedWhereItCouldBecomeDirty) {
    auto now = attached();
    status(now).dirty_blocks = 0;
    EXPECT_THAT(verbs(absent(), now), ElementsAre("set-cache-policy", "remove-cache", "reduce-vg", "remove-pv"));
    volume(now, "hdd").cache_mode = CacheMode::Writethrough;
    status(now).mode = "writethrough";
    EXPECT_THAT(verbs(absent(), now), ElementsAre("remove-cache", "reduce-vg", "remove-pv"));
    status(now).dirty_blocks = 3;
    EXPECT_THAT(verbs(absent(), now), ElementsAre("set-cache-policy", "wait", "remove-cache", "reduce-vg", "remove-pv"))
        << "after a crash all of it counts as dirty";
}

/// With a setting that the cleaner does not know lvchange would fail, for ever.
TEST(ADrain, TakesAwayTheSettingsThatTheCleanerDoesNotKnow) {
    auto now = attached();
    volume(now, "hdd").cache_settings = {{"migration_threshold", "16384"}, {"random_threshold", "4"}};
    status(now).dirty_blocks = 7;
    const auto plan = make_plan(absent(), now);
    const auto& set = std::get<SetCachePolicy>(*plan.steps.at(0).action);
    EXPECT_EQ(set.settings, (std::map<std::string, std::string>{{"random_threshold", "default"}}));
    // The last one is not taken away: lvchange dies of that.
    volume(now, "hdd").cache_settings = {{"random_threshold", "4"}};
    status(now).core_settings = {{"migration_threshold", "4096"}};
    const auto other = make_plan(absent(), now);
    EXPECT_EQ(std::get<SetCachePolicy>(*other.steps.at(0).action).settings,
              (std::map<std::string, std::string>{{"random_threshold", "default"}, {"migration_threshold", "4096"}}));
}

/// on_stall: raise_threshold
TEST(ADrain, RaisesAThresholdUnderWhichNothingMoves) {
    auto policy = absent();
    auto now = attached();
    status(now).dirty_blocks = 500;
    status(now).core_settings = {{"migration_threshold", "128"}};
    volume(now, "hdd").cache_policy = status(now).policy = cleaner_policy;
    EXPECT_EQ(verbs(policy, now).front(), "wait") << "on_stall: alert";
    policy.tiers[0].on_stall = OnStall::RaiseThreshold;
    const auto plan = make_plan(policy, now);
    const auto& set = std::get<SetCachePolicy>(*plan.steps.at(0).action);
    EXPECT_EQ(set.settings.at("migration_threshold"), "4096") << "8 chunks of 256 KiB, in sectors";
    foretell_in_place(now, *plan.steps[0].action);
    EXPECT_EQ(verbs(policy, now).front(), "wait");
}

TEST(AnAbsentTier, LeavesTheDiskToWhoStillUsesIt) {
    auto policy = world::story_a();
    policy.tiers[0].size = SizeSpec{50 * gib};
    auto now = world::with_disk();
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "other", 10, "pv-hdd"));
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[1].name = "other";
    policy.tiers[1].volume.lv = "other";
    carry_out(policy, now);
    ASSERT_THAT(verbs(policy, now), IsEmpty());
    policy.tiers[0].state = Presence::Absent;
    go_all_the_way(policy, now);
    EXPECT_THAT(verbs(policy, now), IsEmpty());
    EXPECT_EQ(volume(now, "hdd").segtype, "linear");
    EXPECT_EQ(volume(now, "other").segtype, "cache");
    policy.tiers[1].state = Presence::Absent;
    EXPECT_THAT(verbs(policy, now), ElementsAre("set-cache-policy", "remove-cache", "reduce-vg", "remove-pv"));
}

// Promise 3
TEST(AnAbsentTier, LeavesWhatIsNotTierdsAlone) {
    auto now = attached();
    volume(now, "media_cpool").tags.clear();
    EXPECT_THAT(verbs(absent(), now), IsEmpty());
    EXPECT_THAT(verbs(absent(), world::with_disk()), IsEmpty());
    auto gone = absent();
    gone.tiers.clear();
    EXPECT_THAT(verbs(gone, attached()), IsEmpty()) << "promise 4: left out is not taken away";
}

TEST(AnAbsentTier, RemovesAPoolThatStandsAlone) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 4);
    EXPECT_THAT(verbs(absent(), now), ElementsAre("remove-pool", "reduce-vg", "remove-pv"));
    volume(now, "media").cache_mode = CacheMode::Writeback;
    EXPECT_THAT(verbs(absent(), now), ElementsAre("remove-pool", "reduce-vg", "remove-pv")) << "taken off by hand";
}

/// LVM's word alone is none: a flush of LVM's own that was ended leaves the cleaner in the kernel only, and the other way round.
TEST(ACache, OfWhichLvmAndTheKernelDisagreeIsHalfMade) {
    for (const bool in_kernel : {false, true}) {
        auto now = attached();
        (in_kernel ? status(now).policy : volume(now, "hdd").cache_policy) = cleaner_policy;
        for (const auto& policy : {world::story_a(), absent()}) {
            const auto plan = make_plan(policy, now);
            EXPECT_THAT(verbs(plan), ElementsAre("wait"));
            EXPECT_EQ(plan.steps[0].alert, "half-made");
            EXPECT_THAT(plan.steps[0].reason, HasSubstr("lvchange --refresh lvm_hdd/hdd"));
        }
    }
}

/// A killed lvchange may leave writeback in the kernel where LVM says writethrough: whoever pulls that SSD loses data.
TEST(ACache, WhoseModeInTheKernelIsAnotherIsHalfMade) {
    auto policy = world::story_a();
    policy.tiers[0].mode = CacheMode::Writethrough;
    auto now = attached();
    volume(now, "hdd").cache_mode = CacheMode::Writethrough;
    ASSERT_EQ(status(now).mode, "writeback");
    for (const auto mode : {CacheMode::Writethrough, CacheMode::Passthrough}) {
        policy.tiers[0].mode = mode;
        const auto plan = make_plan(policy, now);
        EXPECT_THAT(verbs(plan), ElementsAre("wait"));
        EXPECT_EQ(plan.steps[0].alert, "half-made");
        EXPECT_THAT(plan.steps[0].reason, HasSubstr("LVM says mode writethrough, and the kernel runs writeback"));
    }
    // With the cleaner the kernel's mode is writethrough, whatever LVM says.
    now = attached();
    volume(now, "hdd").cache_policy = status(now).policy = cleaner_policy;
    status(now).mode = "writethrough";
    status(now).dirty_blocks = 5;
    EXPECT_FALSE(make_plan(absent(), now).steps.at(0).drains.empty());
}

/// Canceled, frozen, left out: nobody waits for the drain any more, and the cache is to take writes again.
TEST(ADrain, ThatNobodyAsksForIsEnded) {
    auto now = attached();
    volume(now, "hdd").cache_policy = volume(now, "media_cpool").cache_policy = status(now).policy = cleaner_policy;
    status(now).dirty_blocks = 500;
    for (const std::string what : {"tier media", ""}) {
        auto policy = absent();
        if (what.empty()) {
            policy.tiers.clear();
        } else {
            policy.frozen[what] = "canceled";
        }
        auto plan = make_plan(policy, now);
        std::erase_if(plan.steps, [](const Step& step) { return step.state != StepState::Ready; });
        ASSERT_EQ(plan.steps.size(), 1U) << what;
        EXPECT_EQ(std::get<SetCachePolicy>(*plan.steps[0].action).cache_policy, "smq");
        EXPECT_EQ(plan.steps[0].risk, Risk::None);
        auto then = now;
        foretell_in_place(then, *plan.steps[0].action);
        for (const auto& step : make_plan(policy, then).steps) EXPECT_NE(step.state, StepState::Ready) << step.sentence;
    }
    Policy observing;  // or a file that cannot be read, which may have said so
    observing.autonomy = Autonomy::Observe;
    for (const auto& step : make_plan(observing, now).steps) EXPECT_NE(step.state, StepState::Ready) << step.sentence;
    auto given_up = absent();
    given_up.frozen["lvm_hdd"] = "lvchange failed";
    for (const auto& step : make_plan(given_up, now).steps) EXPECT_NE(step.state, StepState::Ready) << step.sentence;
}

/// Another tier waits for the room: the disk stays, open, and nobody is asked.
TEST(AnAbsentTier, GivesItsRoomToTheNext) {
    auto policy = world::story_a();
    auto now = attached();
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "other", 10, "pv-hdd"));
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[1].name = "other";
    policy.tiers[1].volume.lv = "other";
    policy.tiers[0].state = Presence::Absent;
    const auto plan = make_plan(policy, now);
    for (const auto& step : plan.steps) EXPECT_FALSE(step.needs_person) << step.sentence;
    go_all_the_way(policy, now);
    EXPECT_THAT(verbs(policy, now), IsEmpty());
    EXPECT_EQ(volume(now, "other").segtype, "cache");
    EXPECT_EQ(volume(now, "hdd").segtype, "linear");
}

TEST(AnAbsentTier, OfWhichOnlyAHalfMadePoolIsThereRemovesIt) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 4);
    leave_half_made(now);
    EXPECT_THAT(verbs(absent(), now), ElementsAre("remove-pool", "reduce-vg", "remove-pv"));
}

/// Times of the day are the machine's own.
TEST(ADrainWindow, IsWhenADetachMayWriteBack) {
    auto policy = absent();
    auto now = attached();
    status(now).dirty_blocks = 500;
    const auto at = [&](unsigned hour, unsigned minutes) { now.minute_of_day = hour * 60 + minutes; };
    policy.tiers[0].drain_window = DrainWindow{60, 360};
    at(0, 30);
    const auto plan = make_plan(policy, now);
    EXPECT_THAT(verbs(plan), ElementsAre("wait"));
    EXPECT_THAT(plan.steps[0].sentence, HasSubstr("01:00 to 06:00"));
    EXPECT_EQ(*plan.steps[0].until, now.time + 30 * minute);
    at(1, 0);
    EXPECT_EQ(verbs(policy, now).front(), "set-cache-policy");
    at(5, 59);
    EXPECT_EQ(verbs(policy, now).front(), "set-cache-policy");
    at(6, 0);
    EXPECT_THAT(verbs(policy, now), ElementsAre("wait"));
    volume(now, "hdd").cache_policy = volume(now, "media_cpool").cache_policy = status(now).policy = cleaner_policy;
    EXPECT_THAT(verbs(policy, now), ElementsAre("set-cache-policy", "wait")) << "what was begun stops for the day";
    policy.tiers[0].drain_window = DrainWindow{22 * 60, 60};
    for (const auto& [hour, minutes] : {std::pair{23U, 0U}, {0U, 59U}}) {
        at(hour, minutes);
        EXPECT_FALSE(make_plan(policy, now).steps.front().drains.empty()) << "over midnight: it goes on";
    }
    at(1, 0);
    EXPECT_EQ(verbs(policy, now).front(), "set-cache-policy");
}

/// What LVM 2.03.16 leaves when `lvconvert --uncache` is killed behind its first commit, seen in the kernel.
Observation split() {
    auto now = attached();
    auto& left = volume(now, "hdd_corig");
    auto& hdd = volume(now, "hdd");
    hdd.segtype = "linear";
    hdd.extents_on.swap(left.extents_on);
    left.segtype = "cache";
    left.hidden = false;
    left.pool = std::exchange(hdd.pool, "");
    left.active = false;
    left.suspended = false;
    hdd.origin.clear();
    hdd.cache_mode.reset();
    hdd.cache_policy.clear();
    hdd.cache_settings.clear();
    hdd.chunk_size = 0;
    now.caches.clear();
    return now;
}
void leave_in_kernel(Observation& now, const std::string& name) {
    auto& part = volume(now, name);
    part.attr = "Cwi-XXC-X-";
    part.active.reset();
    part.suspended.reset();
}

TEST(ASplitThatWasKilled, IsCarriedOn) {
    auto now = split();
    EXPECT_THAT(verbs(absent(), now), ElementsAre("remove-pool", "reduce-vg", "remove-pv"));
    EXPECT_EQ(std::get<RemovePool>(*make_plan(absent(), now).steps[0].action).name, "media_cpool");
    go_all_the_way(absent(), now);
    EXPECT_EQ(now.lvm->lvs.size(), 1u);
    EXPECT_EQ(now.lvm->groups, world::with_disk().lvm->groups);
}

/// In the kernel the volume may stand still, and what LVM does not say any more is in the pool's way.
TEST(ASplitThatWasKilled, IsEndedInTheKernelFirst) {
    for (const std::string part : {"hdd", "hdd_corig", "media_cpool_cdata", "media_cpool_cmeta"}) {
        auto now = split();
        leave_in_kernel(now, part);
        EXPECT_THAT(verbs(absent(), now), ElementsAre("refresh-volume", "remove-pool", "reduce-vg", "remove-pv")) << part;
        EXPECT_FALSE(make_plan(absent(), now).steps[0].needs_person);
        volume(now, part).attr.clear();
        volume(now, part).active = volume(now, part).suspended = true;
        EXPECT_THAT(verbs(absent(), now), ElementsAre("refresh-volume", "remove-pool", "reduce-vg", "remove-pv")) << part;
    }
}

TEST(ASplitThatWasKilled, IsNoneWhereThePoolIsUsed) {
    auto now = split();
    volume(now, "hdd_corig").origin = "another";
    expect_refusal("in use by another volume", now, absent());
    now = split();
    volume(now, "hdd_corig").name = "another";
    expect_refusal("in use by another volume", now, absent());
    now = split();
    volume(now, "media_cpool").tags.clear();
    EXPECT_THAT(verbs(absent(), now), Not(testing::Contains("remove-pool"))) << "not tierd's";
}

TEST(ASplitThatWasKilled, IsClearedAwayBelowARootThatMustNotBeCached) {
    auto now = split();
    now.root = {volume(now, "hdd").dm_uuid, false, false};
    EXPECT_THAT(verbs(world::story_a(), now), testing::IsSupersetOf({"remove-pool", "refuse"}));
    EXPECT_THAT(verbs(world::story_a(), now), Not(testing::Contains("attach-cache")));
}

/// Wanted again meanwhile: the pool is made anew, since of this one LVM has no volume any more.
TEST(ASplitThatWasKilled, IsCarriedOnWhereItIsWantedAgain) {
    auto now = split();
    const auto steps = verbs(world::story_a(), now);
    ASSERT_GE(steps.size(), 1u);
    EXPECT_EQ(steps.front(), "remove-pool");
}

/// A resume by hand of what such a kill left before the commit: from there on the cache is behind the volume.
TEST(ACachedVolume, ThatRunsWithoutItsCacheIsNeverRefreshed) {
    auto now = attached();
    leave_in_kernel(now, "hdd");
    for (const auto& policy : {world::story_a(), absent()}) {
        const auto plan = make_plan(policy, now);
        EXPECT_THAT(verbs(plan), ElementsAre("wait"));
        EXPECT_EQ(plan.steps[0].alert, "half-made");
        EXPECT_THAT(plan.steps[0].reason, HasSubstr("never refresh it"));
        EXPECT_THAT(plan.steps[0].reason, HasSubstr("'lvconvert --uncache lvm_hdd/hdd'"));
    }
}

TEST(AVolume, OfWhichTheKernelHasAnotherTableIsHalfMade) {
    auto now = world::with_disk();
    leave_in_kernel(now, "hdd");
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("wait"));
    EXPECT_EQ(plan.steps[0].alert, "half-made");
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("'lvchange --refresh lvm_hdd/hdd'"));
}

}  // namespace
}  // namespace tierd
