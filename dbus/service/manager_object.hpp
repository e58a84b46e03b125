// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "dbus/generated/manager_adaptor.h"
#include "dbus/service/context.hpp"
#include "dbus/service/published.hpp"
#include "dbus/service/values.hpp"

namespace tierd::bus {

/// /org/tierd1: the daemon as a whole, and the ObjectManager of all other objects.
class ManagerObject final : public sdbus::AdaptorInterfaces<org::tierd1::Manager_adaptor, sdbus::ObjectManager_adaptor> {
public:
    explicit ManagerObject(Context& context);
    ~ManagerObject();
    void update(ManagerView view, Clock::time_point now);
    [[nodiscard]] std::optional<Clock::time_point> due() const { return published_.due(); }

private:
    using Problems = std::vector<BusProblem>;
    using View = ManagerView;

    std::tuple<std::string, uint64_t, std::vector<Dictionary>> Plan(const Dictionary& options) override;
    void Apply(sdbus::Result<sdbus::ObjectPath>&& result, std::string plan, Dictionary options) override;
    void Reload(sdbus::Result<Problems>&& result, Dictionary options) override;
    Problems CheckPolicy(const std::string& name, const std::string& yaml, const Dictionary& options) override;
    std::vector<Dictionary> Explain(const std::string& target, const Dictionary& options) override;
    void Thaw(sdbus::Result<>&& result, std::string what, Dictionary options) override;
    void Recover(sdbus::Result<sdbus::ObjectPath>&& result, std::string volume, std::string choice, Dictionary options) override;
    void Pause(sdbus::Result<sdbus::UnixFd>&& result, std::string vg, std::string why, Dictionary options) override;
    std::map<sdbus::ObjectPath, Dictionary> GetStatistics(const std::vector<sdbus::ObjectPath>& objects) override;
    std::string Describe() override;
    void Can(sdbus::Result<std::string>&& result, std::string verb) override;

    template <typename Member>
    auto show(Member View::*member) const {
        return guarded([&] { return bus_value(published_.shown().*member); });
    }
    std::string Version() override { return show(&View::version); }
    std::string State() override { return show(&View::state); }
    std::string Convergence() override { return show(&View::convergence); }
    std::string WaitsFor() override { return show(&View::waits_for); }
    uint64_t Generation() override { return show(&View::generation); }
    std::vector<std::string> PolicyFiles() override { return show(&View::policy_files); }
    Problems PolicyProblems() override { return show(&View::policy_problems); }
    bool PolicyChanged() override { return show(&View::policy_changed); }
    bool PolicyKept() override { return show(&View::policy_kept); }
    uint64_t PolicyLoadedUSec() override { return show(&View::policy_loaded); }
    bool ObserveOnly() override { return show(&View::observe_only); }
    std::map<std::string, std::string> Frozen() override { return show(&View::frozen); }
    std::vector<sdbus::ObjectPath> Jobs() override;
    uint64_t NextPassUSec() override { return show(&View::next_pass); }

    Context& context_;
    Published<ManagerView> published_;
};

}  // namespace tierd::bus
