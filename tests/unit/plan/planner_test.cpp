// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/planner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "daemon/model/error.hpp"
#include "daemon/plan/foretell.hpp"
#include "world.hpp"

namespace tierd {
namespace {

using testing::HasSubstr;

TEST(APlan, OfAnEmptyPolicyIsConverged) {
    const auto plan = make_plan({}, world::with_disk());
    EXPECT_TRUE(plan.steps.empty());
    EXPECT_EQ(plan.convergence, Convergence::Converged);
    EXPECT_EQ(plan.waits_for, "");
}

TEST(APlan, ShowsSnapshotsAndPoolsAsNotSupportedYet) {
    auto policy = world::story_a();
    SnapshotRule nightly;
    nightly.name = "nightly";
    nightly.volumes = {{"lvm_hdd", "hdd"}};
    policy.snapshots = {nightly};
    policy.pools.push_back({});
    policy.pools.back().pool = {"vg", "p"};
    const auto plan = make_plan(policy, world::with_disk());
    ASSERT_EQ(plan.steps.size(), 8u);
    EXPECT_EQ(plan.steps[6].entry, "snapshot nightly");
    EXPECT_EQ(plan.steps[6].target, "lvm_hdd/hdd");
    EXPECT_EQ(plan.steps[7].entry, "pool vg/p");
    for (std::size_t i = 6; i < 8; ++i) EXPECT_EQ(plan.steps[i].state, StepState::Unsupported);
    EXPECT_EQ(plan.convergence, Convergence::Drift);
    policy.snapshots[0].state = Presence::Absent;
    EXPECT_EQ(make_plan(policy, world::with_disk()).steps.size(), 7u);
    policy.tiers.clear();
    const auto rest = make_plan(policy, world::with_disk());
    EXPECT_EQ(rest.convergence, Convergence::Blocked);
    EXPECT_THAT(rest.waits_for, HasSubstr("vg/p"));
}

TEST(APlan, LinksTheStepsOfAnEntryAndNoOthers) {
    auto now = world::with_disk();
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "second", 10, "pv-hdd"));
    auto policy = world::story_a();
    policy.tiers[0].size = SizeSpec{100 * gib};
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[1].name = "second";
    policy.tiers[1].volume.lv = "second";
    const auto plan = make_plan(policy, now);
    ASSERT_EQ(plan.steps.size(), 11u);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const auto& step = plan.steps[i];
        EXPECT_EQ(step.id, i + 1);
        if (i == 0 || i == 6) {
            EXPECT_TRUE(step.after.empty());
        } else {
            EXPECT_EQ(step.after, std::vector{static_cast<std::uint32_t>(i)});
        }
    }
}

TEST(APlan, PutsEntriesThatOnlyReportLast) {
    auto now = world::with_disk();
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "second", 10, "pv-hdd"));
    auto policy = world::story_a();
    policy.tiers[0].autonomy = Autonomy::Observe;
    policy.tiers[0].size = SizeSpec{100 * gib};
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[1].name = "second";
    policy.tiers[1].volume.lv = "second";
    policy.tiers[1].autonomy = Autonomy::Act;
    const auto plan = make_plan(policy, now);
    EXPECT_EQ(plan.steps.front().entry, "tier second") << "what is done stands on nothing that is not";
    EXPECT_FALSE(plan.steps.front().needs_person);
    EXPECT_TRUE(plan.steps.back().needs_person);
}

TEST(APlan, SaysOnceADiskAndRuleWhyItIsNotTaken) {
    auto now = world::with_disk();
    now.devices.back().probe->signatures = {{"xfs", "filesystem", 0}};
    auto policy = world::story_a();
    policy.devices.push_back(policy.devices[0]);
    policy.devices[1].name = "other";
    const auto plan = make_plan(policy, now);
    const auto refused = std::count_if(plan.steps.begin(), plan.steps.end(),
                                       [](const Step& step) { return step.verb == "refuse-device" && step.target == "/dev/sdb"; });
    EXPECT_EQ(refused, 2);
}

TEST(APlan, IsTheSameForTheSameMachine) {
    EXPECT_EQ(make_plan(world::story_a(), world::with_disk()), make_plan(world::story_a(), world::with_disk()));
}

}  // namespace
}  // namespace tierd
