// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "cache_tier_fixture.hpp"
#include "daemon/model/request.hpp"
#include "daemon/plan/resolve.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Usec hour = 3'600 * usec_per_second;

CacheStatus& status(Observation& now) {
    return *now.caches.begin()->second.status;
}
void tag(Observation& now, const std::string& text) {
    volume(now, "hdd").tags.insert(text);
}
std::string until(Usec time) {
    return request_tag(RequestKind::Flush, std::to_string(time / usec_per_second));
}

// --- flush ---

TEST(AFlush, WritesBackOnceAndGivesThePolicyBack) {
    auto now = attached();
    status(now).dirty_blocks = 500;
    tag(now, until(now.time + hour));
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("set-cache-policy", "wait", "tag-volume", "set-cache-policy"));
    go_all_the_way(world::story_a(), now);
    EXPECT_EQ(volume(now, "hdd").cache_policy, "smq");
    EXPECT_EQ(volume(now, "hdd").cache_mode, CacheMode::Writeback);
    EXPECT_EQ(requests_of(volume(now, "hdd")), Requests{});
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
}

TEST(AFlush, IsOverAtOnceWhereNothingIsDirty) {
    auto now = attached();
    tag(now, until(now.time + hour));
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("tag-volume"));
}

TEST(AFlush, IsGivenUpWhenItsTimeIsOver) {
    auto now = attached();
    status(now).dirty_blocks = 500;
    volume(now, "hdd").cache_policy = volume(now, "media_cpool").cache_policy = status(now).policy = cleaner_policy;
    tag(now, until(now.time - hour));
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("tag-volume", "set-cache-policy"));
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("its time is over"));
}

TEST(AFlush, IsLookedAtAgainWhenItsTimeIsOver) {
    auto now = attached();
    status(now).dirty_blocks = 500;
    volume(now, "hdd").cache_policy = volume(now, "media_cpool").cache_policy = status(now).policy = cleaner_policy;
    now.time = 10 * usec_per_second;
    tag(now, until(now.time + 3 * usec_per_second));
    EXPECT_EQ(make_plan(world::story_a(), now).steps[0].until, now.time + 3 * usec_per_second);
}

/// Of a volume that lost its cache, and of one that is to lose it.
TEST(AFlush, OfWhatHasNoCacheIsForgotten) {
    auto now = world::hard_disk_alone();
    volume(now, "hdd").tags.insert(until(now.time + hour));
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_EQ(plan.steps.front().verb, "tag-volume");
    now = attached();
    tag(now, until(now.time + hour));
    tag(now, request_tag(RequestKind::Detach));
    go_all_the_way(world::story_a(), now);
    EXPECT_THAT(volume(now, "hdd").tags, ElementsAre("tierd.detach"));
}

// --- detach ---

TEST(ADetach, HoldsAgainstThePolicyUntilItIsCalledOff) {
    auto now = attached();
    status(now).dirty_blocks = 500;
    tag(now, request_tag(RequestKind::Detach));
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("set-cache-policy", "wait", "remove-cache", "reduce-vg", "remove-pv"));
    go_all_the_way(world::story_a(), now);
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
    EXPECT_EQ(volume(now, "hdd").segtype, "linear");
    volume(now, "hdd").tags.clear();
    go_all_the_way(world::story_a(), now);
    EXPECT_EQ(volume(now, "hdd").segtype, "cache");
}

/// Called off at any moment: its policy and its mode are back.
TEST(ADetach, IsCalledOffAtAnyMoment) {
    auto now = attached();
    status(now).dirty_blocks = 500;
    tag(now, request_tag(RequestKind::Detach));
    const auto plan = make_plan(world::story_a(), now);
    for (std::size_t done = 0; done <= plan.steps.size(); ++done) {
        auto then = now;
        for (std::size_t i = 0; i < done; ++i) go(plan.steps[i], then);
        volume(then, "hdd").tags.clear();
        go_all_the_way(world::story_a(), then);
        EXPECT_EQ(volume(then, "hdd").cache_policy, "smq") << done;
        EXPECT_EQ(volume(then, "hdd").cache_mode, CacheMode::Writeback) << done;
    }
}

TEST(AMode, ThatAPersonAskedForHoldsAgainstThePolicy) {
    auto now = attached();
    tag(now, request_tag(RequestKind::Mode, "writethrough"));
    go_all_the_way(world::story_a(), now);
    EXPECT_EQ(volume(now, "hdd").cache_mode, CacheMode::Writethrough);
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
    volume(now, "hdd").tags.clear();
    go_all_the_way(world::story_a(), now);
    EXPECT_EQ(volume(now, "hdd").cache_mode, CacheMode::Writeback);
}

/// The request comes first, and what it leads to is shown behind it.
TEST(ARequest, IsPutOnTheVolumeBeforeAnythingElse) {
    auto now = attached();
    const auto uuid = volume(now, "hdd").uuid;
    const RequestToTag request{"tier media", {{"lvm_hdd", "hdd"}, uuid, {"tierd.detach"}, {}}, "asked for"};
    const auto plan = make_plan(world::story_a(), now, {request});
    EXPECT_THAT(verbs(plan), ElementsAre("tag-volume", "set-cache-policy", "remove-cache", "reduce-vg", "remove-pv"));
    EXPECT_EQ(short_place(plan.steps[0].rule), "10-media.yaml:12");
    auto other_volume = request;
    other_volume.tag.lv_uuid = "another";
    EXPECT_THAT(verbs(make_plan(world::story_a(), now, {other_volume})), IsEmpty()) << "it is not the volume that was meant";
}

TEST(ARequest, IsDoneUnderAutonomyObserveToo) {
    auto policy = world::story_a();
    policy.tiers[0].autonomy = Autonomy::Observe;
    auto now = attached();
    tag(now, request_tag(RequestKind::Detach));
    for (const auto& step : make_plan(policy, now).steps) EXPECT_FALSE(step.needs_person) << step.sentence;
}

// --- another shape ---

Policy of_size(Bytes size, Autonomy autonomy = Autonomy::Act) {
    auto policy = world::story_a();
    policy.tiers[0].size = SizeSpec{size};
    policy.tiers[0].autonomy = autonomy;
    return policy;
}

/// LVM resizes no cache pool. A person agrees once; that stands on the volume, and the rest is done by itself, whatever happens meanwhile.
TEST(ACacheOfAnotherSize, IsMadeAnewWhenAPersonAgrees) {
    auto now = attached();
    status(now).dirty_blocks = 500;
    const auto policy = of_size(100 * gib);
    const auto plan = make_plan(policy, now);
    const std::vector<std::string> way{"tag-volume",        "set-cache-policy", "wait",         "remove-cache",    "unfence-pv",
                                       "create-cache-pool", "fence-pv",         "attach-cache", "commit-metadata", "tag-volume"};
    EXPECT_EQ(verbs(plan), way);
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("size from 220 GiB to 100 GiB, and LVM changes that of no cache that stands"));
    EXPECT_TRUE(plan.steps[0].needs_person);
    for (std::size_t done = 1; done <= plan.steps.size(); ++done) {
        go(plan.steps[done - 1], now);
        const auto left = make_plan(policy, now);
        EXPECT_EQ(verbs(left), std::vector(way.begin() + static_cast<std::ptrdiff_t>(done), way.end())) << plan.steps[done - 1].verb;
        for (const auto& step : left.steps) EXPECT_FALSE(step.needs_person) << step.sentence;
    }
    EXPECT_EQ(volume(now, "media_cpool").size, 100 * gib);
    EXPECT_EQ(volume(now, "hdd").tags, std::set<std::string>{});
}

TEST(ACacheOfAnotherSize, IsMadeAnewByItselfWithAutonomyFull) {
    auto now = attached();
    for (const auto& step : make_plan(of_size(100 * gib, Autonomy::Full), now).steps) EXPECT_FALSE(step.needs_person) << step.sentence;
    go_all_the_way(of_size(100 * gib, Autonomy::Full), now);
    EXPECT_EQ(volume(now, "media_cpool").size, 100 * gib);
}

/// What can be changed online does not wait for the person.
TEST(ACacheOfAnotherSize, HasItsModeChangedMeanwhile) {
    auto now = attached();
    auto policy = of_size(100 * gib);
    policy.tiers[0].cache_policy = "mq";
    const auto plan = make_plan(policy, now);
    EXPECT_EQ(plan.steps[0].verb, "set-cache-policy");
    EXPECT_FALSE(plan.steps[0].needs_person);
    EXPECT_EQ(plan.steps[1].verb, "tag-volume");
    EXPECT_TRUE(plan.steps[1].needs_person);
}

TEST(ACacheOfAnotherSize, IsLeftAloneWhereItWouldNotFit) {
    auto now = attached();
    const auto plan = make_plan(of_size(4096 * gib), now);
    EXPECT_THAT(verbs(plan), ElementsAre("refuse"));
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("does not fit"));
}

/// Called off in the middle, or the policy asks for the old size again.
TEST(ACacheOfAnotherSize, KeepsItsCacheWhenThatIsCalledOff) {
    auto now = attached();
    status(now).dirty_blocks = 500;
    const auto plan = make_plan(of_size(100 * gib), now);
    go(plan.steps[0], now);
    go(plan.steps[1], now);
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("tag-volume", "set-cache-policy"));
    volume(now, "hdd").tags.clear();
    const auto left = make_plan(of_size(100 * gib), now);
    EXPECT_EQ(left.steps[0].verb, "set-cache-policy");
    EXPECT_FALSE(left.steps[0].needs_person);
    EXPECT_TRUE(left.steps[1].needs_person);
}

TEST(ACacheOfAnotherChunkSize, IsMadeAnew) {
    auto now = attached();
    auto policy = world::story_a();
    policy.tiers[0].autonomy = Autonomy::Full;
    policy.tiers[0].chunk_size = kib * 1024;
    policy.tiers[0].metadata_size = 64 * mib;
    go_all_the_way(policy, now);
    EXPECT_EQ(volume(now, "hdd").chunk_size, 1024 * kib);
    EXPECT_EQ(volume(now, "media_cpool_cmeta").size, 64 * mib);
    EXPECT_THAT(verbs(policy, now), IsEmpty());
}

/// Another disk: it is there, and fenced, before the old one is drained; and the old one is given back.
TEST(ACacheOnAnotherDisk, MovesThere) {
    auto now = attached();
    auto another = world::ssd("sdz", "ANOTHER");
    auto policy = world::story_a();
    policy.devices.push_back(policy.devices[0]);
    policy.devices[0].match.serial = {world::ssd().serial};
    policy.devices[1].name = "newer";
    policy.devices[1].match.serial = {"ANOTHER"};
    policy.tiers[0].devices = {"newer"};
    policy.tiers[0].autonomy = Autonomy::Full;
    EXPECT_THAT(verbs(policy, now), ElementsAre("wait")) << "not before it is there";
    now.devices.push_back(another);
    EXPECT_THAT(verbs(policy, now),
                ElementsAre("tag-volume", "create-pv", "extend-vg", "fence-pv", "set-cache-policy", "remove-cache", "unfence-pv",
                            "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata", "reduce-vg", "remove-pv", "tag-volume"));
    go_all_the_way(policy, now);
    EXPECT_THAT(verbs(policy, now), IsEmpty());
    EXPECT_EQ(now.lvm->pv_on(now.devices.back())->vg, "lvm_hdd");
    EXPECT_EQ(volume(now, "hdd").tags, std::set<std::string>{});
}

/// The disk that it leaves is opened for the tier that is to have it, and stays open until the cache is off it.
TEST(ACacheOnAnotherDisk, LeavesItsOwnToWhoWantsIt) {
    auto now = attached();
    now.devices.push_back(world::ssd("sdz", "ANOTHER"));
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "srv", 0, "pv-hdd"));
    auto policy = world::story_a();
    policy.devices.push_back(policy.devices[0]);
    policy.devices[0].match.serial = {world::ssd().serial};
    policy.devices[1].name = "newer";
    policy.devices[1].match.serial = {"ANOTHER"};
    policy.tiers[0].autonomy = Autonomy::Full;
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[0].devices = {"newer"};
    policy.tiers[1].name = "srv";
    policy.tiers[1].volume.lv = "srv";
    for (const bool is_open : {false, true}) {
        our_pv(now).allocatable = is_open;
        for (const auto& step : make_plan(policy, now).steps) EXPECT_NE(step.state, StepState::Refused) << step.reason;
        auto then = now;
        go_all_the_way(policy, then);
        EXPECT_THAT(verbs(policy, then), IsEmpty());
        EXPECT_EQ(volume(then, "hdd").segtype, "cache");
        EXPECT_EQ(volume(then, "srv").segtype, "cache");
    }
    our_pv(now).allocatable = true;
    volume(now, "hdd").tags.insert(request_tag(RequestKind::Remake));
    EXPECT_EQ(verbs(policy, now).front(), "fence-pv") << "until it is drained";
}

/// It is empty then only if the person lets the other cache go.
TEST(ADiskThatIsGivenBackBehindADrain, WaitsForThePersonThatEmptiesIt) {
    auto now = attached();
    const std::string disk = our_pv(now).uuid;
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "srv", 10, "pv-hdd"));
    now.devices.push_back(world::ssd("sdz", "ANOTHER"));
    auto policy = world::story_a();
    policy.devices.push_back(policy.devices[0]);
    policy.devices[0].match.serial = {world::ssd().serial};
    policy.devices[1].name = "newer";
    policy.devices[1].match.serial = {"ANOTHER"};
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[1].name = "srv";
    policy.tiers[1].volume.lv = "srv";
    policy.tiers[1].devices = {"newer"};
    carry_out(policy, now);
    // The first goes at a person's word only; the second is drained, and its rule is by now that of the disk below the first.
    policy.tiers[0].state = policy.tiers[1].state = Presence::Absent;
    policy.tiers[0].autonomy = Autonomy::Observe;
    policy.tiers[1].devices = {"fast"};
    for (auto& [uuid, device] : now.caches) device.status->dirty_blocks = 500;
    bool is_given_back = false;
    for (const auto& step : make_plan(policy, now).steps) {
        const auto* reduce = step.action ? std::get_if<ReduceVg>(&*step.action) : nullptr;
        if (reduce == nullptr || reduce->pv_uuid != disk) continue;
        is_given_back = true;
        EXPECT_TRUE(step.needs_person);
        EXPECT_TRUE(step.assumed);
    }
    EXPECT_TRUE(is_given_back);
}

TEST(ACacheOnTheSameDisk, StaysWhenTheRuleHasAnotherName) {
    auto policy = world::story_a();
    policy.devices[0].name = "renamed";
    policy.tiers[0].devices = {"renamed"};
    EXPECT_THAT(verbs(policy, attached()), ElementsAre("refuse-device")) << "and not moved to where it is";
}

/// A mode that is served stays asked for, and gives nobody's word for anything else.
TEST(ARequest, ForAModeThatIsServedLeavesTheRestToAPerson) {
    auto policy = world::story_a();
    policy.tiers[0].autonomy = Autonomy::Observe;
    auto now = attached();
    tag(now, request_tag(RequestKind::Mode, "writethrough"));
    for (const auto& step : make_plan(policy, now).steps) EXPECT_FALSE(step.needs_person) << step.sentence;
    go_all_the_way(policy, now);
    EXPECT_EQ(volume(now, "hdd").cache_mode, CacheMode::Writethrough);
    EXPECT_EQ(volume(now, "hdd").cache_policy, policy.tiers[0].cache_policy);
    policy.tiers[0].state = Presence::Absent;
    const auto plan = make_plan(policy, now);
    ASSERT_FALSE(plan.steps.empty());
    for (const auto& step : plan.steps) EXPECT_TRUE(step.needs_person || step.state != StepState::Ready) << step.sentence;
}

/// What was shown is what is agreed to, though somebody writes meanwhile.
TEST(APlan, IsTheSameWhetherTheCacheIsDirtyInThatMomentOrNot) {
    auto now = attached();
    now.caches.begin()->second.status->dirty_blocks = 0;
    const auto clean = make_plan(of_size(100 * gib), now);
    now.caches.begin()->second.status->dirty_blocks = 7;
    const auto dirty = make_plan(of_size(100 * gib), now);
    EXPECT_EQ(clean.steps.size() + 1, dirty.steps.size());
    EXPECT_EQ(clean.id(), dirty.id());
    EXPECT_NE(clean.id(), make_plan(of_size(110 * gib), now).id());
}

}  // namespace
}  // namespace tierd
