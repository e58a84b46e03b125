// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <fstream>
#include <sstream>

#include "bus_test.hpp"

namespace tierd::test {
namespace {

using namespace std::chrono_literals;

/// What a client knows that reads everything once and then only listens: path -> interface -> property -> value.
struct Model {
    Json objects;

    void apply(const BusSignal& signal) {
        const Json& arguments = signal.arguments;
        if (signal.member == "InterfacesAdded") objects[arguments[0].get<std::string>()].update(arguments[1]);
        if (signal.member == "InterfacesRemoved") objects.erase(arguments[0].get<std::string>());
        if (signal.member == "PropertiesChanged") objects[signal.path][arguments[0].get<std::string>()].update(arguments[1]);
    }
};

class TheSignals : public OnTheBus {
protected:
    Model model;
    /// The manager is the root of the tree, not in it.
    Json read() {
        Json objects = client->managed_objects();
        objects[root][manager] = client->call(root, "org.freedesktop.DBus.Properties", "GetAll", "s", manager).at(0);
        return objects;
    }
    void listen() {
        client->listen();
        model.objects = read();
        client->signals.clear();
    }
    std::vector<BusSignal> named(const std::string& member, const std::string& path = "") {
        std::vector<BusSignal> result;
        for (const BusSignal& signal : client->signals) {
            if (signal.member == member && (path.empty() || signal.path == path)) result.push_back(signal);
        }
        return result;
    }
    /// The daemon's part of what is read: sd-bus adds interfaces of its own to a path's list.
    static Json own(Json objects) {
        for (auto& [path, interfaces] : objects.items()) {
            for (auto each = interfaces.begin(); each != interfaces.end();) {
                each = each.key().rfind("org.tierd1.", 0) == 0 ? std::next(each) : interfaces.erase(each);
            }
        }
        return objects;
    }
};

// E11
TEST_F(TheSignals, AddUpToWhatCanBeRead) {
    Daemon::Options options;
    options.observation = machine_with_a_snapshot();
    start(options);
    listen();
    make_the_volume_fast();
    daemon->happen("write lvm_hdd/hdd 400MiB");
    client->pass(2500ms);
    daemon->happen("plug /dev/sdc serial=S22 size=10GiB kind=ssd content=vfat");
    client->pass(1500ms);
    daemon->happen("write lvm_hdd/hdd 0");
    daemon->happen("pull /dev/sdc");
    client->pass(2500ms);
    // What was sent before the answer has been handled before it.
    const Json now = read();
    for (const BusSignal& signal : client->signals) model.apply(signal);
    EXPECT_EQ(Json::diff(own(model.objects), own(now)).dump(2), "[]");
    EXPECT_TRUE(now.contains("/org/tierd1/tier/media"));
    EXPECT_GE(named("InterfacesRemoved").size(), 1U);
}

TEST_F(TheSignals, HoldAtEachMomentNotOnlyInTheEnd) {
    start();
    listen();
    daemon->happen("plug /dev/sdb serial=S21 size=238GiB kind=ssd");
    for (int look = 0; look < 40; ++look) {
        const Json now = client->managed_objects();
        for (const BusSignal& signal : client->signals) model.apply(signal);
        client->signals.clear();
        model.objects.erase(root);
        ASSERT_EQ(Json::diff(own(model.objects), own(now)).dump(2), "[]") << "look " << look;
        client->pass(40ms);
    }
    EXPECT_TRUE(converged());
}

// E03
TEST_F(TheSignals, ComeAtMostOnceASecondForFigures) {
    start();
    make_the_volume_fast();
    daemon->happen("write lvm_hdd/hdd 200MiB");
    listen();
    const auto begin = std::chrono::steady_clock::now();
    // Each one makes the controller look, faster than anything needs to be told.
    while (std::chrono::steady_clock::now() - begin < 3s) {
        daemon->run([](Controller& controller) { controller.reload(); });
        client->pass(20ms);
    }
    std::map<std::string, std::size_t> changes;
    Json before = model.objects;
    for (const BusSignal& signal : named("PropertiesChanged")) {
        Json& known = before[signal.path][signal.arguments[0].get<std::string>()];
        for (const auto& [name, value] : signal.arguments[1].items()) {
            EXPECT_NE(known[name], value) << signal.path << ' ' << name << " was announced and had not changed";
            known[name] = value;
        }
        ++changes[signal.path];
    }
    EXPECT_LE(changes["/org/tierd1/tier/media"], 4U);
    EXPECT_GE(changes["/org/tierd1/tier/media"], 1U);
}

TEST_F(TheSignals, OfAJobComeInTheirOrder) {
    start();
    listen();
    make_the_volume_fast();
    ASSERT_TRUE(client->wait([&] { return !named("JobRemoved").empty(); }));
    std::vector<std::string> order;
    for (const BusSignal& signal : client->signals) {
        const bool job = signal.member == "InterfacesAdded" && signal.arguments[0].get<std::string>().rfind("/org/tierd1/job/", 0) == 0;
        if (job || signal.member == "JobNew" || signal.member == "JobRemoved") order.push_back(signal.member);
    }
    EXPECT_EQ(order, (std::vector<std::string>{"InterfacesAdded", "JobNew", "JobRemoved"}));
    const Json removed = named("JobRemoved").at(0).arguments;
    EXPECT_EQ(removed, (Json{removed[0], removed[1], "attach", "done", "", ""}));
    // It stays readable, and Wait answers at once.
    EXPECT_EQ(client->call(removed[1].get<std::string>(), "org.tierd1.Job", "Wait", "t", std::uint64_t{0}), (Json{"done", "", ""}));
}

TEST_F(TheSignals, OfAnAlertCarryAMessageAndAreNotDelayed) {
    start();
    make_the_volume_fast();
    listen();
    daemon->happen("lvm down");
    ASSERT_TRUE(client->wait([&] { return !named("Alert").empty(); }, 60s));
    const Json alert = named("Alert").at(0).arguments;
    EXPECT_EQ(alert[0], root);
    EXPECT_EQ(alert[1], "inventory-lost");
    EXPECT_TRUE(alert[3].contains("message"));
    daemon->happen("lvm up");
    ASSERT_TRUE(client->wait([&] { return !named("AlertCleared").empty(); }, 60s));
    EXPECT_EQ(named("AlertCleared").at(0).arguments, (Json{root, "inventory-lost"}));
}

// E01
TEST_F(TheSignals, LetACallAnswerWithAJobLongBeforeItsEnd) {
    Daemon::Options options;
    options.policy = media_policy() + "defaults: {autonomy: observe}\n";
    start(options);
    listen();
    daemon->happen("plug /dev/sdb serial=S21 size=238GiB kind=ssd");
    ASSERT_TRUE(client->wait([&] { return client->property(root, manager, "Convergence") == "drift"; }));
    const auto begin = std::chrono::steady_clock::now();
    const std::string job = client->call(root, manager, "Apply", "sa{sv}", "", 0).at(0);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
    EXPECT_EQ(client->property(job, "org.tierd1.Job", "Result"), "");
    // Too short a wait says so, without an error; a long one brings the end.
    EXPECT_EQ(client->call(job, "org.tierd1.Job", "Wait", "t", std::uint64_t{1000}), (Json{"", "", ""}));
    EXPECT_EQ(client->call(job, "org.tierd1.Job", "Wait", "t", UINT64_MAX), (Json{"done", "", ""}));
    EXPECT_TRUE(converged());
}

// E06
TEST_F(TheSignals, GoOnAndSoDoesTheJobWhenItsClientIsKilled) {
    Daemon::Options options;
    options.policy = media_policy() + "defaults: {autonomy: observe}\n";
    start(options);
    listen();
    daemon->happen("plug /dev/sdb serial=S21 size=238GiB kind=ssd");
    ASSERT_TRUE(client->wait([&] { return client->property(root, manager, "Convergence") == "drift"; }));
    BusClient caller{bus.address(), geteuid()};
    const std::string job = caller.call(root, manager, "Apply", "sa{sv}", "", 0).at(0);
    caller.ask(job, "org.tierd1.Job", "Wait", "t", UINT64_MAX);
    caller.vanish();
    const Json jobs = client->property(root, manager, "Jobs");
    EXPECT_NE(std::find(jobs.begin(), jobs.end(), job), jobs.end());
    EXPECT_EQ(client->call(job, "org.tierd1.Job", "Wait", "t", UINT64_MAX), (Json{"done", "", ""}));
    EXPECT_TRUE(converged());
}

}  // namespace
}  // namespace tierd::test
