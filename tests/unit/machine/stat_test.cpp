// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/dm/stat.hpp"

#include <gtest/gtest.h>

namespace tierd::dm {
namespace {

TEST(AStat, IsReadFromTheKernelsOwnLine) {
    const auto stat =
        parse_stat("     103        0     5584     2050      200        7      256       40        0     1200     2050        0\n");
    ASSERT_TRUE(stat);
    EXPECT_EQ(stat->read, (Served{103, 5'584 * sector, 2'050'000}));
    EXPECT_EQ(stat->write, (Served{200, 256 * sector, 40'000}));
}

TEST(AStat, IsUnknownWhenItIsNotUnderstood) {
    for (const char* text : {"", "1 2 3", "1 2 3 4 5 6 7", "a b c d e f g h"}) EXPECT_FALSE(parse_stat(text)) << text;
}

}  // namespace
}  // namespace tierd::dm
