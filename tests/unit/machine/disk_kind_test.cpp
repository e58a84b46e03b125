// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/disk_kind.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tierd::udev {
namespace {

using testing::HasSubstr;

DiskKind kind(const std::string& transport, std::optional<bool> rotational, std::optional<unsigned> rpm = std::nullopt,
              bool is_virtual = false) {
    return classify({transport, rotational, rpm, is_virtual}).first;
}

// A18: the matrix
TEST(ADisk, IsAnSsdOnlyWhenAllEvidenceAgrees) {
    EXPECT_EQ(kind("nvme", false), DiskKind::Ssd);
    EXPECT_EQ(kind("sata", false, 0), DiskKind::Ssd);
    EXPECT_EQ(kind("sas", false), DiskKind::Ssd);
    EXPECT_EQ(kind("scsi", false, 0), DiskKind::Ssd);
    EXPECT_EQ(kind("sata", false, 7200), DiskKind::Unknown);
    EXPECT_EQ(kind("sata", true, 0), DiskKind::Unknown);
    EXPECT_EQ(kind("scsi", true, 0), DiskKind::Unknown);
    EXPECT_EQ(kind("nvme", true), DiskKind::Unknown);
    EXPECT_EQ(kind("sata", std::nullopt), DiskKind::Unknown);
}

TEST(ADisk, IsAHardDiskWhenItTurns) {
    EXPECT_EQ(kind("sata", true, 7200), DiskKind::Hdd);
    EXPECT_EQ(kind("scsi", true, 15000), DiskKind::Hdd);
    EXPECT_EQ(kind("sas", true), DiskKind::Hdd);
}

TEST(ADisk, IsUnknownWhereTheFlagIsKnownToLie) {
    for (const bool rotational : {false, true}) {
        for (const auto* transport : {"usb", "virtio", "xen", "mmc", "iscsi", "fc", "nvme-tcp", "nvme-rdma", "nvme-fc", "nvme-loop", ""})
            EXPECT_EQ(kind(transport, rotational), DiskKind::Unknown) << transport;
        EXPECT_EQ(kind("sata", rotational, 0, true), DiskKind::Unknown);
        EXPECT_EQ(kind("", rotational, std::nullopt, true), DiskKind::Unknown);
    }
}

TEST(ADisk, SaysItsEvidence) {
    EXPECT_THAT(classify({"sata", false, 7200, false}).second, HasSubstr("rotational 0, 7200 rpm: a contradiction"));
    EXPECT_EQ(classify({"scsi", false, 0, false}).second, "rotational 0, rotation rate \"solid state\"");
    EXPECT_THAT(classify({"usb", true, std::nullopt, false}).second, HasSubstr("usb"));
}

TEST(ARotationRate, IsReadFromTheVpdPage) {
    const auto page = [](unsigned rate) {
        std::string bytes("\x00\xb1\x00\x3c", 4);
        bytes += static_cast<char>(rate >> 8U);
        bytes += static_cast<char>(rate & 0xffU);
        return bytes + std::string(58, '\0');
    };
    EXPECT_EQ(rotation_rate(page(1)), 0U);
    EXPECT_EQ(rotation_rate(page(7200)), 7200U);
    EXPECT_EQ(rotation_rate(page(0)), std::nullopt);
    EXPECT_EQ(rotation_rate(page(0x400)), std::nullopt);
    EXPECT_EQ(rotation_rate(page(0xffff)), std::nullopt);
    EXPECT_EQ(rotation_rate(""), std::nullopt);
    EXPECT_EQ(rotation_rate(page(1).substr(0, 5)), std::nullopt);
    EXPECT_EQ(rotation_rate(std::string(64, '\0')), std::nullopt);
}

}  // namespace
}  // namespace tierd::udev
