// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/dirty.hpp"

#include <gtest/gtest.h>

namespace tierd {
namespace {

using Level = DirtyWatch::Level;

CacheStatus dirty(std::uint64_t blocks, std::uint64_t of = 1'000) {
    CacheStatus status;
    status.block_size = 64 * kib;
    status.total_blocks = of;
    status.dirty_blocks = blocks;
    return status;
}

constexpr DirtyLimits limits{{4000}, {8000}};

TEST(ADirtyWatch, IsCleanUntilItHasSeenSomething) {
    const DirtyWatch watch;
    EXPECT_EQ(watch.dirty(), std::nullopt) << "not 0: nothing was seen";
    EXPECT_EQ(watch.since(), 0u);
    EXPECT_EQ(watch.level(limits, CacheMode::Writeback), Level::Clean);
}

TEST(ADirtyWatch, RemembersSinceWhen) {
    DirtyWatch watch;
    watch.add(10, dirty(0));
    EXPECT_EQ(watch.since(), 0u);
    watch.add(20, dirty(5));
    watch.add(30, dirty(7));
    EXPECT_EQ(watch.since(), 20u);
    EXPECT_EQ(watch.seen(), 30u);
    EXPECT_EQ(watch.dirty(), 7 * 64 * kib);
    watch.add(40, dirty(0));
    EXPECT_EQ(watch.since(), 0u);
    watch.add(50, dirty(1));
    EXPECT_EQ(watch.since(), 50u);
}

TEST(ADirtyWatch, RisesAtThePolicysLimits) {
    const auto level = [](std::uint64_t blocks) {
        DirtyWatch watch;
        watch.add(1, dirty(blocks));
        return watch.level(limits, CacheMode::Writeback);
    };
    EXPECT_EQ(level(0), Level::Clean);
    EXPECT_EQ(level(1), Level::Some);
    EXPECT_EQ(level(399), Level::Some);
    EXPECT_EQ(level(400), Level::Warn);
    EXPECT_EQ(level(799), Level::Warn);
    EXPECT_EQ(level(800), Level::Critical);
    EXPECT_EQ(level(1'000), Level::Critical);
}

// A03: after an unclean start a write-through cache counts as dirty all over. No data is at risk.
TEST(ADirtyWatch, DoesNotCryForWritethrough) {
    for (const auto mode : {CacheMode::Writethrough, CacheMode::Passthrough}) {
        DirtyWatch watch;
        watch.add(1, dirty(0, 25'000'000));
        watch.add(2, dirty(24'998'112, 25'000'000));
        EXPECT_EQ(watch.level(limits, mode), Level::Some) << "dirty all the same: a detach has to flush it";
        EXPECT_EQ(watch.level(limits, CacheMode::Writeback), Level::Critical);
    }
}

/// A status that is just "Fail" or "Error" has no counts: what was last known stays.
TEST(ADirtyWatch, KeepsTheLastKnownWhenTheCacheIsLost) {
    for (const auto health : {CacheStatus::Health::Failed, CacheStatus::Health::Error}) {
        DirtyWatch watch;
        watch.add(10, dirty(500));
        CacheStatus lost;
        lost.health = health;
        watch.add(20, lost);
        EXPECT_EQ(watch.dirty(), 500 * 64 * kib);
        EXPECT_EQ(watch.since(), 10u);
        EXPECT_EQ(watch.seen(), 10u);
        EXPECT_EQ(watch.level(limits, CacheMode::Writeback), Level::Warn);
    }
}

TEST(ADirtyWatch, OfACacheWithoutBlocksIsClean) {
    DirtyWatch watch;
    watch.add(1, dirty(0, 0));
    EXPECT_EQ(watch.level(limits, CacheMode::Writeback), Level::Clean);
}

TEST(ASample, IsDueSoonWhileDirtyBlocksMove) {
    EXPECT_EQ(next_sample_after(dirty(5), dirty(6), 10 * usec_per_second), usec_per_second);
    EXPECT_EQ(next_sample_after(dirty(6), dirty(5), 10 * usec_per_second), usec_per_second);
}

TEST(ASample, IsDueLaterAndLaterAtRest) {
    Usec span = usec_per_second;
    std::vector<Usec> spans;
    for (int i = 0; i < 6; ++i) spans.push_back(span = next_sample_after(dirty(5), dirty(5), span));
    EXPECT_EQ(spans, (std::vector<Usec>{2'000'000, 4'000'000, 8'000'000, 10'000'000, 10'000'000, 10'000'000}));
    EXPECT_EQ(next_sample_after(std::nullopt, dirty(5), usec_per_second), 2 * usec_per_second);
    EXPECT_EQ(next_sample_after(dirty(5), std::nullopt, 0), usec_per_second) << "unknown is at rest, and never a span of 0";
}

}  // namespace
}  // namespace tierd
