// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "dbus/names.hpp"
#include "interface_text.hpp"

namespace tierd::test {
namespace {

std::string text_of(const std::string& path) {
    std::ifstream file{TIERD_SOURCE_DIR "/" + path};
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::set<std::string> all(const std::string& text, const std::string& pattern) {
    const std::regex regex{pattern};
    std::set<std::string> found;
    for (auto each = std::sregex_iterator{text.begin(), text.end(), regex}; each != std::sregex_iterator{}; ++each)
        found.insert((*each)[1]);
    return found;
}

TEST(ThePolkitActions, AreTheVerbs) {
    std::set<std::string> expected;
    for (const std::string_view verb : bus::authorised_verbs()) expected.insert(bus::polkit_action(verb));
    EXPECT_EQ(all(text_of("dbus/org.tierd1.policy"), R"re(<action id="([^"]+)")re"), expected);
}

// E08: an administrator over ssh or Cockpit is asked, not refused
TEST(ThePolkitActions, RefuseNobodyForBeingRemote) {
    const std::string text = text_of("dbus/org.tierd1.policy");
    const std::set<std::string> remote{"auth_admin_keep", "auth_admin"};
    for (const char* key : {"allow_any", "allow_inactive"}) {
        for (const std::string& value : all(text, std::string{"<"} + key + ">([^<]*)<"))
            EXPECT_EQ(remote.count(value), 1U) << key << ' ' << value;
    }
}

// E09: a file of a wrong name is not found; lintian: dbus-system-service-wrong-name
TEST(TheActivationFile, IsNamedAfterItsName) {
    EXPECT_EQ(all(text_of(std::string{"dbus/"} + bus::service_name + ".service"), R"(Name=(\S+))"),
              std::set<std::string>{bus::service_name});
    EXPECT_EQ(all(text_of("systemd/tierd.service.in"), R"(Alias=dbus-(\S+)\.service)"), std::set<std::string>{bus::service_name});
    EXPECT_EQ(all(text_of("systemd/tierd.service.in"), R"(BusName=(\S+))"), std::set<std::string>{bus::service_name});
}

TEST(TheBusPolicy, NamesItsDestinationEverywhereAndEachInterface) {
    const std::string text = text_of(std::string{"dbus/"} + bus::service_name + ".conf");
    const std::regex line{R"(<(allow|deny) send_[^>]*>)"};
    for (auto each = std::sregex_iterator{text.begin(), text.end(), line}; each != std::sregex_iterator{}; ++each)
        EXPECT_NE(each->str().find("send_destination=\"org.tierd1\""), std::string::npos) << each->str();
    const auto interfaces = all(text, R"re(send_interface="([^"]+)")re");
    for (const char* interface : {"org.tierd1.Manager", "org.tierd1.Device", "org.tierd1.Tier", "org.tierd1.Snapshot", "org.tierd1.Job",
                                  "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.ObjectManager",
                                  "org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Peer", "org.freedesktop.LogControl1"})
        EXPECT_EQ(interfaces.count(interface), 1U) << interface;
}

// The only file that may know which sdbus-c++ it is.
TEST(TheVersionOfSdbus, IsAskedForInOneFile) {
    EXPECT_NE(text_of("dbus/sdbus_compat.hpp").find("VTableItems.h"), std::string::npos);
    for (const char* file : {"dbus/names.cpp", "dbus/service/authorizer.cpp", "dbus/service/guard.hpp", "dbus/service/manager_object.cpp",
                             "dbus/service/objects.hpp", "dbus/service/pump.cpp", "dbus/service/service.cpp", "dbus/service/waiters.cpp",
                             "dbus/service/published.hpp"})
        EXPECT_EQ(text_of(file).find("__has_include"), std::string::npos) << file;
}

}  // namespace
}  // namespace tierd::test
