// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "systemd/loop.hpp"

#include <sys/inotify.h>
#include <sys/wait.h>
#include <systemd/sd-event.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <initializer_list>
#include <system_error>

namespace tierd {
namespace {

/// How late a timer may be, so that wake-ups can be shared.
constexpr std::uint64_t timer_accuracy_usec = 1000;

int checked(int result, const char* what) {
    if (result < 0) throw std::system_error{-result, std::generic_category(), what};
    return result;
}

void block_signals(std::initializer_list<int> signals) {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : signals) sigaddset(&set, signal);
    checked(-pthread_sigmask(SIG_BLOCK, &set, nullptr), "signals cannot be blocked");
}

template <typename Function>
struct Context : std::enable_shared_from_this<Context<Function>> {
    Context(Loop& the_loop, Function the_callback) : loop{the_loop}, callback{std::move(the_callback)} {}
    Loop& loop;
    Function callback;
};

template <typename Function>
std::shared_ptr<Context<Function>> make_context(Loop& loop, Function callback) {
    return std::make_shared<Context<Function>>(loop, std::move(callback));
}

/// A reference for the time of the call: the callback may destroy the Watch that owns it.
template <typename Function>
std::shared_ptr<Context<Function>> held(void* data) {
    return static_cast<Context<Function>*>(data)->shared_from_this();
}

}  // namespace

Watch::Watch(Watch&& other) noexcept : source_{std::exchange(other.source_, nullptr)}, callback_{std::move(other.callback_)} {}

Watch& Watch::operator=(Watch&& other) noexcept {
    if (this == &other) return *this;
    reset();
    source_ = std::exchange(other.source_, nullptr);
    callback_ = std::move(other.callback_);
    return *this;
}

Watch::~Watch() {
    reset();
}

void Watch::reset() {
    // Emptied first: the callback's captures may own this very Watch.
    sd_event_source_disable_unref(std::exchange(source_, nullptr));
    const std::shared_ptr<void> callback = std::move(callback_);
}

Loop::Loop() {
    block_signals({SIGTERM, SIGINT, SIGHUP, SIGCHLD});
    checked(sd_event_new(&event_), "no event loop");
}

Loop::~Loop() {
    sd_event_unref(event_);
}

template <typename Function>
int Loop::guarded(Function&& function) {
    // No exception may pass through sd-event, which is C.
    try {
        function();
    } catch (...) {
        thrown_ = std::current_exception();
    }
    return 0;
}

Watch Loop::on_io(int fd, std::uint32_t events, std::function<void(std::uint32_t)> callback, int priority) {
    using Callback = std::function<void(std::uint32_t)>;
    const auto context = make_context<Callback>(*this, std::move(callback));
    sd_event_source* source = nullptr;
    const auto handler = [](sd_event_source*, int, std::uint32_t happened, void* data) {
        const auto self = held<Callback>(data);
        return self->loop.guarded([&] { self->callback(happened); });
    };
    checked(sd_event_add_io(event_, &source, fd, events, handler, context.get()), "a file descriptor cannot be watched");
    Watch watch{source, context};
    checked(sd_event_source_set_priority(source, priority), "a watch's priority cannot be set");
    return watch;
}

Watch Loop::after(Duration span, std::function<void()> callback) {
    using Callback = std::function<void()>;
    const auto context = make_context<Callback>(*this, std::move(callback));
    sd_event_source* source = nullptr;
    const auto handler = [](sd_event_source*, std::uint64_t, void* data) {
        const auto self = held<Callback>(data);
        return self->loop.guarded(self->callback);
    };
    const auto usec = static_cast<std::uint64_t>(std::max(span, Duration::zero()).count());
    checked(sd_event_add_time_relative(event_, &source, CLOCK_MONOTONIC, usec, timer_accuracy_usec, handler, context.get()),
            "a timer cannot be set");
    return Watch{source, context};
}

Watch Loop::soon(std::function<void()> callback) {
    using Callback = std::function<void()>;
    const auto context = make_context<Callback>(*this, std::move(callback));
    sd_event_source* source = nullptr;
    const auto handler = [](sd_event_source*, void* data) {
        const auto self = held<Callback>(data);
        return self->loop.guarded(self->callback);
    };
    checked(sd_event_add_defer(event_, &source, handler, context.get()), "a call cannot be deferred");
    return Watch{source, context};
}

Watch Loop::on_signal(int signal, std::function<void()> callback) {
    using Callback = std::function<void()>;
    block_signals({signal});
    const auto context = make_context<Callback>(*this, std::move(callback));
    sd_event_source* source = nullptr;
    const auto handler = [](sd_event_source*, const signalfd_siginfo*, void* data) {
        const auto self = held<Callback>(data);
        return self->loop.guarded(self->callback);
    };
    checked(sd_event_add_signal(event_, &source, signal, handler, context.get()), "a signal cannot be watched");
    return Watch{source, context};
}

Watch Loop::on_exit_of(pid_t pid, std::function<void(int, int)> callback) {
    using Callback = std::function<void(int, int)>;
    const auto context = make_context<Callback>(*this, std::move(callback));
    sd_event_source* source = nullptr;
    const auto handler = [](sd_event_source*, const siginfo_t* info, void* data) {
        const auto self = held<Callback>(data);
        return self->loop.guarded([&] { self->callback(info->si_code, info->si_status); });
    };
    // sd-event opens the pidfd itself, and reaps the child after the callback.
    checked(sd_event_add_child(event_, &source, pid, WEXITED, handler, context.get()), "a child cannot be watched");
    return Watch{source, context};
}

Watch Loop::on_file(const std::string& path, std::uint32_t mask, std::function<void(const std::string&)> callback) {
    using Callback = std::function<void(const std::string&)>;
    const auto context = make_context<Callback>(*this, std::move(callback));
    sd_event_source* source = nullptr;
    const auto handler = [](sd_event_source*, const inotify_event* happened, void* data) {
        const auto self = held<Callback>(data);
        return self->loop.guarded([&] { self->callback(happened->len > 0 ? std::string{happened->name} : std::string{}); });
    };
    const std::string what = path + " cannot be watched";
    checked(sd_event_add_inotify(event_, &source, path.c_str(), mask, handler, context.get()), what.c_str());
    return Watch{source, context};
}

Watch Loop::before_wait(std::function<void()> callback) {
    using Callback = std::function<void()>;
    const auto context = make_context<Callback>(*this, std::move(callback));
    sd_event_source* source = nullptr;
    // A prepare function needs an enabled source to hang on: a timer that never ends, but for the waking below.
    const auto woken = [](sd_event_source* timer, std::uint64_t, void*) { return sd_event_source_set_time(timer, UINT64_MAX); };
    checked(sd_event_add_time(event_, &source, CLOCK_MONOTONIC, UINT64_MAX, 0, woken, context.get()), "a timer cannot be set");
    checked(sd_event_source_set_enabled(source, SD_EVENT_ON), "a timer cannot be kept");
    Watch watch{source, context};
    const auto handler = [](sd_event_source* timer, void* data) {
        const auto self = held<Callback>(data);
        self->loop.guarded(self->callback);
        // The wait that follows must end at once, or run() would not see it.
        if (self->loop.thrown_ || self->loop.quit_) sd_event_source_set_time(timer, 0);
        return 0;
    };
    checked(sd_event_source_set_prepare(source, handler), "a wait cannot be prepared");
    return watch;
}

int Loop::run() {
    // Not sd_event_loop(): it can be run only once, and it would go on to the next event after an exception.
    quit_.reset();
    while (!quit_) {
        checked(sd_event_run(event_, UINT64_MAX), "the event loop failed");
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    }
    return *quit_;
}

void Loop::quit(int status) {
    quit_ = status;
}

bool Loop::feed_watchdog() {
    return checked(sd_event_set_watchdog(event_, 1), "the watchdog cannot be fed") > 0;
}

}  // namespace tierd
