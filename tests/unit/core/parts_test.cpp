// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/core/alerts.hpp"
#include "daemon/core/jobs.hpp"
#include "daemon/core/patience.hpp"
#include "daemon/core/run.hpp"
#include "daemon/core/watchers.hpp"
#include "daemon/plan/planner.hpp"
#include "fake_machine.hpp"
#include "world.hpp"

namespace tierd {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

// --- patience ---

TEST(Patience, WaitsLongerAndLongerAndThenGivesUp) {
    Patience patience;
    EXPECT_EQ(patience.failed("vg", "create-pv /dev/sdb"), 1 * usec_per_second);
    EXPECT_EQ(patience.failed("vg", "create-pv /dev/sdb"), 4 * usec_per_second);
    EXPECT_EQ(patience.failed("vg", "create-pv /dev/sdb"), 16 * usec_per_second);
    EXPECT_EQ(patience.failed("vg", "create-pv /dev/sdb"), 0u);
    EXPECT_EQ(patience.failed("vg", "extend-vg vg"), 1 * usec_per_second) << "each step on its own";
    EXPECT_EQ(patience.failed("vg2", "create-pv /dev/sdb"), 1 * usec_per_second) << "and each group";
    patience.forget("vg");
    EXPECT_EQ(patience.failed("vg", "create-pv /dev/sdb"), 1 * usec_per_second);
}

TEST(Patience, BeginsAnewAfterASuccess) {
    Patience patience;
    for (int i = 0; i < 3; ++i) patience.failed("vg", "s");
    patience.succeeded("vg");
    EXPECT_EQ(patience.failed("vg", "s"), 1 * usec_per_second);
    for (int i = 0; i < 2; ++i) patience.failed("vg2", "s");
    patience.succeeded("vg");
    EXPECT_EQ(patience.failed("vg2", "s"), 16 * usec_per_second) << "of that group only";
}

TEST(Patience, EndsAStepThatDoesNotStayDone) {
    Patience patience;
    for (unsigned i = 0; i < Patience::most_runs; ++i) EXPECT_TRUE(patience.may_run("vg", "s", 1'000));
    EXPECT_FALSE(patience.may_run("vg", "s", 1'000));
    EXPECT_TRUE(patience.may_run("vg", "t", 1'000));
    EXPECT_TRUE(patience.may_run("vg", "s", 1'000 + Patience::memory));
    patience.forget("vg");
    EXPECT_TRUE(patience.may_run("vg", "s", 1'000));
}

// --- jobs ---

struct Jobs : testing::Test {
    Jobs() {
        book.clock = [this] { return now; };
        book.on_new = [this](const JobView& job) { said.push_back("new " + job.operation); };
        book.on_removed = [this](const JobView& job) { said.push_back(job.operation + ' ' + job.result); };
        book.on_changed = [this] { said.emplace_back("changed"); };
    }
    Usec now = 0;
    JobBook book;
    std::vector<std::string> said;
};
using AJobBook = Jobs;

TEST_F(AJobBook, KeepsAJobForAMinuteAfterItsEnd) {
    const auto id = book.open("attach", "media: …", {"media"}, 0);
    EXPECT_TRUE(book.running(id));
    now = 10;
    book.finish(id, "done");
    EXPECT_FALSE(book.running(id));
    EXPECT_EQ(book.get(id).result, "done") << "who comes late still reads the result";
    book.expire(now + JobBook::kept - 1);
    EXPECT_EQ(book.list().size(), 1u);
    book.expire(now + JobBook::kept);
    EXPECT_THAT(book.list(), IsEmpty());
    EXPECT_THROW(static_cast<void>(book.get(id)), Error);
    EXPECT_THAT(said, ElementsAre("new attach", "attach done", "changed"));
}

TEST_F(AJobBook, EndsAJobOnce) {
    const auto id = book.open("attach", "", {}, 0);
    book.stage(id, "creating", 0.5);
    EXPECT_EQ(book.get(id).state, "running");
    book.stage(id, "waiting", std::nullopt);
    EXPECT_EQ(book.get(id).progress, 0.5) << "no news of the progress is not none";
    book.fail(id, ErrorCode::Timeout, "too slow");
    book.finish(id, "done");
    book.stage(id, "late", 0.9);
    EXPECT_EQ(book.get(id).result, "failed");
    EXPECT_EQ(book.get(id).error_name, "Timeout");
    EXPECT_EQ(book.get(id).progress, 0.5);
    EXPECT_FALSE(book.get(id).cancelable);
    EXPECT_THAT(said, ElementsAre("new attach", "changed", "changed", "attach failed"));
    book.finish(77, "done");
    book.stage(77, "", {});
    EXPECT_EQ(said.size(), 4u) << "a job that is not there is nobody's news";
}

TEST_F(AJobBook, NeverUsesANumberTwice) {
    const auto first = book.open("a", "", {}, 0);
    book.finish(first, "done");
    book.expire(JobBook::kept);
    EXPECT_GT(book.open("b", "", {}, 0), first);
}

// --- alerts ---

struct Alerts : testing::Test {
    Alerts() {
        book.on_raised = [this](const AlertView& alert) { said.push_back("raised " + alert.object + ' ' + alert.code); };
        book.on_cleared = [this](const AlertView& alert) { said.push_back("cleared " + alert.object + ' ' + alert.code); };
    }
    static AlertView fact(std::string object, std::string code, unsigned severity = 4, std::string message = "m") {
        return {std::move(object), std::move(code), severity, {{"message", std::move(message)}}, 0};
    }
    AlertBook book;
    std::vector<std::string> said;
};
using AnAlertBook = Alerts;

TEST_F(AnAlertBook, SaysAFactOnceAndItsEndOnce) {
    for (const Usec now : {10U, 20U, 30U}) book.settle({fact("tier/a", "dirty-high")}, now);
    EXPECT_THAT(said, ElementsAre("raised tier/a dirty-high"));
    EXPECT_EQ(book.list().at(0).since, 10u);
    book.settle({}, 40);
    book.settle({}, 50);
    EXPECT_THAT(said, ElementsAre("raised tier/a dirty-high", "cleared tier/a dirty-high"));
    book.settle({fact("tier/a", "dirty-high")}, 60);
    EXPECT_EQ(book.list().at(0).since, 60u);
}

TEST_F(AnAlertBook, SaysItAgainWhenItGetsWorseAndIsSilentAboutDetails) {
    book.settle({fact("tier/a", "dirty-high", 4, "40%")}, 1);
    book.settle({fact("tier/a", "dirty-high", 4, "41%")}, 2);
    EXPECT_EQ(said.size(), 1u);
    EXPECT_EQ(book.list().at(0).details.at("message"), "41%");
    book.settle({fact("tier/a", "dirty-high", 2, "80%")}, 3);
    EXPECT_EQ(said.size(), 2u);
    EXPECT_EQ(book.list().at(0).since, 1u);
}

TEST_F(AnAlertBook, TellsObjectsAndCodesApart) {
    book.settle({fact("tier/a", "x"), fact("tier/b", "x"), fact("tier/a", "y"), fact("tier/a", "x")}, 1);
    EXPECT_EQ(book.list().size(), 3u);
    EXPECT_EQ(said.size(), 3u);
}

// --- a run ---

struct RunTest : testing::Test {
    std::shared_ptr<tierd::Run> start(
        std::vector<Step> steps, std::function<bool(const Step&)> may_go_on = [](const Step&) { return true; }) {
        tierd::Run::Hooks hooks;
        hooks.may_go_on = std::move(may_go_on);
        hooks.on_step = [this](const Step& step, std::size_t index) { begun.push_back(std::to_string(index) + ' ' + step.verb); };
        auto run = std::make_shared<tierd::Run>(machine, "lvm_hdd", std::move(steps), machine.now, std::move(hooks));
        run->on_end([this] { loop.quit(0); });
        return run;
    }
    std::vector<Step> steps() {
        return tierd::Run::steps_for(make_plan(world::story_a(), machine.now), "lvm_hdd", [](const Step&) { return true; });
    }

    Loop loop;
    FakeMachine machine{loop, world::with_disk()};
    std::vector<std::string> begun;
};
using ARun = RunTest;

TEST_F(ARun, TakesTheStepsUpToTheFirstThatMustBeSeen) {
    std::vector<std::string> verbs;
    for (const auto& step : steps()) verbs.push_back(step.verb);
    EXPECT_THAT(verbs, ElementsAre("create-pv", "extend-vg", "create-cache-pool"));
    const auto plan = make_plan(world::story_a(), machine.now);
    EXPECT_THAT(tierd::Run::steps_for(plan, "other", [](const Step&) { return true; }), IsEmpty());
    EXPECT_THAT(tierd::Run::steps_for(plan, "lvm_hdd", [](const Step&) { return false; }), IsEmpty());
    EXPECT_EQ(tierd::Run::steps_for(plan, "lvm_hdd", [](const Step& step) { return step.verb != "extend-vg"; }).size(), 1u)
        << "what stands behind a step that is not done was planned as if it had been";
    EXPECT_THAT(tierd::Run::steps_for(make_plan(world::story_a(), world::hard_disk_alone()), "lvm_hdd", [](const Step&) { return true; }),
                IsEmpty());
}

TEST_F(ARun, ForetellsWhatMustBeSeen) {
    const auto run = start(steps());
    run->start();
    loop.run();
    EXPECT_TRUE(run->ended());
    EXPECT_EQ(run->failed(), nullptr);
    EXPECT_TRUE(run->did_anything());
    EXPECT_EQ(run->last_done().verb, "create-cache-pool");
    EXPECT_EQ(run->foretold(), machine.now);
    EXPECT_THAT(begun, ElementsAre("0 create-pv", "1 extend-vg", "2 create-cache-pool"));
}

TEST_F(ARun, EndsWithTheFirstThatFails) {
    machine.fail("extend-vg");
    const auto run = start(steps());
    run->start();
    loop.run();
    ASSERT_NE(run->failed(), nullptr);
    EXPECT_EQ(run->failed()->verb, "extend-vg");
    EXPECT_EQ(run->outcome().message, "extend-vg does not want to");
    EXPECT_EQ(run->last_done().verb, "create-pv");
    EXPECT_THAT(machine.performed, ElementsAre("create-pv", "extend-vg"));
    EXPECT_EQ(run->foretold(), machine.now) << "of what was done";
}

TEST_F(ARun, AsksBeforeEachStep) {
    const auto run = start(steps(), [this](const Step&) { return machine.performed.empty(); });
    run->start();
    loop.run();
    EXPECT_THAT(machine.performed, ElementsAre("create-pv"));
    EXPECT_EQ(run->failed(), nullptr);
    const auto none = start(steps(), [](const Step&) { return false; });
    none->start();
    EXPECT_TRUE(none->ended());
    EXPECT_FALSE(none->did_anything());
}

// --- watchers ---

CacheDevice dirty(std::uint64_t blocks) {
    CacheStatus status;
    status.block_size = 64 * kib;
    status.total_blocks = 1'000;
    status.dirty_blocks = blocks;
    return {status, true};
}

TEST(TheWatchers, FollowTheCachesThatAreThere) {
    Watchers watchers;
    watchers.add(1, {{"a", dirty(1)}, {"b", dirty(2)}});
    EXPECT_THAT(watchers.uuids(), ElementsAre("a", "b"));
    EXPECT_EQ(watchers.of("b")->dirty.dirty(), 2 * 64 * kib);
    EXPECT_EQ(watchers.of("c"), nullptr);
    watchers.add(2, {{"b", {std::nullopt, std::nullopt}}});
    EXPECT_THAT(watchers.uuids(), ElementsAre("b"));
    EXPECT_EQ(watchers.of("b")->dirty.dirty(), 2 * 64 * kib) << "not read is not clean";
    EXPECT_EQ(watchers.of("b")->last, std::nullopt);
}

TEST(TheWatchers, LookOftenWhereAnyMoves) {
    Watchers watchers;
    Usec time = 0;
    for (int i = 0; i < 10; ++i) watchers.add(++time, {{"a", dirty(1)}, {"b", dirty(2)}});
    EXPECT_EQ(watchers.next_span(), 10 * usec_per_second);
    watchers.add(++time, {{"a", dirty(1)}, {"b", dirty(3)}});
    EXPECT_EQ(watchers.next_span(), usec_per_second);
}

}  // namespace
}  // namespace tierd
