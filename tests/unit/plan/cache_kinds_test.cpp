// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "cache_tier_fixture.hpp"

/// What differs between a cache pool, a cachevol, a writecache, and a cache for the data of a thin pool. The rest is one way.
namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Policy of_cachevol() {
    auto policy = world::story_a();
    policy.tiers[0].store = Store::Volume;
    policy.tiers[0].metadata_size.reset();
    return policy;
}
/// As config makes it.
Policy of_writecache() {
    auto policy = of_cachevol();
    policy.tiers[0].kind = TierKind::Writecache;
    policy.tiers[0].cache_policy = writecache_policy;
    return policy;
}
Policy absent(Policy policy) {
    policy.tiers[0].state = Presence::Absent;
    return policy;
}
Observation attached_by(const Policy& policy) {
    auto now = world::with_disk();
    return carry_out(policy, now);
}
CacheStatus& status(Observation& now) {
    return *now.caches.begin()->second.status;
}
/// 'lvconvert --splitcache': the cachevol is a plain LV again, under its first name.
void split_off(Observation& now) {
    auto& cached = volume(now, "hdd");
    const std::string origin = cached.origin;
    cached.segtype = "linear";
    cached.extents_on = volume(now, origin).extents_on;
    cached.pool = cached.origin = cached.cache_policy = "";
    cached.cache_mode.reset();
    cached.chunk_size = 0;
    std::erase_if(now.lvm->lvs, [&](const LogicalVolume& each) { return each.name == origin; });
    auto& cachevol = volume(now, "media_cvol");
    cachevol.name = "media";
    cachevol.hidden = false;
    now.caches.clear();
}
/// Each step's outcome is a state that the next pass goes on from.
void expect_going_on(const Policy& policy, Observation now) {
    auto left = verbs(policy, now);
    for (const auto& step : make_plan(policy, now).steps) {
        go(step, now);
        left.erase(left.begin());
        EXPECT_EQ(verbs(policy, now), left) << "after " << step.verb;
    }
}

TEST(ACachevol, GoesItsWholeWay) {
    const auto policy = of_cachevol();
    auto now = world::with_disk();
    EXPECT_THAT(verbs(policy, now),
                ElementsAre("create-pv", "extend-vg", "create-volume", "fence-pv", "attach-cache", "commit-metadata", "tag-volume"));
    expect_going_on(policy, now);
    carry_out(policy, now);
    EXPECT_THAT(verbs(policy, now), IsEmpty());
    // 220 GiB are asked for, and its metadata comes to that.
    EXPECT_GT(volume(now, "media_cvol").size, 220 * gib);
    // LVM's cleaner does nothing on it, so it is served as writethrough, and made so first where somebody else had it otherwise.
    EXPECT_EQ(volume(now, "hdd").cache_mode, CacheMode::Writethrough);
    EXPECT_THAT(verbs(absent(policy), now), ElementsAre("remove-cache", "tag-volume", "reduce-vg", "remove-pv"));
    volume(now, "hdd").cache_mode = CacheMode::Writeback;
    status(now).mode = "writeback";
    status(now).dirty_blocks = 500;
    EXPECT_THAT(verbs(policy, now), ElementsAre("wait", "set-cache-mode"));
    EXPECT_THAT(verbs(absent(policy), now), ElementsAre("wait", "set-cache-mode", "remove-cache", "tag-volume", "reduce-vg", "remove-pv"));
    expect_going_on(absent(policy), now);
    go_all_the_way(absent(policy), now);
    EXPECT_EQ(now.lvm->lvs, world::with_disk().lvm->lvs);
}

TEST(ACachevol, ThatWasSplitOffByHandNeedsAPerson) {
    for (const auto& policy : {of_cachevol(), of_writecache()}) {
        auto now = attached_by(policy);
        split_off(now);
        const auto plan = make_plan(policy, now);
        ASSERT_FALSE(plan.steps.empty());
        EXPECT_TRUE(plan.steps[0].needs_person);
        EXPECT_EQ(plan.steps[0].alert, "foreign-change");
        EXPECT_THAT(plan.steps[0].reason, HasSubstr("its cache volume media was taken off by hand"));
        go_all_the_way(policy, now);
        EXPECT_THAT(verbs(policy, now), IsEmpty());
    }
}

TEST(ACachevol, ThatIsNoneIsRemovedAndMadeAnew) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 3);
    EXPECT_EQ(volume(now, "media").segtype, "cache-pool");
    const auto plan = make_plan(of_cachevol(), now);
    ASSERT_FALSE(plan.steps.empty());
    EXPECT_EQ(plan.steps[0].verb, "remove-pool");
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("a cache volume is asked for"));
}

TEST(ACachevol, WhoseDiskIsGoneIsTakenOffWhereItWasWrittenThrough) {
    auto policy = of_cachevol();
    policy.tiers[0].mode = CacheMode::Writethrough;
    auto now = attached_by(policy);
    for (auto& pv : now.lvm->pvs) {
        if (pv.vg.empty() || pv.device != "/dev/sdb") continue;
        pv.missing = true;
        pv.device = pv.dev = "";
    }
    now.lvm->groups[0].missing_pvs = 1;
    EXPECT_EQ(make_plan(policy, now).steps.front().verb, "uncache-lost");
}

TEST(AWritecache, GoesItsWholeWay) {
    const auto policy = of_writecache();
    auto now = world::with_disk();
    EXPECT_THAT(verbs(policy, now), ElementsAre("create-pv", "extend-vg", "create-volume", "fence-pv", "attach-writecache", "tag-volume"));
    expect_going_on(policy, now);
    carry_out(policy, now);
    EXPECT_THAT(verbs(policy, now), IsEmpty());
    EXPECT_EQ(volume(now, "media_cvol").size, 220 * gib);
    status(now).dirty_blocks = 500;
    const auto plan = make_plan(absent(policy), now);
    EXPECT_THAT(verbs(plan), ElementsAre("set-cache-policy", "wait", "remove-cache", "tag-volume", "reduce-vg", "remove-pv"));
    EXPECT_EQ(std::get<SetCachePolicy>(*plan.steps[0].action).kind, TierKind::Writecache);
    expect_going_on(absent(policy), now);
    go_all_the_way(absent(policy), now);
    EXPECT_EQ(now.lvm->lvs, world::with_disk().lvm->lvs);
}

TEST(AWritecache, NeedsMemory) {
    auto now = world::with_disk();
    now.memory = 64 * gib;
    auto policy = of_writecache();
    expect_refusal("a writecache of 220 GiB in blocks of 512 B needs 37.8 GiB of memory, and a quarter of this machine's is 16 GiB", now,
                   policy);
    policy.tiers[0].settings["block_size"] = "4096";
    EXPECT_EQ(make_plan(policy, now).steps.front().state, StepState::Ready);
    now.memory = 8 * gib;
    expect_refusal("needs 4.7 GiB of memory", now, policy);
    now.memory = 0;
    EXPECT_EQ(make_plan(policy, now).steps.front().state, StepState::Ready) << "what is not known refuses nothing";
}

TEST(AWritecache, IsRefusedWhereNothingMayBeDirty) {
    auto now = world::with_disk();
    volume(now, "hdd").segtype = "raid1";
    expect_refusal("a writecache is nothing else", now, of_writecache());
}

TEST(AWritecache, KeepsTheBlocksThatItWasMadeWith) {
    auto policy = of_writecache();
    policy.tiers[0].settings = {{"block_size", "4096"}, {"low_watermark", "20"}};
    auto now = attached_by(policy);
    volume(now, "hdd").cache_settings = {{"low_watermark", "20"}};
    EXPECT_THAT(verbs(policy, now), IsEmpty());
    policy.tiers[0].settings["block_size"] = "512";
    const auto plan = make_plan(policy, now);
    ASSERT_FALSE(plan.steps.empty());
    EXPECT_TRUE(plan.steps[0].needs_person);
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("block_size from 4 KiB to 512 B"));
}

TEST(AKind, IsChangedByDrainAndReattachWhenAPersonAgrees) {
    const std::vector<Policy> kinds{world::story_a(), of_cachevol(), of_writecache()};
    for (const auto& from : kinds) {
        for (const auto& to : kinds) {
            if (from.tiers == to.tiers) continue;
            auto now = attached_by(from);
            status(now).dirty_blocks = 500;
            const auto plan = make_plan(to, now);
            ASSERT_FALSE(plan.steps.empty());
            EXPECT_TRUE(plan.steps[0].needs_person);
            expect_going_on(to, now);
            go_all_the_way(to, now);
            EXPECT_THAT(verbs(to, now), IsEmpty());
            EXPECT_EQ(volume(now, "hdd").segtype, name_of(to.tiers[0].kind));
        }
    }
}

// Seen in the kernel: LVM (2.03.16) puts what a killed uncache had loaded in force with the refresh.
TEST(AWritecache, ThatIsSuspendedIsClearedOfWhatWasLoadedFirst) {
    auto now = attached_by(of_writecache());
    volume(now, "hdd").suspended = true;
    const std::string origin = volume(now, "hdd").origin;
    expect_wait(
        "'dmsetup clear lvm_hdd-hdd lvm_hdd-" + origin + " lvm_hdd-media_cvol', and then 'lvchange --refresh lvm_hdd/hdd' resumes it", now,
        of_writecache());
}

// Seen in the kernel, LVM 2.03.16: what a kill behind the commit leaves.
TEST(AWritecache, WhoseRestNobodyUsesIsTakenApartByAPerson) {
    for (const auto& policy : {of_writecache(), absent(of_writecache())}) {
        auto now = attached_by(of_writecache());
        auto& hdd = volume(now, "hdd");
        const std::string origin = hdd.origin;
        hdd.extents_on.swap(volume(now, origin).extents_on);
        hdd.segtype = "linear";
        hdd.pool = hdd.origin = hdd.cache_policy = "";
        hdd.cache_mode.reset();
        volume(now, origin).segtype = "error";
        now.caches.clear();
        volume(now, "media_cvol").active = true;
        const auto step = make_plan(policy, now).steps.front();
        EXPECT_EQ(step.alert, "half-made");
        EXPECT_THAT(step.reason, HasSubstr("'lvremove -y lvm_hdd/hdd_wcorig', 'dmsetup remove lvm_hdd-hdd_wcorig lvm_hdd-media_cvol', "
                                           "'lvremove -y lvm_hdd/media_cvol' take it away"));
        std::erase_if(now.lvm->lvs, [&](const LogicalVolume& each) { return each.name == origin; });
        volume(now, "media_cvol").active = false;
        EXPECT_THAT(make_plan(policy, now).steps.front().reason, HasSubstr("in use: 'lvremove -y lvm_hdd/media_cvol' take it away"));
    }
}

// --- a thin pool ---

Observation with_thin_pool() {
    auto now = world::with_disk();
    auto& data = volume(now, "hdd");
    data.name = "pool_tdata";
    data.hidden = true;
    auto pool = world::linear("lvm_hdd", "pool", 0, "pv-hdd");
    pool.extents_on.clear();
    pool.size = data.size;
    pool.segtype = "thin-pool";
    pool.data = "pool_tdata";
    pool.metadata = "pool_tmeta";
    now.lvm->lvs.push_back(pool);
    return now;
}

TEST(AThinPool, HasItsDataCached) {
    auto policy = world::story_a();
    policy.tiers[0].volume.lv = "pool";
    auto now = with_thin_pool();
    expect_going_on(policy, now);
    carry_out(policy, now);
    EXPECT_THAT(verbs(policy, now), IsEmpty());
    EXPECT_EQ(volume(now, "pool_tdata").segtype, "cache");
    EXPECT_EQ(volume(now, "pool").segtype, "thin-pool");
    status(now).dirty_blocks = 500;
    expect_going_on(absent(policy), now);
    go_all_the_way(absent(policy), now);
    EXPECT_EQ(now.lvm->lvs, with_thin_pool().lvm->lvs);
}

TEST(AThinPool, IsNamedAndNotItsData) {
    auto policy = world::story_a();
    policy.tiers[0].volume.lv = "pool_tdata";
    expect_refusal("a part of another volume", with_thin_pool(), policy);
}

// B17
TEST(AWritecache, WhoseLastBlockStaysIsToldToDrainAgain) {
    const auto policy = absent(of_writecache());
    auto now = attached_by(of_writecache());
    status(now).dirty_blocks = 1;
    carry_out(policy, now, 1);
    EXPECT_EQ(make_plan(policy, now).steps.at(0).verb, "wait");
    now.caches.begin()->second.at_rest = true;
    const auto step = make_plan(policy, now).steps.at(0);
    ASSERT_TRUE(step.action);
    EXPECT_EQ(std::get<SetCachePolicy>(*step.action).cache_policy, cleaner_policy);
    foretell_in_place(now, *step.action);
    EXPECT_EQ(make_plan(policy, now).steps.at(0).verb, "wait");
}

}  // namespace
}  // namespace tierd
