// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/usage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tierd::udev {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(MountInfo, GivesThePointsOfEachDevice) {
    const auto mounts = parse_mountinfo(
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
        "40 22 8:17 / /srv/with\\040blank rw,relatime shared:2 master:1 - xfs /dev/sdb1 rw\n"
        "41 22 0:45 /sub /home rw - btrfs /dev/sdc1 rw,subvol=/sub\n"
        "42 22 8:17 /part /again rw - xfs /dev/sdb1 rw\n");
    EXPECT_THAT(mounts.by_number.at("8:17"), ElementsAre("/srv/with blank", "/again"));
    EXPECT_THAT(mounts.by_number.at("8:1"), ElementsAre("/"));
    // btrfs has a number that is no disk's: its source says which.
    EXPECT_THAT(mounts.by_source.at("/dev/sdc1"), ElementsAre("/home"));
}

TEST(MountInfo, ThatIsNoneGivesNothing) {
    EXPECT_THAT(parse_mountinfo("").by_number, IsEmpty());
    EXPECT_THAT(parse_mountinfo("rubbish\n\n 1 2 3\n").by_number, IsEmpty());
}

TEST(Swaps, AreTheNodesAfterTheHeading) {
    EXPECT_THAT(
        parse_swaps(
            "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/dev/sda2                               partition\t8388604\t\t0\t\t-2\n"
            "/swap\\040file                            file\t\t1024\t0\t-3\n"),
        UnorderedElementsAre("/dev/sda2", "/swap file"));
    EXPECT_THAT(parse_swaps("Filename Type Size Used Priority\n"), IsEmpty());
}

TEST(UdevsEncoding, IsUndone) {
    EXPECT_EQ(decode("Linux\\x20LVM"), "Linux LVM");
    EXPECT_EQ(decode("\\x2fdata\\x"), "/data\\x");
    EXPECT_EQ(decode("\\xzz\\x4"), "\\xzz\\x4");
    EXPECT_EQ(decode("plain"), "plain");
}

}  // namespace
}  // namespace tierd::udev
