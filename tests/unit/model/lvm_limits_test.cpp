// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/lvm_limits.hpp"

#include <gtest/gtest.h>

namespace tierd {
namespace {

TEST(AnLvName, IsReservedByItsBeginningOrByWhatItHolds) {
    EXPECT_EQ(reserved_by_lvm("snapshot7")->word, "snapshot");
    EXPECT_TRUE(reserved_by_lvm("pvmove0")->prefix);
    EXPECT_EQ(reserved_by_lvm("a_cdata_b")->word, "_cdata");
    EXPECT_FALSE(reserved_by_lvm("x_vorigin")->prefix);
    for (const char* free : {"", "media", "my-snapshot", "cdata", "a_c_data"}) EXPECT_FALSE(reserved_by_lvm(free)) << free;
}

}  // namespace
}  // namespace tierd
