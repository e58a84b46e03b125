// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "controller_fixture.hpp"

namespace tierd {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class ADrain : public DirtyCacheTest {
protected:
    void ask(const std::function<void(TierRule&)>& change) {
        change(loaded.policy.tiers[0]);
        controller->reload();
    }
};

using AnAgreement = ADrain;

TEST_F(ADrain, EndsInADetachByItself) {
    begin_dirty(500);
    ask([](TierRule& rule) { rule.state = Presence::Absent; });
    ASSERT_TRUE(until([&] { return convergence() == "waiting" && controller->manager().state == "idle"; }));
    EXPECT_THAT(machine.performed, ElementsAre("set-cache-policy")) << "nothing that stands behind the drain";
    EXPECT_EQ(controller->tiers().at(0).phase, "detaching");
    EXPECT_THAT(ear.jobs, ElementsAre("new detach"));
    const auto job = controller->jobs().back();
    EXPECT_EQ(job.state, "running");
    EXPECT_EQ(job.bytes_total, 500 * 256 * kib);
    EXPECT_EQ(job.bytes_done, 0U);
    EXPECT_THAT(job.stage, HasSubstr("125 MiB left"));

    drained();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(machine.performed, ElementsAre("set-cache-policy", "remove-cache", "reduce-vg", "remove-pv"));
    EXPECT_THAT(ear.jobs, ElementsAre("new detach", "detach done"));
    EXPECT_EQ(controller->tiers().at(0).phase, "absent");
}

TEST_F(ADrain, EndsInAnotherMode) {
    begin_dirty(500);
    ask([](TierRule& rule) { rule.mode = CacheMode::Writethrough; });
    ASSERT_TRUE(until([&] { return convergence() == "waiting"; }));
    EXPECT_EQ(controller->tiers().at(0).phase, "draining");
    drained();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(machine.performed, ElementsAre("set-cache-policy", "set-cache-mode", "set-cache-policy"));
    EXPECT_THAT(ear.jobs, ElementsAre("new change", "change done"));
    EXPECT_EQ(controller->tiers().at(0).mode, "writethrough");
}

/// What tierd took off itself, nobody took off by hand: no person is asked.
TEST_F(ADrain, ThatIsCalledOffTooLateIsFollowedByAnotherCache) {
    begin_dirty(0);
    machine.hold_verb = "remove-cache";
    ask([](TierRule& rule) { rule.state = Presence::Absent; });
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    ask([](TierRule& rule) { rule.state = Presence::Present; });
    machine.hold_verb.clear();
    machine.release();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(machine.performed, testing::IsSupersetOf({"remove-cache", "unfence-pv", "create-cache-pool", "attach-cache"}));
    EXPECT_EQ(controller->tiers().at(0).phase, "active");
    EXPECT_THAT(ear.alerts, testing::Not(Contains("raised tier/media foreign-change")));
}

/// Promise 7: the daemon remembers nothing of it. A02
TEST_F(ADrain, GoesOnInAnotherDaemon) {
    begin_dirty(500);
    ask([](TierRule& rule) { rule.state = Presence::Absent; });
    ASSERT_TRUE(until([&] { return convergence() == "waiting"; }));
    controller.reset();
    begin();
    EXPECT_EQ(convergence(), "waiting");
    EXPECT_EQ(controller->tiers().at(0).phase, "detaching");
    EXPECT_EQ(controller->jobs().back().operation, "detach") << "it can be watched and canceled";
    EXPECT_EQ(controller->jobs().back().bytes_total, 500 * 256 * kib);
    drained();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(machine.performed, ElementsAre("set-cache-policy", "remove-cache", "reduce-vg", "remove-pv"));
}

// A02
TEST_F(ADrain, ThatIsNotWantedAnyMoreGivesThePolicyBack) {
    begin_dirty(500);
    ask([](TierRule& rule) { rule.state = Presence::Absent; });
    ASSERT_TRUE(until([&] { return convergence() == "waiting"; }));
    ask([](TierRule& rule) { rule.state = Presence::Present; });
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(machine.performed, ElementsAre("set-cache-policy", "set-cache-policy"));
    EXPECT_EQ(controller->tiers().at(0).cache_policy, "smq");
    EXPECT_EQ(controller->tiers().at(0).phase, "active");
    EXPECT_THAT(ear.jobs, ElementsAre("new detach", "detach canceled")) << "it was not taken off";
}

TEST_F(ADrain, ThatIsCanceledGivesThePolicyBack) {
    begin_dirty(500);
    ask([](TierRule& rule) { rule.state = Presence::Absent; });
    ASSERT_TRUE(until([&] { return convergence() == "waiting"; }));
    controller->cancel_job(controller->jobs().back().id);
    ASSERT_TRUE(until([&] { return controller->tiers().at(0).cache_policy == "smq"; }));
    EXPECT_THAT(machine.performed, ElementsAre("set-cache-policy", "set-cache-policy"));
    drained();
    let_pass(100ms);
    EXPECT_THAT(machine.performed, ElementsAre("set-cache-policy", "set-cache-policy")) << "nothing more, clean or not";
    controller->thaw("media");
    ASSERT_TRUE(until_converged());
    EXPECT_EQ(machine.performed.back(), "remove-pv");
}

TEST_F(ADrain, WhoseEntryIsLeftOutGivesThePolicyBack) {
    begin_dirty(500);
    ask([](TierRule& rule) { rule.state = Presence::Absent; });
    ASSERT_TRUE(until([&] { return convergence() == "waiting"; }));
    loaded.policy = {};
    controller->reload();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(machine.performed, ElementsAre("set-cache-policy", "set-cache-policy"));
    EXPECT_THAT(ear.jobs, ElementsAre("new detach", "detach canceled"));
}

/// What was agreed to is what the policy said then, however long it takes.
TEST_F(AnAgreement, IsForWhatThePolicySaidThen) {
    begin_dirty(500);
    ask([](TierRule& rule) {
        rule.mode = CacheMode::Writethrough;
        rule.autonomy = Autonomy::Observe;
    });
    ASSERT_TRUE(until([&] { return controller->tiers().at(0).dirty == 500 * 256 * kib && controller->plan().steps.size() == 4; }));
    controller->apply("", 0);
    ASSERT_TRUE(until([&] { return convergence() == "waiting"; }));
    ask([](TierRule& rule) { rule.state = Presence::Absent; });
    drained();
    let_pass(200ms);
    EXPECT_THAT(machine.performed, ElementsAre("set-cache-policy"));
    EXPECT_THAT(ear.jobs, Contains("apply failed StalePlan"));
}

TEST_F(ADrain, IsNotBegunForATierThatOnlyReports) {
    begin_dirty(500);
    ask([](TierRule& rule) {
        rule.state = Presence::Absent;
        rule.autonomy = Autonomy::Observe;
    });
    let_pass(100ms);
    EXPECT_THAT(machine.performed, ElementsAre());
    EXPECT_EQ(convergence(), "drift");
}

}  // namespace
}  // namespace tierd
