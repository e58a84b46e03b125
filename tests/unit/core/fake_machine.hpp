// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "daemon/machine/machine.hpp"
#include "daemon/plan/foretell.hpp"
#include "systemd/loop.hpp"

namespace tierd {

/// A machine in memory that does what is foretold, and what a test wants instead: commands that fail, lie or take their time.
class FakeMachine : public Machine {
public:
    FakeMachine(Loop& loop, Observation observation) : now{std::move(observation)}, loop_{loop} {}

    Observation now;
    std::vector<std::string> performed;                     ///< verbs and groups, in order
    std::map<std::string, std::deque<Outcome>> failures;    ///< verb -> what its next runs end with
    std::set<std::string> lies;                             ///< verbs that say "done" and do nothing
    bool hold_commands = false, hold_observations = false;  ///< until release()
    std::string hold_verb;                                  ///< only commands of this verb are held
    unsigned observations = 0, samples = 0;
    std::map<std::string, CacheDevice> next_samples;
    std::map<std::string, CacheService> served;

    void observe(std::function<void(Observation)> done) override {
        ++observations;
        // As of now, however late it is delivered.
        auto deliver = [done = std::move(done), seen = now] { done(seen); };
        hold_observations ? held_observations_.push_back(std::move(deliver)) : post(std::move(deliver));
    }

    std::map<std::string, CacheDevice> sample(const std::set<std::string>& lv_uuids) override {
        ++samples;
        std::map<std::string, CacheDevice> found;
        for (const auto& uuid : lv_uuids) {
            const auto next = next_samples.find(uuid);
            if (next != next_samples.end()) found[uuid] = next->second;
        }
        return found;
    }

    std::map<std::string, CacheService> service(const std::set<std::string>& /*lv_uuids*/) override { return served; }

    void perform(const Action& action, std::function<void(Outcome)> done) override {
        const std::string verb{verb_of(action)};
        performed.push_back(verb);
        ++running_;
        auto end = [this, action, verb, done = std::move(done)] {
            --running_;
            done(outcome_of(verb, action));
        };
        hold_commands || hold_verb == verb ? held_commands_.push_back(std::move(end)) : post(std::move(end));
    }

    [[nodiscard]] std::vector<std::string> command_of(const Action& action) const override { return {"do", std::string{verb_of(action)}}; }
    [[nodiscard]] unsigned busy() const override { return running_; }

    void event(MachineEvent::Kind kind = MachineEvent::Kind::Devices) { on_event({kind, "/dev/sdb", "add"}); }
    void fail(const std::string& verb, unsigned times = 1) {
        for (; times > 0; --times) failures[verb].push_back({false, ErrorCode::ToolFailed, verb + " does not want to"});
    }
    /// Ends the commands that are held, and holds no more; of observations the same.
    void release() {
        hold_commands = false;
        for (auto& end : std::exchange(held_commands_, {})) post(std::move(end));
    }
    void release_observations() {
        hold_observations = false;
        for (auto& deliver : std::exchange(held_observations_, {})) post(std::move(deliver));
    }
    [[nodiscard]] std::size_t held() const { return held_commands_.size(); }
    [[nodiscard]] std::size_t held_observations() const { return held_observations_.size(); }
    [[nodiscard]] long times(const std::string& verb) const { return std::count(performed.begin(), performed.end(), verb); }

private:
    Outcome outcome_of(const std::string& verb, const Action& action) {
        auto& script = failures[verb];
        if (!script.empty()) {
            const auto outcome = script.front();
            script.pop_front();
            return outcome;
        }
        if (lies.contains(verb)) return {true, ErrorCode::Internal, ""};
        try {
            foretell_in_place(now, action);
        } catch (const Error& error) {
            return {false, error.code(), error.what()};
        }
        return {true, ErrorCode::Internal, ""};
    }
    void post(std::function<void()> task) {
        tasks_.push_back(std::move(task));
        turn_ = loop_.soon([this] {
            for (auto& each : std::exchange(tasks_, {})) each();
        });
    }

    Loop& loop_;
    Watch turn_;
    std::vector<std::function<void()>> tasks_, held_commands_, held_observations_;
    unsigned running_ = 0;
};

}  // namespace tierd
