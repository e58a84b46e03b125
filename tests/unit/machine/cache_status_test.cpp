// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/cache_status.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace tierd {
namespace {

const std::string whole =
    "8 17/2048 128 21/2560 47 65 3 4 5 6 7 3 metadata2 writethrough no_discard_passdown 2 migration_threshold 2048 smq 0 rw - ";

TEST(ACacheStatus, IsReadFromTheKernelsOwnLine) {
    std::string line;
    for (const auto& each : recorded_lines("cached.status")) {
        const auto at = each.find(" cache ");
        if (at != std::string::npos) line = each.substr(at + 7);
    }
    const auto status = parse_cache_status(line);
    ASSERT_TRUE(status) << line;
    EXPECT_EQ(status->health, CacheStatus::Health::Ok);
    EXPECT_EQ(status->block_size, 64 * kib);
    EXPECT_EQ(status->metadata_block_size, 4 * kib);
    EXPECT_EQ(status->total_blocks, 2560U);
    EXPECT_EQ(status->mode, "writeback");
    EXPECT_EQ(status->policy, "smq");
    EXPECT_EQ(status->core_settings.at("migration_threshold"), "16384");
}

TEST(ACacheStatus, HasEachNumberInItsPlace) {
    const auto status = parse_cache_status(whole);
    ASSERT_TRUE(status);
    EXPECT_EQ(status->metadata_used, 17U);
    EXPECT_EQ(status->metadata_total, 2048U);
    EXPECT_EQ(status->used_blocks, 21U);
    EXPECT_EQ(status->total_blocks, 2560U);
    EXPECT_EQ(status->read_hits, 47U);
    EXPECT_EQ(status->read_misses, 65U);
    EXPECT_EQ(status->write_hits, 3U);
    EXPECT_EQ(status->write_misses, 4U);
    EXPECT_EQ(status->demotions, 5U);
    EXPECT_EQ(status->promotions, 6U);
    EXPECT_EQ(status->dirty_blocks, 7U);
    EXPECT_EQ(status->mode, "writethrough");
}

// C12
TEST(ACacheStatus, OfAFailedCacheIsAWord) {
    EXPECT_EQ(parse_cache_status("Fail")->health, CacheStatus::Health::Failed);
    EXPECT_EQ(parse_cache_status("Error")->health, CacheStatus::Health::Error);
    EXPECT_EQ(parse_cache_status(" Fail \n")->health, CacheStatus::Health::Failed);
}

// C12: cut anywhere, it is unknown, and never a part of the truth
TEST(ACacheStatus, ThatIsCutIsUnknown) {
    const auto end = whole.find_last_not_of(' ') + 1;
    for (std::size_t length = 0; length < end; ++length)
        EXPECT_FALSE(parse_cache_status(whole.substr(0, length))) << whole.substr(0, length);
    EXPECT_TRUE(parse_cache_status(whole.substr(0, end)));
}

TEST(ACacheStatus, IsLedThroughByItsCounts) {
    for (const auto* features :
         {"1 writeback", "2 metadata2 writeback", "3 metadata2 writeback no_discard_passdown", "2 writeback no_discard_passdown"}) {
        for (const auto* core : {"0", "2 migration_threshold 8192"}) {
            for (const auto* policy : {"smq 0",
                                       "mq 10 random_threshold 0 sequential_threshold 0 discard_promote_adjustment 0 "
                                       "read_promote_adjustment 0 write_promote_adjustment 0",
                                       "cleaner 0"}) {
                const auto line = std::string{"8 1/2 128 3/4 0 0 0 0 0 0 1 "} + features + ' ' + core + ' ' + policy + " rw -";
                const auto status = parse_cache_status(line);
                ASSERT_TRUE(status) << line;
                EXPECT_EQ(status->mode, "writeback");
                EXPECT_EQ(status->policy, std::string{policy}.substr(0, std::string{policy}.find(' ')));
                EXPECT_EQ(status->dirty_blocks, 1U);
            }
        }
    }
}

// A29
TEST(ACacheStatus, KnowsReadOnlyMetadataAndANeededCheck) {
    EXPECT_EQ(
        parse_cache_status("8 70/1024 512 10/4096 1 2 3 4 0 10 0 1 writethrough 2 migration_threshold 4096 smq 0 ro needs_check ")->health,
        CacheStatus::Health::NeedsCheck);
    EXPECT_EQ(parse_cache_status("8 70/1024 512 10/4096 1 2 3 4 0 10 0 1 writethrough 2 migration_threshold 4096 smq 0 ro -")->health,
              CacheStatus::Health::ReadOnly);
}

TEST(ACacheStatus, WithNumbersThatCannotBeIsUnknown) {
    for (const auto* line : {
             "8 1/2 128 5/4 0 0 0 0 0 0 1 1 writeback 0 smq 0 rw -",                      // more used than there are
             "8 1/2 128 3/4 0 0 0 0 0 0 9 1 writeback 0 smq 0 rw -",                      // more dirty than there are
             "8 1/2 128 3/4 0 0 0 0 0 0 -1 1 writeback 0 smq 0 rw -",                     // negative
             "8 1/2 128 3/4 0 0 0 0 0 0 99999999999999999999 1 writeback 0 smq 0 rw -",   // beyond 64 bits
             "8 1/2 128 3/4 4294967296 0 0 0 0 0 0 1 writeback 0 smq 0 rw -",             // beyond the counter's 32
             "8 1/2 128 3/4 0 0 0 0 0 0 0 1000000000000 writeback 0 smq 0 rw -",          // more features than the line has
             "8 12 128 3/4 0 0 0 0 0 0 0 1 writeback 0 smq 0 rw -",                       // no ratio
             "8 1/2 128 3/4 0 0 0 0 0 0 0 1 writeback 1 migration_threshold smq 0 rw -",  // half a setting
             "Device does not exist",
         }) {
        EXPECT_FALSE(parse_cache_status(line)) << line;
    }
}

// C13: the line has grown over kernels, and only its first four fields are needed.
TEST(AWritecacheStatus, IsReadAsLongAsItIs) {
    const auto shortest = parse_writecache_status("0 32640 17184 0", "s 254:3 254:2 4096 0");
    ASSERT_TRUE(shortest);
    EXPECT_EQ(shortest->total_blocks, 32'640U);
    EXPECT_EQ(shortest->dirty_blocks, 15'456U) << "what is not free may be dirty";
    EXPECT_EQ(shortest->block_size, 4096U);
    EXPECT_EQ(shortest->mode, "writeback");
    EXPECT_EQ(shortest->policy, writecache_policy);
    EXPECT_EQ(shortest->health, CacheStatus::Health::Ok);

    const auto status =
        parse_writecache_status("0 20400 15280 0 100 60 5120 10 20 20 5000 1 2 3 9 9", "s 254:3 254:2 512 3 high_watermark 60 cleaner");
    ASSERT_TRUE(status);
    EXPECT_EQ(status->read_hits, 60U);
    EXPECT_EQ(status->read_misses, 40U);
    EXPECT_EQ(status->write_hits, 5100U);
    EXPECT_EQ(status->write_misses, 20U);
    EXPECT_EQ(status->block_size, 512U);
    EXPECT_EQ(status->policy, cleaner_policy);
    EXPECT_EQ(parse_writecache_status("5 20400 15280 0", "s 254:3 254:2 4096 0")->health, CacheStatus::Health::Error);
}

TEST(AWritecacheStatus, ThatIsNotUnderstoodIsUnknown) {
    const std::string table = "s 254:3 254:2 4096 0";
    for (const auto* line : {"", "0", "0 10", "0 10 5", "0 10 11 0", "x 10 5 0", "0 -1 5 0", "Error"})
        EXPECT_FALSE(parse_writecache_status(line, table)) << line;
    for (const auto* bad : {"", "s", "s 254:3 254:2", "s 254:3 254:2 4096", "s 254:3 254:2 x 0", "s 254:3 254:2 4096 2 cleaner"})
        EXPECT_FALSE(parse_writecache_status("0 10 5 0", bad)) << bad;
}

}  // namespace
}  // namespace tierd
