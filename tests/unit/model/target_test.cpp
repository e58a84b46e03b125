// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/target.hpp"

#include <gtest/gtest.h>

namespace tierd {
namespace {

TEST(ATarget, IsUnderstoodByItsNameAloneAndWithItsKind) {
    for (const char* text : {"media", "tier media", "tier/media"}) EXPECT_TRUE(Target{text}.means(tier_kind, {"media"})) << text;
    for (const char* text : {"", "tier", "tier ", "device media", "device/media", "tier  media", "medi", "media "})
        EXPECT_FALSE(Target{text}.means(tier_kind, {"media"})) << text;
    EXPECT_FALSE(Target{""}.means(tier_kind, {"", "media"})) << "what has no name is not meant by nothing";
    EXPECT_FALSE(Target{"tier "}.means(tier_kind, {""}));
}

// A volume group may be called like a kind.
TEST(ATarget, MayBeginWithAWordForAKindAndMeanNone) {
    EXPECT_TRUE(Target{"tier/media"}.means(volume_kind, names_of_volume("tier", "media")));
    EXPECT_TRUE(Target{"volume tier/media"}.means(volume_kind, names_of_volume("tier", "media")));
    EXPECT_TRUE(Target{"device"}.means(group_kind, names_of_group("device")));
}

TEST(ATarget, IsAVolumeByEachOfItsSpellings) {
    for (const char* text : {"vg-0/a-b", "/dev/vg-0/a-b", "/dev/mapper/vg--0-a--b", "volume vg-0/a-b", "volume/vg-0/a-b"})
        EXPECT_TRUE(Target{text}.means(volume_kind, names_of_volume("vg-0", "a-b"))) << text;
}

TEST(ATarget, IsADiskByEachOfItsNames) {
    BlockDevice disk;
    disk.node = "/dev/sdb";
    disk.name = "sdb";
    disk.serial = "S21";
    disk.wwn = "0x5";
    for (const char* text : {"/dev/sdb", "sdb", "S21", "0x5", "wwn:0x5", "device wwn:0x5", "device/wwn:0x5", "device sdb"})
        EXPECT_TRUE(Target{text}.means(device_kind, names_of_disk(disk))) << text;
    disk.serial = disk.wwn = "";
    EXPECT_FALSE(Target{""}.means(device_kind, names_of_disk(disk)));
}

}  // namespace
}  // namespace tierd
