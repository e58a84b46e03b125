// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "bus_test.hpp"
#include "interface_text.hpp"

namespace tierd::test {

Observation machine_with_a_snapshot() {
    Observation machine = demonstration();
    LogicalVolume snapshot = machine.lvm->lvs.at(0);
    snapshot.name = "hdd_snap";
    snapshot.uuid = "simLVx-0000-0000-0000-0000-0000-000002";
    snapshot.segtype = "linear";
    snapshot.origin = "hdd";
    snapshot.attr = "swi-a-s---";
    snapshot.data_percent = 31.25;
    snapshot.size = 10 * gib;
    snapshot.extents_on.clear();
    machine.lvm->lvs.push_back(snapshot);
    return machine;
}

namespace {

const std::vector<std::string> own_interfaces{"org.tierd1.Manager",  "org.tierd1.Device", "org.tierd1.Tier",
                                              "org.tierd1.Snapshot", "org.tierd1.Job",    "org.freedesktop.LogControl1"};
/// Open to everybody. Whatever is not in here must ask polkit.
const std::set<std::string> reading{"Plan", "CheckPolicy", "Explain", "GetStatistics", "Describe", "Can", "Wait"};

class AnIntrospection : public OnTheBus {
protected:
    std::map<std::string, Introspection> objects;  ///< by path
    void SetUp() override {
        Daemon::Options options;
        options.observation = machine_with_a_snapshot();
        start(options);
        make_the_volume_fast();
        walk(root);
        walk("/org/freedesktop/LogControl1");
    }
    void walk(const std::string& path) {
        const auto xml = client->call(path, "org.freedesktop.DBus.Introspectable", "Introspect").at(0).get<std::string>();
        const auto& object = objects[path] = read_introspection(xml);
        for (const std::string& child : object.children) walk(path + '/' + child);
    }
    /// Arguments of the right types that mean nothing.
    std::string call_with_nothing(BusClient& caller, const std::string& path, const std::string& interface, const Member& method) {
        std::string types;
        for (const Argument& argument : method.arguments) types += argument.direction == "in" ? argument.type : "";
        if (types.empty()) return caller.error_of(path, interface, method.name);
        if (types == "s") return caller.error_of(path, interface, method.name, "s", "x");
        if (types == "t") return caller.error_of(path, interface, method.name, "t", std::uint64_t{1});
        if (types == "ao") return caller.error_of(path, interface, method.name, "ao", 0);
        if (types == "a{sv}") return caller.error_of(path, interface, method.name, "a{sv}", 0);
        if (types == "sa{sv}") return caller.error_of(path, interface, method.name, "sa{sv}", "x", 0);
        if (types == "ssa{sv}") return caller.error_of(path, interface, method.name, "ssa{sv}", "lvm_hdd", "x", 0);
        ADD_FAILURE() << "this test cannot call " << interface << '.' << method.name << '(' << types << ')';
        return "";
    }
};

TEST_F(AnIntrospection, IsWhatTheFilesSay) {
    std::set<std::string> seen;
    for (const auto& [path, object] : objects) {
        for (const std::string& interface : own_interfaces) {
            if (object.interfaces.count(interface) == 0) continue;
            EXPECT_EQ(object.signatures(interface), read_interface_file(interface).signatures(interface)) << path;
            seen.insert(interface);
        }
    }
    EXPECT_EQ(seen, (std::set<std::string>{own_interfaces.begin(), own_interfaces.end()}));
}

TEST_F(AnIntrospection, ShowsThatEachMethodIsReadingOrRefusedToTheUnprivileged) {
    if (!can_be_others()) GTEST_SKIP() << "needs root, to call as another user";
    MockPolkit polkit{bus.address(), MockPolkit::Says::No};
    BusClient other{bus.address(), nobody};
    std::size_t refused = 0;
    for (const auto& [path, object] : objects) {
        for (const std::string& interface : own_interfaces) {
            if (object.interfaces.count(interface) == 0) continue;
            for (const Member& member : object.interfaces.at(interface)) {
                if (member.kind == "property" && member.access != "read") {
                    const std::string error = other.error_of(path, "org.freedesktop.DBus.Properties", "Set", "ssv", interface.c_str(),
                                                             member.name.c_str(), "s", "debug");
                    EXPECT_EQ(error, "org.tierd1.Error.NotAuthorized") << member.name;
                }
                if (member.kind != "method" || reading.count(member.name) != 0) continue;
                EXPECT_EQ(call_with_nothing(other, path, interface, member), "org.tierd1.Error.NotAuthorized")
                    << path << ' ' << member.name;
                ++refused;
            }
        }
    }
    EXPECT_GE(refused, 5U);
}

// E10: every method replies, and quickly
TEST_F(AnIntrospection, ShowsOnlyMethodsThatReply) {
    for (const auto& [path, object] : objects) {
        for (const std::string& interface : own_interfaces) {
            if (object.interfaces.count(interface) == 0) continue;
            for (const Member& member : object.interfaces.at(interface)) {
                EXPECT_EQ(member.annotations.count("org.freedesktop.DBus.Method.NoReply"), 0U) << member.name;
                if (member.kind != "method") continue;
                const std::string error = call_with_nothing(*client, path, interface, member);
                EXPECT_TRUE(error.empty() || error.rfind("org.tierd1.Error.", 0) == 0) << member.name << ": " << error;
                EXPECT_NE(error, "org.tierd1.Error.Internal") << member.name;
            }
        }
    }
}

TEST(AnInterfaceFile, NamesAndDocumentsEverything) {
    for (const std::string& interface : own_interfaces) {
        const Introspection file = read_interface_file(interface);
        for (const Member& member : file.interfaces.at(interface)) {
            const std::string where = interface + '.' + member.name;
            EXPECT_TRUE(member.documented) << where << " has no comment that begins with its name";
            for (const Argument& argument : member.arguments) EXPECT_FALSE(argument.name.empty()) << where;
            if (member.kind == "property") {
                EXPECT_EQ(member.annotations.count("org.freedesktop.DBus.Property.EmitsChangedSignal"), 1U) << where;
            }
        }
    }
}

TEST(AnInterfaceFile, EndsEachChangingMethodInOptions) {
    for (const std::string& interface : own_interfaces) {
        const Introspection file = read_interface_file(interface);
        for (const Member& member : file.interfaces.at(interface)) {
            if (member.kind != "method" || reading.count(member.name) != 0) continue;
            std::string last;
            for (const Argument& argument : member.arguments)
                last = argument.direction == "in" ? argument.type + ' ' + argument.name : last;
            EXPECT_EQ(last, "a{sv} options") << interface << '.' << member.name;
        }
    }
}

}  // namespace
}  // namespace tierd::test
