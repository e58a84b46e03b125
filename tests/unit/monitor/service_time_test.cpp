// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/service_time.hpp"

#include <gtest/gtest.h>

namespace tierd {
namespace {

using Direction = ServiceWatch::Direction;
constexpr Usec second = usec_per_second;

/// I/Os a second, how long each takes, how large each is.
struct Load {
    std::uint64_t rate = 0;
    Usec usec = 0;
    Bytes size = 4 * kib;
};

/// A cache under load, sampled every ten seconds.
class Cache {
public:
    void run(Usec span, Load tier, Load origin, Direction direction = Direction::Write) {
        for (Usec at = 0; at < span; at += 10 * second) {
            watch.add(now_, service_);
            now_ += 10 * second;
            serve(service_.tier, tier, direction);
            serve(service_.origin, origin, direction);
        }
        watch.add(now_, service_);
    }
    void make_anew() { service_ = {}; }

    ServiceWatch watch;

private:
    static void serve(DeviceService& device, const Load& load, Direction direction) {
        auto& served = direction == Direction::Read ? device.read : device.write;
        served.ios += load.rate * 10;
        served.bytes += load.rate * 10 * load.size;
        served.time += load.rate * 10 * load.usec;
    }
    Usec now_ = 1'769'947'200 * second;
    CacheService service_;
};

constexpr Load ssd{1'000, 100}, disk{200, 8'000};

TEST(AServiceTime, IsTheMeanOfTheLastFiveMinutes) {
    Cache cache;
    EXPECT_EQ(cache.watch.means(Direction::Write).tier, std::nullopt);
    cache.run(3'600 * second, {100, 50'000}, disk);
    cache.run(300 * second, ssd, disk);
    EXPECT_NEAR(cache.watch.means(Direction::Write).tier.value_or(0), 100, 1);
    EXPECT_NEAR(cache.watch.means(Direction::Write).origin.value_or(0), 8'000, 1);
    EXPECT_EQ(cache.watch.means(Direction::Read).tier, std::nullopt) << "nothing was read: that is not 0 µs";
}

TEST(ATier, IsUsuallyFasterThanItsOrigin) {
    Cache cache;
    cache.run(900 * second, ssd, disk);
    EXPECT_FALSE(cache.watch.slower(Direction::Write));
}

// Story B: a local SSD of 172 MB/s in front of cloud disks of 595 MB/s.
TEST(ATier, IsSlowerThanTheDisksOfACloud) {
    for (const auto direction : {Direction::Read, Direction::Write}) {
        Cache cache;
        cache.run(290 * second, {2'750, 5'000, 64 * kib}, {2'750, 1'500, 64 * kib}, direction);
        EXPECT_FALSE(cache.watch.slower(direction)) << "not five minutes yet";
        cache.run(20 * second, {2'750, 5'000, 64 * kib}, {2'750, 1'500, 64 * kib}, direction);
        ASSERT_TRUE(cache.watch.slower(direction));
        EXPECT_NEAR(cache.watch.slower(direction)->tier.value_or(0), 5'000, 1);
        EXPECT_NEAR(cache.watch.slower(direction)->origin.value_or(0), 1'500, 1);
        EXPECT_FALSE(cache.watch.slower(direction == Direction::Read ? Direction::Write : Direction::Read));
    }
}

TEST(ATier, IsNotJudgedByAFewRequests) {
    Cache cache;
    cache.run(900 * second, {2, 5'000}, {2'000, 100});
    EXPECT_FALSE(cache.watch.slower(Direction::Write));
    Cache other;
    other.run(900 * second, {2'000, 5'000}, {2, 100});
    EXPECT_FALSE(other.watch.slower(Direction::Write));
}

/// Whole chunks are moved in and out: a large I/O may take longer, or cost less a byte, and says nothing for that.
TEST(ATier, IsNotJudgedByTheSizeOfItsRequests) {
    Cache larger;
    larger.run(900 * second, {200, 2'000, 256 * kib}, {200, 500, 4 * kib});
    EXPECT_FALSE(larger.watch.slower(Direction::Write));
    Cache smaller;
    smaller.run(900 * second, {200, 400, 4 * kib}, {200, 2'000, 256 * kib});
    EXPECT_FALSE(smaller.watch.slower(Direction::Write));
}

/// The kernel counts ticks: of so few and short ones the mean may be off by more than the difference.
TEST(ATier, IsNotJudgedByTheTicksOfTheKernel) {
    Cache cache;
    cache.run(900 * second, {4, 170, 4 * kib}, {4, 100, 4 * kib});
    EXPECT_FALSE(cache.watch.slower(Direction::Write));
    cache.run(900 * second, {4'000, 170, 4 * kib}, {4'000, 100, 4 * kib});
    EXPECT_TRUE(cache.watch.slower(Direction::Write)) << "a million of them are no chance";
}

TEST(ATier, IsNotSlowerAndFasterByTurns) {
    Cache cache;
    cache.run(310 * second, {1'000, 5'200}, {1'000, 4'000});
    EXPECT_FALSE(cache.watch.slower(Direction::Write)) << "1.3 times does not begin it";
    cache.run(310 * second, {1'000, 8'000}, {1'000, 4'000});
    ASSERT_TRUE(cache.watch.slower(Direction::Write));
    cache.run(310 * second, {1'000, 5'200}, {1'000, 4'000});
    EXPECT_TRUE(cache.watch.slower(Direction::Write)) << "and 1.3 times does not end it";
    cache.run(600 * second, {}, {});
    EXPECT_TRUE(cache.watch.slower(Direction::Write)) << "rest proves nothing";
    cache.run(310 * second, {1'000, 4'100}, {1'000, 4'000});
    EXPECT_FALSE(cache.watch.slower(Direction::Write));
}

TEST(ATier, IsJudgedAnewOnNewDevices) {
    Cache cache;
    cache.run(290 * second, {1'000, 8'000}, {1'000, 4'000});
    cache.make_anew();
    cache.run(290 * second, {1'000, 8'000}, {1'000, 4'000});
    EXPECT_FALSE(cache.watch.slower(Direction::Write));
    EXPECT_NEAR(cache.watch.means(Direction::Write).tier.value_or(0), 8'000, 1);
}

TEST(ATier, IsNotJudgedByItsDrain) {
    Cache cache;
    for (int i = 0; i < 100; ++i) {
        cache.run(20 * second, {1'000, 8'000}, {1'000, 4'000});
        cache.watch.pause();
    }
    EXPECT_FALSE(cache.watch.slower(Direction::Write));
}

}  // namespace
}  // namespace tierd
