// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gtest/gtest.h>

#include <filesystem>
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

TEST(TheVersionOfSdbus, IsAskedForInOneFile) {
    std::set<std::string> asking;
    for (const char* folder : {"client", "daemon", "dbus", "systemd"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator{std::string{TIERD_SOURCE_DIR "/"} + folder}) {
            const auto path = std::filesystem::relative(entry.path(), TIERD_SOURCE_DIR).string();
            if ((path.ends_with(".hpp") || path.ends_with(".cpp")) && text_of(path).find("VTableItems.h") != std::string::npos)
                asking.insert(path);
        }
    }
    EXPECT_EQ(asking, std::set<std::string>{"dbus/sdbus_compat.hpp"});
}

}  // namespace
}  // namespace tierd::test
