// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <memory>
#include <string>

#include "daemon/core/controller.hpp"
#include "daemon/machine/simulated/simulated_machine.hpp"
#include "dbus/service/service.hpp"
#include "loop_thread.hpp"

namespace tierd::test {

/// The daemon, with a simulated machine, in a thread.
class Daemon {
public:
    struct Options {
        std::string bus;
        std::string policy;  ///< YAML
        Observation observation = demonstration();
        Duration authorisation_limit = std::chrono::seconds{30};
        bool own_name = true;
    };
    explicit Daemon(Options options);
    ~Daemon();
    Daemon(const Daemon&) = delete;
    Daemon& operator=(const Daemon&) = delete;

    /// A line of a script, now: "plug /dev/sdb serial=S1 size=200GiB".
    void happen(const std::string& line);
    void set_policy(const std::string& yaml);
    void run(const std::function<void(Controller&)>& what);
    /// Whether it got the bus name.
    [[nodiscard]] bool named() const { return named_; }
    std::optional<int> ended() { return thread_.ended(); }
    std::string log_level = "info";

private:
    bool named_ = false;
    std::string policy_;
    std::unique_ptr<SimulatedMachine> machine_;
    std::unique_ptr<Controller> controller_;
    std::unique_ptr<Service> service_;
    LoopThread thread_;
};

/// One tier "media" on lvm_hdd/hdd, from any SSD of at least 100 GiB.
std::string media_policy();

}  // namespace tierd::test
