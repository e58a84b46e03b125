// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "client/json.hpp"
#include "client/tierctl.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {

/// What the daemon would answer, and what it was asked to do.
struct FakeDaemon {
    Value state = Value::Map{};
    std::vector<Object> objects;
    PlanReply plan;
    Value::List findings;
    std::vector<Problem> problems;
    Value::Map job;
    std::deque<Event> events;            ///< once they are used up, Ctrl-C is pressed
    std::function<void()> fail = [] {};  ///< throws what each call shall fail with
    std::vector<std::string> asked;      ///< "apply 5c3e", "thaw lvm_hdd", …: the changing calls
    std::weak_ptr<void> pause;
};

class FakeGateway final : public Gateway {
public:
    explicit FakeGateway(FakeDaemon& daemon) : daemon_{daemon} {}
    Value describe() override { return answer(daemon_.state); }
    std::vector<Object> objects() override { return answer(daemon_.objects); }
    Value properties(const std::string& path, const std::string&) override {
        if (path.starts_with("/org/tierd1/job/")) return answer(Value{daemon_.job});
        for (const Object& object : answer(daemon_.objects))
            if (object.path == path) return object.properties;
        return {};
    }
    PlanReply plan() override { return answer(daemon_.plan); }
    Value::List explain(const std::string& target) override {
        daemon_.asked.push_back("explain " + target);
        return answer(daemon_.findings);
    }
    std::string apply(const std::string& plan_id) override { return begin("apply " + plan_id); }
    std::string flush(const std::string& tier, std::optional<Usec> limit, bool called_off) override {
        return begin("flush " + tier + (limit ? " within " + std::to_string(*limit) : "") + (called_off ? " called off" : ""));
    }
    std::string set_mode(const std::string& tier, const std::string& mode) override {
        return begin("set-mode " + tier + " '" + mode + '\'');
    }
    std::string detach(const std::string& tier, bool called_off) override {
        return begin("detach " + tier + (called_off ? " called off" : ""));
    }
    std::string recover(const std::string& volume, const std::string& choice, const std::string& confirm) override {
        return begin("recover " + volume + ' ' + choice + " confirmed '" + confirm + '\'');
    }
    std::vector<Problem> reload() override {
        daemon_.asked.emplace_back("reload");
        return answer(daemon_.problems);
    }
    void thaw(const std::string& what) override {
        daemon_.fail();
        daemon_.asked.push_back("thaw " + what);
    }
    std::shared_ptr<void> pause(const std::string& vg, const std::string& why) override {
        daemon_.asked.push_back("pause " + vg + ": " + why);
        const auto token = std::make_shared<int>(0);
        daemon_.pause = token;
        return answer(token);
    }
    void subscribe() override { subscribed_ = true; }
    std::optional<Event> next_event(int) override {
        if (daemon_.events.empty()) return std::nullopt;
        Event event = daemon_.events.front();
        daemon_.events.pop_front();
        return event;
    }

private:
    std::string begin(const std::string& what) {
        EXPECT_TRUE(subscribed_) << "a job may end before anybody listens";
        daemon_.asked.push_back(what);
        return answer(std::string{"/org/tierd1/job/7"});
    }
    template <typename Answer>
    Answer answer(Answer value) {
        daemon_.fail();
        return value;
    }
    FakeDaemon& daemon_;
    bool subscribed_ = false;
};

/// One run of tierctl against a fake daemon.
struct Outcome {
    std::string out, err;
    int status = 0;
};

struct Conditions {
    std::size_t columns = 0;
    bool color = false, utf8 = true, tty = false;
    std::function<int(const std::vector<std::string>&)> run_command = [](const auto&) { return 0; };
    std::optional<std::string> typed{};  ///< at the terminal
};

inline Outcome tierctl(FakeDaemon& daemon, const std::vector<std::string>& arguments, const Conditions& conditions = {}) {
    constexpr Usec now = 1'770'000'000'000'000;  // 2026-02-02 02:40:00 UTC
    std::ostringstream out, err;
    Terminal terminal;
    terminal.columns = conditions.columns;
    terminal.color = conditions.color;
    terminal.utf8 = conditions.utf8;
    terminal.out_is_tty = conditions.tty;
    terminal.err_is_tty = conditions.tty;
    World world{out, err, terminal, [](const char*) { return std::string{}; }, [] { return now; }, {}, conditions.run_command, {}, {}};
    world.connect = [&](const Options&) { return std::make_unique<FakeGateway>(daemon); };
    world.ask = [&](const std::string&) { return conditions.typed; };
    world.page_out = [&](const std::string& text) { out << text; };
    Outcome run;
    run.status = client::run(world, arguments);
    run.out = out.str();
    run.err = err.str();
    return run;
}

}  // namespace tierd::client
