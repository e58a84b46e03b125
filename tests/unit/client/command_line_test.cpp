// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gmock/gmock.h>

#include "fixtures.hpp"

namespace tierd::client {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

TEST(ACommandLine, TakesFlagsAnywhere) {
    for (const Words& words : {Words{"--json=short", "-q", "explain", "x"}, Words{"explain", "--json=short", "x", "-q"},
                               Words{"explain", "x", "-q", "--json", "short"}}) {
        const Options options = parse_options(words);
        EXPECT_EQ(options.verb, "explain");
        EXPECT_EQ(options.arguments, Words{"x"});
        EXPECT_EQ(options.json_mode(false), JsonMode::Short);
        EXPECT_TRUE(options.quiet);
    }
}

TEST(ACommandLine, ShowsTheStatusWithoutAVerb) {
    EXPECT_EQ(parse_options({"-q"}).verb, "status");
}

TEST(ACommandLine, LeavesACommandBehindTwoDashesAlone) {
    const Options options = parse_options({"pause", "vg", "--", "lvs", "-q", "--", "--json=x"});
    EXPECT_EQ(options.arguments, Words{"vg"});
    EXPECT_EQ(options.command, (Words{"lvs", "-q", "--", "--json=x"}));
    EXPECT_FALSE(options.quiet);
}

TEST(ACommandLine, MakesJsonPrettyOnATerminalOnly) {
    EXPECT_EQ(parse_options({"-j"}).json_mode(true), JsonMode::Pretty);
    EXPECT_EQ(parse_options({"-j"}).json_mode(false), JsonMode::Short);
    EXPECT_EQ(parse_options({"-j", "--json=pretty"}).json_mode(false), JsonMode::Pretty);
    EXPECT_EQ(parse_options({}).json_mode(true), JsonMode::Off);
}

struct Mistake {
    Words words;
    const char* said;
};

TEST(ACommandLine, SaysWhatWasMeantAndExitsWith64) {
    const std::vector<Mistake> mistakes{{{"statsu"}, "did you mean status?"},
                                        {{"frobnicate"}, "frobnicate is no verb"},
                                        {{"--jsn=short"}, "did you mean --json?"},
                                        {{"plan", "--comands"}, "did you mean --commands?"},
                                        {{"--json=yaml"}, "pretty, short, off"},
                                        {{"status", "--commands"}, "--commands belongs to plan, not to status"},
                                        {{"explain"}, "explain needs more: tierctl explain TARGET"},
                                        {{"thaw", "a", "b"}, "thaw takes no b"},
                                        {{"pause", "vg"}, "pause needs a command"},
                                        {{"status", "--", "ls"}, "status runs no command"},
                                        {{"-Z"}, "-Z is no option"},
                                        {{"__complet"}, "is no verb"}};
    for (const Mistake& mistake : mistakes) {
        FakeDaemon daemon = fixtures::converged();
        const Outcome run = tierctl(daemon, mistake.words);
        EXPECT_EQ(run.status, 64) << mistake.words.front();
        EXPECT_THAT(run.err, HasSubstr(mistake.said));
        EXPECT_EQ(run.out, "");
    }
}

TEST(ACommandLine, ShowsHelpAndVersionWithoutADaemon) {
    FakeDaemon daemon;
    daemon.fail = [] { throw Error{ErrorCode::NotRunning, "no"}; };
    EXPECT_EQ(tierctl(daemon, {"--help"}).status, 0);
    EXPECT_EQ(tierctl(daemon, {"explain", "--help"}).status, 0);
    EXPECT_THAT(tierctl(daemon, {"--version"}).out, HasSubstr("tierctl 0."));
}

struct Failure {
    ErrorCode code;
    int status;
};

TEST(AFailure, HasItsExitStatusWhateverTheVerb) {
    const std::vector<Words> calls{{"status"}, {"devices"},          {"tiers"},         {"snapshots"},
                                   {"jobs"},   {"policy"},           {"show", "media"}, {"plan"},
                                   {"apply"},  {"explain", "x"},     {"reload"},        {"thaw", "vg"},
                                   {"watch"},  {"dump-observation"}, {"doctor"},        {"pause", "vg", "--", "true"}};
    for (const Failure& failure :
         {Failure{ErrorCode::NotRunning, 3}, Failure{ErrorCode::NotAuthorized, 4}, Failure{ErrorCode::InteractionRequired, 4},
          Failure{ErrorCode::StalePlan, 1}, Failure{ErrorCode::Internal, 1}})
        for (const Words& words : calls) {
            FakeDaemon daemon = fixtures::attaching();
            daemon.fail = [&] { throw Error{failure.code, "the sentence"}; };
            const Outcome run = tierctl(daemon, words);
            EXPECT_EQ(run.status, failure.status) << words.front();
            EXPECT_THAT(run.err, HasSubstr("tierctl: the sentence")) << words.front();
            EXPECT_EQ(run.out, "") << words.front();
        }
}

TEST(Plan, ExitsWith2ForStepsOnlyWhenAsked) {
    FakeDaemon steps = fixtures::attaching(), waiting = fixtures::waiting(), nothing = fixtures::installed(), refused = fixtures::refused();
    EXPECT_EQ(tierctl(steps, {"plan"}).status, 0);
    for (const char* json : {"--json=off", "--json=short"}) {
        EXPECT_EQ(tierctl(steps, {"plan", "--detailed-exitcode", json}).status, 2);
        EXPECT_EQ(tierctl(waiting, {"plan", "--detailed-exitcode", json}).status, 0);
        EXPECT_EQ(tierctl(nothing, {"plan", "--detailed-exitcode", json}).status, 0);
        EXPECT_EQ(tierctl(refused, {"plan", "--detailed-exitcode", json}).status, 0);
    }
    auto& step = std::get<Value::Map>(waiting.plan.steps.front().data);
    step["needs-person"] = true;
    EXPECT_EQ(tierctl(waiting, {"plan", "--detailed-exitcode"}).status, 2);
}

TEST(Doctor, ExitsWith1WhereThereIsARisk) {
    FakeDaemon sick = fixtures::degraded(), well = fixtures::installed(), starting = fixtures::converged();
    for (const char* json : {"--json=off", "--json=short"}) {
        EXPECT_EQ(tierctl(sick, {"doctor", json}).status, 1);
        EXPECT_EQ(tierctl(well, {"doctor", json}).status, 0);
    }
    EXPECT_THAT(tierctl(well, {"doctor"}).out, HasSubstr("No known risk."));
    // No list is not an empty one.
    EXPECT_EQ(tierctl(starting, {"doctor"}).status, 1);
    EXPECT_THAT(tierctl(starting, {"doctor"}).err, HasSubstr("has not looked around yet"));
}

TEST(Json, CarriesItsVersionAndWhatWasAsked) {
    struct Shape {
        Words words;
        std::vector<std::string> members;
    };
    const std::vector<Shape> shapes{{{"status"}, {"version", "convergence", "tiers", "devices", "snapshots", "alerts", "jobs"}},
                                    {{"devices"}, {"devices"}},
                                    {{"tiers"}, {"tiers"}},
                                    {{"snapshots"}, {"snapshots"}},
                                    {{"jobs"}, {"jobs"}},
                                    {{"policy"}, {"files", "problems", "changed", "frozen"}},
                                    {{"show", "media"}, {"objects"}},
                                    {{"plan"}, {"id", "generation", "steps"}},
                                    {{"explain", "/dev/sdb"}, {"target", "findings"}},
                                    {{"reload"}, {"ok", "problems"}},
                                    {{"thaw", "vg"}, {"thawed"}}};
    for (const Shape& shape : shapes)
        for (const char* mode : {"--json=short", "--json=pretty"}) {
            FakeDaemon daemon = fixtures::converged();
            Words words = shape.words;
            words.emplace_back(mode);
            const Outcome run = tierctl(daemon, words);
            ASSERT_EQ(run.status, 0) << run.err;
            const Value document = parse_json(run.out);
            EXPECT_EQ(document["format_version"].count(), 1U);
            for (const std::string& member : shape.members)
                EXPECT_TRUE(document.map().contains(member)) << shape.words.front() << ' ' << member;
            EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n') == 1, std::string{mode} == "--json=short");
        }
    FakeDaemon daemon = fixtures::converged();
    EXPECT_TRUE(parse_json(tierctl(daemon, {"status", "-j"}).out)["observation"].is_null());
    EXPECT_TRUE(parse_json(tierctl(daemon, {"status", "-j"}).out)["tiers"].list().at(1)["dirty"].is_null()) << "unknown is not 0";
}

TEST(DumpObservation, WritesTheObservationItself) {
    FakeDaemon daemon = fixtures::converged();
    const Outcome run = tierctl(daemon, {"dump-observation"});
    EXPECT_EQ(parse_json(run.out), daemon.state["observation"]);
    std::get<Value::Map>(daemon.state.data).erase("observation");
    EXPECT_EQ(tierctl(daemon, {"dump-observation"}).status, 1);
}

TEST(Show, FindsAnObjectByWhateverItIsCalled) {
    for (const char* name : {"media", "tier/media", "/org/tierd1/tier/media", "lvm_hdd/hdd"}) {
        FakeDaemon daemon = fixtures::converged();
        EXPECT_THAT(tierctl(daemon, {"show", name}).out, HasSubstr("Phase=active")) << name;
    }
    for (const char* name : {"sdb", "/dev/sdb", "S21PNXAG441016"}) {
        FakeDaemon daemon = fixtures::converged();
        EXPECT_THAT(tierctl(daemon, {"show", name}).out, HasSubstr("State=serving")) << name;
    }
    FakeDaemon daemon = fixtures::converged();
    EXPECT_THAT(tierctl(daemon, {"show", "mediaa"}).err, HasSubstr("did you mean media?"));
    EXPECT_EQ(tierctl(daemon, {"show", "media", "-P", "Nope"}).status, 1);
}

}  // namespace
}  // namespace tierd::client
