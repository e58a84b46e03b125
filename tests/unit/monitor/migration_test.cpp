// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/migration.hpp"

#include <gtest/gtest.h>

#include "daemon/monitor/counters.hpp"

namespace tierd {
namespace {

constexpr Usec second = usec_per_second;
constexpr Usec start = 1'769'947'200 * second;
constexpr std::uint64_t edge = std::uint64_t{1} << 32U;

CacheStatus moved(std::uint64_t promotions, std::uint64_t demotions) {
    CacheStatus status;
    status.promotions = promotions % edge;
    status.demotions = demotions % edge;
    return status;
}

TEST(AMigrationRate, IsUnknownAtFirst) {
    MigrationRates rates;
    rates.add(start, moved(5'000, 100));
    EXPECT_EQ(rates.promotions(), std::nullopt);
    rates.add(start + second, moved(5'000, 100));
    EXPECT_EQ(rates.promotions(), 0.0);
}

TEST(AMigrationRate, IsOfTheLastFiveMinutes) {
    MigrationRates rates;
    std::uint64_t promotions = 0;
    for (Usec at = 0; at < 3'600; ++at) rates.add(start + at * second, moved(promotions += 40, 0));
    for (Usec at = 3'600; at < 4'000; ++at) {
        promotions += 8;
        rates.add(start + at * second, moved(promotions, promotions / 4));
    }
    EXPECT_NEAR(rates.promotions().value_or(0), 8, 0.2);
    EXPECT_NEAR(rates.demotions().value_or(0), 2, 0.1);
}

TEST(AMigrationRate, BearsAWrapANewTableAndALostCache) {
    MigrationRates rates;
    rates.add(start, moved(edge - 10, 7));
    rates.add(start + 10 * second, moved(edge + 10, 7));
    EXPECT_DOUBLE_EQ(rates.promotions().value_or(0), 2);
    CacheStatus lost;
    lost.health = CacheStatus::Health::Failed;
    rates.add(start + 11 * second, lost);
    EXPECT_DOUBLE_EQ(rates.promotions().value_or(0), 2);
    rates.add(start + 20 * second, moved(20, 0));
    EXPECT_DOUBLE_EQ(rates.promotions().value_or(0), 2) << "20 of the old table, and 20 of the new one";
    EXPECT_DOUBLE_EQ(rates.demotions().value_or(9), 0);
}

// The kernel's counters wrap at 32 bits. One that is close to that and starts anew falls by as little.
TEST(ANewTable, IsToldFromAWrap) {
    CacheStatus before;
    before.read_hits = 4'294'000'000U;
    before.write_hits = 4'200'000'000U;
    before.promotions = 12;
    CacheStatus wrapped = before;
    wrapped.read_hits = 1'000;
    wrapped.write_hits = 500;
    EXPECT_FALSE(is_new_table(before, wrapped));
    CacheStatus anew;
    anew.read_hits = 1'000;
    anew.write_hits = 500;
    EXPECT_TRUE(is_new_table(before, anew));
    EXPECT_FALSE(is_new_table(before, before));
}

TEST(AWindow, KeepsAFewSamplesHoweverOftenTheyCome) {
    Window<int> window{300 * second};
    for (int i = 0; i < 100'000; ++i) window.add(start + static_cast<Usec>(i) * second / 50, i);
    EXPECT_LE(window.size(), 64U);
    EXPECT_EQ(window.last(), 99'999);
    EXPECT_GE(window.covers(), 300 * second);
    EXPECT_LE(window.covers(), 306 * second);
    window.add(start, 7);
    EXPECT_EQ(window.size(), 1U) << "the clock was set back";
}

}  // namespace
}  // namespace tierd
