// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

struct sd_event;
struct sd_event_source;

/// The one loop (sd-event). It knows nothing of tierd. A callback that throws ends run() with that exception: an unexpected
/// failure is not swallowed, the service manager restarts the daemon. What cannot be set up throws std::system_error.
namespace tierd {

using Duration = std::chrono::microseconds;

/// Owns one event source; destroying it removes the source. Safe to destroy inside its own callback.
class Watch {
public:
    Watch() = default;
    explicit Watch(sd_event_source* source, std::shared_ptr<void> callback) : source_{source}, callback_{std::move(callback)} {}
    Watch(Watch&& other) noexcept;
    Watch& operator=(Watch&& other) noexcept;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch();
    explicit operator bool() const { return source_ != nullptr; }
    void reset();

private:
    sd_event_source* source_ = nullptr;
    std::shared_ptr<void> callback_;
};

class Loop {
public:
    /// Blocks SIGTERM, SIGINT, SIGHUP and SIGCHLD for the process: construct it first thing in main.
    Loop();
    ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    /// events: EPOLLIN … ; the callback gets what happened.
    [[nodiscard]] Watch on_io(int fd, std::uint32_t events, std::function<void(std::uint32_t)> callback, int priority = 0);
    /// Once, span from now (CLOCK_MONOTONIC).
    [[nodiscard]] Watch after(Duration span, std::function<void()> callback);
    /// Once, in this iteration's end.
    [[nodiscard]] Watch soon(std::function<void()> callback);
    [[nodiscard]] Watch on_signal(int signal, std::function<void()> callback);
    /// The child has ended: siginfo code (CLD_EXITED …) and status. By pidfd.
    [[nodiscard]] Watch on_exit_of(pid_t pid, std::function<void(int code, int status)> callback);
    /// mask as for inotify_add_watch; the callback gets the name within a folder, or "".
    [[nodiscard]] Watch on_file(const std::string& path, std::uint32_t mask, std::function<void(const std::string& name)> callback);

    /// Each time before the loop waits: the place to say anew what a foreign library wants to wait for.
    [[nodiscard]] Watch before_wait(std::function<void()> callback);

    /// Until quit(); returns its status. Rethrows what a callback threw. May be called again afterwards.
    int run();
    void quit(int status);
    /// Feeds the service manager's watchdog (WATCHDOG_USEC) from this loop. False where none is asked for.
    bool feed_watchdog();

    [[nodiscard]] sd_event* raw() const { return event_; }

private:
    sd_event* event_ = nullptr;
    std::exception_ptr thrown_;
    std::optional<int> quit_;
    template <typename Function>
    int guarded(Function&& function);
};

}  // namespace tierd
