// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gmock/gmock.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>

#include <clocale>
#include <sstream>
#include <thread>

#include "bus_test.hpp"
#include "client/bus_gateway.hpp"
#include "client/json.hpp"
#include "client/tierctl.hpp"

/// tierctl against the daemon, over a bus of their own: what the unit tests see a fake do.
namespace tierd::test {
namespace {

std::optional<std::string> nobody_types(const std::string& /*prompt*/) {
    return std::nullopt;
}

using testing::HasSubstr;

struct Said {
    int status = 0;
    std::string out, err;
};

class Tierctl : public OnTheBus {
protected:
    void SetUp() override { std::setlocale(LC_CTYPE, "C.UTF-8"); }

    Said tierctl(const std::vector<std::string>& arguments) {
        std::ostringstream out, err;
        client::World world{out,         err, {},          [](const char*) { return std::string{}; }, [] { return Usec{0}; }, {},
                            run_command, {},  nobody_types};
        world.connect = [&](const client::Options& options) {
            return client::connect_to_bus({bus.address(), "", !options.no_ask_password});
        };
        const int status = client::run(world, arguments);
        return {status, out.str(), err.str()};
    }
    std::function<int(const std::vector<std::string>&)> run_command = [](const auto&) { return 0; };

    static Daemon::Options asking() {
        Daemon::Options options;
        options.policy = media_policy() + "defaults:\n  autonomy: observe\n";
        return options;
    }
    void plug() { daemon->happen("plug /dev/sdb serial=S21 size=238GiB kind=ssd"); }
    bool sees(const std::vector<std::string>& arguments, const std::string& text) {
        return client->wait([&] { return tierctl(arguments).out.find(text) != std::string::npos; });
    }
};

TEST_F(Tierctl, SaysThatNobodyIsThereAndWhatToDo) {
    Said said = tierctl({"status"});
    EXPECT_EQ(said.status, 3);
    EXPECT_THAT(said.err, HasSubstr("tierd is not running"));
    std::ostringstream out, err;
    client::World world{out, err, {}, [](const char*) { return std::string{}; }, [] { return Usec{0}; }, {}, run_command, {}, nobody_types};
    world.connect = [&](const client::Options&) { return client::connect_to_bus({"unix:path=/nonexistent/bus", "", true}); };
    EXPECT_EQ(client::run(world, {"plan"}), 3);
    EXPECT_THAT(err.str(), HasSubstr("the bus at unix:path=/nonexistent/bus cannot be reached"));
}

TEST_F(Tierctl, ShowsWhatIsWaitedForThenWhatIsFast) {
    start();
    const Said before = tierctl({"status"});
    EXPECT_EQ(before.status, 0) << before.err;
    EXPECT_THAT(before.out, HasSubstr("waits for a disk"));
    EXPECT_EQ(tierctl({"plan", "--detailed-exitcode"}).status, 0) << "only waiting for something outside";
    make_the_volume_fast();
    const Said after = tierctl({"status"});
    EXPECT_THAT(after.out, HasSubstr("· converged ·"));
    EXPECT_THAT(after.out, HasSubstr("lvm_hdd/hdd"));
    EXPECT_THAT(tierctl({"plan"}).out, HasSubstr("Nothing to do"));
    for (const char* verb : {"devices", "tiers", "snapshots", "jobs", "policy"}) {
        const client::Value document = client::parse_json(tierctl({verb, "-j"}).out);
        EXPECT_EQ(document["format_version"].count(), 1U) << verb;
    }
}

TEST_F(Tierctl, ReadsEveryPropertyOfTheContract) {
    Daemon::Options options;
    options.observation = machine_with_a_snapshot();
    start(std::move(options));
    make_the_volume_fast();
    const auto gateway = client::connect_to_bus({bus.address(), "", true});
    const auto managed = client->managed_objects();
    std::size_t compared = 0;
    for (const client::Object& object : gateway->objects()) {
        if (object.interface == "Manager") continue;
        for (const auto& [name, value] : managed.at(object.path).at("org.tierd1." + object.interface).items()) {
            EXPECT_TRUE(object.properties.map().contains(name)) << object.path << ' ' << name;
            EXPECT_FALSE(object.properties[name].is_null()) << object.path << ' ' << name << " is of a type that tierctl does not read";
            ++compared;
        }
    }
    EXPECT_GT(compared, 30U);
}

TEST_F(Tierctl, AppliesAPlanThatWaitsForAPerson) {
    start(asking());
    plug();
    ASSERT_TRUE(sees({"plan"}, "initialise"));
    EXPECT_EQ(tierctl({"plan", "--detailed-exitcode"}).status, 2);
    EXPECT_THAT(tierctl({"plan", "--commands"}).out, HasSubstr("$ "));
    const Said applied = tierctl({"apply"});
    EXPECT_EQ(applied.status, 0) << applied.err;
    EXPECT_THAT(applied.out, HasSubstr("done in"));
    ASSERT_TRUE(client->wait([&] { return converged(); }));
    EXPECT_EQ(tierctl({"plan", "--detailed-exitcode"}).status, 0);
    EXPECT_THAT(tierctl({"apply"}).out, HasSubstr("Nothing to do"));
}

TEST_F(Tierctl, ExplainsAndShowsByAnyName) {
    start();
    make_the_volume_fast();
    for (const char* name : {"/dev/sdb", "sdb", "S21", "serial:S21", "device sdb", "lvm_hdd/hdd", "/dev/lvm_hdd/hdd", "media", "tier media",
                             "tier/media", "fast", "device fast"}) {
        EXPECT_EQ(tierctl({"explain", name}).status, 0) << name;
        EXPECT_EQ(tierctl({"show", name}).status, 0) << name;
    }
    EXPECT_EQ(tierctl({"show", "manager"}).status, 0);
    EXPECT_EQ(tierctl({"explain", "lvm_hdd"}).status, 0);
    for (const char* verb : {"explain", "show"}) {
        const Said nothing = tierctl({verb, "no/such"});
        EXPECT_EQ(nothing.status, 1);
        EXPECT_THAT(nothing.err, HasSubstr("there are "));
        EXPECT_THAT(nothing.err, HasSubstr("media"));
        EXPECT_THAT(nothing.err, HasSubstr("(NoSuchTarget)"));
    }
    EXPECT_THAT(tierctl({"show", "lvm_hdd"}).err, HasSubstr("`tierctl explain 'lvm_hdd'` tells about it"));
}

TEST_F(Tierctl, ShowsADiskThatFails) {
    start();
    make_the_volume_fast();
    daemon->happen("health /dev/sdb failing");
    ASSERT_TRUE(sees({"status"}, "device-failing"));
    EXPECT_THAT(tierctl({"status"}).out, HasSubstr("tierctl detach lvm_hdd/hdd"));
    EXPECT_THAT(tierctl({"show", "sdb"}).out, testing::AllOf(HasSubstr("Health=failing"), HasSubstr("State=failing")));
    ASSERT_TRUE(sees({"show", "media"}, "Mode=writethrough"));
    EXPECT_THAT(tierctl({"explain", "media"}).out, HasSubstr("is failing"));
    EXPECT_EQ(tierctl({"doctor"}).status, 1);
    daemon->happen("health /dev/sdb ok");
    ASSERT_TRUE(sees({"show", "sdb"}, "State=serving"));
}

TEST_F(Tierctl, DiagnosesAGroupThatLostItsSsd) {
    start();
    make_the_volume_fast();
    EXPECT_EQ(tierctl({"doctor"}).out, "No known risk.\n");
    daemon->happen("pull /dev/sdb");
    ASSERT_TRUE(sees({"doctor"}, "lvm_hdd"));
    const Said said = tierctl({"doctor"});
    EXPECT_EQ(said.status, 1);
    EXPECT_THAT(said.out, HasSubstr("is missing"));
    const auto document = nlohmann::json::parse(tierctl({"doctor", "--json=short"}).out);
    EXPECT_EQ(document.at("risks").at(0).at("subject"), "lvm_hdd");
    EXPECT_EQ(document.at("risks").at(0).at("verdict"), "no");
}

TEST_F(Tierctl, ReloadsAndNamesTheFaults) {
    start();
    EXPECT_EQ(tierctl({"reload"}).status, 0);
    daemon->set_policy("tiers: [\n");
    const Said broken = tierctl({"reload"});
    EXPECT_EQ(broken.status, 1);
    EXPECT_THAT(broken.out, HasSubstr("1 problem"));
    EXPECT_THAT(tierctl({"status"}).out, HasSubstr("1 problem"));
}

TEST_F(Tierctl, PausesAGroupWhileACommandRuns) {
    start();
    std::string meanwhile;
    run_command = [&](const auto&) {
        EXPECT_TRUE(sees({"status"}, "lvm_hdd is paused: pvmove"));
        return 5;
    };
    EXPECT_EQ(tierctl({"pause", "lvm_hdd", "--", "pvmove", "/dev/sda"}).status, 5);
    EXPECT_TRUE(client->wait([&] { return tierctl({"status"}).out.find("paused") == std::string::npos; }));
    EXPECT_EQ(tierctl({"thaw", "nothing"}).status, 1);
    EXPECT_EQ(tierctl({"pause", "nothing", "--", "true"}).status, 1);
}

TEST_F(Tierctl, DumpsAnObservationThatCanBeReadAgain) {
    start();
    const Said dumped = tierctl({"dump-observation"});
    ASSERT_EQ(dumped.status, 0) << dumped.err;
    const Observation observation = observation_from_json(dumped.out);
    EXPECT_EQ(observation_to_json(observation), observation_to_json(observation_from_json(observation_to_json(observation))));
    EXPECT_NE(observation.lvm->volume({"lvm_hdd", "hdd"}), nullptr);
}

TEST_F(Tierctl, HearsWhatHappensUntilTheDaemonGoes) {
    start();
    const auto gateway = client::connect_to_bus({bus.address(), "", true});
    gateway->subscribe();
    const int wake = ::eventfd(0, EFD_CLOEXEC);
    plug();
    std::set<std::string> heard;
    std::string result;
    while (result.empty()) {
        const auto event = gateway->next_event(wake);
        ASSERT_TRUE(event);
        heard.insert(std::string{client::name_of(event->kind)} + ' ' + event->interface);
        if (event->kind == client::Event::Kind::JobRemoved) result = event->details["result"].text();
    }
    EXPECT_EQ(result, "done");
    for (const char* expected : {"added Device", "job-new Job", "changed Tier", "changed Manager"})
        EXPECT_TRUE(heard.contains(expected)) << expected;
    daemon.reset();
    for (;;) {
        const auto event = gateway->next_event(wake);
        ASSERT_TRUE(event);
        if (event->kind == client::Event::Kind::DaemonGone) break;
        EXPECT_NE(event->kind, client::Event::Kind::Removed) << event->path << ": a disk is not gone because the daemon is";
    }
    const std::uint64_t one = 1;
    ASSERT_EQ(::write(wake, &one, sizeof one), static_cast<ssize_t>(sizeof one));
    EXPECT_FALSE(gateway->next_event(wake));
    ::close(wake);
}

TEST_F(Tierctl, IsRefusedWithoutTheRights) {
    if (!can_be_others()) GTEST_SKIP() << "needs root to be somebody else";
    start();
    std::thread{[&] {
        // The system call changes this thread alone.
        ASSERT_EQ(::syscall(SYS_setresuid, nobody, nobody, nobody), 0);
        const Said refused = tierctl({"reload"});
        EXPECT_EQ(refused.status, 4) << refused.err;
        EXPECT_EQ(tierctl({"status"}).status, 0) << "reading is open";
    }}.join();
}

TEST_F(Tierctl, FlushesSetsTheModeAndDetachesUntilThatIsCalledOff) {
    start();
    make_the_volume_fast();
    EXPECT_THAT(tierctl({"flush", "lvm_hdd/hdd"}).out, HasSubstr(": done in"));
    Said said = tierctl({"set-mode", "media", "passthrough"});
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_THAT(tierctl({"status"}).out, HasSubstr("mode passthrough is asked for by a person"));
    EXPECT_EQ(client->property("/org/tierd1/tier/media", "org.tierd1.Tier", "Mode"), "passthrough");
    EXPECT_EQ(tierctl({"set-mode", "--cancel", "media"}).status, 0);
    said = tierctl({"detach", "lvm_hdd/hdd"});
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_EQ(client->property("/org/tierd1/tier/media", "org.tierd1.Tier", "Phase"), "absent");
    EXPECT_EQ(client->property("/org/tierd1/tier/media", "org.tierd1.Tier", "Asked"), Json::array({"detach"}));
    EXPECT_THAT(tierctl({"status"}).out, HasSubstr("`tierctl detach --cancel lvm_hdd/hdd` ends that"));
    EXPECT_THAT(tierctl({"flush", "media"}).err, HasSubstr("lvm_hdd/hdd has no cache"));
    EXPECT_EQ(tierctl({"detach", "--cancel", "media"}).status, 0);
    EXPECT_TRUE(sees({"status"}, "active on sdb"));
}

TEST_F(Tierctl, RefusesOptionsOfATierThatItDoesNotKnow) {
    start();
    make_the_volume_fast();
    const char* media = "/org/tierd1/tier/media";
    const char* tier = "org.tierd1.Tier";
    EXPECT_EQ(client->error_of(media, tier, "Detach", "a{sv}", 1, "force", "b", 1), "org.tierd1.Error.InvalidArgs");
    EXPECT_EQ(client->error_of(media, tier, "Detach", "a{sv}", 1, "cancel", "s", "yes"), "org.tierd1.Error.InvalidArgs");
    EXPECT_EQ(client->error_of(media, tier, "Flush", "a{sv}", 1, "limit-usec", "t", std::uint64_t{1}), "org.tierd1.Error.InvalidArgs");
    EXPECT_EQ(client->error_of(media, tier, "SetMode", "sa{sv}", "sideways", 0), "org.tierd1.Error.InvalidArgs");
    EXPECT_EQ(client->property(media, tier, "Phase"), "active");
}

/// Promise 2: only of a cache that is lost, and only with the name of the volume.
TEST_F(Tierctl, GivesUpWhatALostSsdHadByTheTypedNameOnly) {
    start();
    make_the_volume_fast();
    EXPECT_THAT(tierctl({"recover", "media"}).out, HasSubstr("there is nothing to recover"));
    EXPECT_EQ(client->error_of(root, manager, "Recover", "ssa{sv}", "lvm_hdd/hdd", "drop-cache", 0), "org.tierd1.Error.NoSuchTarget");
    daemon->happen("pull /dev/sdb");
    EXPECT_TRUE(sees({"recover", "lvm_hdd/hdd"}, "drop-cache"));
    EXPECT_EQ(client->error_of(root, manager, "Recover", "ssa{sv}", "lvm_hdd/hdd", "drop-cache", 0), "org.tierd1.Error.InvalidArgs");
    EXPECT_EQ(client->error_of(root, manager, "Recover", "ssa{sv}", "lvm_hdd/hdd", "drop-cache", 1, "confirm", "s", "hdd"),
              "org.tierd1.Error.InvalidArgs");
    EXPECT_EQ(client->error_of(root, manager, "Recover", "ssa{sv}", "lvm_hdd/hdd", "drop-cache", 1, "force", "b", 1),
              "org.tierd1.Error.InvalidArgs");
    EXPECT_NE(tierctl({"recover", "lvm_hdd/hdd", "drop-cache"}).status, 0) << "nobody typed a name";
    const Said said = tierctl({"recover", "--confirm=lvm_hdd/hdd", "lvm_hdd/hdd", "drop-cache"});
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_TRUE(sees({"explain", "lvm_hdd/hdd"}, "linear"));
}

}  // namespace
}  // namespace tierd::test
