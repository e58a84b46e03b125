// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "controller_fixture.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using AController = ControllerTest;

TEST_F(AController, WaitsForADiskAndAttachesItOncePluggedIn) {
    begin();
    EXPECT_EQ(convergence(), "waiting");
    EXPECT_THAT(controller->manager().waits_for, HasSubstr("waits for a disk: fast"));
    EXPECT_EQ(controller->tiers().at(0).phase, "waiting");
    plug();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(machine.performed,
                ElementsAre("create-pv", "extend-vg", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata"));
    EXPECT_THAT(ear.jobs, ElementsAre("new attach", "attach done"));
    EXPECT_THAT(ear.alerts, IsEmpty());
    EXPECT_THAT(ear.notes, IsEmpty());
    const auto tier = controller->tiers().at(0);
    EXPECT_EQ(tier.phase, "active");
    EXPECT_EQ(tier.mode, "writeback");
    EXPECT_THAT(tier.devices, ElementsAre("wwn:0xS21PNXAG441016"));
    EXPECT_EQ(controller->jobs().at(0).progress, 1.0);
}

TEST_F(AController, RunsNothingInASecondPass) {
    begin();
    plug();
    ASSERT_TRUE(until_converged());
    const auto performed = machine.performed.size();
    const auto generation = controller->manager().generation;
    const auto before = machine.observations;
    machine.event(MachineEvent::Kind::Overrun);
    ASSERT_TRUE(until([&] { return machine.observations > before; }));
    let_pass(50ms);
    EXPECT_EQ(machine.performed.size(), performed);
    EXPECT_EQ(controller->manager().generation, generation) << "the same plan is the same generation";
}

TEST_F(AController, AttachesWithoutAnyEventToo) {
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until_converged());
}

// D03: a storm of events costs a look a second.
TEST_F(AController, LooksOnceASecondHoweverManyEventsThereAre) {
    begin();
    const auto before = machine.observations;
    for (int i = 0; i < 60; ++i) {
        machine.event();
        let_pass(30ms);
    }
    EXPECT_LE(machine.observations - before, 3u);
    EXPECT_GE(machine.observations - before, 1u);
}

// A21: what settles is looked at again by itself.
TEST_F(AController, LooksAgainWhenADiskHasSettled) {
    auto disk = world::ssd();
    disk.changed = machine.now.time;
    machine.now.devices.push_back(disk);
    begin();
    EXPECT_EQ(convergence(), "waiting");
    machine.now.time += usec_per_second;
    ASSERT_TRUE(until_converged());
}

// --- unknown, busy ---

TEST_F(AController, ChangesNothingWhileLvmCannotBeRead) {
    auto lvm = machine.now.lvm;
    machine.now.lvm.reset();
    machine.now.lvm_error = "lvm exited with 5";
    machine.now.devices.push_back(world::ssd());
    begin();
    machine.event();
    let_pass(600ms);
    EXPECT_THAT(machine.performed, IsEmpty());
    EXPECT_EQ(convergence(), "unknown");
    EXPECT_EQ(controller->manager().state, "degraded");
    EXPECT_THAT(ear.alerts, ElementsAre("raised  inventory-lost")) << "one fact, one alert";
    machine.now.lvm = lvm;
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(ear.alerts, ElementsAre("raised  inventory-lost", "cleared  inventory-lost"));
}

// C15
TEST_F(AController, WaitsForAGroupThatAnotherCommandHolds) {
    machine.now.lvm->groups[0].busy = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    EXPECT_EQ(convergence(), "waiting");
    EXPECT_THAT(controller->manager().waits_for, HasSubstr("another command holds its lock"));
    EXPECT_THAT(machine.performed, IsEmpty());
    machine.now.lvm->groups[0].busy = false;
    ASSERT_TRUE(until_converged()) << "no event tells: it looks again by itself";
}

TEST_F(AController, ObservesOnlyWhenToldSo) {
    machine.now.devices.push_back(world::ssd());
    Controller::Options options;
    options.observe_only = true;
    begin(options);
    let_pass(100ms);
    EXPECT_THAT(machine.performed, IsEmpty());
    EXPECT_EQ(convergence(), "drift");
    EXPECT_EQ(code_of([&] { controller->apply("", 0); }), ErrorCode::Unsupported);
}

// --- what is seen late ---

/// An observation that began before a run ended says nothing about it.
TEST_F(AController, DoesNotJudgeARunByAnObservationThatIsOlder) {
    machine.hold_commands = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    machine.hold_observations = true;
    machine.event();
    ASSERT_TRUE(until([&] { return machine.held_observations() == 1; })) << "a pass in the midst of the run";
    machine.release();
    ASSERT_TRUE(until([&] { return machine.times("create-cache-pool") == 1 && machine.busy() == 0; }));
    let_pass(20ms);
    machine.release_observations();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(machine.performed,
                ElementsAre("create-pv", "extend-vg", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata"));
    EXPECT_THAT(ear.notes, IsEmpty());
    EXPECT_THAT(ear.jobs, ElementsAre("new attach", "attach done"));
}

/// A look takes time and LVM's lock from the steps: what was due for an event during the observation before them comes after.
TEST_F(AController, DoesNotLookInTheMidstOfStepsThatHaveJustBegun) {
    begin();
    machine.hold_commands = machine.hold_observations = true;
    plug();
    ASSERT_TRUE(until([&] { return machine.held_observations() == 1; }));
    machine.event();
    machine.release_observations();
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    const auto before = machine.observations;
    let_pass(600ms);
    EXPECT_EQ(machine.observations, before);
    machine.release();
    ASSERT_TRUE(until_converged());
}

/// While a command of ours runs its group looks busy, half done or done: the job ends with the run, not before.
TEST_F(AController, KeepsTheJobWhileItsRunGoesOn) {
    machine.hold_commands = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    machine.now.lvm->groups[0].busy = true;
    auto before = machine.observations;
    machine.event();
    ASSERT_TRUE(until([&] { return machine.observations > before; }));
    let_pass(20ms);
    EXPECT_THAT(ear.jobs, ElementsAre("new attach"));
    EXPECT_EQ(convergence(), "drift") << "it does not wait for a lock of its own";
    machine.now.lvm->groups[0].busy = false;
    const auto devices = std::exchange(machine.now.devices, {});
    before = machine.observations;
    machine.event();
    ASSERT_TRUE(until([&] { return machine.observations > before; }));
    let_pass(20ms);
    EXPECT_THAT(ear.jobs, ElementsAre("new attach")) << "nor because the disk is out of sight for a moment";
    machine.now.devices = devices;
    machine.release();
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(ear.jobs, ElementsAre("new attach", "attach done"));
}

TEST_F(AController, EndsTheJobWithAReasonWhenTheDiskIsPulled) {
    machine.hold_commands = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    machine.now.devices.pop_back();
    machine.release();
    ASSERT_TRUE(until([&] { return ear.jobs.size() == 2; }));
    EXPECT_THAT(ear.jobs.back(), HasSubstr("attach failed"));
    EXPECT_THAT(ear.last_message, HasSubstr("waits for a disk"));
}

// --- policy ---

// Promise 4
TEST_F(AController, KeepsTheLastGoodPolicyWhenAFileHasAFault) {
    begin();
    loaded.policy = {};
    loaded.whole = false;
    loaded.problems = {{Severity::Error, {"/etc/tierd/10-media.yaml", 12, 3}, "kind: \"bcash\" is not known"}};
    const auto problems = controller->reload();
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(controller->manager().policy_problems, problems);
    EXPECT_EQ(controller->manager().policy_files, std::vector<std::string>{"/etc/tierd/10-media.yaml"});
    EXPECT_EQ(controller->tiers().size(), 1u) << "the tier is still asked for";
    plug();
    ASSERT_TRUE(until([&] { return controller->tiers().at(0).phase == "active"; }));
    controller->reload();
    let_pass(50ms);
    EXPECT_THAT(ear.alerts, ElementsAre("raised  policy-invalid")) << "raised once";
    loaded.policy = world::story_a();
    loaded.whole = true;
    loaded.problems.clear();
    controller->reload();
    ASSERT_TRUE(until([&] { return ear.alerts.size() == 2; }));
    EXPECT_EQ(ear.alerts.back(), "cleared  policy-invalid");
}

// Promise 4, before the first look too
TEST_F(AController, KeepsTheFirstPolicyWhenItIsReloadedWithAFaultAtOnce) {
    machine.hold_observations = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    loaded.policy = {};
    loaded.whole = false;
    loaded.problems = {{Severity::Error, {"/etc/tierd/10-media.yaml", 1, 1}, "not YAML"}};
    controller->reload();
    machine.release_observations();
    ASSERT_TRUE(until([&] { return !controller->tiers().empty() && controller->tiers()[0].phase == "active"; }));
}

TEST_F(AController, StopsBetweenTwoStepsWhenThePolicyNoLongerAsks) {
    for (const bool absent : {false, true}) {
        machine.now = world::with_disk();
        machine.performed.clear();
        machine.hold_commands = true;
        loaded.policy = world::story_a();
        begin();
        ASSERT_TRUE(until([&] { return machine.held() == 1; }));
        if (absent) {
            loaded.policy.tiers[0].state = Presence::Absent;
        } else {
            loaded.policy = {};
        }
        controller->reload();
        machine.release();
        let_pass(100ms);
        std::vector<std::string> expected{"create-pv"};
        // What is only left out stays as it is.
        if (absent) expected.emplace_back("remove-pv");
        EXPECT_EQ(machine.performed, expected);
        controller.reset();
    }
}

TEST_F(AController, StartsWithTheEntriesThatHaveNoFault) {
    loaded.whole = false;
    loaded.problems = {{Severity::Error, {"/etc/tierd/20-x.yaml", 1, 1}, "not YAML"}};
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until_converged());
}

TEST_F(AController, RemovesNothingWhenThePolicyShrinks) {
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until_converged());
    const auto performed = machine.performed.size();
    loaded.policy = {};
    controller->reload();
    let_pass(100ms);
    EXPECT_EQ(machine.performed.size(), performed);
    EXPECT_EQ(controller->tiers().size(), 1u) << "the cache is shown, without a rule";
    EXPECT_FALSE(controller->tiers()[0].foreign);
}

TEST_F(AController, SaysThatTheFilesChangedAndActsOnReload) {
    loaded.policy = {};
    machine.now.devices.push_back(world::ssd());
    begin();
    loaded.policy = world::story_a();
    controller->policy_files_changed();
    EXPECT_TRUE(controller->manager().policy_changed);
    let_pass(50ms);
    EXPECT_THAT(machine.performed, IsEmpty());
    controller->reload();
    EXPECT_FALSE(controller->manager().policy_changed);
    ASSERT_TRUE(until_converged());
    EXPECT_EQ(machine.performed.size(), 6u);
}

// --- stop ---

TEST_F(AController, StopsAtOnceWhenNothingRuns) {
    begin();
    bool stopped = false;
    controller->stop([&] { stopped = true; });
    ASSERT_TRUE(until([&] { return stopped; }));
    plug();
    let_pass(400ms);
    EXPECT_THAT(machine.performed, IsEmpty()) << "begins nothing more";
}

TEST_F(AController, StopsOnceTheRunningCommandHasEnded) {
    machine.hold_commands = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    unsigned stopped = 0;
    controller->stop([&] { ++stopped; });
    let_pass(50ms);
    EXPECT_EQ(stopped, 0u);
    machine.release();
    ASSERT_TRUE(until([&] { return stopped > 0; }));
    let_pass(50ms);
    EXPECT_EQ(stopped, 1u) << "said once";
    EXPECT_THAT(machine.performed, ElementsAre("create-pv")) << "no step follows";
}

TEST_F(AController, StopsOnceTheCommandsOfAllGroupsHaveEnded) {
    add_second_group();
    machine.hold_commands = true;
    machine.now.devices.push_back(world::ssd());
    machine.now.devices.push_back(world::ssd("sdc", "SECOND"));
    begin();
    ASSERT_TRUE(until([&] { return machine.held() == 2; })) << "volume groups side by side";
    unsigned stopped = 0;
    controller->stop([&] { ++stopped; });
    machine.release();
    ASSERT_TRUE(until([&] { return stopped > 0; }));
    EXPECT_EQ(stopped, 1u);
    EXPECT_EQ(machine.busy(), 0u);
}

// --- watching ---

TEST_F(AController, ObservesAgainWhenACachesHealthChanges) {
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until_converged());
    const auto uuid = machine.now.caches.begin()->first;
    auto sick = machine.now.caches.begin()->second;
    sick.status->health = CacheStatus::Health::NeedsCheck;
    sick.status->dirty_blocks = 900'000;
    machine.next_samples[uuid] = sick;
    const auto before = machine.observations;
    machine.now.caches[uuid] = sick;
    machine.event(MachineEvent::Kind::Mapper);
    ASSERT_TRUE(until([&] { return machine.observations > before; }));
    ASSERT_TRUE(until([&] { return controller->tiers().at(0).phase == "degraded"; }));
    EXPECT_THAT(ear.alerts, testing::UnorderedElementsAre("raised tier/media tier-degraded", "raised tier/media dirty-high"));
    EXPECT_EQ(controller->tiers().at(0).last_known_dirty->first, 900'000 * 256 * kib);
}

TEST_F(AController, SamplesAtOnceAtAnEventAndInAStormAFewTimesASecond) {
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until_converged());
    let_pass(300ms);
    const auto before = machine.samples;
    for (int i = 0; i < 50; ++i) machine.event(MachineEvent::Kind::Mapper);
    EXPECT_EQ(machine.samples, before + 1);
    // What the last of them told is not forgotten.
    ASSERT_TRUE(until([&] { return machine.samples > before + 1; }, 1s));
    EXPECT_EQ(machine.samples, before + 2);
}

// A suspend makes no event.
TEST_F(AController, ObservesAgainWhenACacheIsFoundSuspended) {
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until_converged());
    const auto uuid = machine.now.caches.begin()->first;
    auto& device = machine.now.caches.begin()->second;
    device.suspended = true;
    machine.next_samples[uuid] = device;
    for (auto& volume : machine.now.lvm->lvs) {
        if (volume.name == "hdd") volume.suspended = true;
    }
    machine.event(MachineEvent::Kind::Mapper);
    ASSERT_TRUE(until([&] { return controller->tiers().at(0).waits_for != ""; }));
    EXPECT_THAT(ear.alerts, ElementsAre("raised tier/media half-made"));
    EXPECT_EQ(convergence(), "waiting");
}

TEST_F(AController, DescribesItselfAsJsonThatCanBeReplayed) {
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until_converged());
    EXPECT_EQ(observation_from_json(controller->describe()), machine.now);
    EXPECT_THAT(controller->describe(), HasSubstr("\"convergence\": \"converged\""));
}

TEST_F(AController, AnswersBeforeItsFirstObservation) {
    machine.hold_observations = true;
    begin();
    EXPECT_EQ(controller->manager().state, "starting");
    EXPECT_EQ(convergence(), "unknown");
    EXPECT_THAT(controller->devices(), IsEmpty());
    EXPECT_THAT(controller->tiers(), IsEmpty());
    EXPECT_THAT(controller->plan().steps, IsEmpty());
    EXPECT_FALSE(controller->describe().empty());
    EXPECT_EQ(code_of([&] { static_cast<void>(controller->explain("media")); }), ErrorCode::StateUnknown);
    EXPECT_EQ(code_of([&] { controller->apply("", 0); }), ErrorCode::StateUnknown);
    EXPECT_EQ(code_of([&] { static_cast<void>(controller->pause("lvm_hdd", "", 1000)); }), ErrorCode::NoSuchTarget);
}

}  // namespace
}  // namespace tierd
