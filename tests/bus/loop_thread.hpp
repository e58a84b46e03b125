// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "systemd/loop.hpp"

namespace tierd::test {

/// A loop in a thread of its own, so that a test can be its client. Everything that the loop serves is touched only by run().
class LoopThread {
public:
    LoopThread();
    ~LoopThread();
    LoopThread(const LoopThread&) = delete;
    LoopThread& operator=(const LoopThread&) = delete;

    /// Runs it in the loop's thread, waits, and rethrows what it throws.
    void run(std::function<void(Loop&)> what);
    /// What run() of the loop returned, once it has ended by itself within ten seconds.
    std::optional<int> ended();

private:
    void serve();
    void work();

    int wake_fd_;
    std::mutex mutex_;
    std::deque<std::packaged_task<void(Loop&)>> tasks_;
    Loop* loop_ = nullptr;
    std::promise<int> status_;
    std::future<int> ended_ = status_.get_future();
    bool closing_ = false;
    std::thread thread_;
};

}  // namespace tierd::test
