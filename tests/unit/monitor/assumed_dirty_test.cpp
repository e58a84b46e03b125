// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/assumed_dirty.hpp"

#include <gtest/gtest.h>

namespace tierd {
namespace {

constexpr Bytes chunk = 64 * kib;

CacheStatus dirty(std::uint64_t blocks, const std::string& mode = "writeback", const std::string& policy = "smq") {
    CacheStatus status;
    status.block_size = chunk;
    status.total_blocks = 25'000'000;
    status.dirty_blocks = blocks;
    status.mode = mode;
    status.policy = policy;
    return status;
}
LastSeen seen(std::uint64_t blocks, const std::string& boot, bool assumed = false) {
    return {blocks * chunk, 1, boot, assumed};
}
constexpr std::uint64_t nearly_all = 24'998'112;

// A03: a write-through cache of 25 million chunks comes back fully dirty.
TEST(DirtInWritethrough, IsAssumed) {
    AssumedDirty watch;
    watch.add(dirty(0, "writethrough"), nullptr, "b");
    EXPECT_FALSE(watch.assumed());
    watch.add(dirty(nearly_all, "writethrough"), nullptr, "b");
    EXPECT_TRUE(watch.assumed());
    EXPECT_EQ(watch.progress(), 0.0);
    watch.add(dirty(nearly_all / 4, "writethrough"), nullptr, "b");
    EXPECT_DOUBLE_EQ(watch.progress().value_or(0), 0.75);
    watch.add(dirty(0, "writethrough"), nullptr, "b");
    EXPECT_FALSE(watch.assumed());
    EXPECT_EQ(watch.progress(), std::nullopt);
}

TEST(DirtInWriteback, IsAssumedWhenItJumpedOverABoot) {
    const auto before = seen(100, "boot-1");
    AssumedDirty watch;
    watch.add(dirty(nearly_all), &before, "boot-2");
    EXPECT_TRUE(watch.assumed());
    watch.add(dirty((nearly_all - 100) / 2 + 100), nullptr, "boot-2");
    EXPECT_NEAR(watch.progress().value_or(0), 0.5, 0.001);
    watch.add(dirty(100), nullptr, "boot-2");
    EXPECT_FALSE(watch.assumed()) << "what was known to be dirty may still be, and may be more";
    watch.add(dirty(nearly_all), nullptr, "boot-2");
    EXPECT_FALSE(watch.assumed()) << "it became so under our eyes";
}

TEST(DirtInWriteback, IsKnownWithoutABootOrAJump) {
    const auto same_boot = seen(100, "boot-1");
    const auto close = seen(nearly_all - 1'000, "boot-1");
    for (const auto& [before, boot] : {std::pair{&same_boot, "boot-1"}, std::pair{&close, "boot-2"}}) {
        AssumedDirty watch;
        watch.add(dirty(nearly_all), before, boot);
        EXPECT_FALSE(watch.assumed());
    }
    AssumedDirty nothing_known;
    nothing_known.add(dirty(nearly_all), nullptr, "boot-2");
    EXPECT_FALSE(nothing_known.assumed()) << "what is not known is not harmless";
}

/// The kernel says write-through of any cache that is drained.
TEST(DirtInWriteback, IsKnownWhileItIsDrained) {
    AssumedDirty watch;
    watch.add(dirty(500), nullptr, "b");
    watch.add(dirty(500, "writethrough", cleaner_policy), nullptr, "b");
    EXPECT_FALSE(watch.assumed());
}

TEST(AnAssumption, GoesOnOverARestartOfTheDaemon) {
    const auto before = seen(1'000, "b", true);
    AssumedDirty less, more;
    less.add(dirty(900), &before, "b");
    EXPECT_TRUE(less.assumed());
    more.add(dirty(1'100), &before, "b");
    EXPECT_FALSE(more.assumed()) << "somebody wrote meanwhile";
}

TEST(AnAssumption, BearsACacheThatIsLost) {
    AssumedDirty watch;
    watch.add(dirty(10, "writethrough"), nullptr, "b");
    CacheStatus lost;
    lost.health = CacheStatus::Health::Failed;
    watch.add(lost, nullptr, "b");
    EXPECT_TRUE(watch.assumed());
}

}  // namespace
}  // namespace tierd
