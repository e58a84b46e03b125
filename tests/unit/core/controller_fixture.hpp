// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/core/controller.hpp"
#include "fake_machine.hpp"
#include "world.hpp"

namespace tierd {

using namespace std::chrono_literals;

/// Writes down what a controller says.
class Ear : public Listener {
public:
    unsigned changes = 0;
    std::vector<std::string> jobs, alerts, notes;

    void on_changed() override { ++changes; }
    void on_job_new(const JobView& job) override { jobs.push_back("new " + job.operation); }
    void on_job_removed(const JobView& job) override {
        jobs.push_back(job.operation + ' ' + job.result + (job.error_name.empty() ? "" : ' ' + job.error_name));
        last_message = job.error_message;
    }
    void on_alert(const AlertView& alert) override { alerts.push_back("raised " + alert.object + ' ' + alert.code); }
    void on_alert_cleared(const AlertView& alert) override { alerts.push_back("cleared " + alert.object + ' ' + alert.code); }
    void on_command(const CommandRecord&) override {}
    void on_policy(const std::vector<Problem>& found) override { policies.push_back(found.size()); }
    void on_note(const std::string& text) override { notes.push_back(text); }

    std::string last_message;
    std::vector<std::size_t> policies;  ///< how many problems each reading had
};

/// A controller on the machine of story A, with its SSD not plugged in yet.
class ControllerTest : public testing::Test {
protected:
    ControllerTest() { loaded.policy = world::story_a(); }

    void begin(Controller::Options options = {}) {
        options.version = "0.1.0";
        options.first_retry = 20'000;
        controller = std::make_unique<Controller>(
            loop, machine, [this] { return loaded; }, std::move(options));
        controller->add_listener(ear);
        const auto started = std::make_shared<bool>(false);
        controller->start([started] { return *started = true; });
        if (!machine.hold_observations) {
            ASSERT_TRUE(until([&] { return *started; }));
        }
    }
    void plug(BlockDevice device = world::ssd()) {
        machine.now.devices.push_back(std::move(device));
        machine.event();
    }
    /// Turns the loop until it holds; false after the limit.
    bool until(const std::function<bool()>& holds, Duration limit = 60s) {
        if (holds()) return true;
        const Watch deadline = loop.after(limit, [&] { loop.quit(1); });
        const Watch look = loop.before_wait([&] {
            if (holds()) loop.quit(0);
        });
        return loop.run() == 0;
    }
    void let_pass(Duration span) {
        until([] { return false; }, span);
    }
    [[nodiscard]] std::string convergence() const { return controller->manager().convergence; }
    bool until_converged() {
        return until([&] { return convergence() == "converged" && controller->manager().state == "idle"; });
    }
    /// A second group with a volume and a disk rule of its own.
    void add_second_group() {
        auto& lvm = *machine.now.lvm;
        lvm.groups.push_back(lvm.groups.front());
        lvm.groups.back().name = lvm.groups.back().uuid = "vg2";
        auto sde = world::disk("sde", DiskKind::Hdd, tib, "WD2");
        sde.probe->signatures = {{"LVM2_member", "raid", 512}};
        lvm.pvs.push_back(world::pv_of("pv-2", sde, "vg2"));
        machine.now.devices.push_back(sde);
        lvm.lvs.push_back(world::linear("vg2", "data", 10, "pv-2"));
        auto rule = world::fast_rule();
        rule.name = "fast2";
        rule.match.serial = {"SECOND"};
        loaded.policy.devices[0].match.serial = {"S21*"};
        loaded.policy.devices.push_back(rule);
        auto tier = world::media_rule();
        tier.name = "second";
        tier.volume = {"vg2", "data"};
        tier.devices = {"fast2"};
        loaded.policy.tiers.push_back(tier);
    }

    Loop loop;
    FakeMachine machine{loop, world::hard_disk_alone()};
    LoadedPolicy loaded;
    Ear ear;
    std::unique_ptr<Controller> controller;
};

/// Story A, cached, and so much of it dirty.
class DirtyCacheTest : public ControllerTest {
protected:
    void begin_dirty(std::uint64_t blocks) {
        machine.now.devices.push_back(world::ssd());
        begin();
        ASSERT_TRUE(until_converged());
        machine.performed.clear();
        ear.jobs.clear();
        set_dirty(blocks);
    }
    void set_dirty(std::uint64_t blocks) {
        auto& [uuid, device] = *machine.now.caches.begin();
        device.status->dirty_blocks = blocks;
        machine.next_samples[uuid] = device;
    }
    /// The kernel tells when a cache becomes clean.
    void drained() {
        machine.next_samples.begin()->second = machine.now.caches.begin()->second;
        set_dirty(0);
        machine.event(MachineEvent::Kind::Mapper);
    }
};

inline ErrorCode code_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.code();
    }
    ADD_FAILURE() << "it did not throw";
    return ErrorCode::Internal;
}

}  // namespace tierd
