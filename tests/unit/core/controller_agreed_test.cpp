// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "controller_fixture.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using AController = ControllerTest;

// E05: another daemon has the name. It was found out after the first look, and nothing has been done by then.
TEST_F(AController, DoesNothingWhenItIsNotTheOne) {
    machine.now.devices.push_back(world::ssd());
    Controller second{loop, machine, [this] { return loaded; }, {}};
    bool asked = false;
    second.start([&] {
        asked = true;
        return false;
    });
    ASSERT_TRUE(until([&] { return asked; }));
    machine.event();
    let_pass(400ms);
    EXPECT_THAT(machine.performed, IsEmpty());
}

TEST_F(AController, IsAskedBeforeAnythingIsDone) {
    machine.now.devices.push_back(world::ssd());
    Controller first{loop, machine, [this] { return loaded; }, {}};
    std::size_t done_before = 99;
    first.start([&] {
        done_before = machine.performed.size();
        return true;
    });
    ASSERT_TRUE(until([&] { return done_before != 99; }));
    EXPECT_EQ(done_before, 0u);
}

// D08
TEST_F(AController, OnlyObservesInAContainer) {
    machine.now.container = true;
    machine.now.devices.push_back(world::ssd());
    begin();
    let_pass(100ms);
    EXPECT_THAT(machine.performed, IsEmpty());
    EXPECT_EQ(code_of([&] { controller->apply("", 0); }), ErrorCode::Unsupported);
}

/// What was agreed to is the plan that was shown: the next look finds another one, and nothing of it is done.
TEST_F(AController, DoesNothingOfAnotherPlanThanTheOneAgreedTo) {
    loaded.policy.tiers[0].autonomy = Autonomy::Observe;
    machine.now.devices.push_back(world::ssd());
    begin();
    controller->apply(controller->plan().id, 0);
    machine.now.devices.back() = world::ssd("sdb", "S22ANOTHER");
    machine.now.devices.back().probe->signatures = {{"ext4", "filesystem", 1080}};
    ASSERT_TRUE(until([&] { return ear.jobs.size() == 2; }));
    EXPECT_EQ(ear.jobs.back(), "apply failed StalePlan");
    let_pass(50ms);
    EXPECT_THAT(machine.performed, IsEmpty());
}

TEST_F(AController, FailsAnApplyThatEndsInAWait) {
    loaded.policy.tiers[0].autonomy = Autonomy::Observe;
    machine.now.devices.push_back(world::ssd());
    machine.hold_commands = true;
    begin();
    controller->apply("", 0);
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    machine.now.devices.pop_back();
    machine.release();
    ASSERT_TRUE(until([&] { return ear.jobs.size() == 4; }));
    EXPECT_THAT(ear.jobs, testing::Contains(HasSubstr("apply failed")));
    EXPECT_THAT(ear.last_message, HasSubstr("waits for a disk"));
}

/// A pool taken off by hand is not put back behind somebody's back.
TEST_F(AController, PutsASplitPoolBackByApplyOnly) {
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until_converged());
    auto& lvm = *machine.now.lvm;
    for (auto& each : lvm.lvs) {
        if (each.name == "media_cpool") {
            each.name = "media";
            each.hidden = false;
        }
        if (each.name == "hdd") {
            each.segtype = "linear";
            each.pool = each.origin = "";
            each.extents_on = {{"pv-hdd", 900'000}};
        }
    }
    std::erase_if(lvm.lvs, [](const LogicalVolume& each) { return each.name == "hdd_corig"; });
    machine.now.caches.clear();
    const auto done = machine.performed.size();
    machine.event();
    ASSERT_TRUE(until([&] { return convergence() == "drift"; }));
    EXPECT_THAT(ear.alerts, testing::Contains("raised tier/media foreign-change"));
    EXPECT_EQ(machine.performed.size(), done);
    controller->apply("", 0);
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(ear.alerts, testing::Contains("cleared tier/media foreign-change"));
}

/// Given up on or canceled: what makes safe what is there is done all the same.
TEST_F(AController, CommitsTheMetadataOfATierThatWasCanceled) {
    machine.now.devices.push_back(world::ssd());
    machine.hold_verb = "attach-cache";
    begin();
    ASSERT_TRUE(until([&] { return machine.held() == 1; }));
    controller->cancel_job(controller->jobs().at(0).id);
    machine.hold_verb.clear();
    machine.release();
    ASSERT_TRUE(until([&] { return machine.times("commit-metadata") == 1 && machine.busy() == 0; }));
    EXPECT_TRUE(controller->manager().frozen.contains("tier media"));
}

}  // namespace
}  // namespace tierd
