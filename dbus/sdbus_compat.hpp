// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <sdbus-c++/sdbus-c++.h>
#include <sys/types.h>
#include <systemd/sd-bus.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

/// The one source for sdbus-c++ 1.2 and 2: the only file with conditionals on its version. Neither version defines a macro for it;
/// VTableItems.h is there since 2.0.
namespace tierd::bus {

#if __has_include(<sdbus-c++/VTableItems.h>)
using ServiceName = sdbus::ServiceName;
using InterfaceName = sdbus::InterfaceName;
using MemberName = sdbus::MemberName;
using ErrorName = sdbus::Error::Name;
using AsyncReplyError = std::optional<sdbus::Error>;
#else
using ServiceName = std::string;
using InterfaceName = std::string;
using MemberName = std::string;
using ErrorName = std::string;
using AsyncReplyError = const sdbus::Error*;
#endif

namespace detail {
/// sdbus-c++ has no access to the flag ALLOW_INTERACTIVE_AUTHORIZATION; its message is a protected member.
struct Opened : sdbus::Message {
    static sd_bus_message* raw(const sdbus::Message& message) { return static_cast<sd_bus_message*>(message.*(&Opened::msg_)); }
};
}  // namespace detail

/// Who sent the call that is being handled: its unique name, and whether polkit may ask that person.
struct Caller {
    std::string bus_name;
    bool interactive = false;
};

/// Only inside a handler.
inline Caller caller_of(const sdbus::IObject& object) {
#if __has_include(<sdbus-c++/VTableItems.h>)
    const sdbus::Message message = object.getCurrentlyProcessedMessage();
#else
    const sdbus::Message& message = *object.getCurrentlyProcessedMessage();
#endif
    return {message.getSender(), sd_bus_message_get_allow_interactive_authorization(detail::Opened::raw(message)) > 0};
}

/// Only inside a handler. The effective user is what the bus daemon knows (the real one would be read from /proc, which a caller can
/// outrun). Asks it and waits for it: for what is rare and cannot be answered later.
inline uid_t user_of_caller(const sdbus::IObject& object) {
#if __has_include(<sdbus-c++/VTableItems.h>)
    return object.getCurrentlyProcessedMessage().getCredsEuid();
#else
    return object.getCurrentlyProcessedMessage()->getCredsEuid();
#endif
}

/// Of a call about to be sent: polkit may ask the person at this side.
inline void allow_interaction(const sdbus::Message& call) {
    sd_bus_message_set_allow_interactive_authorization(detail::Opened::raw(call), 1);
}

struct PollState {
    int fd = -1;
    short events = 0;
    std::uint64_t deadline_usec = UINT64_MAX;  ///< CLOCK_MONOTONIC; UINT64_MAX for none
    int event_fd = -1;                         ///< readable when another thread has sent something; -1 where there is none
    friend bool operator==(const PollState&, const PollState&) = default;
};

inline PollState poll_state(const sdbus::IConnection& connection) {
    const auto data = connection.getEventLoopPollData();
#if __has_include(<sdbus-c++/VTableItems.h>)
    const bool none = data.timeout == std::chrono::microseconds::max();
    return {data.fd, data.events, none ? UINT64_MAX : static_cast<std::uint64_t>(data.timeout.count()), data.eventFd};
#else
    return {data.fd, data.events, data.timeout_usec, -1};
#endif
}

/// Handles one message; false when there was none.
inline bool process_one(sdbus::IConnection& connection) {
#if __has_include(<sdbus-c++/VTableItems.h>)
    return connection.processPendingEvent();
#else
    return connection.processPendingRequest();
#endif
}

/// Calls back with each message that the match rule names; handler takes auto&&.
template <typename Handler>
[[nodiscard]] sdbus::Slot on_match(sdbus::IConnection& connection, const std::string& rule, Handler handler) {
#if __has_include(<sdbus-c++/VTableItems.h>)
    return connection.addMatch(rule, std::move(handler), sdbus::return_slot);
#else
    return connection.addMatch(rule, std::move(handler));
#endif
}

/// Calls back with each bus name that has lost its owner. One match for all: a match a caller would be a round trip a call.
inline sdbus::Slot on_vanished_names(sdbus::IConnection& connection, std::function<void(const std::string&)> callback) {
    return on_match(connection,
                    "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',interface='org.freedesktop.DBus',"
                    "member='NameOwnerChanged',arg2=''",
                    [callback = std::move(callback)](auto&& message) {
                        std::string name;
                        message >> name;
                        callback(name);
                    });
}

}  // namespace tierd::bus
