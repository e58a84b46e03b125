// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/probes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "support.hpp"

namespace tierd::udev {
namespace {

const std::string blank = R"({"busy":false,"ambivalent":false,"signatures":[]})";

const std::string with_content = R"({"busy":false,"ambivalent":false,"signatures":[{"type":"gpt","usage":"table","offset":512}]})";

BlockDevice disk(const std::string& node, std::uint64_t diskseq, Usec changed = 0) {
    BlockDevice device;
    device.node = node;
    device.dev = "8:" + std::to_string(diskseq);
    device.diskseq = diskseq;
    device.size = gib;
    device.changed = changed;
    return device;
}

class Probing : public testing::Test {
protected:
    void answer(const std::string& script) {
        tool_ = folder_.program("tierd-device", "echo \"$*\" >>" + folder_.path() + "/calls\n" + script);
    }
    std::vector<BlockDevice> fill(std::vector<BlockDevice> devices, const std::set<std::string>& taken = {}) {
        std::vector<BlockDevice> filled;
        run_until(loop_, [&](const auto& done) {
            probes_.fill(std::move(devices), taken, [&filled, done](std::vector<BlockDevice> each) {
                filled = std::move(each);
                done();
            });
        });
        return filled;
    }
    [[nodiscard]] std::size_t calls() const {
        const auto text = text_of(folder_.path() + "/calls");
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }

    TemporaryFolder folder_;
    Loop loop_;
    ProcessRunner runner_{loop_};
    std::string tool_ = folder_.program("tierd-device", "echo \"$*\" >>" + folder_.path() + "/calls; echo '" + blank + "'");
    Usec time_ = 1000 * usec_per_second;
    int due_ = 0;
    std::function<void()> on_due_ = [] {};
    Probes probes_{loop_, runner_, tool_,
                   [this] {
                       ++due_;
                       on_due_();
                   },
                   [this] { return time_; }};
};

TEST_F(Probing, HappensOncePerDiskAndChange) {
    const auto first = fill({disk("/dev/sda", 1), disk("/dev/sdb", 2)});
    EXPECT_EQ(first.at(0).probe, Probe{});
    EXPECT_EQ(first.at(1).probe, Probe{});
    EXPECT_EQ(fill({disk("/dev/sda", 1), disk("/dev/sdb", 2)}).at(1).probe, Probe{});
    EXPECT_EQ(calls(), 2U);
    fill({disk("/dev/sda", 1, 5), disk("/dev/sdb", 2)});
    EXPECT_EQ(calls(), 3U);
    // A20: another disk under the same name
    fill({disk("/dev/sda", 9, 5), disk("/dev/sdb", 2)});
    EXPECT_EQ(calls(), 4U);
    probes_.forget("/dev/sdb");
    fill({disk("/dev/sda", 9, 5), disk("/dev/sdb", 2)});
    EXPECT_EQ(calls(), 5U);
}

TEST_F(Probing, LeavesOutWhatNeverServes) {
    auto loop = disk("/dev/loop0", 1), empty = disk("/dev/sr0", 2), taken = disk("/dev/sdc", 3);
    loop.virtual_disk = true;
    empty.size = 0;
    const auto filled = fill({loop, empty, taken, disk("/dev/sda", 4)}, {taken.dev});
    EXPECT_EQ(calls(), 1U);
    EXPECT_EQ(filled.at(0).probe, std::nullopt);
    EXPECT_EQ(filled.at(2).probe, std::nullopt);
    EXPECT_EQ(filled.at(3).probe, Probe{});
    // Once it is free again it is looked at.
    EXPECT_EQ(fill({taken, disk("/dev/sda", 4)}).at(0).probe, Probe{});
}

// Promise 5
TEST_F(Probing, ThatFailsLeavesTheDiskUnknownAndIsNotTriedAtEachLook) {
    answer("exit 1");
    EXPECT_EQ(fill({disk("/dev/sda", 1)}).at(0).probe, std::nullopt);
    EXPECT_EQ(fill({disk("/dev/sda", 1)}).at(0).probe, std::nullopt);
    EXPECT_EQ(calls(), 1U);
    answer("echo '" + blank + "'");
    EXPECT_EQ(fill({disk("/dev/sda", 1, 7)}).at(0).probe, Probe{});
}

// Without an event: what made it fail may be over.
TEST_F(Probing, ThatFailedIsTriedAgainSoonAndThenMoreSeldom) {
    answer("exit 1");
    fill({disk("/dev/sda", 1)});
    for (std::size_t wait = 5, tries = 2; tries <= 5; wait *= 2, ++tries) {
        time_ += (wait - 1) * usec_per_second;
        fill({disk("/dev/sda", 1)});
        EXPECT_EQ(calls(), tries - 1);
        time_ += usec_per_second;
        fill({disk("/dev/sda", 1)});
        EXPECT_EQ(calls(), tries);
    }
    answer("echo '" + blank + "'");
    time_ += 320 * usec_per_second;
    EXPECT_EQ(fill({disk("/dev/sda", 1)}).at(0).probe, Probe{});
}

TEST_F(Probing, IsRepeatedAfterAWhileWhereNothingWasFoundOnly) {
    answer("case $2 in /dev/sda) echo '" + blank + "' ;; *) echo '" + with_content + "' ;; esac");
    auto partition = disk("/dev/sdb9", 3);
    partition.parent = "sdb";
    fill({disk("/dev/sda", 1), disk("/dev/sdb", 2), partition});
    EXPECT_EQ(calls(), 3U);
    for (int hour = 0; hour < 3; ++hour) {
        time_ += 3600 * usec_per_second;
        const auto filled = fill({disk("/dev/sda", 1), disk("/dev/sdb", 2), partition});
        for (const auto& each : filled) EXPECT_TRUE(each.probe) << each.node;
    }
    EXPECT_EQ(calls(), 6U) << "the blank disk alone";
}
TEST_F(Probing, LeavesABlankPartitionAloneForTheSakeOfItsDisk) {
    auto partition = disk("/dev/sdb1", 2);
    partition.parent = "sdb";
    fill({partition});
    time_ += 3600 * usec_per_second;
    EXPECT_EQ(fill({partition}).at(0).probe, Probe{});
    EXPECT_EQ(calls(), 1U);
}

TEST_F(Probing, DoesNotDisturbWhatIsInUse) {
    auto mounted = disk("/dev/sda", 1), swap = disk("/dev/sdb", 2), held = disk("/dev/sdc", 3);
    mounted.mounts = {"/srv"};
    swap.swap = true;
    held.holders = {"dm-0"};
    for (const auto& each : fill({mounted, swap, held})) EXPECT_EQ(each.probe, std::nullopt);
    EXPECT_EQ(std::filesystem::exists(folder_.path() + "/calls"), false);
    // What is free again is looked at, without an event.
    fill({disk("/dev/sda", 1)});
    fill({mounted});
    EXPECT_EQ(fill({disk("/dev/sda", 1)}).at(0).probe, Probe{});
    EXPECT_EQ(calls(), 2U);
}
TEST_F(Probing, OfADiskIsRepeatedWhenItsPartitionIsNoLongerInUse) {
    answer("echo '" + with_content + "'");
    auto whole = disk("/dev/sda", 1), part = disk("/dev/sda1", 2);
    whole.name = part.parent = "sda";
    part.mounts = {"/srv"};
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(fill({whole, part}).at(0).probe);
    EXPECT_EQ(calls(), 1U);
    part.mounts.clear();
    fill({whole, part});
    EXPECT_EQ(calls(), 3U);
}

// D03: an event at each look, whether they come every 30 ms or every 300 ms
TEST_F(Probing, IsNotDrivenByAStormOfEvents) {
    fill({disk("/dev/sda", 1)});
    for (const Usec span : {30'000U, 300'000U, 900'000U}) {
        const auto before = calls();
        for (Usec past = 0; past < 10 * usec_per_second; past += span) {
            time_ += span;
            const auto device = fill({disk("/dev/sda", 1, time_)}).at(0);
            EXPECT_TRUE(!device.probe || *device.probe == Probe{});
        }
        EXPECT_LE(calls() - before, 13U) << "one a second, and three at once, with an event every " << span << " us";
    }
}
TEST_F(Probing, ThatWasPutOffIsAskedForWhenItIsDue) {
    for (Usec i = 1; i <= 3; ++i) EXPECT_TRUE(fill({disk("/dev/sda", 1, i)}).at(0).probe);
    EXPECT_FALSE(fill({disk("/dev/sda", 1, 4)}).at(0).probe);
    EXPECT_EQ(due_, 0);
    time_ += 3 * usec_per_second - 10'000;
    EXPECT_FALSE(fill({disk("/dev/sda", 1, 4)}).at(0).probe);
    run_until(loop_, [&](const auto& done) { on_due_ = done; });
    EXPECT_EQ(due_, 1);
    time_ += 10'000;
    EXPECT_TRUE(fill({disk("/dev/sda", 1, 4)}).at(0).probe);
}

TEST(AProbe, IsReadFromJson) {
    const auto probe = parse_probe(
        R"({"busy":true,"ambivalent":true,"signatures":[{"type":"gpt","usage":"table","offset":512},{"type":"vfat","usage":"filesystem","offset":54}]})");
    ASSERT_TRUE(probe);
    EXPECT_TRUE(probe->busy);
    EXPECT_TRUE(probe->ambivalent);
    EXPECT_THAT(probe->signatures, testing::ElementsAre(Signature{"gpt", "table", 512}, Signature{"vfat", "filesystem", 54}));
}

TEST(AProbe, ThatIsNotUnderstoodIsUnknown) {
    for (const auto* text :
         {"", "{}", "[]", "null", R"({"busy":false})", R"({"busy":0,"ambivalent":false,"signatures":[]})",
          R"({"busy":false,"ambivalent":false,"signatures":[{}]})", R"({"busy":false,"ambivalent":false,"signatures":[1]})",
          R"({"busy":false,"ambivalent":false,"signatures":{}})"}) {
        EXPECT_EQ(parse_probe(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace tierd::udev
