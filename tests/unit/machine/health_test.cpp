// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/health.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support.hpp"

namespace tierd::udev {
namespace {

using testing::HasSubstr;

const std::string scsi_well =
    R"({"smartctl":{"version":[7,3],"exit_status":0},"device":{"name":"/dev/sda","type":"scsi","protocol":"SCSI"},"smart_status":{"passed":true},"temperature":{"current":38}})";
const std::string scsi_failing =
    R"j({"smartctl":{"exit_status":8},"device":{"type":"scsi"},"smart_status":{"passed":false,"scsi":{"asc":93,"ascq":255,"ie_string":"FAILURE PREDICTION THRESHOLD EXCEEDED (FALSE)"}}})j";

std::string nvme(unsigned warning, unsigned used) {
    return R"({"smart_status":{"passed":)" + std::string{warning == 0 ? "true" : "false"} + R"(,"nvme":{"value":)" +
           std::to_string(warning) + R"(}},"nvme_smart_health_information_log":{"critical_warning":)" + std::to_string(warning) +
           R"(,"temperature":41,"available_spare":100,"available_spare_threshold":10,"percentage_used":)" + std::to_string(used) +
           R"(,"media_errors":0}})";
}

std::string ata(bool passed, const std::string& valid) {
    return R"({"device":{"type":"sat","protocol":"ATA"},"smart_status":{"passed":)" + std::string{passed ? "true" : "false"} +
           R"(},"ata_device_statistics":{"pages":[{"number":1,"table":[{"offset":8,"value":99}]},{"number":7,"name":"Solid State Device Statistics","table":[)" +
           R"({"offset":8,"name":"Percentage Used Endurance Indicator","size":1,"value":3,"flags":{"valid":)" + valid + R"(}}]}]}})";
}

TEST(AHealthReport, SaysThatTheDiskIsWell) {
    EXPECT_EQ(parse_health(scsi_well), (DiskHealth{false, "", std::nullopt}));
    EXPECT_EQ(parse_health(nvme(0, 0)), (DiskHealth{false, "", 0U}));
    EXPECT_EQ(parse_health(nvme(0, 117)), (DiskHealth{false, "", 117U})) << "worn out is not failing";
    EXPECT_EQ(parse_health(ata(true, "true")), (DiskHealth{false, "", 3U}));
    EXPECT_EQ(parse_health(ata(true, "false")), (DiskHealth{false, "", std::nullopt}));
}

TEST(AHealthReport, SaysThatTheDiskIsFailing) {
    EXPECT_EQ(parse_health(scsi_failing),
              (DiskHealth{true, "its SMART status is failed (FAILURE PREDICTION THRESHOLD EXCEEDED (FALSE))", std::nullopt}));
    EXPECT_EQ(parse_health(ata(false, "true")), (DiskHealth{true, "its SMART status is failed", 3U}));
    EXPECT_EQ(parse_health(nvme(0x04, 90)), (DiskHealth{true, "its reliability is degraded (NVMe critical warning 0x04)", 90U}));
    EXPECT_EQ(parse_health(nvme(0x09, 1))->evidence, "its spare blocks are used up, it has turned read-only (NVMe critical warning 0x09)");
    EXPECT_EQ(parse_health(nvme(0x80, 1))->evidence, "it gives a NVMe critical warning 0x80") << "of a later specification";
    EXPECT_TRUE(parse_health(nvme(0x80, 1))->failing);
}

// It would be drained whenever the sun shines.
TEST(AHealthReport, DoesNotCallAHotDiskFailing) {
    const auto health = parse_health(nvme(0x02, 1));
    EXPECT_FALSE(health->failing);
    EXPECT_THAT(health->evidence, HasSubstr("temperature"));
    EXPECT_TRUE(parse_health(nvme(0x06, 1))->failing);
}

// Promise 5
TEST(AHealthReport, ThatDoesNotSayIsUnknown) {
    for (const std::string text :
         {"", "{}", "[]", "null", "smartctl: command not found", R"({"smart_status":{}})", R"({"smart_status":{"passed":"yes"}})",
          R"({"smart_status":true})", R"({"smart_status":{"passed":null}})", R"({"smart_status":{"passed":true)",
          R"({"smartctl":{"messages":[{"string":"/dev/ubda: Unable to detect device type","severity":"error"}],"exit_status":1}})"}) {
        EXPECT_EQ(parse_health(text), std::nullopt) << text;
    }
    EXPECT_EQ(parse_health(R"({"smart_status":{"passed":true},"nvme_smart_health_information_log":{"percentage_used":"much"}})"),
              (DiskHealth{false, "", std::nullopt}));
    EXPECT_EQ(parse_health(R"({"smart_status":{"passed":true},"ata_device_statistics":{"pages":[7,{"number":7,"table":[null]}]}})"),
              (DiskHealth{false, "", std::nullopt}));
}

BlockDevice disk(const std::string& node, std::uint64_t diskseq, DiskKind kind = DiskKind::Ssd) {
    BlockDevice device;
    device.node = node;
    device.diskseq = diskseq;
    device.size = gib;
    device.kind = kind;
    return device;
}

class Asking : public testing::Test {
protected:
    Asking() { answer(scsi_well); }
    void answer(const std::string& report, const std::string& end = "") {
        tool_ = folder_.program("smartctl", "echo \"$*\" >>" + folder_.path() + "/calls\necho '" + report + "'\n" + end);
    }
    std::vector<BlockDevice> ask(std::vector<BlockDevice> devices) {
        run_until(loop_, [&](const auto& done) { healths_.ask(devices, done); });
        healths_.set(devices);
        return devices;
    }
    std::optional<DiskHealth> ask_one(const BlockDevice& device) { return ask({device}).front().health; }
    /// Until the answer of one that is not waited for is in.
    void let_answer() {
        run_until(loop_, [&](const auto& done) {
            on_change_ = done;
            late_ = loop_.after(std::chrono::seconds{1}, done);
        });
        on_change_ = [] {};
    }
    [[nodiscard]] std::string calls() const { return text_of(folder_.path() + "/calls"); }
    [[nodiscard]] std::size_t count() const {
        const auto text = calls();
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }

    TemporaryFolder folder_;
    Loop loop_;
    ProcessRunner runner_{loop_};
    std::string tool_;
    Usec time_ = 1000 * usec_per_second;
    int changes_ = 0;
    std::function<void()> on_change_ = [] {};
    Watch late_;
    Healths healths_{runner_, folder_.path() + "/smartctl",
                     [this] {
                         ++changes_;
                         on_change_();
                     },
                     [this] { return time_; }};
};

TEST_F(Asking, HappensOncePerDisk) {
    EXPECT_EQ(ask_one(disk("/dev/sda", 1)), DiskHealth{});
    EXPECT_EQ(calls(), "--json=c -H -A -l ssd /dev/sda\n");
    EXPECT_EQ(ask_one(disk("/dev/sda", 1)), DiskHealth{});
    EXPECT_EQ(count(), 1U);
    // A20: another disk under the same name
    answer(scsi_failing, "exit 8");
    EXPECT_TRUE(ask_one(disk("/dev/sda", 2))->failing) << "the exit status is no verdict";
    EXPECT_EQ(count(), 2U);
    EXPECT_EQ(changes_, 0);
}

TEST_F(Asking, IsForWhatMayServe) {
    auto partition = disk("/dev/sda1", 1), loop = disk("/dev/loop0", 3), empty = disk("/dev/sr0", 4);
    partition.parent = "sda";
    loop.virtual_disk = true;
    empty.size = 0;
    const auto asked = ask({disk("/dev/sdb", 2, DiskKind::Hdd), partition, loop, empty, disk("/dev/sdc", 5, DiskKind::Unknown)});
    EXPECT_EQ(calls(), "--json=c -H -A -l ssd /dev/sdc\n");
    EXPECT_EQ(asked.front().health, std::nullopt);
    EXPECT_EQ(asked.back().health, DiskHealth{});
}

TEST_F(Asking, HappensAgainAfterAnHourAndIsNotWaitedFor) {
    ask_one(disk("/dev/sda", 1));
    time_ += 3599 * usec_per_second;
    ask_one(disk("/dev/sda", 1));
    EXPECT_EQ(count(), 1U);
    time_ += usec_per_second;
    answer(scsi_failing, "exit 8");
    EXPECT_FALSE(ask_one(disk("/dev/sda", 1))->failing);
    let_answer();
    EXPECT_EQ(changes_, 1);
    EXPECT_EQ(count(), 2U);
    EXPECT_TRUE(ask_one(disk("/dev/sda", 1))->failing);
    // What it said is not unsaid by its silence, and the same once more is no news.
    for (const auto& again : {std::string{"{}"}, scsi_failing}) {
        answer(again);
        time_ += 3600 * usec_per_second;
        ask_one(disk("/dev/sda", 1));
        let_answer();
        EXPECT_TRUE(ask_one(disk("/dev/sda", 1))->failing);
    }
    EXPECT_EQ(changes_, 1);
}

TEST_F(Asking, WithoutTheProgramLeavesAllUnknown) {
    Healths none{runner_, "", [] {}, [] { return Usec{1}; }};
    std::vector<BlockDevice> devices{disk("/dev/sda", 1)};
    run_until(loop_, [&](const auto& done) { none.ask(devices, done); });
    none.set(devices);
    EXPECT_EQ(devices.front().health, std::nullopt);
}

}  // namespace
}  // namespace tierd::udev
