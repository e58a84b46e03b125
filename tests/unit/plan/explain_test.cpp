// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/explain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/model/error.hpp"
#include "daemon/plan/foretell.hpp"
#include "daemon/plan/planner.hpp"
#include "world.hpp"

namespace tierd {
namespace {

using testing::HasSubstr;

std::string explained(const Policy& policy, const Observation& now, const std::string& target) {
    std::string text;
    for (const auto& finding : explain(policy, now, make_plan(policy, now), target)) {
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

/// A policy with an entry of each kind.
Policy full_policy() {
    auto policy = world::story_a();
    SnapshotRule nightly;
    nightly.name = "nightly";
    nightly.place = {"50.yaml", 3, 3};
    nightly.volumes = {{"lvm_hdd", "hdd"}, {"lvm_hdd", "gone"}};
    policy.snapshots = {nightly};
    policy.pools.resize(1);
    policy.pools[0].pool = {"lvm_hdd", "pool"};
    policy.pools[0].place = {"50.yaml", 9, 3};
    return policy;
}

TEST(AnExplanation, KnowsEachKindOfEntryByTheNameThatThePolicyGivesIt) {
    const auto policy = full_policy();
    const auto now = world::with_disk();
    EXPECT_EQ(explained(policy, now, "tier media"), explained(policy, now, "media"));
    const auto rule = explained(policy, now, "device fast");
    EXPECT_EQ(rule, explained(policy, now, "fast"));
    EXPECT_THAT(rule, HasSubstr("device fast | is asked for | yes | by tier media"));
    EXPECT_THAT(rule, HasSubstr("device fast | takes /dev/sdb | yes | it may be taken"));
    EXPECT_THAT(rule, HasSubstr("device fast | takes /dev/sda | no | rule fast: kind ssd: hdd (rotational 1, 5400 rpm)"));
    const auto snapshots = explained(policy, now, "snapshot nightly");
    EXPECT_THAT(snapshots, HasSubstr("is asked for | yes | thick snapshots of lvm_hdd/hdd, lvm_hdd/gone"));
    EXPECT_THAT(snapshots, HasSubstr("lvm_hdd/gone is there | no"));
    EXPECT_THAT(snapshots, HasSubstr("snapshot nightly | unsupported | no"));
    EXPECT_THAT(explained(policy, now, "pool lvm_hdd/pool"), HasSubstr("pool lvm_hdd/pool | is there | no"));
    const auto group = explained(policy, now, "lvm_hdd");
    EXPECT_THAT(group, HasSubstr("a volume group of 3.6 TiB"));
    EXPECT_THAT(group, HasSubstr("is asked for | yes | tier media"));
}

TEST(AnExplanation, OfADeviceRuleWithoutADiskSaysSo) {
    EXPECT_THAT(explained(world::story_a(), world::hard_disk_alone(), "fast"), HasSubstr("finds a disk | no"));
}

TEST(AnExplanation, OfASecondDiskNamesTheOneThatServes) {
    auto now = world::with_disk();
    for (const auto& step : make_plan(world::story_a(), now).steps) foretell_in_place(now, *step.action);
    now.devices.push_back(world::ssd("sdc", "S22"));
    const char* served = "no | rule fast is served already by /dev/sdb";
    EXPECT_THAT(explained(world::story_a(), now, "/dev/sdc"), HasSubstr(std::string{"taken by rule fast | "} + served));
    EXPECT_THAT(explained(world::story_a(), now, "device fast"), HasSubstr(std::string{"takes /dev/sdc | "} + served));
    EXPECT_THAT(explained(world::story_a(), now, "device fast"), HasSubstr("takes /dev/sdb | yes | it serves"));
}

TEST(AnExplanation, OfNothingNamesWhatWouldBeUnderstood) {
    for (const std::string target : {"", "/dev/sdz", "lvm_hdd/nope", "fats", "wwn:", "tier fast", "device media"}) {
        try {
            static_cast<void>(explain(full_policy(), world::with_disk(), {}, target));
            ADD_FAILURE() << target;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::NoSuchTarget);
            EXPECT_STREQ(error.what(), ("nothing here is called \"" + target +
                                        "\"; there are tier media; device rule fast; snapshot rule nightly; pool lvm_hdd/pool; disk "
                                        "/dev/sda, /dev/sdb; volume lvm_hdd/hdd; volume group lvm_hdd")
                                           .c_str());
        }
    }
}

TEST(AnExplanation, NeedsNoMachineThatCanBeRead) {
    auto now = world::with_disk();
    now.lvm.reset();
    EXPECT_THAT(explained(world::story_a(), now, "/dev/sdb"), HasSubstr("LVM could not be read"));
    EXPECT_THAT(explained(world::story_a(), now, "media"), HasSubstr("waits until LVM can be read"));
}

}  // namespace
}  // namespace tierd
