// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/service/pump.hpp"

#include <sys/epoll.h>

#include <chrono>

namespace tierd::bus {
namespace {

constexpr int messages_at_a_time = 32;
constexpr std::chrono::milliseconds longest_batch{10};

Duration span_until(std::uint64_t deadline_usec) {
    const auto now = std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch());
    return Duration{static_cast<Duration::rep>(deadline_usec)} - now;
}

}  // namespace

Pump::Pump(Loop& loop, sdbus::IConnection& connection, std::function<void(const std::string&)> lost)
    : loop_{loop}, connection_{connection}, lost_{std::move(lost)} {
    // What the connection waits for changes whenever something is sent, from wherever in the loop.
    before_ = loop_.before_wait([this] { arm(); });
}

void Pump::process() {
    try {
        // Expensive messages leave the loop to others sooner than cheap ones.
        const auto until = std::chrono::steady_clock::now() + longest_batch;
        for (int i = 0; i < messages_at_a_time && process_one(connection_); ++i) {
            if (std::chrono::steady_clock::now() >= until) break;
        }
    } catch (const sdbus::Error& error) {
        give_up(error.getMessage());
    }
}

void Pump::arm() {
    try {
        const PollState wanted = poll_state(connection_);
        // poll's event bits are epoll's. The old watch goes first: epoll knows a descriptor once.
        const auto process_it = [this](std::uint32_t) { process(); };
        if (wanted.fd != state_.fd || wanted.events != state_.events) {
            io_.reset();
            io_ = loop_.on_io(wanted.fd, static_cast<std::uint32_t>(wanted.events), process_it);
        }
        if (wanted.event_fd != state_.event_fd) {
            event_.reset();
            event_ = loop_.on_io(wanted.event_fd, EPOLLIN, process_it);
        }
        // A deadline that has passed stands for messages which are read already: each time anew.
        const bool none = wanted.deadline_usec == UINT64_MAX;
        if (none) timer_.reset();
        if (!none && (wanted.deadline_usec != state_.deadline_usec || span_until(wanted.deadline_usec) <= Duration::zero()))
            timer_ = loop_.after(span_until(wanted.deadline_usec), [this] { process(); });
        state_ = wanted;
    } catch (const sdbus::Error& error) {
        give_up(error.getMessage());
    }
}

void Pump::give_up(const std::string& why) {
    for (Watch* watch : {&before_, &io_, &event_, &timer_}) watch->reset();
    if (const auto lost = std::exchange(lost_, nullptr)) lost(why);
}

}  // namespace tierd::bus
