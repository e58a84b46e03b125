// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "cache_tier_fixture.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CacheStatus& status(Observation& now) {
    return *now.caches.begin()->second.status;
}
void set_cache_policy(Observation& now, const std::string& name) {
    volume(now, "hdd").cache_policy = volume(now, "media_cpool").cache_policy = name;
    status(now).policy = name;
}
void set_mode(Observation& now, CacheMode mode) {
    volume(now, "hdd").cache_mode = mode;
    status(now).mode = name_of(mode);
}
Policy with_mode(CacheMode mode) {
    auto policy = world::story_a();
    policy.tiers[0].mode = mode;
    return policy;
}

TEST(ACache, BecomesWritebackAtOnce) {
    auto now = attached();
    set_mode(now, CacheMode::Writethrough);
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("set-cache-mode"));
    carry_out(world::story_a(), now);
    EXPECT_EQ(volume(now, "hdd").cache_mode, CacheMode::Writeback);
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
}

// Promise 5: it may lie on a disk that is not trusted with it.
TEST(ACache, DoesNotBecomeWritebackWhereItIsNotKnownToLie) {
    auto now = attached();
    set_mode(now, CacheMode::Writethrough);
    volume(now, "media_cpool_cdata").extents_on.clear();
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("wait"));
}

/// lvchange --cachemode flushes with the group locked: so it is drained before, without the lock.
TEST(ACache, LeavesWritebackWhenItIsDrained) {
    for (const auto mode : {CacheMode::Writethrough, CacheMode::Passthrough}) {
        const auto policy = with_mode(mode);
        auto now = attached();
        status(now).dirty_blocks = 500;
        const auto plan = make_plan(policy, now);
        EXPECT_THAT(verbs(plan), ElementsAre("set-cache-policy", "wait", "set-cache-mode", "set-cache-policy"));
        EXPECT_FALSE(plan.steps[0].assumed);
        EXPECT_TRUE(plan.steps[2].assumed);
        EXPECT_TRUE(plan.steps[3].assumed);
        EXPECT_EQ(plan.convergence, Convergence::Drift);

        foretell_in_place(now, *plan.steps[0].action);
        EXPECT_EQ(volume(now, "hdd").cache_mode, CacheMode::Writeback) << "as LVM says it while the cleaner runs";
        const auto meanwhile = make_plan(policy, now);
        EXPECT_THAT(verbs(meanwhile), ElementsAre("wait", "set-cache-mode", "set-cache-policy"));
        EXPECT_EQ(meanwhile.steps[0].drains, volume(now, "hdd").uuid);
        EXPECT_EQ(meanwhile.convergence, Convergence::Waiting);
        EXPECT_THAT(meanwhile.waits_for, HasSubstr("is drained"));

        go_all_the_way(policy, now);
        EXPECT_EQ(volume(now, "hdd").cache_mode, mode);
        EXPECT_EQ(volume(now, "hdd").cache_policy, "smq");
        EXPECT_THAT(verbs(policy, now), IsEmpty());
    }
}

/// What counts as dirty after a crash keeps passthrough off, in write-through too.
TEST(ACache, BecomesPassthroughCleanOnly) {
    auto now = attached();
    set_mode(now, CacheMode::Writethrough);
    status(now).dirty_blocks = 500;
    EXPECT_THAT(verbs(with_mode(CacheMode::Passthrough), now),
                ElementsAre("set-cache-policy", "wait", "set-cache-mode", "set-cache-policy"));
    status(now).dirty_blocks = 0;
    EXPECT_THAT(verbs(with_mode(CacheMode::Passthrough), now), ElementsAre("set-cache-mode"));
}

TEST(ACache, GetsItsPolicyAndSettingsOnline) {
    auto policy = world::story_a();
    auto now = attached();
    policy.tiers[0].settings = {{"migration_threshold", "16384"}};
    EXPECT_THAT(verbs(policy, now), ElementsAre("set-cache-policy"));
    carry_out(policy, now);
    EXPECT_EQ(volume(now, "hdd").cache_settings.at("migration_threshold"), "16384");
    EXPECT_THAT(verbs(policy, now), IsEmpty());
    policy.tiers[0].cache_policy = "mq";
    EXPECT_THAT(verbs(policy, now), ElementsAre("set-cache-policy"));
}

/// A drain that nobody asks for any more, whoever began it.
TEST(ACache, ThatWasLeftWithTheCleanerGetsItsPolicyBack) {
    auto now = attached();
    set_cache_policy(now, cleaner_policy);
    status(now).dirty_blocks = 7;
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("set-cache-policy"));
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("it has cleaner"));
}

/// Another tier's drain takes hours, perhaps: nobody waits for it who does not stand behind it.
TEST(ADrain, HoldsNobodyElseUp) {
    auto policy = world::story_a();
    policy.tiers[0].size = SizeSpec{50 * gib};
    auto now = world::with_disk();
    carry_out(policy, now);
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "other", 10, "pv-hdd"));
    policy.tiers[0].state = Presence::Absent;
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[1].name = "other";
    policy.tiers[1].volume.lv = "other";
    policy.tiers[1].state = Presence::Present;
    set_cache_policy(now, cleaner_policy);
    status(now).dirty_blocks = 500;
    const auto plan = make_plan(policy, now);
    EXPECT_THAT(verbs(plan),
                ElementsAre("unfence-pv", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata", "wait", "remove-cache"));
    EXPECT_FALSE(plan.steps[4].assumed);
    EXPECT_TRUE(plan.steps[6].assumed);
}

/// What waits for a person comes last: in one group the first step that is not done ends a run.
TEST(ATier, ThatWaitsForAPersonHoldsNobodyElseUp) {
    auto policy = world::story_a();
    policy.tiers[0].size = SizeSpec{50 * gib};
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[1].name = "other";
    policy.tiers[1].volume.lv = "other";
    auto now = world::with_disk();
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "other", 10, "pv-hdd"));
    carry_out(policy, now);
    policy.tiers[0].autonomy = Autonomy::Observe;
    policy.tiers[0].cache_policy = policy.tiers[1].cache_policy = "mq";
    const auto plan = make_plan(policy, now);
    ASSERT_THAT(verbs(plan), ElementsAre("set-cache-policy", "set-cache-policy"));
    EXPECT_EQ(plan.steps[0].entry, "tier other");
    EXPECT_FALSE(plan.steps[0].needs_person);
    EXPECT_TRUE(plan.steps[1].needs_person);
}

/// Promise 3, and no quarrel: config freezes both entries, and the plan does not rely on it.
TEST(TwoTiers, OfOneVolumeDoNotQuarrel) {
    auto policy = world::story_a();
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[1].name = "other";
    policy.tiers[1].mode = CacheMode::Writethrough;
    const auto plan = make_plan(policy, attached());
    EXPECT_THAT(verbs(plan), ElementsAre("refuse"));
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("made for tier media"));
    policy.tiers.erase(policy.tiers.begin());
    policy.tiers[0].mode = CacheMode::Writeback;
    EXPECT_THAT(verbs(policy, attached()), IsEmpty()) << "renamed";
}

}  // namespace
}  // namespace tierd
