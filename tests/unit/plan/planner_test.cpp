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

// --- explain ---

std::string explained(const Policy& policy, const Observation& now, const std::string& target) {
    std::string text;
    for (const auto& finding : explain(policy, now, target)) {
        text += finding.subject + " | " + finding.question + " | " + std::string{name_of(finding.verdict)} + " | " + finding.evidence +
                " | " + finding.advice + '\n';
    }
    return text;
}

Observation occupied() {
    auto now = world::with_disk();
    now.devices.back().probe->signatures = {{"gpt", "table", 512}};
    auto part = world::partition(now.devices.back(), 1, 512 * mib, "u1");
    part.partlabel = "EFI";
    part.probe->signatures = {{"vfat", "filesystem", 54}};
    now.devices.push_back(part);
    return now;
}

TEST(AnExplanation, OfADiskHasEachRuleEachVerdictAndTheEvidence) {
    const auto text = explained(world::story_a(), occupied(), "/dev/sdb");
    EXPECT_THAT(text, HasSubstr("/dev/sdb | rule fast: kind ssd | yes | ssd (rotational 0, rotation rate \"solid state\")"));
    EXPECT_THAT(text, HasSubstr("/dev/sdb | rule fast: min_size 200 GiB | yes | 223.6 GiB"));
    EXPECT_THAT(text, HasSubstr("/dev/sdb | holds no data | no | it holds data: partition table gpt at 512, /dev/sdb1 vfat at 54 \"EFI\" "
                                "512 MiB | to use it all the same, add `wipe: [gpt, vfat]`"));
    EXPECT_THAT(text, HasSubstr("/dev/sdb | taken by rule fast | no | it holds data"));
}

TEST(AnExplanation, FindsADiskByEachOfItsNames) {
    const auto now = occupied();
    const auto text = explained(world::story_a(), now, "/dev/sdb");
    for (const std::string name : {"sdb", "S21PNXAG441016", "0xS21PNXAG441016", "wwn:0xS21PNXAG441016"})
        EXPECT_EQ(explained(world::story_a(), now, name), text) << name;
}

TEST(AnExplanation, OfAVolumeTellsItsTier) {
    EXPECT_THAT(explained(world::story_a(), world::hard_disk_alone(), "lvm_hdd/hdd"),
                HasSubstr("lvm_hdd/hdd | waiting | unknown | waits for a disk"));
    EXPECT_THAT(explained(world::story_a(), world::with_disk(), "lvm_hdd/hdd"),
                HasSubstr("lvm_hdd/hdd | will be done | note | initialise sdb as a physical volume"));
    EXPECT_THAT(explained(world::story_a(), world::with_disk(), "media"),
                HasSubstr("lvm_hdd/hdd | is asked for | yes | tier media: cache, writeback, device fast"));
    auto now = world::with_disk();
    for (const auto& step : make_plan(world::story_a(), now).steps) foretell_in_place(now, *step.action);
    EXPECT_THAT(explained(world::story_a(), now, "lvm_hdd/hdd"), HasSubstr("is as asked | yes"));
    EXPECT_THAT(explained(world::story_a(), now, "lvm_hdd/hdd"), HasSubstr("its cache is tierd's | yes"));
    EXPECT_THAT(explained({}, now, "lvm_hdd/hdd"), HasSubstr("is asked for | no | no tier of the policy names it"));
    EXPECT_THAT(explained({}, now, "/dev/sdb"), HasSubstr("the policy has no device rules"));
    for (auto& each : now.lvm->lvs) each.tags.clear();
    EXPECT_THAT(explained({}, now, "lvm_hdd/hdd"), HasSubstr("it is left alone"));
}

TEST(AnExplanation, OfNothingNamesWhatThereIs) {
    for (const std::string target : {"", "/dev/sdz", "lvm_hdd/nope", "fast", "wwn:"}) {
        try {
            static_cast<void>(explain(world::story_a(), world::with_disk(), target));
            ADD_FAILURE() << target;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::NoSuchTarget);
            EXPECT_THAT(error.what(), HasSubstr("media, /dev/sda, /dev/sdb, lvm_hdd/hdd"));
        }
    }
}

TEST(AnExplanation, NeedsNoMachineThatCanBeRead) {
    auto now = world::with_disk();
    now.lvm.reset();
    EXPECT_THAT(explained(world::story_a(), now, "/dev/sdb"), HasSubstr("LVM could not be read"));
    EXPECT_THAT(explained(world::story_a(), now, "media"), HasSubstr("wait until LVM can be read"));
}

}  // namespace
}  // namespace tierd
