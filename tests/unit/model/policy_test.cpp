// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/policy.hpp"

#include <gtest/gtest.h>

#include <set>

#include "daemon/model/action.hpp"
#include "daemon/model/plan.hpp"
#include "world.hpp"

namespace tierd {
namespace {

template <typename Enum>
void expect_names_lead_back(Enum last) {
    const auto& names = names_of<Enum>();
    ASSERT_EQ(names.size(), static_cast<std::size_t>(last) + 1);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto value = static_cast<Enum>(i);
        EXPECT_EQ(name_of(value), names[i]);
        EXPECT_EQ(value_of<Enum>(names[i]), value);
    }
    EXPECT_EQ(value_of<Enum>(""), std::nullopt);
    EXPECT_EQ(value_of<Enum>("Present"), std::nullopt) << "names are as the file spells them";
}

TEST(AnEnumerationOfThePolicy, IsReadAndShownByOneTable) {
    expect_names_lead_back(Kind::Hdd);
    expect_names_lead_back(TierKind::Journal);
    expect_names_lead_back(CacheMode::Passthrough);
    expect_names_lead_back(Layout::Raid1);
    expect_names_lead_back(Store::Volume);
    expect_names_lead_back(OnStall::RaiseThreshold);
    expect_names_lead_back(OnFailingDevice::Alert);
    expect_names_lead_back(Presence::Absent);
    expect_names_lead_back(JournalWhen::Boot);
    expect_names_lead_back(SnapshotKind::Thin);
    expect_names_lead_back(WhenFull::Drop);
    expect_names_lead_back(Autonomy::Full);
    expect_names_lead_back(Severity::Info);
}

TEST(APlace, IsShownShortAndInFull) {
    const Place place{"/etc/tierd/10-media.yaml", 12, 3};
    EXPECT_EQ(short_place(place), "10-media.yaml:12");
    EXPECT_EQ(full_place(place), "/etc/tierd/10-media.yaml:12:3");
    EXPECT_EQ(short_place({}), "");
    EXPECT_EQ(short_place({"10-media.yaml", 0, 0}), "10-media.yaml");
    EXPECT_EQ(full_place({"/etc/tierd/10-media.yaml", 0, 0}), "/etc/tierd/10-media.yaml");
}

TEST(APolicy, FindsItsRulesByName) {
    const auto policy = world::story_a();
    ASSERT_NE(policy.device("fast"), nullptr);
    ASSERT_NE(policy.tier("media"), nullptr);
    EXPECT_EQ(policy.device("media"), nullptr);
    EXPECT_EQ(policy.tier(""), nullptr);
}

TEST(APlan, HasTheSameIdForTheSameStepsOnly) {
    Step step;
    step.verb = "create-pv";
    step.target = "/dev/sdb";
    step.sentence = "initialise sdb as a physical volume";
    Plan plan;
    const auto empty = plan.id();
    EXPECT_EQ(empty.size(), 16u);
    plan.steps = {step};
    const auto one = plan.id();
    EXPECT_NE(one, empty);
    EXPECT_EQ(plan.id(), one);
    plan.waits_for = "nothing that matters";
    EXPECT_EQ(plan.id(), one);
    plan.steps.push_back(step);
    EXPECT_NE(plan.id(), one);
    plan.steps.pop_back();
    plan.steps[0].state = StepState::Waiting;
    EXPECT_NE(plan.id(), one);
}

}  // namespace
}  // namespace tierd
