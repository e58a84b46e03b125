// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/sizing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "world.hpp"

namespace tierd {
namespace {

using testing::HasSubstr;
using world::extent;

constexpr std::uint64_t max_chunks = 1'000'000;

TierRule sized(std::optional<SizeSpec> size, std::optional<Bytes> chunk = std::nullopt, std::optional<Bytes> metadata = std::nullopt) {
    TierRule rule;
    rule.size = size;
    rule.chunk_size = chunk;
    rule.metadata_size = metadata;
    return rule;
}

PoolSize on_disk(const TierRule& rule, Bytes device, std::uint64_t limit = max_chunks) {
    return size_pool(rule, extent, {device / extent, device / extent}, 0, limit);
}

// Story A: 220 GiB and 3 GiB on the SSD of 223.6 GiB. The spare, which LVM makes only for a repair, is no reason to refuse what was asked
// for.
TEST(APoolSize, IsThatOfStoryA) {
    const auto pool = on_disk(sized(220 * gib, std::nullopt, 3 * gib), 240'057'409'536 - mib);
    EXPECT_EQ(pool.problem, "");
    EXPECT_EQ(pool.data_extents * extent, 220 * gib);
    EXPECT_EQ(pool.metadata_extents * extent, 3 * gib);
    EXPECT_EQ(pool.chunk_size, 256 * kib);
    EXPECT_THAT(pool.note, HasSubstr("64 KiB would be 3604480 chunks; LVM allows 1000000"));
}

struct Chunks {
    Bytes size;
    std::optional<Bytes> chunk;
    std::uint64_t limit;
    Bytes expected;  ///< 0: refused
};

// A11
TEST(AChunk, FollowsTheMatrixOfTheField) {
    const std::vector<Chunks> matrix{
        {61 * gib, 64 * kib, max_chunks, 64 * kib},        // 999,424 chunks
        {62 * gib, 64 * kib, max_chunks, 0},               // 1,015,808
        {62 * gib, std::nullopt, max_chunks, 96 * kib},    //
        {61 * gib, std::nullopt, max_chunks, 64 * kib},    //
        {2 * tib, 64 * kib, max_chunks, 0},                //
        {2 * tib, std::nullopt, max_chunks, 2176 * kib},   // ceil(2^41 / 10^6) is 2,199,024, rounded up to 32 KiB
        {375 * gib, std::nullopt, max_chunks, 416 * kib},  //
        {61 * gib, 64 * kib, 100'000, 0},                  // cache_pool_max_chunks lowered
        {61 * gib, std::nullopt, 100'000, 640 * kib},      //
        {10 * gib, 32 * kib, max_chunks, 32 * kib},        // smaller than usual, when asked for
        {10 * gib, 16 * kib, max_chunks, 0},               // below LVM's least
        {10 * gib, 48 * kib, max_chunks, 0},               // no multiple of 32 KiB
        {10 * gib, gib, max_chunks, gib},                  // LVM's largest
        {10 * gib, 2 * gib, max_chunks, 0},
    };
    for (const auto& each : matrix) {
        SCOPED_TRACE(format_size(each.size) + ", chunk " + (each.chunk ? format_size(*each.chunk) : "by itself") + ", limit " +
                     std::to_string(each.limit));
        const auto pool = on_disk(sized(each.size, each.chunk), 4 * tib, each.limit);
        if (each.expected == 0) {
            EXPECT_THAT(pool.problem, HasSubstr("chunk_size"));
        } else {
            EXPECT_EQ(pool.problem, "");
            EXPECT_EQ(pool.chunk_size, each.expected);
            EXPECT_LE(each.size / pool.chunk_size, each.limit);
        }
    }
}

// A11: the refusal names the least that would do, and that is accepted.
TEST(AChunk, ThatIsTooSmallIsRefusedWithTheLeastThatWouldDo) {
    const auto refused = on_disk(sized(62 * gib, 64 * kib), tib);
    EXPECT_THAT(refused.problem, HasSubstr("1015808 chunks"));
    EXPECT_THAT(refused.problem, HasSubstr("chunk_size: 96KiB or more"));
    EXPECT_EQ(on_disk(sized(62 * gib, 96 * kib), tib).problem, "");
}

TEST(AChunk, IsTheSmallestThatKeepsTheCount) {
    std::mt19937_64 random{1};
    for (int i = 0; i < 2000; ++i) {
        const Bytes data = random() % (8 * tib) + 1;
        const std::uint64_t limit = random() % max_chunks + 1'000;
        const Bytes chunk = smallest_chunk(data, limit);
        EXPECT_EQ(chunk % cache_chunk_min, 0u);
        EXPECT_LE(data / chunk + (data % chunk != 0 ? 1 : 0), limit);
        if (chunk > cache_chunk_usual) {
            EXPECT_GT(data / (chunk - cache_chunk_min), limit - 1) << "32 KiB less would have done";
        }
    }
}

TEST(AMetadataSize, IsFourMebibytesAnd44BytesAChunk) {
    EXPECT_EQ(cache_metadata_need(0, 64 * kib), 4 * mib);
    EXPECT_EQ(cache_metadata_need(64 * kib, 64 * kib), 4 * mib + 44);
    EXPECT_EQ(cache_metadata_need(64 * kib + 1, 64 * kib), 4 * mib + 88);
    const auto pool = on_disk(sized(10 * gib), tib);
    EXPECT_EQ(pool.metadata_extents, 3u) << "4 MiB and 7.2 MiB of mappings: whole extents";
}

TEST(AMetadataSize, ThatIsTooSmallIsRefusedWithOneThatWouldDo) {
    const auto pool = on_disk(sized(61 * gib, std::nullopt, 8 * mib), tib);
    EXPECT_THAT(pool.problem, HasSubstr("metadata_size 8 MiB is too small for 999424 chunks"));
    EXPECT_THAT(pool.problem, HasSubstr("write metadata_size: 46MiB or more"));
    EXPECT_EQ(on_disk(sized(61 * gib, std::nullopt, 46 * mib), tib).problem, "");
}

// A27: all that fits keeps back the metadata and the spare that LVM needs for a repair.
TEST(APoolSize, KeepsTheSpareBackWhenItTakesAllThatFits) {
    const std::uint64_t free = 200 * gib / extent;
    const auto pool = size_pool(sized(std::nullopt), extent, {free, free}, 0, max_chunks);
    EXPECT_EQ(pool.problem, "");
    EXPECT_EQ(pool.metadata_extents, pool.spare_extents);
    EXPECT_EQ(pool.data_extents + pool.metadata_extents + pool.spare_extents, free);
}

TEST(APoolSize, CountsTheSpareThatTheGroupHas) {
    const std::uint64_t free = 200 * gib / extent;
    const auto alone = size_pool(sized(std::nullopt), extent, {free, free}, 0, max_chunks);
    const auto some = size_pool(sized(std::nullopt), extent, {free, free}, 2, max_chunks);
    const auto all = size_pool(sized(std::nullopt), extent, {free, free}, 1'000, max_chunks);
    EXPECT_EQ(some.spare_extents, alone.spare_extents - 2);
    EXPECT_EQ(all.spare_extents, 0u);
    EXPECT_EQ(all.data_extents, alone.data_extents + alone.spare_extents);
}

TEST(APoolSize, IsRoundedUpToWholeExtents) {
    EXPECT_EQ(on_disk(sized(10 * gib + 1), tib).data_extents, 10 * gib / extent + 1);
    EXPECT_EQ(on_disk(sized(Bytes{1}), tib).data_extents, 1u);
}

TEST(APoolSize, InPercentIsOfTheWholeDisk) {
    const std::uint64_t device = 100'000;
    EXPECT_EQ(size_pool(sized(Percent{9500}), extent, {device, device}, 0, max_chunks).data_extents, 95'000u);
    // Half of the disk stays half of the disk when some of it is used.
    EXPECT_EQ(size_pool(sized(Percent{5000}), extent, {device, 60'000}, 0, max_chunks).data_extents, 50'000u);
    EXPECT_THAT(size_pool(sized(Percent{10'000}), extent, {device, device}, 0, max_chunks).problem, HasSubstr("does not fit"));
    EXPECT_NE(size_pool(sized(Percent{0}), extent, {device, device}, 0, max_chunks).problem, "");
}

TEST(APoolSize, ThatDoesNotFitIsRefusedWithOneThatDoes) {
    const auto pool = on_disk(sized(220 * gib), 100 * gib);
    EXPECT_THAT(pool.problem, HasSubstr("220 GiB does not fit: 100 GiB are free"));
    const auto at = pool.problem.find("write size: ");
    ASSERT_NE(at, std::string::npos) << pool.problem;
    const auto text = pool.problem.substr(at + 12, pool.problem.find("MiB", at) - at - 12);
    EXPECT_EQ(on_disk(sized(std::stoull(text) * mib), 100 * gib).problem, "") << "its own advice";
}

TEST(APoolSize, IsRefusedWhereThereIsNoRoomAtAll) {
    for (const std::uint64_t free : {0U, 1U, 2U, 3U}) {
        const auto pool = size_pool(sized(std::nullopt), extent, {1'000, free}, 0, max_chunks);
        if (pool.problem.empty()) {
            EXPECT_GE(pool.data_extents, 1u);
        } else {
            EXPECT_THAT(pool.problem, HasSubstr("nothing fits"));
        }
    }
}

TEST(APoolSize, IsRefusedAtAnyHugeNumberInItsOwnTerms) {
    EXPECT_THAT(on_disk(sized(Bytes{1} << 63U), tib).problem, HasSubstr("8192 PiB does not fit"));
    EXPECT_THAT(on_disk(sized(Bytes{1} << 63U, 64 * kib), tib).problem, HasSubstr("does not fit"));
    EXPECT_THAT(on_disk(sized(10 * gib, std::nullopt, Bytes{1} << 63U), tib).problem, HasSubstr("does not fit"));
    for (const Bytes chunk : {Bytes{0}, Bytes{1}, Bytes{512}, Bytes{1} << 63U}) {
        EXPECT_THAT(on_disk(sized(10 * gib, chunk), tib).problem, HasSubstr("cannot be: LVM takes multiples of 32 KiB"));
    }
}

TEST(APoolSize, IsRefusedBelowOneChunk) {
    EXPECT_THAT(on_disk(sized(4 * mib, gib), tib).problem, HasSubstr("smaller than one chunk"));
}

/// Whatever is asked for: what comes out fits, has metadata enough and chunks within the limit, or is refused in words.
TEST(APoolSize, IsSoundForEveryNumber) {
    std::mt19937_64 random{2};
    const auto pick = [&](Bytes limit) { return random() % limit + 1; };
    unsigned fitting = 0;
    for (int i = 0; i < 20'000; ++i) {
        const Bytes extent_size = Bytes{1} << (20 + random() % 8);
        const std::uint64_t device = pick((Bytes{1} << (30 + random() % 30)) / extent_size + 1);
        const std::uint64_t free = random() % 4 == 0 ? random() % (device + 1) : device;
        const std::uint64_t spare = random() % 3 == 0 ? random() % 100 : 0;
        const std::uint64_t limit = random() % 3 == 0 ? pick(max_chunks) : max_chunks;
        TierRule rule;
        switch (random() % 4) {
            case 0: rule.size = SizeSpec{pick(device * extent_size + extent_size)}; break;
            case 1: rule.size = SizeSpec{Percent{static_cast<std::uint32_t>(random() % 10'001)}}; break;
            case 2: rule.size = SizeSpec{Bytes{1} << 63U}; break;
            default: break;
        }
        if (random() % 4 == 0) rule.chunk_size = random() % 2 == 0 ? pick(gib) : 32 * kib * pick(1'000);
        if (random() % 4 == 0) rule.metadata_size = pick(random() % 8 == 0 ? Bytes{1} << 63U : 16 * gib);
        const auto pool = size_pool(rule, extent_size, {device, free}, spare, limit);
        if (!pool.problem.empty()) continue;
        ++fitting;
        SCOPED_TRACE("round " + std::to_string(i));
        const Bytes data = pool.data_extents * extent_size;
        ASSERT_GE(pool.data_extents, 1u);
        ASSERT_LE(pool.data_extents + pool.metadata_extents, free);
        if (!rule.size) {
            ASSERT_LE(pool.data_extents + pool.metadata_extents + pool.spare_extents, free);
        }
        ASSERT_LE(data / pool.chunk_size, limit);
        ASSERT_GE(pool.metadata_extents * extent_size, cache_metadata_need(data, pool.chunk_size));
        ASSERT_EQ(pool.chunk_size % cache_chunk_min, 0u);
        ASSERT_TRUE(pool.chunk_size >= cache_chunk_min && pool.chunk_size <= cache_chunk_max);
    }
    EXPECT_GT(fitting, 5'000u);
}

/// Around each size where the chunk grows by a step: the metadata is enough for the chunk that is taken in the end.
TEST(APoolSize, HasMetadataEnoughWhereTheChunkJumps) {
    for (Bytes chunk = 96 * kib; chunk < 4 * mib; chunk += cache_chunk_min) {
        const std::uint64_t jump = chunk * max_chunks / extent;
        for (std::uint64_t free = jump; free < jump + 60; ++free) {
            const auto pool = size_pool(sized(std::nullopt), extent, {free, free}, 0, max_chunks);
            ASSERT_EQ(pool.problem, "");
            ASSERT_GE(pool.metadata_extents * extent, cache_metadata_need(pool.data_extents * extent, pool.chunk_size)) << free;
        }
    }
}

}  // namespace
}  // namespace tierd
