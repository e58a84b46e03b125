// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/service/service.hpp"

#include <algorithm>

#include "daemon/core/journal_events.hpp"
#include "dbus/names.hpp"
#include "dbus/service/context.hpp"
#include "dbus/service/log_control.hpp"
#include "dbus/service/manager_object.hpp"
#include "dbus/service/objects.hpp"
#include "dbus/service/pump.hpp"

namespace tierd {
namespace {

std::unique_ptr<sdbus::IConnection> connect(const std::string& bus) {
    try {
        if (bus == "system") return sdbus::createSystemBusConnection();
        if (bus == "session") return sdbus::createSessionBusConnection();
        return sdbus::createSessionBusConnectionWithAddress(bus);
    } catch (const sdbus::Error& error) {
        throw Error{ErrorCode::Internal, "bus " + bus + " cannot be reached: " + error.getMessage()};
    }
}

}  // namespace

void bus::audit(const Caller& caller, uid_t uid, std::string_view verb, const std::string& target) {
    write_journal(journal_event("call", 5, std::string{verb} + " of " + target + " by user " + std::to_string(uid),
                                {{"TIERD_VERB", std::string{verb}},
                                 {"TIERD_TARGET", target},
                                 {"TIERD_ACTOR_UID", std::to_string(uid)},
                                 {"TIERD_ACTOR_BUS_NAME", caller.bus_name}}));
}

struct Service::Impl : Listener {
    Impl(Loop& the_loop, Controller& the_controller, Options options);
    /// What is released from here on (a pause) changes the controller, which then tells its listeners. The name goes first: that
    /// the objects disappear is then the daemon's end to everybody, not that of the disks and tiers.
    ~Impl() override {
        alive = false;
        give_name_up();
    }
    void give_name_up() noexcept;

    void on_changed() override;
    void on_job_new(const JobView& job) override;
    void on_job_removed(const JobView& job) override;
    void on_alert(const AlertView& alert) override;
    void on_alert_cleared(const AlertView& alert) override;
    void on_command(const CommandRecord&) override {}
    void on_policy(const std::vector<Problem>&) override {}
    void on_note(const std::string&) override {}

    void sync(bool remove);
    void arm(bus::Clock::time_point now);
    void lost(const std::string& why);
    template <typename Function>
    void emitting(Function&& function);

    Loop& loop;
    Controller& controller;
    std::unique_ptr<sdbus::IConnection> connection;
    bus::Authorizer authorizer;
    bus::Pauses pauses;
    bus::Waiters waiters;
    bus::Context context;
    bus::ManagerObject manager;
    bus::LogControlObject log_control;
    bus::Collection<bus::DeviceObject> devices;
    bus::Collection<bus::TierObject> tiers;
    bus::Collection<bus::SnapshotObject> snapshots;
    bus::Collection<bus::JobObject> jobs;
    sdbus::Slot vanished;
    bus::Pump pump;
    Watch soon, due;
    bool alive = true;
    bool named = false;
};

Service::Impl::Impl(Loop& the_loop, Controller& the_controller, Options options)
    : loop{the_loop},
      controller{the_controller},
      connection{connect(options.bus)},
      authorizer{*connection, options.authorisation_limit},
      pauses{loop},
      waiters{loop},
      context{loop, *connection, controller, authorizer, pauses, waiters, std::move(options.check_policy)},
      manager{context},
      log_control{*connection, {std::move(options.log_level), std::move(options.set_log_level), std::move(options.log_target)}},
      devices{[this](DeviceView view) { return std::make_unique<bus::DeviceObject>(*connection, std::move(view)); }},
      tiers{[this](TierView view) { return std::make_unique<bus::TierObject>(context, std::move(view)); }},
      snapshots{[this](SnapshotView view) { return std::make_unique<bus::SnapshotObject>(*connection, std::move(view)); }},
      jobs{[this](JobView view) { return std::make_unique<bus::JobObject>(context, std::move(view)); }},
      vanished{bus::on_vanished_names(*connection,
                                      [this](const std::string& name) {
                                          authorizer.vanished(name);
                                          waiters.vanished(name);
                                      })},
      pump{loop, *connection, [this](const std::string& why) { lost(why); }} {
    controller.add_listener(*this);
    sync(true);
}

template <typename Function>
void Service::Impl::emitting(Function&& function) {
    if (!alive) return;
    try {
        function();
    } catch (const sdbus::Error& error) {
        lost(error.getMessage());
    }
}

void Service::Impl::on_changed() {
    // Once an iteration, however many views have changed; and never inside a handler of an object that goes.
    if (alive && !soon) soon = loop.soon([this] { sync(true); });
}

void Service::Impl::sync(bool remove) {
    soon.reset();
    emitting([&] {
        const auto now = bus::Clock::now();
        const auto bring = [&](auto& collection, auto views) {
            if (remove) return collection.put_all(std::move(views), now);
            for (auto& view : views) collection.put(std::move(view), now);
        };
        bring(devices, controller.devices());
        bring(snapshots, controller.snapshots());
        bring(tiers, controller.tiers());
        bring(jobs, controller.jobs());
        manager.update(controller.manager(), now);
        arm(now);
    });
}

void Service::Impl::arm(bus::Clock::time_point now) {
    std::optional<bus::Clock::time_point> first;
    for (const auto& each : {devices.due(), tiers.due(), snapshots.due(), jobs.due(), manager.due()}) {
        if (each && (!first || *each < *first)) first = each;
    }
    due.reset();
    if (first) due = loop.after(std::chrono::duration_cast<Duration>(*first - now), [this] { on_changed(); });
}

void Service::Impl::on_job_new(const JobView& job) {
    emitting([&] {
        sync(false);
        jobs.put(job, bus::Clock::now());
        manager.emitJobNew(job.id, sdbus::ObjectPath{bus::job_path(job.id)}, bus::bus_text(job.operation));
    });
}

void Service::Impl::on_job_removed(const JobView& job) {
    emitting([&] {
        sync(false);
        jobs.put(job, bus::Clock::now());
        manager.emitJobRemoved(job.id, sdbus::ObjectPath{bus::job_path(job.id)}, bus::bus_text(job.operation), bus::bus_text(job.result),
                               bus::job_error_name(job), bus::bus_text(job.error_message));
        waiters.finished(job);
    });
}

void Service::Impl::on_alert(const AlertView& alert) {
    emitting([&] {
        sync(false);
        manager.emitAlert(sdbus::ObjectPath{bus::path_of_object(alert.object)}, bus::bus_text(alert.code), alert.severity,
                          bus::text_dictionary(alert.details));
    });
}

void Service::Impl::on_alert_cleared(const AlertView& alert) {
    emitting([&] {
        sync(false);
        manager.emitAlertCleared(sdbus::ObjectPath{bus::path_of_object(alert.object)}, bus::bus_text(alert.code));
    });
}

void Service::Impl::lost(const std::string& why) {
    if (!std::exchange(alive, false)) return;
    write_journal(journal_event("bus-lost", 2, "the connection to the bus is lost (" + why + "); tierd ends, to be started again", {}));
    // Not before the command under way has ended: a daemon without a name is no use, but it must not leave half a change.
    controller.stop([this] { loop.quit(exit_bus_lost); });
}

Service::Service(Loop& loop, Controller& controller, Options options)
    : impl_{std::make_unique<Impl>(loop, controller, std::move(options))} {}

Service::~Service() = default;

void Service::Impl::give_name_up() noexcept {
    try {
        if (named) connection->releaseName(bus::ServiceName{bus::service_name});
    } catch (const sdbus::Error&) {
        return;  // the bus has gone before
    }
}

bool Service::own_name() {
    try {
        impl_->connection->requestName(bus::ServiceName{bus::service_name});
        return impl_->named = true;
    } catch (const sdbus::Error& error) {
        if (error.getName() == "org.freedesktop.DBus.Error.FileExists") return false;
        throw Error{ErrorCode::Internal, std::string{bus::service_name} + " cannot be taken on the bus: " + error.getMessage()};
    }
}

}  // namespace tierd
