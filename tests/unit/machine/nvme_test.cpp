// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/nvme.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "support.hpp"

namespace tierd::udev {
namespace {

/// sysfs as the kernel lays it out: the subsystem's folder has links to its controllers.
class AnNvmeDisk : public testing::Test {
protected:
    [[nodiscard]] std::string controller(const std::string& name, const std::string& transport) const {
        std::filesystem::create_directory(folder_.path() + '/' + name);
        folder_.file(name + "/transport", transport + '\n');
        return folder_.path() + '/' + name;
    }
    [[nodiscard]] std::string subsystem(const std::vector<std::string>& controllers) const {
        const std::string path = folder_.path() + "/nvme-subsys0";
        std::filesystem::create_directories(path + "/nvme0n1");
        folder_.file("nvme-subsys0/model", "x\n");
        for (const auto& each : controllers)
            std::filesystem::create_directory_symlink(each, path + '/' + std::filesystem::path{each}.filename().string());
        return path;
    }
    TemporaryFolder folder_;
};

TEST_F(AnNvmeDisk, IsLocalOverPcie) {
    EXPECT_EQ(nvme_transport(controller("nvme0", "pcie")), "nvme");
    EXPECT_EQ(nvme_transport(controller("nvme1", "apple-nvme")), "nvme");
}
TEST_F(AnNvmeDisk, SaysOverWhatItIsReached) {
    for (const std::string transport : {"tcp", "rdma", "fc", "loop", "something"})
        EXPECT_EQ(nvme_transport(controller("nvme0", transport)), "nvme-" + transport);
}
TEST_F(AnNvmeDisk, WithSeveralPathsIsLocalWhenAllAre) {
    EXPECT_EQ(nvme_transport(subsystem({controller("nvme0", "pcie"), controller("nvme1", "pcie")})), "nvme");
}
TEST_F(AnNvmeDisk, WithARemotePathIsRemote) {
    EXPECT_EQ(nvme_transport(subsystem({controller("nvme0", "pcie"), controller("nvme1", "tcp")})), "nvme-tcp");
}
// Promise 5
TEST_F(AnNvmeDisk, ThatSaysNothingIsUnknown) {
    EXPECT_EQ(nvme_transport(subsystem({})), "");
    EXPECT_EQ(nvme_transport(folder_.path() + "/nowhere"), "");
}

}  // namespace
}  // namespace tierd::udev
