// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/drain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace tierd {
namespace {

using testing::HasSubstr;

CacheStatus dirty(std::uint64_t blocks) {
    CacheStatus status;
    status.block_size = 64 * kib;
    status.total_blocks = 100'000;
    status.dirty_blocks = blocks;
    status.policy = cleaner_policy;
    status.core_settings["migration_threshold"] = "2048";
    return status;
}
constexpr Usec second = usec_per_second;

TEST(ADrain, IsMeasuredInBytesAndTime) {
    DrainWatch watch;
    EXPECT_EQ(watch.bytes_per_second(), std::nullopt);
    watch.add(100 * second, dirty(1'600));
    EXPECT_EQ(watch.expected_end(), std::nullopt) << "nothing has been seen to move yet";
    watch.add(110 * second, dirty(1'440));
    EXPECT_EQ(watch.total(), 1'600 * 64 * kib);
    EXPECT_EQ(watch.left(), 1'440 * 64 * kib);
    EXPECT_EQ(watch.done(), 160 * 64 * kib);
    EXPECT_DOUBLE_EQ(watch.bytes_per_second().value_or(0), 1.0 * mib);
    EXPECT_EQ(watch.expected_end(), 200 * second);
    watch.add(120 * second, dirty(0));
    EXPECT_EQ(watch.left(), 0U);
    EXPECT_EQ(watch.stalled(), "");
}

TEST(ADrain, KnowsTheRateOfTheLastHalfMinute) {
    DrainWatch watch;
    std::uint64_t blocks = 10'000;
    for (Usec at = 0; at < 100; ++at) watch.add(at * second, dirty(blocks -= 16));
    for (Usec at = 100; at < 140; ++at) watch.add(at * second, dirty(blocks -= 32));
    EXPECT_NEAR(watch.bytes_per_second().value_or(0), 2.0 * mib, 0.1 * mib);
}

TEST(ADrain, OfWhichMoreBecomesDirtyHasAllOfItAsItsTotal) {
    DrainWatch watch;
    watch.add(1 * second, dirty(10));
    watch.add(2 * second, dirty(30));
    EXPECT_EQ(watch.total(), 30 * 64 * kib);
    EXPECT_EQ(watch.done(), 0U);
    EXPECT_EQ(watch.bytes_per_second(), std::nullopt);
}

TEST(ADrain, SurvivesAClockThatIsSetBack) {
    DrainWatch watch;
    watch.add(100 * second, dirty(30));
    watch.add(50 * second, dirty(20));
    EXPECT_EQ(watch.bytes_per_second(), std::nullopt);
    watch.add(51 * second, dirty(10));
    EXPECT_DOUBLE_EQ(watch.bytes_per_second().value_or(0), 640.0 * kib);
    EXPECT_EQ(watch.stalled(), "");
}

/// A lost cache has no counts.
TEST(ADrain, IsNotMeasuredOnACacheThatIsLost) {
    DrainWatch watch;
    watch.add(1 * second, dirty(10));
    auto lost = dirty(0);
    lost.health = CacheStatus::Health::Failed;
    watch.add(2 * second, lost);
    EXPECT_EQ(watch.left(), 10 * 64 * kib);
}

std::string stalled(const std::function<void(Usec, CacheStatus&)>& change) {
    DrainWatch watch;
    for (Usec at = 0; at <= 61; ++at) {
        auto status = dirty(500);
        change(at, status);
        watch.add(at * second, status);
    }
    return watch.stalled();
}

// A01; A02: a small number that does not fall is none that is nearly over
TEST(AStall, IsNamedWithItsCause) {
    EXPECT_THAT(stalled([](Usec, CacheStatus&) {}), HasSubstr("take no writes"));
    EXPECT_THAT(stalled([](Usec at, CacheStatus& status) { status.write_hits = static_cast<std::uint32_t>(at); }),
                HasSubstr("is written to"));
    const auto small = stalled([](Usec, CacheStatus& status) {
        status.block_size = 256 * kib;
        status.core_settings["migration_threshold"] = "128";
    });
    EXPECT_THAT(small, HasSubstr("less than one chunk of 256 KiB"));
    EXPECT_THAT(small, HasSubstr("migration_threshold: 4096"));
}

TEST(AStall, IsNoneWhileItGoesOnOrIsClean) {
    EXPECT_EQ(stalled([](Usec at, CacheStatus& status) { status.dirty_blocks = 500 - at; }), "");
    EXPECT_EQ(stalled([](Usec, CacheStatus& status) { status.dirty_blocks = 0; }), "");
}

/// Seen of a writecache under a thick snapshot, Linux 6.1: its last block stays until its table is loaded anew.
TEST(ADrain, OfAWritecacheThatMovesNothingIsAtRest) {
    const auto moving = [](std::uint64_t left, std::uint64_t blocks) {
        auto status = dirty(left);
        status.moving_blocks = blocks;
        return status;
    };
    DrainWatch watch;
    EXPECT_FALSE(watch.at_rest());
    watch.add(100 * second, moving(2, 1));
    watch.add(130 * second, moving(2, 1));
    EXPECT_FALSE(watch.at_rest()) << "a slow disk";
    watch.add(140 * second, moving(1, 0));
    watch.add(155 * second, moving(1, 0));
    EXPECT_FALSE(watch.at_rest());
    watch.add(160 * second, moving(1, 0));
    EXPECT_TRUE(watch.at_rest());
    watch.add(161 * second, moving(0, 0));
    EXPECT_FALSE(watch.at_rest());

    DrainWatch of_a_cache;
    of_a_cache.add(100 * second, dirty(1));
    of_a_cache.add(160 * second, dirty(1));
    EXPECT_FALSE(of_a_cache.at_rest()) << "what is under way it does not say";
}

}  // namespace
}  // namespace tierd
