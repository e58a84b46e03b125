// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>

#include "daemon/plan/eligibility.hpp"
#include "daemon/plan/foretell.hpp"
#include "daemon/plan/planner.hpp"
#include "world.hpp"

namespace tierd {

inline std::vector<std::string> verbs(const Plan& plan) {
    std::vector<std::string> list;
    for (const auto& step : plan.steps) list.push_back(step.verb);
    return list;
}

inline std::vector<std::string> verbs(const Policy& policy, const Observation& now) {
    return verbs(make_plan(policy, now));
}

inline const Step& only(const Plan& plan) {
    EXPECT_EQ(plan.steps.size(), 1u);
    static const Step none;
    return plan.steps.empty() ? none : plan.steps.front();
}

inline Observation& carry_out(const Policy& policy, Observation& now, std::size_t most = 100) {
    for (const auto& step : make_plan(policy, now).steps) {
        if (step.state != StepState::Ready || most == 0) continue;
        foretell_in_place(now, *step.action);
        --most;
    }
    return now;
}

/// A step that is done, or a drain as if it were over at once.
inline void go(const Step& step, Observation& now) {
    if (step.state == StepState::Ready) foretell_in_place(now, *step.action);
    if (!step.drains.empty()) assume_drained(now, step.drains);
}
inline void go_all_the_way(const Policy& policy, Observation& now) {
    for (const auto& step : make_plan(policy, now).steps) go(step, now);
}

/// Story A after the attach.
inline Observation attached() {
    auto now = world::with_disk();
    return carry_out(world::story_a(), now);
}

inline LogicalVolume& volume(Observation& now, const std::string& name) {
    for (auto& each : now.lvm->lvs) {
        if (each.name == name) return each;
    }
    throw std::out_of_range{name};
}

inline PhysicalVolume& our_pv(Observation& now) {
    for (auto& each : now.lvm->pvs) {
        if (is_ours(each, now)) return each;
    }
    throw std::out_of_range{"no PV of ours"};
}

/// As if LVM had put the LV there; the free room is counted anew.
inline void lay(Observation& now, const std::string& name, std::map<std::string, std::uint64_t> extents_on) {
    auto& moved = volume(now, name);
    const auto count = [&](bool taken) {
        for (auto& pv : now.lvm->pvs) {
            const auto found = moved.extents_on.find(pv.uuid);
            if (found == moved.extents_on.end()) continue;
            pv.allocated_extents += taken ? found->second : -found->second;
            now.lvm->groups.front().free_extents += taken ? -found->second : found->second;
        }
    };
    count(false);
    moved.extents_on = std::move(extents_on);
    count(true);
    moved.size = 0;
    for (const auto& [uuid, extents] : moved.extents_on) moved.size += extents * world::extent;
}

/// What a power cut in the middle of lvcreate leaves: an LV with the tag, which is no pool yet.
inline void leave_half_made(Observation& now) {
    const auto where = volume(now, "media_cdata").extents_on;
    for (const std::string part : {"media_cdata", "media_cmeta"}) lay(now, part, {});
    std::erase_if(now.lvm->lvs, [](const LogicalVolume& each) { return each.name == "media_cdata" || each.name == "media_cmeta"; });
    auto& pool = volume(now, "media");
    pool.segtype = "linear";
    pool.data.clear();
    pool.metadata.clear();
    lay(now, "media", where);
}

/// One line that a tier's plan consists of, because of something that is so on the machine of story A with its SSD plugged in.
inline void expect_only(StepState state, const std::string& text, const Observation& now, const Policy& policy = world::story_a()) {
    const auto plan = make_plan(policy, now);
    ASSERT_FALSE(plan.steps.empty()) << text;
    const auto& step = plan.steps.front();
    EXPECT_EQ(step.state, state) << text << ": " << step.sentence << ": " << step.reason;
    EXPECT_THAT(step.sentence + ": " + step.reason, testing::HasSubstr(text));
    EXPECT_FALSE(step.action.has_value());
    for (const auto& each : plan.steps) EXPECT_NE(each.state, StepState::Ready) << each.sentence;
    EXPECT_EQ(step.entry, "tier media");
    EXPECT_EQ(short_place(step.rule), "10-media.yaml:12");
}

inline void expect_wait(const std::string& text, const Observation& now, const Policy& policy = world::story_a()) {
    expect_only(StepState::Waiting, text, now, policy);
}
inline void expect_refusal(const std::string& text, const Observation& now, const Policy& policy = world::story_a()) {
    expect_only(StepState::Refused, text, now, policy);
}
inline void expect_unsupported(const std::string& text, const Observation& now, const Policy& policy) {
    expect_only(StepState::Unsupported, text, now, policy);
}

/// The same for a change to the machine, or to the policy.
inline void expect_wait_when(const std::string& text, const std::function<void(Observation&)>& change) {
    auto now = world::with_disk();
    change(now);
    expect_wait(text, now);
}
inline void expect_refusal_when(const std::string& text, const std::function<void(Observation&)>& change) {
    auto now = world::with_disk();
    change(now);
    expect_refusal(text, now);
}
inline void expect_unsupported_when(const std::string& text, const std::function<void(Policy&)>& change) {
    auto policy = world::story_a();
    change(policy);
    expect_unsupported(text, world::with_disk(), policy);
}

}  // namespace tierd
