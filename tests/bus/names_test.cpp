// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/names.hpp"

#include <gtest/gtest.h>
#include <systemd/sd-bus.h>

#include <cstdlib>
#include <set>

#include "daemon/core/views.hpp"

namespace tierd::bus {
namespace {

const std::vector<std::string> ids{"media",   "wwn:0x5002538d00000001", "0abc", "serial:ß/..", "", "_", "a_b",
                                   "kZ3x-4b", std::string("a\0b", 3),   "7"};

TEST(AnObjectId, IsEncodedAsSystemdDoes) {
    for (const std::string& id : ids) {
        if (id.find('\0') != std::string::npos) continue;  // a C string ends there
        char* path = nullptr;
        ASSERT_GE(sd_bus_path_encode("/org/tierd1/tier", id.c_str(), &path), 0);
        EXPECT_EQ(object_path("tier", id), path);
        free(path);
    }
}

TEST(AnObjectId, ComesBackFromItsPath) {
    for (const std::string& id : ids) EXPECT_EQ(id_of_path("tier", object_path("tier", id)), id);
}

TEST(APath, HasOneSpelling) {
    EXPECT_EQ(id_of_path("tier", "/org/tierd1/tier/media"), "media");
    for (const char* path : {"/org/tierd1/tier/", "/org/tierd1/tier/_6dedia", "/org/tierd1/tier/a_", "/org/tierd1/tier/a_2",
                             "/org/tierd1/tier/a_zz", "/org/tierd1/tier/0a", "/org/tierd1/tier/a-b", "/org/tierd1/device/media", "/", ""})
        EXPECT_EQ(id_of_path("tier", path), std::nullopt) << path;
}

TEST(AnAlertsObject, IsThePathOfWhatItIsAbout) {
    EXPECT_EQ(path_of_object("tier/media"), "/org/tierd1/tier/media");
    EXPECT_EQ(path_of_object("device/wwn:0x5"), "/org/tierd1/device/wwn_3a0x5");
    EXPECT_EQ(path_of_object(""), "/org/tierd1");
}

TEST(AnErrorName, ComesBackFromTheBus) {
    EXPECT_EQ(error_name_on_bus(ErrorCode::StalePlan), "org.tierd1.Error.StalePlan");
    EXPECT_EQ(error_code_from_bus("org.tierd1.Error.StalePlan"), ErrorCode::StalePlan);
    EXPECT_EQ(error_code_from_bus("org.freedesktop.DBus.Error.Failed"), ErrorCode::Internal);
    EXPECT_EQ(error_code_from_bus("org.tierd1.Error.Nonsense"), ErrorCode::Internal);
}

// Property: whatever text a disk or LVM was observed by, its object has a path that the bus takes, and one of its own.
TEST(AnObjectPath, IsValidAndBoundedForAnyObservedText) {
    std::set<std::string> paths;
    const std::vector<std::string> texts{"",
                                         "/",
                                         "_",
                                         "1",
                                         "\xff\xfe",
                                         "S 21",
                                         "S_21",
                                         "S_2021",
                                         std::string(4096, 'x'),
                                         std::string(4095, 'x') + 'y',
                                         std::string(70'000, '/'),
                                         std::string("a\0b", 3),
                                         "\xf0\x9f\x92\xbe",
                                         std::string(300, '\xc3')};
    for (const auto& text : texts) {
        const std::string path = bus::object_path("device", bounded_id(text));
        EXPECT_EQ(sd_bus_object_path_is_valid(path.c_str()), 1) << path;
        EXPECT_LT(path.size(), 512U);
        EXPECT_TRUE(paths.insert(path).second) << path;
        EXPECT_EQ(bus::id_of_path("device", path), bounded_id(text));
    }
}

}  // namespace
}  // namespace tierd::bus
