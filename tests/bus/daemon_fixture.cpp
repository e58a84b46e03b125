// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon_fixture.hpp"

#include <future>

#include "config/loader.hpp"
#include "daemon/machine/simulated/script.hpp"
#include "daemon/plan/foretell.hpp"

namespace tierd::test {

Daemon::Daemon(Options options) : policy_{options.policy} {
    std::promise<void> started;
    thread_.run([&](Loop& loop) {
        const auto foretold = [](Observation& machine, const Action& action) { foretell_in_place(machine, action); };
        const auto no_command = [](const Action&) { return std::vector<std::string>{"lvm", "simulated"}; };
        machine_ = std::make_unique<SimulatedMachine>(loop, options.observation, SimulatedMachine::Rules{foretold, no_command},
                                                      std::vector<ScriptEvent>{});
        const auto source = [this] {
            auto loaded = config::load_text("10-test.yaml", policy_);
            const bool whole = loaded.ok();
            return LoadedPolicy{std::move(loaded.policy), std::move(loaded.problems), whole};
        };
        controller_ = std::make_unique<Controller>(loop, *machine_, source, Controller::Options{false, "1.2.3"});
        Service::Options service;
        service.bus = options.bus;
        service.check_policy = [](const std::string& name, const std::string& yaml) { return config::load_text(name, yaml).problems; };
        service.log_level = [this] { return log_level; };
        service.set_log_level = [this](const std::string& level) { log_level = level; };
        service.authorisation_limit = options.authorisation_limit;
        service_ = std::make_unique<Service>(loop, *controller_, std::move(service));
        controller_->start([&] {
            if (options.own_name) named_ = service_->own_name();
            started.set_value();
            return true;
        });
    });
    started.get_future().get();
}

Daemon::~Daemon() {
    thread_.run([this](Loop&) {
        service_.reset();
        controller_.reset();
        machine_.reset();
    });
}

void Daemon::happen(const std::string& line) {
    const auto events = parse_script("test", "0 " + line + "\n");
    thread_.run([&](Loop&) {
        for (const ScriptEvent& event : events) machine_->happen(event);
    });
}

void Daemon::set_policy(const std::string& yaml) {
    thread_.run([&](Loop&) { policy_ = yaml; });
}

void Daemon::run(const std::function<void(Controller&)>& what) {
    thread_.run([&](Loop&) { what(*controller_); });
}

std::string media_policy() {
    return R"(devices:
  fast:
    match: {kind: ssd, min_size: 100GiB}
tiers:
  media:
    volume: lvm_hdd/hdd
    kind: cache
    device: fast
    mode: writeback
)";
}

}  // namespace tierd::test
