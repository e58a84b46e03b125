// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "controller_fixture.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Usec hour = 3'600 * usec_per_second;

/// A person asks for something.
class ARequest : public DirtyCacheTest {
protected:
    void begin_dirty(std::uint64_t blocks) {
        DirtyCacheTest::begin_dirty(blocks);
        machine.event();
        ASSERT_TRUE(until([&] { return tier().dirty == blocks * 256 * kib; }));
    }
    LogicalVolume& cached() {
        return *std::find_if(machine.now.lvm->lvs.begin(), machine.now.lvm->lvs.end(), [](const auto& each) { return each.name == "hdd"; });
    }
    [[nodiscard]] TierView tier() const { return controller->tiers().at(0); }
    [[nodiscard]] bool until_waiting() {
        return until([&] { return convergence() == "waiting" && controller->manager().state == "idle"; });
    }
    [[nodiscard]] std::set<std::string> tags() const { return machine.now.lvm->volume({"lvm_hdd", "hdd"})->tags; }
};

TEST_F(ARequest, ForADetachIsTaggedFirstAndHolds) {
    begin_dirty(500);
    const auto job = controller->detach("media", false, 1000);
    ASSERT_TRUE(until_waiting());
    EXPECT_THAT(machine.performed, ElementsAre("tag-volume", "set-cache-policy"));
    EXPECT_THAT(tags(), ElementsAre("tierd.detach"));
    EXPECT_THAT(tier().asked, ElementsAre("detach"));
    EXPECT_EQ(tier().phase, "detaching");
    drained();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(ear.jobs, ElementsAre("new detach", "detach done"));
    EXPECT_EQ(controller->jobs().back().id, job);
    EXPECT_EQ(controller->jobs().back().started_by, 1000U);
    EXPECT_EQ(tier().phase, "absent");
    // And back again.
    ear.jobs.clear();
    controller->detach("media", true, 0);
    ASSERT_TRUE(until([&] { return tier().phase == "active" && convergence() == "converged"; }));
    EXPECT_THAT(tags(), IsEmpty());
    EXPECT_THAT(ear.jobs, ElementsAre("new attach", "attach done"));
}

/// Promise 7
TEST_F(ARequest, GoesOnInAnotherDaemonAndCanBeCalledOffThere) {
    begin_dirty(500);
    controller->detach("media", false, 0);
    ASSERT_TRUE(until_waiting());
    controller.reset();
    begin();
    EXPECT_EQ(tier().phase, "detaching");
    controller->cancel_job(controller->jobs().back().id);
    ASSERT_TRUE(until_converged());
    EXPECT_EQ(tier().cache_policy, "smq");
    EXPECT_THAT(tags(), IsEmpty());
    EXPECT_THAT(controller->manager().frozen, IsEmpty());
}

TEST_F(ARequest, ThatIsCalledOffBeforeItBeganLeavesNothing) {
    begin_dirty(500);
    machine.hold_verb = "tag-volume";
    const auto job = controller->detach("media", false, 0);
    ASSERT_TRUE(until([&] { return !machine.performed.empty(); }));
    controller->cancel_job(job);
    machine.hold_verb.clear();
    machine.release();
    ASSERT_TRUE(until([&] { return tags().empty() && convergence() == "converged" && controller->manager().state == "idle"; }));
    EXPECT_EQ(tier().cache_policy, "smq");
    EXPECT_EQ(tier().phase, "active");
}

TEST_F(ARequest, ForAFlushEndsCleanAndGivesThePolicyBack) {
    begin_dirty(500);
    controller->flush("media", hour, false, 0);
    ASSERT_TRUE(until_waiting());
    EXPECT_EQ(controller->jobs().back().operation, "flush");
    EXPECT_EQ(controller->jobs().back().bytes_total, 500 * 256 * kib);
    EXPECT_EQ(tier().phase, "draining");
    EXPECT_THAT(tier().asked, ElementsAre("flush"));
    drained();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(machine.performed, ElementsAre("tag-volume", "set-cache-policy", "tag-volume", "set-cache-policy"));
    EXPECT_THAT(ear.jobs, ElementsAre("new flush", "flush done"));
    EXPECT_THAT(tags(), IsEmpty());
}

/// What a person asks for again and again is no step that does not stay done.
TEST_F(ARequest, ForAFlushIsDoneHoweverOften) {
    begin_dirty(500);
    for (int i = 0; i < 10; ++i) {
        set_dirty(500);
        machine.event();
        ASSERT_TRUE(until([&] { return tier().dirty == 500 * 256 * kib; }));
        controller->flush("media", hour, false, 0);
        ASSERT_TRUE(until_waiting()) << i << ": " << controller->manager().waits_for;
        drained();
        ASSERT_TRUE(until_converged()) << i << ": " << controller->manager().waits_for;
    }
    EXPECT_THAT(controller->manager().frozen, IsEmpty());
}

TEST_F(ARequest, ForAFlushFailsWhenItsTimeIsOver) {
    begin_dirty(500);
    machine.now.time += 10;  // somewhere within a second
    controller->flush("media", 2 * usec_per_second, false, 0);
    ASSERT_TRUE(until_waiting());
    machine.now.time += 5 * usec_per_second;
    machine.event();
    ASSERT_TRUE(until_converged());
    EXPECT_EQ(tier().cache_policy, "smq");
    EXPECT_THAT(ear.jobs, ElementsAre("new flush", "flush failed Timeout"));
    EXPECT_THAT(ear.last_message, HasSubstr("time was over"));
}

TEST_F(ARequest, ForAFlushOfWhatIsCleanIsDoneAtOnce) {
    begin_dirty(0);
    controller->flush("media", hour, false, 0);
    ASSERT_TRUE(until([&] { return ear.jobs.size() == 2; }));
    EXPECT_THAT(ear.jobs, ElementsAre("new flush", "flush done"));
    EXPECT_THAT(machine.performed, ElementsAre("tag-volume", "tag-volume"));
}

TEST_F(ARequest, ForAModeHoldsAgainstThePolicy) {
    begin_dirty(0);
    controller->set_mode("media", CacheMode::Writethrough, 0);
    ASSERT_TRUE(until([&] { return tier().mode == "writethrough" && convergence() == "converged"; }));
    EXPECT_THAT(ear.jobs, ElementsAre("new set-mode", "set-mode done"));
    EXPECT_THAT(tier().asked, ElementsAre("mode writethrough"));
    controller->reload();
    ASSERT_TRUE(until_converged());
    EXPECT_EQ(tier().mode, "writethrough");
    // The policy's mode needs no tag.
    controller->set_mode("media", CacheMode::Writeback, 0);
    ASSERT_TRUE(until([&] { return tier().mode == "writeback" && convergence() == "converged"; }));
    EXPECT_THAT(tags(), IsEmpty());
}

TEST_F(ARequest, ForWritebackIsRefusedWhereItMustNotBe) {
    begin_dirty(0);
    loaded.policy.tiers[0].mode = CacheMode::Writethrough;
    loaded.policy.devices[0].volatile_contents = true;
    controller->reload();
    ASSERT_TRUE(until([&] { return tier().mode == "writethrough" && convergence() == "converged"; }));
    EXPECT_EQ(code_of([&] { controller->set_mode("media", CacheMode::Writeback, 0); }), ErrorCode::Ineligible);
    EXPECT_THAT(tags(), IsEmpty());
}

TEST_F(ARequest, ThatIsAskedForTwiceIsOneJob) {
    begin_dirty(500);
    const auto job = controller->detach("media", false, 0);
    ASSERT_TRUE(until_waiting());
    EXPECT_EQ(controller->detach("media", false, 0), job);
    EXPECT_THAT(ear.jobs, ElementsAre("new detach"));
}

/// The later one counts; the volume shows both, and a detach is more than a flush.
TEST_F(ARequest, TakesTheJobOfAnotherOver) {
    begin_dirty(500);
    controller->flush("media", hour, false, 0);
    ASSERT_TRUE(until_waiting());
    controller->detach("media", false, 0);
    ASSERT_TRUE(until([&] { return tags().contains("tierd.detach") && convergence() == "waiting"; }));
    drained();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(ear.jobs, ElementsAre("new flush", "flush canceled", "new detach", "detach done"));
    EXPECT_THAT(tags(), ElementsAre("tierd.detach"));
}

TEST_F(ARequest, IsDoneUnderAutonomyObserve) {
    loaded.policy.tiers[0].autonomy = Autonomy::Observe;
    machine.now.devices.push_back(world::ssd());
    begin();
    controller->apply("", 0);
    ASSERT_TRUE(until([&] { return convergence() == "converged"; }));
    set_dirty(0);
    controller->detach("media", false, 0);
    ASSERT_TRUE(until([&] { return tier().phase == "absent"; }));
}

TEST_F(ARequest, IsRefusedWhereNothingCanBeDone) {
    begin_dirty(0);
    EXPECT_EQ(code_of([&] { controller->detach("nobody", false, 0); }), ErrorCode::NoSuchTarget);
    const auto pause = controller->pause("lvm_hdd", "pvmove", 0);
    EXPECT_EQ(code_of([&] { controller->detach("media", false, 0); }), ErrorCode::Paused);
}

TEST_F(ARequest, IsRefusedByWhoOnlyObserves) {
    machine.now.devices.push_back(world::ssd());
    Controller::Options options;
    options.observe_only = true;
    begin(options);
    EXPECT_EQ(code_of([&] { controller->flush("media", hour, false, 0); }), ErrorCode::Unsupported);
}

/// The command that tags fails for good: the job says so, and nothing has begun.
TEST_F(ARequest, WhoseTagCannotBeSetFails) {
    begin_dirty(500);
    machine.fail("tag-volume", 10);
    controller->detach("media", false, 0);
    ASSERT_TRUE(until([&] { return ear.jobs.size() == 2; }, 10s));
    EXPECT_EQ(ear.jobs.back(), "detach failed ToolFailed");
    EXPECT_EQ(tier().cache_policy, "smq");
}

// --- another shape ---

TEST_F(ARequest, ToMakeACacheAnewIsAnApply) {
    begin_dirty(500);
    loaded.policy.tiers[0].size = SizeSpec{100 * gib};
    controller->reload();
    ASSERT_TRUE(until([&] { return convergence() == "drift"; }));
    let_pass(50ms);
    EXPECT_THAT(machine.performed, IsEmpty());
    controller->apply("", 0);
    ASSERT_TRUE(until_waiting());
    EXPECT_THAT(tags(), ElementsAre("tierd.remake"));
    // Whoever restarts it: it was agreed to.
    controller.reset();
    ear.jobs.clear();
    begin();
    drained();
    ASSERT_TRUE(until_converged());
    EXPECT_EQ(tier().size, 100 * gib);
    EXPECT_THAT(tags(), IsEmpty());
    EXPECT_THAT(ear.jobs, ElementsAre("new change", "change done"));
}

TEST_F(ARequest, ToMakeACacheAnewIsCalledOff) {
    begin_dirty(500);
    loaded.policy.tiers[0].size = SizeSpec{100 * gib};
    controller->reload();
    ASSERT_TRUE(until([&] { return convergence() == "drift"; }));
    const auto job = controller->apply("", 0);
    ASSERT_TRUE(until_waiting());
    controller->cancel_job(job);
    ASSERT_TRUE(until([&] { return tags().empty() && tier().cache_policy == "smq"; }));
    EXPECT_EQ(tier().size, 220 * gib);
}

// --- what somebody else does ---

TEST_F(ARequest, ThatIsMadeOfLvmIsReportedAndSetBack) {
    begin_dirty(0);
    cached().cache_mode = CacheMode::Writethrough;
    machine.now.caches.begin()->second.status->mode = "writethrough";
    machine.event();
    ASSERT_TRUE(until([&] { return tier().mode == "writeback" && convergence() == "converged" && ear.alerts.size() == 2; }));
    EXPECT_THAT(ear.alerts, ElementsAre("raised tier/media foreign-change", "cleared tier/media foreign-change"));
    EXPECT_THAT(machine.performed, ElementsAre("set-cache-mode")) << "which is no news of somebody else's";
}

TEST_F(ARequest, ThatIsMadeOfLvmIsLeftUnderAutonomyObserve) {
    begin_dirty(0);
    loaded.policy.tiers[0].autonomy = Autonomy::Observe;
    controller->reload();
    cached().cache_mode = CacheMode::Writethrough;
    machine.now.caches.begin()->second.status->mode = "writethrough";
    machine.event();
    ASSERT_TRUE(until([&] { return !ear.alerts.empty(); }));
    let_pass(50ms);
    EXPECT_THAT(ear.alerts, ElementsAre("raised tier/media foreign-change"));
    EXPECT_THAT(controller->alerts().at(0).details.at("message"), HasSubstr("somebody changed its mode from writeback to writethrough"));
    EXPECT_THAT(machine.performed, IsEmpty());
}

}  // namespace
}  // namespace tierd
