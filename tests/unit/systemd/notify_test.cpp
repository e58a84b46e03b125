// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "systemd/notify.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace tierd {
namespace {

/// What a service manager would read.
class ANotification : public testing::Test {
protected:
    void SetUp() override {
        socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path_.data(), path_.size());
        ASSERT_EQ(bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        setenv("NOTIFY_SOCKET", path_.c_str(), 1);
    }
    void TearDown() override {
        unsetenv("NOTIFY_SOCKET");
        unlink(path_.c_str());
        close(socket_);
    }
    std::string received() const {
        std::array<char, 4096> buffer{};
        const ssize_t length = recv(socket_, buffer.data(), buffer.size(), 0);
        return length < 0 ? "" : std::string(buffer.data(), static_cast<std::size_t>(length));
    }

private:
    std::string path_ = "/tmp/notify_test." + std::to_string(getpid());
    int socket_ = -1;
};

TEST_F(ANotification, SaysReadyAndStopping) {
    notify::ready();
    EXPECT_EQ(received(), "READY=1");
    notify::stopping();
    EXPECT_EQ(received(), "STOPPING=1");
}

TEST_F(ANotification, StampsAReload) {
    notify::reloading();
    EXPECT_EQ(received().rfind("RELOADING=1\nMONOTONIC_USEC=", 0), 0U);
}

TEST_F(ANotification, KeepsAStatusOnOneLine) {
    notify::status("Converged\nREADY=1");
    EXPECT_EQ(received(), "STATUS=Converged READY=1");
}

TEST_F(ANotification, AsksForTimeInMicroseconds) {
    notify::extend_timeout(90);
    EXPECT_EQ(received(), "EXTEND_TIMEOUT_USEC=90000000");
}

TEST(WithoutAServiceManager, NotifyingDoesNothing) {
    unsetenv("NOTIFY_SOCKET");
    EXPECT_NO_THROW(notify::ready());
}

}  // namespace
}  // namespace tierd
