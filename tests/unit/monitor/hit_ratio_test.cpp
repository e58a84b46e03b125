// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/hit_ratio.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tierd {
namespace {

constexpr Usec second = usec_per_second;
constexpr Usec minute = 60 * second;
constexpr Usec start = 1'769'947'200 * second;

CacheStatus counted(std::uint64_t read_hits, std::uint64_t read_misses, std::uint64_t write_hits = 0, std::uint64_t write_misses = 0) {
    CacheStatus status;
    // As the kernel does: 32 bits, wrapping.
    status.read_hits = static_cast<std::uint32_t>(read_hits);
    status.read_misses = static_cast<std::uint32_t>(read_misses);
    status.write_hits = static_cast<std::uint32_t>(write_hits);
    status.write_misses = static_cast<std::uint32_t>(write_misses);
    return status;
}

TEST(AHitRatio, IsUnknownWithoutTwoSamples) {
    HitRatios ratios;
    EXPECT_EQ(ratios.over(minute).read, std::nullopt);
    ratios.add(start, counted(100, 0));
    EXPECT_EQ(ratios.over(minute).read, std::nullopt) << "what was before is of no window";
}

TEST(AHitRatio, IsUnknownWithoutRequests) {
    HitRatios ratios;
    ratios.add(start, counted(100, 5, 7, 7));
    ratios.add(start + second, counted(100, 5, 7, 8));
    EXPECT_EQ(ratios.over(minute).read, std::nullopt) << "no request is not a ratio of 0";
    EXPECT_EQ(ratios.over(minute).write, 0.0);
}

TEST(AHitRatio, TellsReadsFromWrites) {
    HitRatios ratios;
    ratios.add(start, counted(0, 0));
    ratios.add(start + second, counted(30, 10, 1, 9));
    EXPECT_DOUBLE_EQ(*ratios.over(minute).read, 0.75);
    EXPECT_DOUBLE_EQ(*ratios.over(minute).write, 0.1);
}

TEST(AHitRatio, IsOfItsWindow) {
    HitRatios ratios;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    // An hour of misses, then two minutes of hits.
    for (Usec at = 0; at <= 62 * minute; at += 5 * second) {
        ratios.add(start + at, counted(hits, misses));
        (at < 60 * minute ? misses : hits) += 100;
    }
    EXPECT_DOUBLE_EQ(*ratios.over(minute).read, 1.0);
    EXPECT_NEAR(*ratios.over(5 * minute).read, 2.0 / 5, 0.05);
    EXPECT_NEAR(*ratios.over(60 * minute).read, 2.0 / 60, 0.01);
    EXPECT_NEAR(*ratios.over(24 * 60 * minute).read, 2.0 / 62, 0.01);
}

TEST(AHitRatio, BearsAWrapOfTheCounters) {
    constexpr std::uint64_t edge = std::uint64_t{1} << 32U;
    for (const std::uint64_t before : {std::uint64_t{1}, std::uint64_t{50}, std::uint64_t{99}}) {
        HitRatios ratios;
        ratios.add(start, counted(edge - before, edge - 1));
        ratios.add(start + second, counted(edge - before + 75, edge - 1 + 25));
        EXPECT_DOUBLE_EQ(*ratios.over(minute).read, 0.75) << before;
    }
}

/// A new table starts at zero, from whatever the counters had come to: what was is no request of now.
TEST(AHitRatio, StartsAnewWithANewTable) {
    for (const std::uint64_t before : {1'000ULL, 1ULL << 31U, (1ULL << 31U) + 5, 3'000'000'000ULL, 4'000'000'000ULL}) {
        HitRatios ratios;
        ratios.add(start, counted(before, 1'000, before / 2, 1'000));
        ratios.add(start + second, counted(60, 40, 1, 3));
        EXPECT_DOUBLE_EQ(*ratios.over(minute).read, 0.6) << before;
        EXPECT_DOUBLE_EQ(*ratios.over(minute).write, 0.25) << before;
    }
}

TEST(AHitRatio, CountsNothingTwiceWhenTheCacheWasUnreadable) {
    HitRatios ratios;
    CacheStatus failed;
    failed.health = CacheStatus::Health::Failed;
    ratios.add(start, counted(1'000, 0));
    ratios.add(start + second, failed);
    ratios.add(start + 2 * second, counted(1'001, 3));
    EXPECT_DOUBLE_EQ(*ratios.over(minute).read, 0.25);
}

TEST(AHitRatio, BearsAClockThatIsSetBack) {
    HitRatios ratios;
    ratios.add(start, counted(0, 0));
    ratios.add(start + minute, counted(10, 10));
    ratios.add(start - 60 * minute, counted(10, 20));
    EXPECT_EQ(ratios.over(minute).read, std::nullopt);
    ratios.add(start - 59 * minute, counted(20, 20));
    EXPECT_DOUBLE_EQ(*ratios.over(minute).read, 1.0);
}

TEST(AHitRatio, IsNeverOutsideZeroAndOne) {
    HitRatios ratios;
    std::uint64_t hits = 4'294'900'000ULL;
    for (Usec at = 0; at < 3'000; ++at) {
        if (at % 700 == 699) hits = 0;
        hits += at * 37 % 91;
        ratios.add(start + at * 10 * second, counted(hits, at * 11, at, at / 2));
        for (const Usec window : {minute, 5 * minute, 60 * minute, 24 * 60 * minute}) {
            const auto ratio = ratios.over(window);
            for (const auto& value : {ratio.read, ratio.write}) EXPECT_TRUE(!value || (*value >= 0 && *value <= 1));
        }
    }
}

/// A sample a second for two days: what is kept stays a few hundred, so a round stays cheap.
TEST(AHitRatio, KeepsAFewHundredSamples) {
    HitRatios ratios;
    for (std::uint64_t i = 0; i < 2 * 86'400; ++i) ratios.add(start + i * second, counted(i, i));
    EXPECT_DOUBLE_EQ(*ratios.over(24 * 60 * minute).read, 0.5);
    EXPECT_LT(ratios.kept(), 300u);
}

}  // namespace
}  // namespace tierd
