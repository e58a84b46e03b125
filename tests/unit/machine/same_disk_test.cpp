// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/same_disk.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "daemon/model/error.hpp"
#include "support.hpp"

namespace tierd::udev {
namespace {

ErrorCode refusal(std::uint64_t planned, std::optional<std::uint64_t> listed, std::optional<std::uint64_t> found) {
    try {
        check_same_disk("/dev/sdb", planned, listed, found);
    } catch (const Error& error) {
        return error.code();
    }
    return ErrorCode::Internal;
}
constexpr auto refused = ErrorCode::DeviceChanged, passed = ErrorCode::Internal;

TEST(ADiskNamedByItsNode, IsTheOneThatThePlanSaw) {
    EXPECT_EQ(refusal(7, 7, 7), passed);
    EXPECT_EQ(refusal(7, std::nullopt, 7), passed);
    EXPECT_EQ(refusal(7, 7, 8), refused);
    EXPECT_EQ(refusal(7, 7, 0), refused);
    // A20: the newest listing knows the other disk already, which is not the one that was planned with
    EXPECT_EQ(refusal(7, 8, 8), refused);
}
TEST(ADiskNamedByItsNode, IsTheListedOneWhenThePlanDoesNotSay) {
    EXPECT_EQ(refusal(0, 7, 7), passed);
    EXPECT_EQ(refusal(0, 7, 8), refused);
    EXPECT_EQ(refusal(0, 0, 7), passed) << "a kernel without sequence numbers";
}
TEST(ADiskNamedByItsNode, IsRefusedWhenItIsUnknownOrGone) {
    EXPECT_EQ(refusal(0, std::nullopt, 7), refused);
    EXPECT_EQ(refusal(7, 7, std::nullopt), refused);
    EXPECT_EQ(refusal(0, 0, std::nullopt), refused);
}

TEST(ANode, ThatIsNoBlockDeviceHasNoDiskBehindIt) {
    EXPECT_EQ(diskseq_behind("/dev/null"), std::nullopt);
    EXPECT_EQ(diskseq_behind("/dev/no-such-disk"), std::nullopt);
    EXPECT_EQ(diskseq_behind("/etc/passwd"), std::nullopt);
    EXPECT_EQ(diskseq_behind(""), std::nullopt);
}
TEST(ANode, LeadsToItsDisksSequenceNumber) {
    std::error_code fault;
    for (const auto& entry : std::filesystem::directory_iterator{"/sys/class/block", fault}) {
        const std::string name = entry.path().filename();
        if (!std::filesystem::is_block_file("/dev/" + name, fault) || !std::filesystem::exists(entry.path() / "diskseq")) continue;
        const TemporaryFolder folder;
        std::filesystem::create_symlink("/dev/" + name, folder.path() + "/link");
        EXPECT_EQ(std::to_string(diskseq_behind("/dev/" + name).value_or(0)) + '\n', text_of(entry.path() / "diskseq"));
        EXPECT_EQ(diskseq_behind(folder.path() + "/link"), diskseq_behind("/dev/" + name));
        return;
    }
    GTEST_SKIP() << "no disk here";
}

}  // namespace
}  // namespace tierd::udev
