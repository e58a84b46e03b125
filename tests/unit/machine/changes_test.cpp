// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/changes.hpp"

#include <gtest/gtest.h>

namespace tierd::udev {
namespace {

TEST(AChange, IsWhenUdevLastSpokeOfTheDisk) {
    Changes changes;
    EXPECT_EQ(changes.of("sda"), 0U);
    changes.spoke_of("sda", 5);
    changes.spoke_of("sda", 7);
    EXPECT_EQ(changes.of("sda"), 7U);
    EXPECT_EQ(changes.of("sdb"), 0U);
    changes.removed("sda");
    EXPECT_EQ(changes.of("sda"), 0U);
}

TEST(AChange, MayHaveBeenOfAnyDiskWhenEventsWereLost) {
    Changes changes;
    changes.spoke_of("sda", 5);
    changes.lost(9);
    EXPECT_EQ(changes.of("sda"), 9U);
    EXPECT_EQ(changes.of("sdb"), 9U) << "never heard of before";
    changes.spoke_of("sda", 11);
    EXPECT_EQ(changes.of("sda"), 11U);
}

}  // namespace
}  // namespace tierd::udev
