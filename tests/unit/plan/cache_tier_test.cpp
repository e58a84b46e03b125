// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "cache_tier_fixture.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// --- a cache that is not committed ---

/// Without it the volume does not activate after a power cut: it is done whatever the policy says by now.
TEST(ACache, IsCommittedThoughItsRuleIsGone) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 5);
    EXPECT_THAT(verbs({}, now), ElementsAre("commit-metadata"));
    auto policy = world::story_a();
    policy.frozen["tier media"] = "given up on";
    EXPECT_THAT(verbs(policy, now), ElementsAre("commit-metadata", "refuse"));
    for (auto& each : now.lvm->lvs) each.tags.clear();
    EXPECT_THAT(verbs({}, now), IsEmpty()) << "but not one that is not tierd's";
}

// --- the whole way ---

TEST(ACacheTier, IsAttachedInFiveStepsAndACommit) {
    const auto plan = make_plan(world::story_a(), world::with_disk());
    EXPECT_THAT(verbs(plan), ElementsAre("create-pv", "extend-vg", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata"));
    EXPECT_EQ(plan.convergence, Convergence::Drift);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const auto& step = plan.steps[i];
        EXPECT_EQ(step.id, i + 1);
        EXPECT_EQ(step.state, StepState::Ready);
        EXPECT_EQ(step.group, "lvm_hdd");
        EXPECT_FALSE(step.needs_person);
        EXPECT_FALSE(step.reason.empty()) << step.verb;
        EXPECT_EQ(step.after.empty(), i == 0);
    }
    const auto& create = std::get<CreateCachePool>(*plan.steps[2].action);
    EXPECT_EQ(create.name, "media");
    EXPECT_EQ(create.tag, "tierd.tier=media");
    EXPECT_EQ(create.data_extents * create.extent_size, 220 * gib);
    EXPECT_EQ(create.metadata_extents * create.extent_size, 3 * gib);
    EXPECT_EQ(create.chunk_size, 256 * kib);
    EXPECT_EQ(create.node, "/dev/sdb") << "A27: on the SSD, not on the hard disk that has room too";
    const auto& attach = std::get<AttachCache>(*plan.steps[4].action);
    EXPECT_EQ(attach.mode, CacheMode::Writeback);
    EXPECT_EQ(attach.cache_policy, "smq");
    const auto& claim = std::get<CreatePv>(*plan.steps[0].action).disk;
    EXPECT_EQ(claim.identity, "wwn:0xS21PNXAG441016");
    EXPECT_TRUE(claim.may_wipe.empty());
}

TEST(ACacheTier, IsConvergedAfterwards) {
    const auto plan = make_plan(world::story_a(), attached());
    EXPECT_THAT(plan.steps, IsEmpty());
    EXPECT_EQ(plan.convergence, Convergence::Converged);
}

// A20: after a reboot the disks have changed names, and a blank one stands where the SSD was.
TEST(ACacheTier, StaysWhenTheDisksChangeNames) {
    auto now = attached();
    auto& sdb = now.devices.back();
    sdb.name = "sdf";
    sdb.node = "/dev/sdf";
    sdb.dev = "8:80";
    sdb.diskseq = 99;
    auto& pv = our_pv(now);
    pv.device = sdb.node;
    pv.dev = sdb.dev;
    now.devices.push_back(world::ssd("sdb", "S99NEW"));
    now.boot = "boot-2";
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
}

TEST(ACacheTier, IsAttachedToAnInactiveVolumeAndCommittedOnceItIsActive) {
    auto now = world::with_disk();
    volume(now, "hdd").active = false;
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("create-pv", "extend-vg", "create-cache-pool", "fence-pv", "attach-cache"));
    carry_out(world::story_a(), now);
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
    auto& hdd = volume(now, "hdd");
    hdd.active = true;
    now.caches[hdd.uuid] = {CacheStatus{}, false};
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("commit-metadata"));
}

// --- killed anywhere ---

/// Promise 7: after each step the plan is what is left of the first one.
TEST(AnInterruptedAttach, CarriesOnFromEachState) {
    for (const bool occupied : {false, true}) {
        auto policy = world::story_a();
        auto now = world::with_disk();
        if (occupied) {
            policy.devices[0].match.serial = {"S21*"};
            policy.devices[0].wipe = {"vfat", "gpt"};
            now.devices.back().probe->signatures = {{"gpt", "table", 512}};
            auto part = world::partition(now.devices.back(), 1, gib, "p1");
            part.probe->signatures = {{"vfat", "filesystem", 54}};
            now.devices.push_back(part);
        }
        const auto whole = make_plan(policy, now);
        EXPECT_EQ(whole.steps.size(), occupied ? 7u : 6u);
        EXPECT_EQ(whole.steps.front().verb, occupied ? "wipe-signatures" : "create-pv");
        auto left = verbs(whole);
        for (const auto& step : whole.steps) {
            foretell_in_place(now, *step.action);
            left.erase(left.begin());
            EXPECT_EQ(verbs(policy, now), left) << "after " << step.verb;
        }
    }
}

TEST(AnInterruptedAttach, FencesThePhysicalVolumeBelowACacheThatStands) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 5);
    auto& pv = our_pv(now);
    pv.allocatable = true;
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("commit-metadata", "fence-pv"));
    our_pv(now).tags.clear();
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("commit-metadata", "fence-pv")) << "known by its UUID, tagged again";
    our_pv(now).allocatable = false;
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("commit-metadata")) << "a tag that somebody took off stays off";
}

TEST(AnInterruptedAttach, UnfencesForAPoolThatIsNotThereYet) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 2);
    auto& pv = our_pv(now);
    pv.allocatable = false;
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("unfence-pv", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata"));
    for (const auto& step : plan.steps) EXPECT_FALSE(step.needs_person) << step.sentence;
}

/// `lvconvert --uncache` by hand leaves the disk tagged, fenced and empty: whoever did it will know why.
TEST(ACache, ThatWasRemovedByHandIsMadeAnewByAPersonsWord) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 2);
    auto& pv = our_pv(now);
    pv.allocatable = false;
    pv.tags = {device_tag("fast")};
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("unfence-pv", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata"));
    for (const auto& step : plan.steps) EXPECT_TRUE(step.needs_person) << step.sentence;
    EXPECT_EQ(plan.steps[0].alert, "foreign-change");
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("removed by hand"));
    EXPECT_THAT(plan.waits_for, HasSubstr("tierctl apply"));
}

/// Another tier's pool lies on it: this one is new, and nobody has taken anything away.
TEST(ACache, OnADiskThatServesAnotherTierNeedsNobody) {
    auto policy = world::story_a();
    policy.tiers[0].size = SizeSpec{50 * gib};
    auto now = world::with_disk();
    carry_out(policy, now);
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "other", 10, "pv-hdd"));
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[1].name = "other";
    policy.tiers[1].volume.lv = "other";
    const auto plan = make_plan(policy, now);
    EXPECT_THAT(verbs(plan), ElementsAre("unfence-pv", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata"));
    for (const auto& step : plan.steps) EXPECT_FALSE(step.needs_person) << step.sentence;
}

/// A cancel, or a fault that does not go away, between two steps.
TEST(ADisk, ThatStandsOpenWhereNothingGoesOnIsFenced) {
    const auto policy = world::story_a();
    for (const std::string what : {"lvm_hdd", "tier media", "device fast", ""}) {
        auto now = world::with_disk();
        carry_out(policy, now, 2);
        ASSERT_TRUE(our_pv(now).allocatable);
        auto given_up = policy;
        if (what.empty()) {
            given_up.tiers.clear();
        } else {
            given_up.frozen[what] = "canceled";
        }
        auto plan = make_plan(given_up, now);
        std::erase_if(plan.steps, [](const Step& step) { return step.risk != Risk::None || step.state != StepState::Ready; });
        ASSERT_EQ(plan.steps.size(), 1U) << what;
        EXPECT_EQ(plan.steps[0].verb, "fence-pv") << what;
        foretell_in_place(now, *plan.steps[0].action);
        EXPECT_FALSE(our_pv(now).allocatable);
        for (const auto& step : make_plan(policy, now).steps) EXPECT_FALSE(step.needs_person) << "a thaw goes on by itself";
    }
}

/// What an interrupted way leaves never stays open to other allocations, though the pool cannot be made.
TEST(AnInterruptedAttach, FencesThePhysicalVolumeThatHasNoRoomForItsPool) {
    auto policy = world::story_a();
    auto now = world::with_disk();
    carry_out(policy, now, 2);
    policy.tiers[0].size = SizeSpec{400 * gib};
    EXPECT_THAT(verbs(policy, now), ElementsAre("fence-pv", "refuse"));
    carry_out(policy, now);
    EXPECT_THAT(verbs(policy, now), ElementsAre("refuse"));
    EXPECT_FALSE(our_pv(now).allocatable);
}

// A17, A27: what lvcreate left half made is tierd's by its tag, holds nothing, and is made anew.
TEST(AHalfMadePool, IsRemovedAndMadeAnew) {
    const auto expect_anew = [](const std::string& why, const std::function<void(Observation&)>& change) {
        auto now = world::with_disk();
        carry_out(world::story_a(), now, 4);
        change(now);
        const auto plan = make_plan(world::story_a(), now);
        ASSERT_FALSE(plan.steps.empty());
        // Unfenced first: a disk that is tagged, fenced and empty is what a removal by hand leaves.
        EXPECT_EQ(plan.steps[0].verb, "unfence-pv") << why;
        EXPECT_EQ(plan.steps[1].verb, "remove-pool") << why;
        EXPECT_THAT(plan.steps[1].reason, HasSubstr(why));
        for (const auto& step : plan.steps) EXPECT_FALSE(step.needs_person) << step.sentence;
        EXPECT_EQ(plan.steps.back().verb, "commit-metadata");
        carry_out(world::story_a(), now);
        EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
    };
    expect_anew("it was to become a cache pool and is none", leave_half_made);
    expect_anew("landed on /dev/sda", [](Observation& now) { lay(now, "media_cdata", {{"pv-hdd", 220 * gib / world::extent}}); });
    expect_anew("landed on /dev/sda", [](Observation& now) { lay(now, "media_cmeta", {{"pv-hdd", 3 * gib / world::extent}}); });
    expect_anew("it has 100 GiB, and 220 GiB are asked for", [](Observation& now) {
        lay(now, "media_cdata", {{our_pv(now).uuid, 100 * gib / world::extent}});
        volume(now, "media").size = 100 * gib;
    });
}

// C19: lvcreate ended well, and made another size than was asked for, whether in figures, in percent, or all that fits.
TEST(APool, OfAnotherSizeThanAskedIsMadeAnew) {
    for (const std::optional<SizeSpec> size :
         {std::optional<SizeSpec>{}, std::optional{SizeSpec{220 * gib}}, std::optional{SizeSpec{Percent{5000}}}}) {
        auto policy = world::story_a();
        policy.tiers[0].size = size;
        auto now = world::with_disk();
        carry_out(policy, now, 4);
        EXPECT_THAT(verbs(policy, now), ElementsAre("attach-cache", "commit-metadata"));
        const auto made = volume(now, "media").size;
        const auto shrink = [&](std::uint64_t extents) {
            lay(now, "media_cdata", {{our_pv(now).uuid, made / world::extent - extents}});
            volume(now, "media").size = made - extents * world::extent;
        };
        shrink(1);
        EXPECT_EQ(verbs(policy, now).front(), "attach-cache") << "within an extent";
        shrink(10);
        EXPECT_THAT(verbs(policy, now),
                    ElementsAre("unfence-pv", "remove-pool", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata"));
        carry_out(policy, now);
        EXPECT_THAT(verbs(policy, now), IsEmpty());
    }
}

/// Promise 3: a tag alone does not make a volume's content worthless.
TEST(ATaggedVolume, ThatIsNoPoolAndNotOnOurDiskIsLeftAlone) {
    auto now = world::with_disk();
    volume(now, "hdd").tags.insert(tier_tag("media"));
    auto left = make_plan(world::story_a(), now);
    for (const auto& step : left.steps) EXPECT_NE(step.verb, "remove-pool") << "the very volume that is to be cached";
    now = world::with_disk();
    auto backup = world::linear("lvm_hdd", "backup", 10, "pv-hdd");
    backup.tags.insert(tier_tag("media"));
    now.lvm->lvs.push_back(backup);
    expect_refusal("lvm_hdd/backup", now);
}

/// Promise 5: a pool whose parts were not reported is not "empty".
TEST(AStandingPool, IsNotRemovedBecauseItsPartsAreUnknown) {
    const auto standing = [] {
        auto now = world::with_disk();
        carry_out(world::story_a(), now, 4);
        return now;
    };
    for (const std::string part : {"media_cdata", "media_cmeta"}) {
        auto now = standing();
        volume(now, part).extents_on.clear();
        expect_wait("where it lies is not known", now);
        now = standing();
        volume(now, part).extents_on = {{"pv-nobody-knows", 5}};
        expect_wait("where it lies is not known", now);
        now = standing();
        std::erase_if(now.lvm->lvs, [&](const LogicalVolume& each) { return each.name == part; });
        expect_wait("where it lies is not known", now);
    }
}

TEST(AStandingPool, ThatThePolicyCallsAVolumeIsRefused) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 4);
    auto policy = world::story_a();
    policy.tiers.push_back(policy.tiers.front());
    policy.tiers.back().name = "odd";
    policy.tiers.back().volume = {"lvm_hdd", "media"};
    volume(now, "media").size = gib;
    for (const auto& step : make_plan(policy, now).steps) EXPECT_NE(step.state, StepState::Ready) << step.sentence;
}

/// A pool that was in front of a volume keeps its mode: somebody took it off, and puts it back by a word of theirs.
TEST(AStandingPool, ThatWasTakenOffByHandNeedsAPerson) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 4);
    volume(now, "media").cache_mode = CacheMode::Writeback;
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("attach-cache", "commit-metadata"));
    EXPECT_TRUE(plan.steps[0].needs_person);
    EXPECT_EQ(plan.steps[0].risk, Risk::Disruptive);
    EXPECT_THAT(plan.waits_for, HasSubstr("tierctl apply"));
    volume(now, "media").size = gib;
    EXPECT_THAT(verbs(make_plan(world::story_a(), now))[0], "attach-cache") << "and is never removed";
}

TEST(AStandingPool, ThatFrontsAnotherVolumeIsRefused) {
    auto now = attached();
    auto& hdd = volume(now, "hdd");
    hdd.name = "renamed";
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "hdd", 10, "pv-hdd"));
    expect_refusal("media_cpool is in use by another volume", now);
}

/// Two LVs carry the tier's tag: the order in which LVM lists them says nothing.
TEST(AStandingPool, IsChosenWhateverTheOrder) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 4);
    auto old = volume(now, "media");
    old.name = "media_cpool";
    old.hidden = true;
    now.lvm->lvs.push_back(old);
    const auto one = make_plan(world::story_a(), now);
    std::reverse(now.lvm->lvs.begin(), now.lvm->lvs.end());
    EXPECT_EQ(make_plan(world::story_a(), now), one);
}

}  // namespace
}  // namespace tierd
