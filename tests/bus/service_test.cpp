// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "bus_test.hpp"

namespace tierd::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* invalid_args = "org.tierd1.Error.InvalidArgs";
constexpr const char* limit_exceeded = "org.tierd1.Error.LimitExceeded";

class TheService : public OnTheBus {
protected:
    bool paused() { return client->property(root, manager, "Frozen").contains("lvm_hdd"); }
};

// E04
TEST_F(TheService, EndsWithAStatusOfItsOwnWhenTheBusIsGone) {
    start();
    make_the_volume_fast();
    client.reset();
    bus.kill_it();
    EXPECT_EQ(daemon->ended(), Service::exit_bus_lost);
}

// E04, with a command under way: it ends first
TEST_F(TheService, LetsACommandEndBeforeItEndsWithoutABus) {
    start();
    daemon->happen("plug /dev/sdb serial=S21 size=238GiB kind=ssd");
    ASSERT_TRUE(client->wait([&] { return client->property(root, manager, "State") == "acting"; }));
    client.reset();
    bus.kill_it();
    EXPECT_EQ(daemon->ended(), Service::exit_bus_lost);
    daemon->run([](Controller& controller) { EXPECT_NE(controller.manager().state, "starting"); });
}

// E05
TEST_F(TheService, DoesNotTakeANameThatAnotherHas) {
    start();
    Daemon second{{bus.address(), media_policy()}};
    EXPECT_TRUE(daemon->named());
    EXPECT_FALSE(second.named());
    // Nor does it wait in a queue for it.
    client->destination = "org.freedesktop.DBus";
    const Json queued = client->call("/org/freedesktop/DBus", "org.freedesktop.DBus", "ListQueuedOwners", "s", "org.tierd1").at(0);
    EXPECT_EQ(queued.size(), 1U);
}

TEST_F(TheService, SaysWhichBusItCannotReach) {
    try {
        const Daemon lost{{"unix:path=/nonexistent/bus", media_policy()}};
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_NE(std::string{error.what()}.find("/nonexistent/bus"), std::string::npos);
    }
}

TEST_F(TheService, IsSeenOnlyOnceThereIsSomethingToShow) {
    start();
    EXPECT_NE(client->property(root, manager, "State"), "starting");
    EXPECT_GE(client->managed_objects().size(), 2U);  // a disk, and the tier that waits
}

TEST_F(TheService, RefusesAnOptionThatItDoesNotKnow) {
    start();
    EXPECT_EQ(client->error_of(root, manager, "Plan", "a{sv}", 1, "dry-run", "b", 1), invalid_args);
    EXPECT_EQ(client->error_of(root, manager, "Apply", "sa{sv}", "", 1, "force", "b", 1), invalid_args);
    EXPECT_EQ(client->error_of(root, manager, "Reload", "a{sv}", 1, "x", "s", "y"), invalid_args);
}

TEST_F(TheService, NamesItsErrors) {
    start();
    EXPECT_EQ(client->error_of(root, manager, "Apply", "sa{sv}", "of-yesterday", 0), "org.tierd1.Error.StalePlan");
    EXPECT_EQ(client->error_of(root, manager, "Explain", "sa{sv}", "no/such", 0), "org.tierd1.Error.NoSuchTarget");
    EXPECT_EQ(client->error_of(root, manager, "Thaw", "sa{sv}", "vg0", 0), "org.tierd1.Error.NoSuchTarget");
    EXPECT_EQ(client->error_of(root, manager, "Pause", "ssa{sv}", "vg0", "", 0), "org.tierd1.Error.NoSuchTarget");
    EXPECT_EQ(client->error_of(root, manager, "GetStatistics", "ao", 1, "/org/tierd1/tier/none"), "org.tierd1.Error.NoSuchTarget");
}

TEST_F(TheService, ChecksAPolicyWithoutTakingItOver) {
    start();
    const Json problems = client->call(root, manager, "CheckPolicy", "ssa{sv}", "10-x.yaml", "tiers:\n  a: {volume: nonsense}\n", 0).at(0);
    ASSERT_GE(problems.size(), 1U);
    EXPECT_EQ(problems[0][0], "error");
    EXPECT_EQ(problems[0][1], "10-x.yaml");
    EXPECT_EQ(problems[0][2], 2);
    EXPECT_EQ(client->property(root, manager, "PolicyProblems"), Json::array());
}

TEST_F(TheService, TellsTheProblemsOfAReload) {
    start();
    daemon->set_policy("tiers: [\n");
    const Json problems = client->call(root, manager, "Reload", "a{sv}", 0).at(0);
    ASSERT_GE(problems.size(), 1U);
    ASSERT_TRUE(client->wait([&] { return client->property(root, manager, "PolicyProblems") == problems; }));
    EXPECT_TRUE(client->managed_objects().contains("/org/tierd1/tier/media")) << "a broken file took the tier away";
}

TEST_F(TheService, ShowsStepsAndFindingsAsDictionaries) {
    start();
    const Json plan = client->call(root, manager, "Plan", "a{sv}", 0);
    ASSERT_GE(plan.at(2).size(), 1U);
    for (const char* key : {"id", "verb", "target", "entry", "sentence", "reason", "rule", "command", "risk", "state", "assumed",
                            "needs-person", "bytes", "after"})
        EXPECT_TRUE(plan.at(2).at(0).contains(key)) << key;
    const Json findings = client->call(root, manager, "Explain", "sa{sv}", "lvm_hdd/hdd", 0).at(0);
    ASSERT_GE(findings.size(), 1U);
    for (const char* key : {"subject", "question", "verdict", "evidence", "advice", "rule"})
        EXPECT_TRUE(findings.at(0).contains(key)) << key;
    EXPECT_TRUE(Json::parse(client->call(root, manager, "Describe").at(0).get<std::string>()).contains("observation"));
}

TEST_F(TheService, GivesStatisticsInOneRoundTrip) {
    Daemon::Options options;
    options.observation = machine_with_a_snapshot();
    start(options);
    const Json before = client->call(root, manager, "GetStatistics", "ao", 0).at(0);
    EXPECT_FALSE(before.at("/org/tierd1/tier/media").contains("DirtyBytes")) << "what is unknown is left out";
    make_the_volume_fast();
    const Json after = client->call(root, manager, "GetStatistics", "ao", 1, "/org/tierd1/tier/media").at(0);
    EXPECT_EQ(after.size(), 1U);
    EXPECT_EQ(after.at("/org/tierd1/tier/media").at("DirtyBytes"), 0);
    EXPECT_EQ(after.at("/org/tierd1/tier/media").at("Full"), false);
    EXPECT_TRUE(after.at("/org/tierd1/tier/media").contains("ServiceTimes"));
}

TEST_F(TheService, TurnsTheLogLevel) {
    start();
    const std::string path = "/org/freedesktop/LogControl1", interface = "org.freedesktop.LogControl1",
                      properties = "org.freedesktop.DBus.Properties";
    EXPECT_EQ(client->property(path, interface, "LogLevel"), "info");
    EXPECT_EQ(client->property(path, interface, "SyslogIdentifier"), "tierd");
    EXPECT_EQ(client->error_of(path, properties, "Set", "ssv", interface.c_str(), "LogLevel", "s", "debug"), "");
    EXPECT_EQ(client->property(path, interface, "LogLevel"), "debug");
    EXPECT_EQ(client->error_of(path, properties, "Set", "ssv", interface.c_str(), "LogLevel", "s", "loud"), invalid_args);
    EXPECT_EQ(client->error_of(path, properties, "Set", "ssv", interface.c_str(), "LogTarget", "s", "kmsg"),
              "org.tierd1.Error.Unsupported");
    EXPECT_EQ(client->error_of(path, properties, "Set", "ssv", interface.c_str(), "LogTarget", "s", "console"), "");
}

// --- pauses ---

TEST_F(TheService, HoldsAPauseUntilItsDescriptorIsClosed) {
    start();
    const int pause = client->call(root, manager, "Pause", "ssa{sv}", "lvm_hdd", "backup", 0).at(0);
    ASSERT_TRUE(client->wait([&] { return paused(); }));
    const int copy = dup(pause);
    EXPECT_EQ(write(copy, "nonsense", 8), 8);
    close(pause);
    client->pass(100ms);
    EXPECT_TRUE(paused()) << "another process may hold it";
    close(copy);
    EXPECT_TRUE(client->wait([&] { return !paused(); }));
}

TEST_F(TheService, ChangesNothingInAGroupThatIsPaused) {
    start();
    const int pause = client->call(root, manager, "Pause", "ssa{sv}", "lvm_hdd", "backup", 0).at(0);
    daemon->happen("plug /dev/sdb serial=S21 size=238GiB kind=ssd");
    client->pass(500ms);
    EXPECT_FALSE(converged());
    close(pause);
    EXPECT_TRUE(client->wait([&] { return converged(); }));
}

TEST_F(TheService, LimitsThePauses) {
    start();
    std::vector<int> pauses;
    std::string error;
    for (int i = 0; i < 100 && error.empty(); ++i) {
        try {
            pauses.push_back(client->call(root, manager, "Pause", "ssa{sv}", "lvm_hdd", "backup", 0).at(0));
        } catch (const BusError& refused) {
            error = refused.name;
        }
    }
    EXPECT_EQ(error, limit_exceeded);
    EXPECT_EQ(pauses.size(), 64U);
    for (const int pause : pauses) close(pause);
    EXPECT_TRUE(client->wait([&] { return !paused(); }));
}

// --- who means harm ---

TEST_F(TheService, IsNotHarmedByTextOfAnyKind) {
    start();
    const std::string megabyte(1 << 20, 'a');
    const std::string just_too_much((64 << 10) + 1, 'a');
    const std::vector<std::string> texts{
        "", "/", "..", "\x01\x02\x1b[2J", "%s%n", "\xf0\x9f\x92\xbe", "a\nb", "lvm_hdd/../hdd", "-h", std::string(4096, '/')};
    for (const std::string& text : texts) {
        const char* argument = text.c_str();
        EXPECT_EQ(client->error_of(root, manager, "Explain", "sa{sv}", argument, 0), "org.tierd1.Error.NoSuchTarget") << text;
        EXPECT_NE(client->error_of(root, manager, "Apply", "sa{sv}", text.empty() ? "?" : argument, 0), "") << text;
        EXPECT_NE(client->error_of(root, manager, "Thaw", "sa{sv}", argument, 0), "") << text;
        EXPECT_NE(client->error_of(root, manager, "Pause", "ssa{sv}", argument, argument, 0), "") << text;
        EXPECT_EQ(client->call(root, manager, "Can", "s", argument).at(0), "na");
        EXPECT_NO_THROW(client->call(root, manager, "CheckPolicy", "ssa{sv}", argument, argument, 0));
    }
    EXPECT_EQ(client->error_of(root, manager, "Explain", "sa{sv}", megabyte.c_str(), 0), limit_exceeded);
    EXPECT_EQ(client->error_of(root, manager, "CheckPolicy", "ssa{sv}", "x", just_too_much.c_str(), 0), limit_exceeded);
    EXPECT_NE(client->error_of("/org/tierd1/job/4294967296", "org.tierd1.Job", "Cancel", "a{sv}", 0), "");
    EXPECT_EQ(client->property(root, manager, "Version"), "1.2.3");
}

TEST_F(TheService, ShowsADiskWhoseSerialNumberIsLongerThanAnyPath) {
    Daemon::Options options;
    options.observation = demonstration();
    BlockDevice odd = options.observation.devices.at(0);
    odd.dev = "8:16";
    odd.wwn.clear();
    odd.serial = std::string(40'000, '/');
    options.observation.devices.push_back(odd);
    odd.serial.back() = 'x';
    options.observation.devices.push_back(odd);
    start(options);
    std::size_t found = 0;
    const Json objects = client->managed_objects();
    for (const auto& [path, interfaces] : objects.items()) {
        if (!interfaces.contains("org.tierd1.Device") ||
            interfaces.at("org.tierd1.Device").at("Serial").get<std::string>().size() != 40'000)
            continue;
        ++found;
        EXPECT_LT(path.size(), 512U);
    }
    EXPECT_EQ(found, 2U);
}

TEST_F(TheService, SaysThatItObservesOnly) {
    Daemon::Options options;
    options.observation = demonstration();
    options.observation.container = true;
    start(options);
    EXPECT_EQ(client->property(root, manager, "ObserveOnly"), true);
    EXPECT_EQ(client->call(root, manager, "Can", "s", "apply").at(0), "na");
    EXPECT_EQ(client->call(root, manager, "Can", "s", "reload").at(0), "yes");
    EXPECT_EQ(client->error_of(root, manager, "Apply", "sa{sv}", "", 0), "org.tierd1.Error.Unsupported");
}

TEST_F(TheService, RefusesToApplyWhatSomebodyHasPaused) {
    Daemon::Options options;
    options.policy = media_policy() + "defaults: {autonomy: observe}\n";
    start(options);
    daemon->happen("plug /dev/sdb serial=S21 size=238GiB kind=ssd");
    ASSERT_TRUE(client->wait([&] { return client->property(root, manager, "Convergence") == "drift"; }));
    const int pause = client->call(root, manager, "Pause", "ssa{sv}", "lvm_hdd", "backup", 0).at(0);
    EXPECT_EQ(client->error_of(root, manager, "Apply", "sa{sv}", "", 0), "org.tierd1.Error.Paused");
    close(pause);
    ASSERT_TRUE(client->wait([&] { return !paused(); }));
    EXPECT_EQ(client->error_of(root, manager, "Apply", "sa{sv}", "", 0), "");
    EXPECT_TRUE(client->wait([&] { return converged(); }));
}

TEST_F(TheService, SaysWhichPolicyAFaultyReloadLeavesInForce) {
    start();
    EXPECT_EQ(client->property(root, manager, "PolicyKept"), false);
    const Json loaded = client->property(root, manager, "PolicyLoadedUSec");
    EXPECT_GT(loaded.get<std::uint64_t>(), 0U);
    daemon->set_policy("tiers: [\n");
    client->call(root, manager, "Reload", "a{sv}", 0);
    EXPECT_TRUE(client->wait([&] { return client->property(root, manager, "PolicyKept") == true; }));
    EXPECT_EQ(client->property(root, manager, "PolicyLoadedUSec"), loaded);
}

TEST_F(TheService, ShowsADiskWhoseWordsAreNotText) {
    Daemon::Options options;
    options.observation = demonstration();
    BlockDevice odd = options.observation.devices.at(0);
    odd.node = "/dev/sd\xff";
    odd.name = "sd\xff";
    odd.dev = "8:16";
    odd.serial = std::string("S\0\xc3(\xed\xa0\x80\xf4\x90\x80\x80\xef\xbf\xbf", 14) + "\xc3\xa9";
    odd.wwn = "0x\x80";
    odd.model = "\xfe\xfe";
    odd.holders.clear();
    options.observation.devices.push_back(odd);
    start(options);
    const Json objects = client->managed_objects();
    const auto is_odd = [](const Json& interfaces) {
        return interfaces.contains("org.tierd1.Device") && interfaces["org.tierd1.Device"]["Path"] == "/dev/sd\\xff";
    };
    const auto device = std::find_if(objects.begin(), objects.end(), is_odd);
    ASSERT_NE(device, objects.end());
    EXPECT_EQ((*device)["org.tierd1.Device"]["Serial"].get<std::string>(),
              "S\\x00\\xc3(\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80\\xef\\xbf\\xbf\xc3\xa9");
    EXPECT_NO_THROW(client->call(root, manager, "Plan", "a{sv}", 0));
    EXPECT_NO_THROW(client->call(root, manager, "Describe"));
}

TEST_F(TheService, ServesOthersDuringAFlood) {
    start();
    BusClient flooder{bus.address(), geteuid()};
    for (int i = 0; i < 3000; ++i) flooder.ask(root, manager, "Plan", "a{sv}", 0);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(client->property(root, manager, "Version"), "1.2.3");
    daemon->happen("plug /dev/sdb serial=S21 size=238GiB kind=ssd");
    EXPECT_TRUE(client->wait([&] { return converged(); }));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 15s);
}

TEST_F(TheService, LimitsTheWaitsOfOneCaller) {
    Daemon::Options options;
    options.policy = media_policy() + "defaults: {autonomy: observe}\n";
    start(options);
    daemon->happen("plug /dev/sdb serial=S21 size=238GiB kind=ssd");
    ASSERT_TRUE(client->wait([&] { return client->property(root, manager, "Convergence") == "drift"; }));
    const std::string job = client->call(root, manager, "Apply", "sa{sv}", "", 0).at(0);
    std::vector<std::shared_ptr<Answer>> answers;
    for (int i = 0; i < 40; ++i) answers.push_back(client->ask(job, "org.tierd1.Job", "Wait", "t", UINT64_MAX));
    ASSERT_TRUE(client->wait([&] { return std::all_of(answers.begin(), answers.end(), [](const auto& answer) { return answer->here; }); }));
    const auto refused = [](const auto& answer) { return answer->error == limit_exceeded; };
    EXPECT_EQ(std::count_if(answers.begin(), answers.end(), refused), 8);
}

}  // namespace
}  // namespace tierd::test
