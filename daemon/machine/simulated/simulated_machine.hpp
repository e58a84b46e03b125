// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "daemon/machine/machine.hpp"
#include "daemon/machine/simulated/script.hpp"
#include "systemd/loop.hpp"

namespace tierd {

/// The same port in memory: perform is foretell, handed in as a function since this library does not know the plan. No root, no disks.
class SimulatedMachine final : public Machine {
public:
    struct Rules {
        std::function<void(Observation&, const Action&)> foretell_in_place;
        std::function<std::vector<std::string>(const Action&)> command_of;
    };
    SimulatedMachine(Loop& loop, Observation start, Rules rules, std::vector<ScriptEvent> script);

    void observe(std::function<void(Observation)> done) override;
    std::map<std::string, CacheDevice> sample(const std::set<std::string>& lv_uuids) override;
    /// Its disks take no time.
    std::map<std::string, CacheService> service(const std::set<std::string>& lv_uuids) override;
    void perform(const Action& action, std::function<void(Outcome)> done) override;
    [[nodiscard]] std::vector<std::string> command_of(const Action& action) const override;
    [[nodiscard]] unsigned busy() const override { return busy_; }

    /// What happens now, as a line of a script would say it. What is not there cannot be pulled out or fail: nothing happens then.
    void happen(const ScriptEvent& event);

private:
    void plug(const ScriptEvent& event);
    void pull(const std::string& node);
    void set_health(const std::string& node, const std::string& health);
    void fail(const std::string& volume);
    void set_rate(const std::string& volume, Bytes rate);
    void flow();
    void write_back(double seconds);  ///< the writes since the last look
    [[nodiscard]] const LogicalVolume* find(const std::string& volume) const;
    void later(std::function<void()> what, Duration span);
    static Usec now();

    Loop& loop_;
    Observation state_;
    Rules rules_;
    std::string lvm_down_;
    struct Writes {
        Bytes rate = 0;   ///< a second
        double owed = 0;  ///< part of a block that was written and not counted yet
    };
    std::map<std::string, Writes> writes_;  ///< by VG/LV, cached or not
    Usec flowed_ = 0;
    std::map<std::uint64_t, Watch> timers_;
    std::uint64_t next_timer_ = 0;
    unsigned busy_ = 0;
};

/// A machine to play with: VG lvm_hdd with LV hdd on a hard disk, no SSD yet; the script plugs one in after three seconds.
Observation demonstration();
std::string demonstration_script();

}  // namespace tierd
