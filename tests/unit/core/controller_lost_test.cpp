// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "controller_fixture.hpp"
#include "daemon/model/pulled.hpp"

namespace tierd {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// Story A, written through, its SSD serving.
class ALostSsd : public ControllerTest {
protected:
    void begin_cached(CacheMode mode = CacheMode::Writethrough) {
        loaded.policy.tiers[0].mode = mode;
        machine.now.devices.push_back(world::ssd());
        begin();
        ASSERT_TRUE(until_converged());
        machine.performed.clear();
        ear.jobs.clear();
    }
    void pull() {
        take_away(machine.now, "/dev/sdb");
        machine.on_event({MachineEvent::Kind::Devices, "/dev/sdb", "remove"});
    }
    bool until_waiting() {
        return until([&] { return convergence() == "waiting" && controller->manager().state == "idle"; });
    }
};

// Not after the next look: before the next write.
TEST_F(ALostSsd, OfAWriteThroughCacheIsTakenOffAtTheKernelsWord) {
    begin_cached();
    machine.hold_observations = true;
    pull();
    EXPECT_THAT(machine.performed, ElementsAre("uncache-lost"));
    EXPECT_EQ(controller->tiers().at(0).phase, "lost");
    machine.release_observations();
    ASSERT_TRUE(until_waiting());
    EXPECT_THAT(machine.performed, ElementsAre("uncache-lost", "tag-volume", "remove-missing"));
    EXPECT_THAT(ear.jobs, ElementsAre("new recover", "recover done"));
}

TEST_F(ALostSsd, IsToldOnceHoweverOftenItIsSaid) {
    begin_cached();
    machine.hold_verb = "uncache-lost";
    pull();
    machine.on_event({MachineEvent::Kind::Devices, "/dev/sdb", "remove"});
    machine.hold_verb.clear();
    machine.release();
    ASSERT_TRUE(until_waiting());
    EXPECT_EQ(machine.times("uncache-lost"), 1);
}

// A look would hold up the very command that it is about.
TEST_F(ALostSsd, IsNotLookedAtWhileItsCacheIsTakenOff) {
    begin_cached();
    machine.hold_verb = "uncache-lost";
    pull();
    const auto before = machine.observations;
    auto& [uuid, device] = *machine.now.caches.begin();
    device.suspended = true;
    machine.next_samples[uuid] = device;
    let_pass(300ms);
    machine.event(MachineEvent::Kind::Mapper);
    let_pass(300ms);
    EXPECT_GE(machine.samples, 1u);
    EXPECT_EQ(machine.observations, before);
    machine.hold_verb.clear();
    machine.release();
    ASSERT_TRUE(until_waiting());
}

TEST_F(ALostSsd, OfAWriteBackCacheIsShownAndNothingIsDone) {
    begin_cached(CacheMode::Writeback);
    pull();
    ASSERT_TRUE(until([&] { return convergence() == "blocked"; }));
    let_pass(400ms);
    EXPECT_THAT(machine.performed, IsEmpty());
    EXPECT_THAT(ear.alerts, Contains("raised tier/media tier-lost"));
}

/// Promise 4: nobody asks for its cache any more, nor for its end.
TEST_F(ALostSsd, OfACacheThatNoEntryNamesIsForAPersonToTakeOff) {
    begin_cached();
    loaded.policy.tiers.clear();
    controller->reload();
    take_away(machine.now, "/dev/sdb");
    machine.on_event({MachineEvent::Kind::Devices, "/dev/sdb", "remove"});
    const auto message = [&] {
        for (const auto& alert : controller->alerts()) {
            if (alert.code == "tier-lost") return alert.details.at("message");
        }
        return std::string{};
    };
    ASSERT_TRUE(until([&] { return !message().empty(); }));
    EXPECT_THAT(message(), testing::HasSubstr("no entry of the policy names it: 'lvconvert --uncache lvm_hdd/hdd' takes it off"));
    EXPECT_THAT(machine.performed, IsEmpty());
}

TEST_F(ALostSsd, OfAnotherDiskIsNoNews) {
    begin_cached();
    machine.on_event({MachineEvent::Kind::Devices, "/dev/sdz", "remove"});
    machine.on_event({MachineEvent::Kind::Devices, "", "remove"});
    ASSERT_TRUE(until_converged());
    EXPECT_THAT(machine.performed, IsEmpty());
}

TEST_F(ALostSsd, IsLeftAloneWhereSomebodyHoldsTheGroup) {
    begin_cached();
    auto token = controller->pause("lvm_hdd", "backup", 0);
    pull();
    let_pass(400ms);
    EXPECT_THAT(machine.performed, IsEmpty());
    token.reset();
    ASSERT_TRUE(until_waiting());
    EXPECT_THAT(machine.performed, ElementsAre("uncache-lost", "tag-volume", "remove-missing"));
}

TEST_F(ALostSsd, IsOnlyShownByADaemonThatObserves) {
    loaded.policy.tiers[0].mode = CacheMode::Writethrough;
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until_converged());
    machine.performed.clear();
    loaded.policy.tiers[0].autonomy = Autonomy::Observe;
    controller->reload();
    pull();
    let_pass(400ms);
    EXPECT_THAT(machine.performed, IsEmpty());
}

// --- what a person can do about a lost write-back cache ---

class ALostWritebackSsd : public ALostSsd {
protected:
    void begin_lost() {
        begin_cached(CacheMode::Writeback);
        pull();
        ASSERT_TRUE(until([&] { return convergence() == "blocked" && controller->manager().state == "idle"; }));
    }
    ErrorCode refusal(const std::string& choice, const std::string& confirm) {
        try {
            controller->recover("lvm_hdd/hdd", choice, confirm, 1000);
        } catch (const Error& error) {
            return error.code();
        }
        return ErrorCode::Internal;
    }
};

TEST_F(ALostWritebackSsd, IsGivenUpByItsVolumesTypedNameOnly) {
    begin_lost();
    for (const std::string typed : {"", "hdd", "lvm_hdd/hdd ", "lvm_hdd/other", "media", "yes"})
        EXPECT_EQ(refusal("drop-cache", typed), ErrorCode::InvalidArgs) << typed;
    let_pass(300ms);
    EXPECT_THAT(machine.performed, IsEmpty());
    controller->recover("lvm_hdd/hdd", "drop-cache", "lvm_hdd/hdd", 1000);
    ASSERT_TRUE(until_waiting());
    EXPECT_THAT(machine.performed, ElementsAre("tag-volume", "drop-cache", "tag-volume", "remove-missing", "tag-volume"));
    EXPECT_THAT(ear.jobs, ElementsAre("new recover", "recover done"));
    const auto& tags = machine.now.lvm->volume({"lvm_hdd", "hdd"})->tags;
    EXPECT_THAT(tags, ElementsAre("tierd.lost=fast"));
}

TEST_F(ALostWritebackSsd, HasChoicesWithTheirPrice) {
    begin_lost();
    std::map<std::string, std::string> prices;
    for (const auto& finding : controller->explain("lvm_hdd/hdd")) {
        if (finding.question.rfind("recovery ", 0) == 0) prices[finding.question] = finding.evidence;
    }
    ASSERT_EQ(prices.size(), 2U);
    EXPECT_THAT(prices["recovery wait"], testing::HasSubstr("nothing is lost"));
    EXPECT_THAT(prices["recovery drop-cache"], testing::HasSubstr("when last seen"));
    EXPECT_EQ(refusal("wait", ""), ErrorCode::InvalidArgs) << "a person's hands do that";
    EXPECT_EQ(refusal("everything", "lvm_hdd/hdd"), ErrorCode::InvalidArgs);
}

TEST_F(ALostWritebackSsd, IsNoneWhileTheDiskIsThere) {
    begin_cached(CacheMode::Writeback);
    EXPECT_EQ(refusal("drop-cache", "lvm_hdd/hdd"), ErrorCode::NoSuchTarget);
    EXPECT_THAT(machine.performed, IsEmpty());
}

}  // namespace
}  // namespace tierd
