// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <systemd/sd-bus.h>

#include <map>
#include <string>
#include <vector>

#include "loop_thread.hpp"

namespace tierd::test {

/// An authority that answers as it is told to: at once, late, or never.
class MockPolkit {
public:
    enum class Says { Yes, No, Challenge, Nothing };
    struct Question {
        std::string subject_kind, subject_name, action;
        std::map<std::string, std::string> details;
        bool interactive = false;
        std::string cancellation_id;
    };

    MockPolkit(const std::string& address, Says says);
    ~MockPolkit();
    MockPolkit(const MockPolkit&) = delete;
    MockPolkit& operator=(const MockPolkit&) = delete;

    void say(Says says);
    /// Answers everything that has been left open.
    void answer_now(bool authorised);
    /// As if it had crashed: its connection closes, nothing is answered.
    void crash();
    std::vector<Question> questions();
    std::vector<std::string> cancelled();

private:
    static int on_check(sd_bus_message* message, void* data, sd_bus_error* error);
    static int on_cancel(sd_bus_message* message, void* data, sd_bus_error* error);
    static int reply(sd_bus_message* call, bool authorised, bool challenge);

    Says says_;
    sd_bus* bus_ = nullptr;
    std::vector<Question> questions_;
    std::vector<std::string> cancelled_;
    std::vector<sd_bus_message*> open_;
    LoopThread thread_;
};

}  // namespace tierd::test
