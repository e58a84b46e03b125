// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gmock/gmock.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "client/process.hpp"
#include "client/progress.hpp"
#include "fixtures.hpp"

namespace tierd::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
constexpr const char* job_path = "/org/tierd1/job/7";

Event removed(const char* result, const char* error = "", const char* message = "") {
    return {Event::Kind::JobRemoved, job_path, "Job", Value::Map{{"result", result}, {"error", error}, {"message", message}}};
}
Event stage(const char* text) {
    return {Event::Kind::Changed, job_path, "Job", Value::Map{{"Stage", text}}};
}

TEST(Apply, ShowsThePlanFollowsTheJobAndIsDone) {
    FakeDaemon daemon = fixtures::attaching();
    daemon.events = {
        stage("extending volume group lvm_hdd by sdb"), {Event::Kind::JobRemoved, "/org/tierd1/job/6", "Job", {}}, removed("done")};
    const Outcome run = tierctl(daemon, {"apply"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(daemon.asked, ElementsAre("apply 5c3e")) << "the plan that was shown, not another";
    EXPECT_THAT(run.out, HasSubstr("initialise sdb"));
    EXPECT_THAT(run.out, HasSubstr("job 7: done in"));
    EXPECT_THAT(run.err, HasSubstr("extending volume group lvm_hdd by sdb\n"));
}

TEST(Apply, FindsAJobThatEndedBeforeItWasFollowed) {
    FakeDaemon daemon = fixtures::attaching();
    daemon.job["State"] = "finished";
    daemon.job["Result"] = "done";
    EXPECT_EQ(tierctl(daemon, {"apply"}).status, 0);
}

TEST(Apply, LeavesTheJobRunningOnCtrlCAndSaysHowToComeBack) {  // E06
    FakeDaemon daemon = fixtures::attaching();
    const Outcome run = tierctl(daemon, {"apply"});
    EXPECT_EQ(run.status, 130);
    EXPECT_THAT(run.err, HasSubstr("job 7 goes on. `tierctl jobs` shows it"));
    EXPECT_THAT(daemon.asked, ElementsAre("apply 5c3e")) << "nothing is called off";
}

TEST(Apply, FailsAsTheJobFails) {
    FakeDaemon daemon = fixtures::attaching();
    daemon.events = {removed("failed", "org.tierd1.Error.ToolFailed", "vgextend ended with 5")};
    Outcome run = tierctl(daemon, {"apply"});
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr("job 7: vgextend ended with 5 (ToolFailed)"));
    daemon.events = {removed("canceled")};
    EXPECT_EQ(tierctl(daemon, {"apply"}).status, 1);
    daemon.events = {{Event::Kind::DaemonGone, "/org/tierd1", "Manager", {}}};
    run = tierctl(daemon, {"apply"});
    EXPECT_EQ(run.status, 3);
    EXPECT_THAT(run.err, HasSubstr("nothing is lost"));
}

TEST(Apply, DoesNotAskForWhatIsNotToBeDone) {
    for (auto* daemon_of : {fixtures::installed, fixtures::waiting, fixtures::refused}) {
        FakeDaemon daemon = daemon_of();
        const Outcome run = tierctl(daemon, {"apply"});
        EXPECT_EQ(run.status, 0);
        EXPECT_THAT(run.out, HasSubstr("Nothing"));
        EXPECT_THAT(daemon.asked, ElementsAre());
    }
}

TEST(Apply, DoesNotWaitWithNoBlock) {
    FakeDaemon daemon = fixtures::attaching();
    const Outcome run = tierctl(daemon, {"apply", "--no-block"});
    EXPECT_EQ(run.status, 0);
    EXPECT_THAT(run.out, HasSubstr("`tierctl watch` follows it"));
}

TEST(Apply, WritesOneDocumentAsJson) {
    FakeDaemon daemon = fixtures::attaching();
    daemon.events = {removed("failed", "org.tierd1.Error.ToolFailed", "x")};
    const Value failed = parse_json(tierctl(daemon, {"apply", "-j"}).out);
    EXPECT_EQ(failed["result"].text(), "failed");
    EXPECT_EQ(failed["error"].text(), "ToolFailed");
    EXPECT_EQ(parse_json(tierctl(daemon, {"apply", "-j"}).out)["result"].text(), "running");
    EXPECT_EQ(parse_json(tierctl(daemon, {"apply", "-j", "--no-block"}).out)["job"].text(), job_path);
}

TEST(Apply, IsSilentWhenAskedToBe) {
    FakeDaemon daemon = fixtures::attaching();
    daemon.events = {stage("x"), removed("done")};
    const Outcome run = tierctl(daemon, {"apply", "-q"});
    EXPECT_EQ(run.out + run.err, "");
}

TEST(AProgress, IsDrawnOverItselfAndTakenAway) {
    std::ostringstream err;
    Terminal terminal;
    terminal.err_is_tty = true;
    terminal.columns = 100;
    {
        Progress progress{err, terminal, false};
        progress.update(Value::Map{{"Stage", "writing back"},
                                   {"ProgressValid", true},
                                   {"Progress", 0.61},
                                   {"BytesDone", 800 * mib},
                                   {"BytesTotal", 1200 * mib},
                                   {"ExpectedEndUSec", std::uint64_t{20'000'000}}},
                        7'000'000);
    }
    EXPECT_THAT(err.str(), HasSubstr("61%  800 MiB of 1.2 GiB  13 s left  writing back"));
    EXPECT_TRUE(err.str().starts_with("\r\x1b[K"));
    EXPECT_TRUE(err.str().ends_with("\r\x1b[K"));
}

TEST(AProgress, IsALineEachStageWithoutATerminal) {
    std::ostringstream err;
    Progress progress{err, Terminal{}, false};
    for (const char* text : {"one", "one", "two"}) progress.update(Value::Map{{"Stage", text}}, 0);
    EXPECT_EQ(err.str(), "one\ntwo\n");
}

TEST(Reload, ShowsTheProblemsAndFailsForErrorsOnly) {
    FakeDaemon daemon = fixtures::installed();
    daemon.problems = {{Severity::Warning, {"/etc/tierd/a.yaml", 2, 1}, "nothing uses it"}};
    EXPECT_EQ(tierctl(daemon, {"reload"}).status, 0);
    daemon.problems.push_back({Severity::Error, {"/etc/tierd/a.yaml", 14, 11}, "mode: no"});
    const Outcome run = tierctl(daemon, {"reload"});
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.out, HasSubstr("/etc/tierd/a.yaml:14:11: "));
    EXPECT_THAT(run.out, HasSubstr("1 problem, 1 warning; the policy is in force, less what is at fault"));
    daemon.objects = {
        {"/org/tierd1", "Manager", Value::Map{{"PolicyKept", true}, {"PolicyLoadedUSec", std::uint64_t{1'770'000'000'000'000}}}}};
    EXPECT_THAT(tierctl(daemon, {"reload"}).out, HasSubstr("1 problem, 1 warning; the policy in force stays the one read at 2026-02-02 "));
}

TEST(Pause, HoldsThePauseWhileTheCommandRunsAndHandsItsStatusOn) {
    FakeDaemon daemon = fixtures::installed();
    std::vector<std::string> ran;
    Conditions conditions;
    conditions.run_command = [&](const std::vector<std::string>& command) {
        EXPECT_FALSE(daemon.pause.expired());
        ran = command;
        return 42;
    };
    EXPECT_EQ(tierctl(daemon, {"pause", "vg", "--", "pvmove", "-n", "x"}, conditions).status, 42);
    EXPECT_THAT(ran, ElementsAre("pvmove", "-n", "x"));
    EXPECT_TRUE(daemon.pause.expired());
    EXPECT_THAT(daemon.asked, ElementsAre("pause vg: pvmove -n x"));
}

TEST(ATierVerb, FindsItsTierByAnyNameAndFollowsTheJob) {
    const std::string media = "/org/tierd1/tier/media";
    const std::vector<std::pair<std::vector<std::string>, std::string>> calls{
        {{"detach", "lvm_hdd/hdd"}, "detach " + media},
        {{"detach", "--cancel", "media"}, "detach " + media + " called off"},
        {{"flush", "/dev/lvm_hdd/hdd"}, "flush " + media},
        {{"flush", "tier media", "--limit=90min"}, "flush " + media + " within 5400000000"},
        {{"set-mode", "media", "writethrough"}, "set-mode " + media + " 'writethrough'"},
        {{"set-mode", "media", "--cancel"}, "set-mode " + media + " ''"},
    };
    for (const auto& [arguments, asked] : calls) {
        FakeDaemon daemon = fixtures::converged();
        daemon.events = {removed("done")};
        const Outcome run = tierctl(daemon, arguments);
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_THAT(daemon.asked, ElementsAre(asked));
        EXPECT_THAT(run.out, HasSubstr("job 7: done in"));
    }
}

TEST(ATierVerb, RefusesWhatItDoesNotUnderstand) {
    FakeDaemon daemon = fixtures::converged();
    EXPECT_EQ(tierctl(daemon, {"flush", "media", "--limit=soon"}).status, 64);
    EXPECT_EQ(tierctl(daemon, {"set-mode", "media"}).status, 64);
    EXPECT_EQ(tierctl(daemon, {"set-mode", "media", "sideways"}).status, 64);
    EXPECT_EQ(tierctl(daemon, {"set-mode", "media", "writeback", "--cancel"}).status, 64);
    EXPECT_EQ(tierctl(daemon, {"detach", "nobody"}).status, 1);
    EXPECT_EQ(tierctl(daemon, {"detach", "media", "--limit=1h"}).status, 64) << "a flag of flush";
    const Outcome device = tierctl(daemon, {"detach", "sdb"});
    EXPECT_THAT(device.err, HasSubstr("sdb is no tier"));
    for (const auto& asked : daemon.asked) EXPECT_THAT(asked, testing::StartsWith("explain "));
}

TEST(Status, SaysWhatAPersonAskedForAndHowThatEnds) {
    FakeDaemon daemon = fixtures::converged();
    Value::Map state = daemon.state.map();
    Value::List tiers = state["tiers"].list();
    Value::Map tier = tiers.at(0).map();
    tier["asked"] = Value::List{Value{std::string{"mode writethrough"}}};
    tiers[0] = tier;
    state["tiers"] = tiers;
    daemon.state = state;
    EXPECT_THAT(tierctl(daemon, {"status"}).out, HasSubstr("`tierctl set-mode --cancel lvm_hdd/hdd` ends that"));
}

TEST(ACommand, HandsItsStatusOn) {
    EXPECT_EQ(run_command({"true"}), 0);
    EXPECT_EQ(run_command({"sh", "-c", "exit 7"}), 7);
    EXPECT_EQ(run_command({"sh", "-c", "kill -TERM $$"}), 128 + 15);
    testing::internal::CaptureStderr();
    EXPECT_EQ(run_command({"/nonexistent/command"}), 127);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("/nonexistent/command cannot be run"));
}

TEST(Check, NamesTheFaultsOfFilesWithoutADaemon) {
    const auto folder = std::filesystem::path{testing::TempDir()} / "tierctl-check";
    std::filesystem::create_directories(folder);
    std::ofstream{folder / "bad.yaml"} << "tiers:\n  media:\n    volume: vg/lv\n    kind: cache\n    device: fast\n    mode: sideways\n";
    std::ofstream{folder / "good.yaml"}
        << "devices:\n  fast:\n    match: {kind: ssd}\ntiers:\n  media:\n    volume: vg/lv\n    kind: cache\n    device: fast\n";
    FakeDaemon daemon;
    daemon.fail = [] { throw Error{ErrorCode::NotRunning, "no"}; };
    const Outcome bad = tierctl(daemon, {"check", (folder / "bad.yaml").string()});
    EXPECT_EQ(bad.status, 1);
    EXPECT_THAT(bad.out, HasSubstr("bad.yaml:6:"));
    const Outcome good = tierctl(daemon, {"check", (folder / "good.yaml").string()});
    EXPECT_EQ(good.status, 0) << good.out;
    EXPECT_THAT(good.out, HasSubstr("no problems: 1 device rule, 1 tier"));
    const Value json = parse_json(tierctl(daemon, {"check", "-j", (folder / "bad.yaml").string()}).out);
    EXPECT_FALSE(json["ok"].flag());
    ASSERT_EQ(json["problems"].list().size(), 2U) << "a device of no name, and a mode that is none";
    EXPECT_EQ(json["problems"].list().at(0)["line"].count(), 5U);
    EXPECT_EQ(json["problems"].list().at(1)["line"].count(), 6U);
    EXPECT_EQ(tierctl(daemon, {"check", (folder / "missing.yaml").string()}).status, 1);
    EXPECT_THAT(bad.out, HasSubstr("`tierctl reload` would leave the policy that is in force as it is"));
    std::ofstream{folder / "twice.yaml"} << "pools: {vg/p: {autonomy: act}, vg/p: {autonomy: act}}\n";
    const Outcome twice = tierctl(daemon, {"check", (folder / "twice.yaml").string()});
    EXPECT_EQ(twice.status, 1);
    EXPECT_THAT(twice.out, HasSubstr("would put all of it in force but what contradicts"));
    std::ofstream{folder / "later.yaml"} << "pools: {vg/p: {autonomy: act}}\n";
    const Outcome later = tierctl(daemon, {"check", (folder / "later.yaml").string()});
    EXPECT_EQ(later.status, 0) << "a note is no fault";
    EXPECT_THAT(later.out, HasSubstr("info: pool vg/p: pools are read and checked, and not acted on by this version"));
}

TEST(CatPolicy, ShowsTheFilesInForce) {
    const auto file = std::filesystem::path{testing::TempDir()} / "tierctl-cat.yaml";
    std::ofstream{file} << "tiers: {}\n# end\n";
    FakeDaemon daemon = fixtures::converged();
    daemon.objects.front().properties = Value::Map{{"PolicyFiles", Value::List{file.string()}}};
    EXPECT_EQ(tierctl(daemon, {"cat-policy"}).out, "# " + file.string() + "\ntiers: {}\n# end\n");
    EXPECT_EQ(tierctl(daemon, {"cat-policy", "-H", "root@elsewhere"}).status, 1);
}

TEST(CatPolicy, SaysThatTheFilesAreNotWhatIsInForce) {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    const auto file = std::filesystem::path{testing::TempDir()} / "tierctl-cat.yaml";
    std::ofstream{file} << "tiers: {}\n";
    FakeDaemon daemon = fixtures::converged();
    Value::Map manager{{"PolicyFiles", Value::List{file.string()}}, {"PolicyLoadedUSec", std::uint64_t{1'770'000'000'000'000}}};
    manager["PolicyChanged"] = true;
    daemon.objects.front().properties = manager;
    EXPECT_EQ(tierctl(daemon, {"cat-policy"}).out,
              "# Warning: the files changed on disk since they were read; the policy in force is the one read at 2026-02-02 02:40:00. Run "
              "'tierctl reload'.\n# Warning: What follows are the files as they are now.\n\n# " +
                  file.string() + "\ntiers: {}\n");
    manager["PolicyChanged"] = false;
    manager["PolicyKept"] = true;
    manager["PolicyFiles"] = Value::List{"/nonexistent/10-gone.yaml", file.string()};
    daemon.objects.front().properties = manager;
    const Outcome gone = tierctl(daemon, {"cat-policy"});
    EXPECT_EQ(gone.status, 1);
    EXPECT_THAT(gone.out, HasSubstr("the files have faults; the policy in force is the one read at 2026-02-02 02:40:00"));
    EXPECT_THAT(gone.out, HasSubstr("# Warning: /nonexistent/10-gone.yaml cannot be read: No such file"));
    EXPECT_THAT(gone.out, HasSubstr("tiers: {}")) << "the others are shown all the same";
    EXPECT_EQ(parse_json(tierctl(daemon, {"cat-policy", "-j"}).out)["warnings"].list().size(), 3U);
}

class AWatch : public testing::Test {
protected:
    void SetUp() override {
        ::setenv("TZ", "UTC", 1);
        ::tzset();
        daemon.events = {
            {Event::Kind::Added, "/org/tierd1/device/x", "Device",
             Value::Map{{"Path", "/dev/sdc"},
                        {"Model", "Samsung SSD"},
                        {"Size", 200 * gib},
                        {"State", "eligible"},
                        {"Policy", "fast"},
                        {"Reasons", Value::List{}}}},
            {Event::Kind::JobNew, job_path, "Job", Value::Map{{"id", std::uint64_t{7}}, {"operation", "attach"}}},
            stage("extending volume group lvm_hdd by sdc"),
            {Event::Kind::Changed, "/org/tierd1/tier/media", "Tier", Value::Map{{"Dirty", 1 * mib}}},
            {Event::Kind::Changed, "/org/tierd1/tier/media", "Tier", Value::Map{{"Phase", "draining"}}},
            {Event::Kind::Alert, "/org/tierd1/tier/media", "",
             Value::Map{{"code", "dirty-high"}, {"severity", std::uint64_t{4}}, {"details", Value::Map{{"message", "41% is dirty"}}}}},
            {Event::Kind::AlertCleared, "/org/tierd1/tier/media", "", Value::Map{{"code", "dirty-high"}}},
            removed("done"),
            {Event::Kind::Changed, "/org/tierd1", "Manager", Value::Map{{"Convergence", "converged"}}},
            {Event::Kind::Removed, "/org/tierd1/device/x", "Device", {}},
        };
    }
    FakeDaemon daemon = fixtures::converged();
};

TEST_F(AWatch, TellsWhatHappensALineEach) {
    const Outcome run = tierctl(daemon, {"watch", "-q"});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out,
              "02:40:00  device    sdc appeared: Samsung SSD, 200 GiB, eligible, rule fast\n"
              "02:40:00  job 7     has begun: attach\n"
              "02:40:00  job 7     extending volume group lvm_hdd by sdc\n"
              "02:40:00  tier      media draining: writeback, 220 GiB, on sdb\n"
              "02:40:00  alert     dirty-high  media: 41% is dirty\n"
              "02:40:00  alert     dirty-high  media is over\n"
              "02:40:00  job 7     done\n"
              "02:40:00  tierd     converged\n"
              "02:40:00  device    sdc is gone\n");
}

TEST_F(AWatch, WritesADocumentALineAsJson) {
    const std::size_t events = daemon.events.size();
    std::istringstream lines{tierctl(daemon, {"watch", "--json=pretty"}).out};
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const Value document = parse_json(line);
        EXPECT_EQ(document["format_version"].count(), 1U);
        EXPECT_FALSE(document["event"].text().empty());
    }
    EXPECT_EQ(count, events) << "figures included";
}

TEST_F(AWatch, EndsWhenTheDaemonGoesAway) {
    daemon.events = {{Event::Kind::DaemonGone, "/org/tierd1", "Manager", {}}};
    EXPECT_EQ(tierctl(daemon, {"watch"}).status, 3);
}

}  // namespace
}  // namespace tierd::client
