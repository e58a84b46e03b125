// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/loader.hpp"
#include "daemon/machine/lvm/report.hpp"
#include "daemon/machine/real_machine.hpp"
#include "daemon/model/cache_status.hpp"
#include "daemon/model/identity.hpp"
#include "daemon/plan/foretell.hpp"
#include "daemon/plan/planner.hpp"

/// One folder a case: policy.yaml, the machine as observation.json (or the name of another case's folder in same-machine-as), what LVM
/// and device-mapper said of it as lvm.json and status, where it is from in taken, and the plan in sentences in expected.
/// TIERD_GOLDEN_UPDATE=1 writes expected anew.
namespace tierd {
namespace {

namespace fs = std::filesystem;

const fs::path root = fs::path{TIERD_SOURCE_DIR} / "tests" / "golden";

std::string text_in(const fs::path& file) {
    std::ifstream in{file};
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// The folders that hold such a file.
std::vector<std::string> cases_with(const char* file) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator{root}) {
        if (fs::exists(entry.path() / file)) names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
}

fs::path machine_folder(const fs::path& folder) {
    const fs::path link = folder / "same-machine-as";
    if (!fs::exists(link)) return folder;
    auto name = text_in(link);
    name.erase(name.find_last_not_of('\n') + 1);
    return root / name;
}

Policy policy_of(const fs::path& folder) {
    const auto result = config::load_text("policy.yaml", text_in(folder / "policy.yaml"));
    for (const auto& problem : result.problems) {
        if (problem.severity != Severity::Info) ADD_FAILURE() << config::format(problem);
    }
    return result.policy;
}

std::string in_words(const Plan& plan) {
    std::string text = "convergence: " + std::string{name_of(plan.convergence)} + '\n';
    if (!plan.waits_for.empty()) text += "waits for: " + plan.waits_for + '\n';
    for (const auto& step : plan.steps) {
        text += '\n' + std::to_string(step.id) + ". " + step.target + ": " + step.sentence + '\n';
        text += "   " + step.reason + '\n';
        text += "   " + std::string{name_of(step.state)} + ", " + step.verb + ", " + step.entry;
        if (step.rule.line != 0) text += ", " + short_place(step.rule);
        if (step.risk != Risk::None) text += ", " + std::string{name_of(step.risk)};
        if (step.needs_person) text += ", needs a person";
        text += '\n';
        if (!step.action) continue;
        text += "   $";
        for (const auto& word : describe_command(*step.action)) text += ' ' + word;
        text += '\n';
    }
    return text;
}

class AGoldenPlan : public testing::TestWithParam<std::string> {
protected:
    const fs::path folder = root / GetParam();
    const fs::path machine = machine_folder(folder);
};

class ARecordedMachine : public AGoldenPlan {};

TEST_P(AGoldenPlan, IsThePlan) {
    const auto now = observation_from_json(text_in(machine / "observation.json"));
    const auto text = in_words(make_plan(policy_of(folder), now));
    const fs::path expected = folder / "expected";
    if (std::getenv("TIERD_GOLDEN_UPDATE") != nullptr) std::ofstream{expected} << text;
    EXPECT_EQ(text, text_in(expected)) << expected;
}

TEST_P(AGoldenPlan, LeadsToWhereNothingIsLeftToDo) {
    const auto policy = policy_of(folder);
    auto now = observation_from_json(text_in(machine / "observation.json"));
    for (const auto& step : make_plan(policy, now).steps) {
        if (step.state == StepState::Ready) foretell_in_place(now, *step.action);
    }
    for (const auto& step : make_plan(policy, now).steps) EXPECT_NE(step.state, StepState::Ready) << step.sentence;
}

TEST_P(AGoldenPlan, SaysWhereItsMachineIsFrom) {
    EXPECT_THAT(text_in(machine / "taken"), testing::AnyOf(testing::HasSubstr("booted kernel"), testing::HasSubstr("by hand")));
}

/// What was recorded as seen is what LVM's and device-mapper's own words are read as today.
TEST_P(ARecordedMachine, IsReadFromItsReports) {
    const auto now = observation_from_json(text_in(machine / "observation.json"));
    ASSERT_TRUE(now.lvm.has_value());
    EXPECT_EQ(lvm::parse_report(text_in(machine / "lvm.json")).lvm, *now.lvm);
    std::istringstream lines{text_in(machine / "status")};
    for (std::string line; std::getline(lines, line);) {
        const auto name = line.substr(0, line.find(':'));
        const auto numbers = line.find(" cache ");
        ASSERT_NE(numbers, std::string::npos) << line;
        bool found = false;
        for (const auto& volume : now.lvm->lvs) {
            if (dm_name(volume.vg, volume.name) != name) continue;
            found = true;
            EXPECT_EQ(parse_cache_status(line.substr(numbers + 7)), now.caches.at(volume.uuid).status) << line;
        }
        EXPECT_TRUE(found) << name;
    }
}

std::string name_of_case(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Of, AGoldenPlan, testing::ValuesIn(cases_with("policy.yaml")), name_of_case);
INSTANTIATE_TEST_SUITE_P(Of, ARecordedMachine, testing::ValuesIn(cases_with("lvm.json")), name_of_case);

TEST(TheGoldenPlans, AreThere) {
    EXPECT_GE(cases_with("policy.yaml").size(), 25u);
    EXPECT_GE(cases_with("lvm.json").size(), 12u);
}

}  // namespace
}  // namespace tierd
