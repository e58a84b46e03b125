// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "daemon/model/error.hpp"
#include "dbus/sdbus_compat.hpp"
#include "systemd/loop.hpp"

namespace tierd::bus {

/// Who may. Everything is asked asynchronously: other calls are served while a person looks for the password. Root, and whoever
/// the daemon itself runs as, is decided without polkit. Without a clear yes (polkit absent, silent, crashing) the answer is no.
class Authorizer {
public:
    /// limit: how long polkit, and the person that it asks, may take.
    Authorizer(sdbus::IConnection& connection, Duration limit);
    ~Authorizer();
    Authorizer(const Authorizer&) = delete;
    Authorizer& operator=(const Authorizer&) = delete;

    using Allowed = std::function<void(uid_t uid)>;
    using Refused = std::function<void(const Error& why)>;
    /// Calls exactly one of the two, later, unless the caller vanishes: then neither. details: shown to polkit's rules, keys "tierd.…".
    /// Refused with NotAuthorized, InteractionRequired or LimitExceeded.
    void check(const Caller& caller, const std::string& verb, std::map<std::string, std::string> details, Allowed allowed, Refused refused);
    /// "yes", "no" or "challenge", without asking a person.
    void can(const Caller& caller, const std::string& verb, std::function<void(const std::string& answer)> answered);

    /// That bus name has lost its owner: nothing is done for it any more, and polkit stops asking.
    void vanished(const std::string& bus_name);

private:
    struct Answer {
        bool authorized = false, challenge = false;
        std::optional<Error> failure = std::nullopt;  ///< why there is no answer
    };
    struct Pending;
    static Answer unanswered(ErrorCode code, const std::string& why);
    void ask(const Caller& caller, const std::string& verb, std::map<std::string, std::string> details,
             std::function<void(uid_t, const Answer&)> answered);
    void ask_polkit(std::uint64_t id, std::map<std::string, std::string> details);
    void answer(std::uint64_t id, const Answer& answer);
    void cancel_question(std::uint64_t id);
    [[nodiscard]] bool too_many(uid_t uid) const;

    Duration limit_;
    std::uint64_t last_id_ = 0;
    std::map<std::uint64_t, Pending> pending_;
    std::unique_ptr<sdbus::IProxy> bus_, polkit_;  // last: their callbacks use what is above
};

}  // namespace tierd::bus
