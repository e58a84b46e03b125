// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include "bus_client.hpp"
#include "daemon_fixture.hpp"
#include "mock_polkit.hpp"
#include "private_bus.hpp"

namespace tierd::test {

inline constexpr const char* root = "/org/tierd1";
inline constexpr const char* manager = "org.tierd1.Manager";
inline constexpr uid_t nobody = 65534;

/// A machine with what each kind of object needs: the demonstration's, and a snapshot.
Observation machine_with_a_snapshot();

class OnTheBus : public testing::Test {
protected:
    PrivateBus bus;
    std::unique_ptr<Daemon> daemon;
    std::unique_ptr<BusClient> client;  ///< root, as is the daemon

    void start(Daemon::Options options = {}) {
        options.bus = bus.address();
        if (options.policy.empty()) options.policy = media_policy();
        daemon = std::make_unique<Daemon>(std::move(options));
        client = std::make_unique<BusClient>(bus.address(), geteuid());
    }
    /// Plugs an SSD in and waits until it serves.
    void make_the_volume_fast() {
        daemon->happen("plug /dev/sdb serial=S21 size=238GiB kind=ssd");
        ASSERT_TRUE(client->wait([&] { return converged(); }));
    }
    bool converged() { return client->property(root, manager, "Convergence") == "converged"; }
    [[nodiscard]] bool can_be_others() const { return geteuid() == 0; }
};

}  // namespace tierd::test
