// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "controller_fixture.hpp"
#include "daemon/core/patience.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using AController = ControllerTest;

// --- failing ---

TEST_F(AController, TriesAFailedStepAgainAndCarriesOn) {
    machine.now.devices.push_back(world::ssd());
    machine.fail("extend-vg", 2);
    begin();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(machine.performed, ElementsAre("create-pv", "extend-vg", "extend-vg", "extend-vg", "create-cache-pool", "fence-pv",
                                               "attach-cache", "commit-metadata"));
    EXPECT_THAT(ear.jobs, ElementsAre("new attach", "attach done")) << "one job all the way";
    EXPECT_THAT(ear.alerts, IsEmpty());
}

TEST_F(AController, GivesUpLoudlyAndKeepsTheRestGoing) {
    add_second_group();
    machine.now.devices.push_back(world::ssd());
    machine.now.devices.push_back(world::ssd("sdc", "SECOND"));
    machine.fail("attach-cache", 100);
    begin();
    ASSERT_TRUE(until([&] { return controller->manager().frozen.size() == 2 && controller->manager().state != "acting"; }));
    EXPECT_EQ(machine.times("attach-cache"), 2 * Patience::most_failures);
    EXPECT_EQ(machine.times("create-pv"), 2);
    EXPECT_THAT(controller->manager().frozen.at("lvm_hdd"), HasSubstr("attach-cache does not want to"));
    EXPECT_EQ(convergence(), "blocked");
    EXPECT_EQ(controller->manager().state, "degraded");
    EXPECT_THAT(ear.jobs, ElementsAre("new attach", "new attach", "attach failed ToolFailed", "attach failed ToolFailed"));
    EXPECT_THAT(ear.alerts, ElementsAre("raised tier/media group-frozen", "raised tier/second group-frozen"));

    machine.event();
    let_pass(400ms);
    EXPECT_EQ(machine.times("attach-cache"), 2 * Patience::most_failures) << "frozen is frozen";
    EXPECT_EQ(ear.alerts.size(), 2u) << "one fact, one alert";

    machine.failures.clear();
    controller->thaw("lvm_hdd");
    ASSERT_TRUE(until([&] { return controller->tiers().at(0).phase == "active" && controller->manager().state != "acting"; }));
    EXPECT_THAT(ear.alerts, testing::Contains("cleared tier/media group-frozen"));
    EXPECT_EQ(controller->tiers().at(1).phase, "waiting") << "the other is not thawed";
    controller->thaw("vg2");
    ASSERT_TRUE(until_converged());
}

TEST_F(AController, ThawsByEachNameThatExplainKnows) {
    add_second_group();
    begin();
    for (const char* what : {"media", "tier media", "tier/media", "lvm_hdd/hdd", "/dev/lvm_hdd/hdd"}) {
        machine.hold_commands = true;
        machine.now.devices.push_back(world::ssd());
        machine.event();
        ASSERT_TRUE(until([&] { return machine.held() == 1; })) << what;
        for (const auto& job : controller->jobs())
            if (job.cancelable) controller->cancel_job(job.id);
        machine.now.devices.pop_back();
        machine.release();
        ASSERT_TRUE(until([&] { return machine.busy() == 0 && controller->manager().state != "acting"; }));
        ASSERT_TRUE(controller->manager().frozen.contains("tier media"));
        EXPECT_EQ(code_of([&] { controller->thaw("second"); }), ErrorCode::NoSuchTarget);
        controller->thaw(what);
        EXPECT_THAT(controller->manager().frozen, IsEmpty()) << what;
    }
}

TEST_F(AController, ThawsOnlyWhatIsFrozen) {
    begin();
    EXPECT_EQ(code_of([&] { controller->thaw("lvm_hdd"); }), ErrorCode::NoSuchTarget);
    loaded.policy.frozen["tier media"] = "contradicts 20-b.yaml:3";
    controller->reload();
    EXPECT_EQ(code_of([&] { controller->thaw("media"); }), ErrorCode::InvalidPolicy);
    EXPECT_EQ(controller->manager().frozen.at("tier media"), "policy: contradicts 20-b.yaml:3");
}

/// Promise 6: a command that says "done" and did nothing.
TEST_F(AController, FreezesWhatIsDoneAndNotSeen) {
    machine.now.devices.push_back(world::ssd());
    machine.lies = {"commit-metadata"};
    begin();
    ASSERT_TRUE(until([&] { return !controller->manager().frozen.empty(); }));
    EXPECT_LE(machine.times("commit-metadata"), 6);
    EXPECT_GE(machine.times("commit-metadata"), 2);
    EXPECT_THAT(controller->manager().frozen.at("lvm_hdd"), HasSubstr("metadata committed foretold yes, found no"));
    EXPECT_THAT(ear.notes, testing::Not(IsEmpty()));
    EXPECT_THAT(ear.jobs, ElementsAre("new attach", "attach failed PlanDiverged"));
}

/// What a step's failures do not count against: the steps behind it that never ran.
TEST_F(AController, CountsOnlyWhatWasRun) {
    machine.now.devices.push_back(world::ssd());
    machine.fail("fence-pv", 3);
    machine.fail("attach-cache", 3);
    machine.fail("commit-metadata", 3);
    begin();
    ASSERT_TRUE(until_converged());
    EXPECT_EQ(machine.times("commit-metadata"), 4);
    EXPECT_THAT(controller->manager().frozen, testing::IsEmpty());
}

/// After a back-off whose cause went away by itself nothing is left that makes it look again and again.
TEST_F(AController, RestsAfterAFailureThatNeedsNoSecondTry) {
    machine.now.devices.push_back(world::ssd());
    machine.fail("create-pv", 1);
    machine.hold_commands = true;
    begin();
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    machine.now.devices.pop_back();
    machine.release();
    ASSERT_TRUE(until([&] { return convergence() == "waiting"; }));
    let_pass(100ms);
    const auto before = machine.observations;
    let_pass(300ms);
    EXPECT_LE(machine.observations - before, 1u);
}

TEST_F(AController, RestsWhileAGroupThatFailedIsPaused) {
    machine.now.devices.push_back(world::ssd());
    machine.fail("create-pv", 1);
    begin();
    ASSERT_TRUE(until([&] { return machine.times("create-pv") == 1 && machine.busy() == 0; }));
    std::shared_ptr<void> token;
    ASSERT_TRUE(until([&] {
        try {
            token = controller->pause("lvm_hdd", "backup", 1000);
        } catch (const Error&) {
        }
        return token.use_count() > 0;
    }));
    let_pass(100ms);
    const auto before = machine.observations;
    let_pass(300ms);
    EXPECT_LE(machine.observations - before, 1u);
    token.reset();
    ASSERT_TRUE(until_converged());
}

// --- jobs ---

TEST_F(AController, CancelsAJobBetweenTwoSteps) {
    machine.hold_commands = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    const auto job = controller->jobs().at(0).id;
    controller->cancel_job(job);
    EXPECT_THAT(ear.jobs, ElementsAre("new attach", "attach canceled"));
    EXPECT_EQ(code_of([&] { controller->cancel_job(job); }), ErrorCode::NotCancelable);
    EXPECT_EQ(code_of([&] { controller->cancel_job(99); }), ErrorCode::NoSuchTarget);
    machine.release();
    let_pass(100ms);
    EXPECT_THAT(machine.performed, ElementsAre("create-pv")) << "the step that ran is not cut, and none follows";
    EXPECT_TRUE(controller->manager().frozen.contains("tier media"));
    EXPECT_EQ(code_of([&] { controller->apply("", 0); }), ErrorCode::Frozen);
    controller->thaw("media");
    ASSERT_TRUE(until_converged());
}

/// Another tier of the same group goes on, on its own plan.
TEST_F(AController, GoesOnWithTheOthersOfAGroupWhenOneIsCanceled) {
    machine.now.lvm->lvs.push_back(world::linear("lvm_hdd", "second", 10, "pv-hdd"));
    loaded.policy.tiers[0].size = SizeSpec{100 * gib};
    loaded.policy.tiers.push_back(loaded.policy.tiers[0]);
    loaded.policy.tiers[1].name = "second";
    loaded.policy.tiers[1].volume.lv = "second";
    machine.hold_commands = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    controller->cancel_job(controller->jobs().at(0).id);
    machine.release();
    ASSERT_TRUE(until([&] { return controller->tiers().at(1).phase == "active"; }));
    EXPECT_EQ(controller->tiers().at(0).phase, "waiting");
}

TEST_F(AController, ShowsTheStageAndProgressOfAJob) {
    machine.hold_commands = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    const auto job = controller->jobs().at(0);
    EXPECT_EQ(job.state, "running");
    EXPECT_EQ(job.stage, "initialising sdb as a physical volume");
    EXPECT_EQ(job.about, "media: attach cache to lvm_hdd/hdd, 6 steps");
    EXPECT_EQ(job.progress, 0.0);
    EXPECT_TRUE(job.cancelable);
    EXPECT_EQ(controller->tiers().at(0).phase, "attaching");
    EXPECT_EQ(controller->manager().state, "acting");
}

TEST_F(AController, ForgetsTheStageOfAJobThatHasEnded) {
    machine.now.devices.push_back(world::ssd());
    machine.fail("attach-cache", 100);
    begin();
    ASSERT_TRUE(until([&] { return !controller->manager().frozen.empty(); }));
    EXPECT_EQ(controller->jobs().at(0).state, "finished");
    EXPECT_EQ(controller->jobs().at(0).stage, "");
    machine.failures.clear();
    controller->thaw("lvm_hdd");
    ASSERT_TRUE(until_converged());
    for (const auto& job : controller->jobs()) EXPECT_EQ(job.stage, "") << job.about;
}

// --- apply ---

TEST_F(AController, DoesWhatNeedsAPersonOnApplyOnly) {
    loaded.policy.tiers[0].autonomy = Autonomy::Observe;
    machine.now.devices.push_back(world::ssd());
    begin();
    let_pass(50ms);
    EXPECT_THAT(machine.performed, IsEmpty());
    EXPECT_EQ(convergence(), "drift");
    const auto id = controller->plan().id;
    EXPECT_EQ(code_of([&] { controller->apply("0123456789abcdef", 0); }), ErrorCode::StalePlan);
    const auto job = controller->apply(id, 1000);
    EXPECT_EQ(controller->apply("", 1000), job) << "the same, while it runs";
    ASSERT_TRUE(until_converged());
    EXPECT_EQ(machine.performed.size(), 6u);
    EXPECT_THAT(ear.jobs, testing::Contains("apply done"));
    const auto jobs = controller->jobs();
    const auto applied = std::find_if(jobs.begin(), jobs.end(), [](const JobView& each) { return each.operation == "apply"; });
    EXPECT_EQ(applied->started_by, 1000u);
    EXPECT_THAT(applied->tiers, ElementsAre("media"));
}

TEST_F(AController, RefusesAPlanThatIsNoLongerThePlan) {
    begin();
    const auto id = controller->plan().id;
    plug();
    ASSERT_TRUE(until_converged());
    EXPECT_EQ(code_of([&] { controller->apply(id, 0); }), ErrorCode::StalePlan);
}

TEST_F(AController, AppliesNothingWhenThereIsNothing) {
    begin();
    controller->apply("", 0);
    ASSERT_TRUE(until([&] { return ear.jobs.size() == 2; })) << "a pass says that there is nothing";
    EXPECT_THAT(ear.jobs, ElementsAre("new apply", "apply done"));
}

TEST_F(AController, RefusesToApplyWhatIsFrozen) {
    machine.now.devices.push_back(world::ssd());
    machine.fail("create-pv", 100);
    begin();
    ASSERT_TRUE(until([&] { return !controller->manager().frozen.empty(); }));
    EXPECT_EQ(code_of([&] { controller->apply("", 0); }), ErrorCode::Frozen);
}

TEST_F(AController, CancelsAnApply) {
    loaded.policy.tiers[0].autonomy = Autonomy::Observe;
    machine.hold_commands = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    const auto job = controller->apply("", 0);
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    controller->cancel_job(job);
    machine.release();
    let_pass(100ms);
    EXPECT_THAT(machine.performed, ElementsAre("create-pv"));
    EXPECT_THAT(ear.jobs, testing::Contains("apply canceled"));
}

/// The apply is of one group; that another is given up on is not its failure.
TEST_F(AController, FailsAnApplyOnlyWithAGroupOfItsOwn) {
    add_second_group();
    loaded.policy.tiers[0].autonomy = Autonomy::Observe;
    machine.now.devices.push_back(world::ssd());
    machine.hold_commands = true;
    begin();
    controller->apply("", 0);
    ASSERT_TRUE(until([&] { return machine.held() == 1; })) << "media, in lvm_hdd";
    machine.now.devices.push_back(world::ssd("sdc", "SECOND"));
    machine.hold_commands = false;
    machine.fail("create-pv", 100);
    machine.event();
    ASSERT_TRUE(until([&] { return controller->manager().frozen.contains("vg2"); }));
    EXPECT_THAT(ear.jobs, testing::Not(testing::Contains(HasSubstr("apply failed"))));
    machine.failures.clear();
    machine.release();
    ASSERT_TRUE(until([&] { return controller->tiers().at(0).phase == "active"; }));
    ASSERT_TRUE(until([&] { return ear.jobs.back() == "apply done" || ear.jobs.back() == "attach done"; }));
    EXPECT_THAT(ear.jobs, testing::Contains("apply done"));
}

// --- pause ---

TEST_F(AController, ChangesNothingInAGroupWhileItIsPaused) {
    begin();
    auto one = controller->pause("lvm_hdd", "backup", 1000);
    auto two = controller->pause("lvm_hdd", "restore", 1000);
    EXPECT_THAT(controller->manager().frozen.at("lvm_hdd"), HasSubstr("paused: "));
    plug();
    ASSERT_TRUE(until([&] { return convergence() == "drift"; }));
    let_pass(50ms);
    one.reset();
    let_pass(50ms);
    EXPECT_THAT(machine.performed, IsEmpty()) << "the other still holds it";
    two.reset();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(controller->manager().frozen, testing::IsEmpty());
    EXPECT_EQ(code_of([&] { static_cast<void>(controller->pause("nope", "", 1000)); }), ErrorCode::NoSuchTarget);
}

TEST_F(AController, DoesNotPauseInTheMiddleOfAStep) {
    machine.hold_commands = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    EXPECT_EQ(code_of([&] { static_cast<void>(controller->pause("lvm_hdd", "", 1000)); }), ErrorCode::DeviceBusy);
}

TEST_F(AController, IsOutlivedByAPause) {
    begin();
    auto token = controller->pause("lvm_hdd", "backup", 1000);
    controller.reset();
    token.reset();
}

TEST_F(AController, RefusesToApplyWhatIsPausedAsAWhole) {
    loaded.policy.tiers[0].autonomy = Autonomy::Observe;
    machine.now.devices.push_back(world::ssd());
    begin();
    auto token = controller->pause("/dev/lvm_hdd", "backup", 1000);
    EXPECT_EQ(controller->tiers().at(0).waits_for, "waits: lvm_hdd is paused: backup (user 1000)");
    try {
        static_cast<void>(controller->apply("", 0));
        FAIL() << "it did not throw";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::Paused);
        EXPECT_STREQ(error.what(), "lvm_hdd is paused: backup (user 1000); nothing else is to be done");
    }
    token.reset();
    EXPECT_THAT(controller->tiers().at(0).waits_for, HasSubstr("waits for 'tierctl apply'"));
    controller->apply("", 0);
    ASSERT_TRUE(until_converged());
}

TEST_F(AController, AppliesWhatIsNotPausedAndSaysWhatIs) {
    add_second_group();
    for (auto& tier : loaded.policy.tiers) tier.autonomy = Autonomy::Observe;
    machine.now.devices.push_back(world::ssd());
    machine.now.devices.push_back(world::ssd("sdc", "SECOND"));
    begin();
    auto token = controller->pause("lvm_hdd", "backup", 1000);
    const auto job = controller->apply("", 0);
    EXPECT_EQ(controller->jobs().back().id, job);
    EXPECT_EQ(controller->jobs().back().about, "apply the plan, 1 entry; the rest waits: lvm_hdd is paused: backup (user 1000)");
    ASSERT_TRUE(until([&] { return controller->tiers().at(1).phase == "active"; }));
    ASSERT_TRUE(until([&] { return std::count(ear.jobs.begin(), ear.jobs.end(), "apply done") == 1; }))
        << testing::PrintToString(ear.jobs) << controller->jobs().back().stage;
    EXPECT_EQ(controller->tiers().at(0).phase, "waiting");
}

TEST_F(AController, SaysThatAJobWaitsForTheEndOfAPause) {
    loaded.policy.tiers[0].autonomy = Autonomy::Observe;
    machine.fail("extend-vg", 1);
    machine.now.devices.push_back(world::ssd());
    begin();
    const auto job = controller->apply("", 0);
    ASSERT_TRUE(until([&] { return machine.times("extend-vg") == 1 && machine.busy() == 0; }));
    std::shared_ptr<void> token;
    ASSERT_TRUE(until([&] {
        try {
            token = controller->pause("lvm_hdd", "backup", 1000);
        } catch (const Error&) {
        }
        return token.use_count() > 0;
    }));
    const auto stages = [&] {
        std::set<std::string> all;
        for (const auto& each : controller->jobs()) all.insert(each.stage);
        return all;
    };
    EXPECT_TRUE(until([&] { return stages() == std::set<std::string>{"waits: lvm_hdd is paused: backup (user 1000)"}; }));
    token.reset();
    ASSERT_TRUE(until_converged());
    EXPECT_NE(job, 0u);
    EXPECT_EQ(stages(), std::set<std::string>{""});
}

}  // namespace
}  // namespace tierd
