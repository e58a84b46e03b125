// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "loop_thread.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace tierd::test {

LoopThread::LoopThread() : wake_fd_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)}, thread_{[this] { serve(); }} {}

LoopThread::~LoopThread() {
    run([this](Loop& loop) {
        closing_ = true;
        loop.quit(0);
    });
    thread_.join();
    close(wake_fd_);
}

void LoopThread::serve() {
    Loop loop;
    loop_ = &loop;
    const Watch watch = loop.on_io(wake_fd_, EPOLLIN, [this](std::uint32_t) { work(); });
    bool told = false;
    // Goes on after the end that a test looks for, so that what it served can be taken down in this thread.
    while (!closing_) {
        const int status = loop.run();
        if (!std::exchange(told, true)) status_.set_value(status);
    }
}

void LoopThread::work() {
    eventfd_t count = 0;
    eventfd_read(wake_fd_, &count);
    std::deque<std::packaged_task<void(Loop&)>> tasks;
    {
        const std::lock_guard lock{mutex_};
        tasks.swap(tasks_);
    }
    for (auto& task : tasks) task(*loop_);
}

void LoopThread::run(std::function<void(Loop&)> what) {
    std::packaged_task<void(Loop&)> task{std::move(what)};
    auto done = task.get_future();
    {
        const std::lock_guard lock{mutex_};
        tasks_.push_back(std::move(task));
    }
    eventfd_write(wake_fd_, 1);
    done.get();
}

std::optional<int> LoopThread::ended() {
    if (ended_.wait_for(std::chrono::seconds{10}) != std::future_status::ready) return std::nullopt;
    return ended_.get();
}

}  // namespace tierd::test
