// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/full.hpp"

#include <gtest/gtest.h>

namespace tierd {
namespace {

constexpr Usec second = usec_per_second;

struct Look {
    std::uint64_t used = 1'000, dirty = 100;
    std::uint32_t hits = 0, misses = 0;
    std::string mode = "writeback";
};
/// One look after the other, ten seconds apart.
bool is_full(const std::vector<Look>& looks) {
    FullWatch watch;
    Usec now = 1'769'947'200 * second;
    for (const auto& look : looks) {
        CacheStatus status;
        status.total_blocks = 1'000;
        status.used_blocks = look.used;
        status.dirty_blocks = look.dirty;
        status.write_hits = look.hits;
        status.write_misses = look.misses;
        status.mode = look.mode;
        watch.add(now += 10 * second, status);
    }
    return watch.full();
}

TEST(AFullCache, IsOneThatMostWritesMiss) {
    EXPECT_FALSE(is_full({}));
    EXPECT_FALSE(is_full({{1'000, 100, 0, 0}})) << "nothing was written";
    EXPECT_TRUE(is_full({{1'000, 100, 0, 0}, {1'000, 100, 10, 90}}));
    EXPECT_FALSE(is_full({{1'000, 100, 0, 0}, {1'000, 100, 90, 10}})) << "it is full and does its work";
}

TEST(AFullCache, IsOneWithoutACleanBlockThatAWriteMisses) {
    EXPECT_TRUE(is_full({{1'000, 980, 0, 0}, {1'000, 980, 900, 1}}));
    EXPECT_FALSE(is_full({{1'000, 980, 0, 0}, {1'000, 980, 900, 0}}));
}

TEST(AFullCache, HasNothingFree) {
    EXPECT_FALSE(is_full({{900, 100, 0, 0}, {900, 100, 10, 90}}));
    EXPECT_FALSE(is_full({{1'000, 100, 0, 0}, {1'000, 100, 10, 90}, {999, 100, 10, 190}})) << "something is again";
    EXPECT_FALSE(is_full({{900, 100, 0, 0}, {1'000, 100, 10, 90}})) << "what missed it before";
}

TEST(AFullCache, IsOfWritebackOnly) {
    EXPECT_FALSE(is_full({{1'000, 0, 0, 0, "writethrough"}, {1'000, 0, 10, 90, "writethrough"}})) << "each write goes to the disk there";
}

TEST(AFullCache, IsOverAMinuteLater) {
    std::vector<Look> looks{{1'000, 100, 0, 0}, {1'000, 100, 10, 90}};
    for (std::uint32_t i = 1; i <= 8; ++i) looks.push_back({1'000, 100, 10 + i * 100, 90});
    EXPECT_FALSE(is_full(looks));
}

TEST(AFullCache, BearsANewTable) {
    EXPECT_FALSE(is_full({{1'000, 100, 5'000, 5'000}, {1'000, 100, 0, 10}})) << "what was counted before is of another table";
}

}  // namespace
}  // namespace tierd
