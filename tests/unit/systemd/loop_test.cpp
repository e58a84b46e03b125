// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "systemd/loop.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace tierd {
namespace {

using namespace std::chrono_literals;

pid_t child_that(const std::function<int()>& work) {
    const pid_t pid = fork();
    if (pid == 0) _exit(work());
    return pid;
}

TEST(ALoop, ReturnsTheStatusOfQuit) {
    Loop loop;
    const Watch watch = loop.soon([&] { loop.quit(7); });
    EXPECT_EQ(loop.run(), 7);
}

TEST(ALoop, CanRunAgain) {
    Loop loop;
    const Watch first = loop.soon([&] { loop.quit(1); });
    EXPECT_EQ(loop.run(), 1);
    const Watch second = loop.soon([&] { loop.quit(2); });
    EXPECT_EQ(loop.run(), 2);
}

TEST(ALoop, CallsTimersInTheOrderOfTheirTime) {
    Loop loop;
    std::vector<int> order;
    const Watch late = loop.after(40ms, [&] { order.push_back(2), loop.quit(0); });
    const Watch early = loop.after(5ms, [&] { order.push_back(1); });
    const Watch past = loop.after(-1s, [&] { order.push_back(0); });
    loop.run();
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(ATimer, IsNotEarlyAndCallsOnce) {
    Loop loop;
    int calls = 0;
    const auto begin = std::chrono::steady_clock::now();
    const Watch timer = loop.after(20ms, [&] { ++calls; });
    const Watch end = loop.after(80ms, [&] { loop.quit(0); });
    loop.run();
    EXPECT_EQ(calls, 1);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 80ms);
}

TEST(ALoop, SaysWhatHappenedOnAFileDescriptor) {
    Loop loop;
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    std::vector<std::uint32_t> happened;
    const Watch watch = loop.on_io(ends[0], EPOLLIN, [&](std::uint32_t events) {
        happened.push_back(events);
        if ((events & EPOLLHUP) != 0) return loop.quit(0);
        char byte = 0;
        EXPECT_EQ(read(ends[0], &byte, 1), 1);
        close(ends[1]);
    });
    ASSERT_EQ(write(ends[1], "x", 1), 1);
    loop.run();
    EXPECT_EQ(happened, (std::vector<std::uint32_t>{EPOLLIN, EPOLLHUP}));
    close(ends[0]);
}

TEST(ALoop, ServesTheMoreUrgentFileDescriptorFirst) {
    Loop loop;
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    ASSERT_EQ(write(ends[1], "x", 1), 1);
    const int twin = dup(ends[0]);
    std::vector<int> order;
    const Watch idle = loop.on_io(
        ends[0], EPOLLIN, [&](std::uint32_t) { order.push_back(2), loop.quit(0); }, 10);
    Watch urgent;
    urgent = loop.on_io(
        twin, EPOLLIN, [&](std::uint32_t) { order.push_back(1), urgent.reset(); }, -10);
    loop.run();
    EXPECT_EQ(order, (std::vector<int>{1, 2}));
    for (const int fd : {ends[0], ends[1], twin}) close(fd);
}

TEST(ALoop, SaysHowAChildEnded) {
    Loop loop;
    std::map<pid_t, std::pair<int, int>> ended;
    const pid_t exits = child_that([] { return 3; });
    const pid_t killed = child_that([] { return pause(); });
    const auto note = [&](pid_t pid) {
        return [&ended, &loop, pid](int code, int status) {
            ended[pid] = {code, status};
            if (ended.size() == 2) loop.quit(0);
        };
    };
    const Watch first = loop.on_exit_of(exits, note(exits));
    const Watch second = loop.on_exit_of(killed, note(killed));
    kill(killed, SIGKILL);
    loop.run();
    EXPECT_EQ(ended[exits], (std::pair<int, int>{CLD_EXITED, 3}));
    EXPECT_EQ(ended[killed], (std::pair<int, int>{CLD_KILLED, SIGKILL}));
}

TEST(ALoop, HearsOfAChildThatEndedBeforeItWasWatched) {
    Loop loop;
    const pid_t pid = child_that([] { return 0; });
    siginfo_t info{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
    const Watch watch = loop.on_exit_of(pid, [&](int code, int) { loop.quit(code); });
    EXPECT_EQ(loop.run(), CLD_EXITED);
    EXPECT_EQ(waitpid(pid, nullptr, WNOHANG), -1) << "the child is still a zombie";
}

TEST(ALoop, TurnsSignalsIntoCalls) {
    Loop loop;
    std::vector<int> signals;
    const Watch term = loop.on_signal(SIGTERM, [&] { signals.push_back(SIGTERM), kill(getpid(), SIGUSR1); });
    const Watch user = loop.on_signal(SIGUSR1, [&] { signals.push_back(SIGUSR1), loop.quit(0); });
    kill(getpid(), SIGTERM);
    loop.run();
    EXPECT_EQ(signals, (std::vector<int>{SIGTERM, SIGUSR1}));
}

TEST(ALoop, NamesTheFileThatChangedInAFolder) {
    Loop loop;
    char folder[] = "/tmp/loop_test.XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    std::string changed;
    const Watch watch = loop.on_file(folder, IN_CLOSE_WRITE, [&](const std::string& name) { changed = name, loop.quit(0); });
    std::ofstream{std::string{folder} + "/10-media.yaml"} << "tiers: {}\n";
    loop.run();
    EXPECT_EQ(changed, "10-media.yaml");
    std::filesystem::remove_all(folder);
}

TEST(ALoop, RefusesAFileThatIsNotThereByName) {
    Loop loop;
    try {
        const Watch watch = loop.on_file("/nonexistent/tierd", IN_MODIFY, [](const std::string&) {});
        FAIL() << "nothing was thrown";
    } catch (const std::system_error& error) {
        EXPECT_EQ(error.code().value(), ENOENT);
        EXPECT_NE(std::string{error.what()}.find("/nonexistent/tierd"), std::string::npos);
    }
}

TEST(ALoop, RethrowsWhatACallbackThrew) {
    Loop loop;
    bool later = false;
    const Watch thrower = loop.soon([] { throw std::runtime_error{"disk on fire"}; });
    const Watch timer = loop.after(50ms, [&] { later = true; });
    try {
        loop.run();
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "disk on fire");
    }
    EXPECT_FALSE(later);
}

TEST(ALoop, CallsBeforeEachWait) {
    Loop loop;
    int waits = 0;
    const Watch watch = loop.before_wait([&] { ++waits; });
    const Watch first = loop.after(1ms, [] {});
    const Watch second = loop.after(20ms, [&] { loop.quit(0); });
    loop.run();
    EXPECT_EQ(waits, 2);
}

TEST(ALoop, EndsAtOnceWhenAskedToBeforeAWait) {
    Loop loop;
    const Watch watch = loop.before_wait([&] { loop.quit(5); });
    EXPECT_EQ(loop.run(), 5);
    EXPECT_EQ(loop.run(), 5);
    const Watch thrower = loop.before_wait([] { throw std::runtime_error{"no"}; });
    EXPECT_THROW(loop.run(), std::runtime_error);
}

TEST(AWatch, CallsNoMoreOnceDestroyed) {
    Loop loop;
    bool called = false;
    {
        const Watch gone = loop.soon([&] { called = true; });
    }
    Watch replaced = loop.soon([&] { called = true; });
    replaced = loop.after(10ms, [&] { loop.quit(0); });
    loop.run();
    EXPECT_FALSE(called);
}

TEST(AWatch, MayBeDestroyedInsideItsCallback) {
    Loop loop;
    Watch watch;
    std::string after_reset;
    const std::string captured(64, 'x');  // on the heap: a use after free is seen by the sanitizer
    watch = loop.soon([&, captured] {
        watch.reset();
        after_reset = captured;
        loop.quit(0);
    });
    loop.run();
    EXPECT_EQ(after_reset, captured);
    EXPECT_FALSE(watch);
}

TEST(AWatch, MayBeReplacedInsideItsCallback) {
    Loop loop;
    Watch watch;
    int ticks = 0;
    std::function<void()> tick = [&] {
        if (++ticks == 3) return loop.quit(0);
        watch = loop.after(1ms, tick);
    };
    watch = loop.after(1ms, tick);
    loop.run();
    EXPECT_EQ(ticks, 3);
}

TEST(AWatch, MayOwnItselfThroughItsCallback) {
    Loop loop;
    auto self = std::make_shared<Watch>();
    *self = loop.soon([self, &loop] { self->reset(), loop.quit(0); });
    const std::weak_ptr<Watch> seen = self;
    self.reset();
    loop.run();
    EXPECT_TRUE(seen.expired());
}

TEST(AWatch, KeepsItsSourceWhenMoved) {
    Loop loop;
    std::vector<Watch> watches;
    int calls = 0;
    for (int i = 0; i < 100; ++i) watches.push_back(loop.soon([&] { ++calls; }));
    const Watch end = loop.after(1ms, [&] { loop.quit(0); });
    loop.run();
    EXPECT_EQ(calls, 100);
}

TEST(AWatch, MayOutliveItsLoop) {
    Watch watch;
    {
        Loop loop;
        watch = loop.after(1s, [] {});
    }
    EXPECT_TRUE(watch);
}

TEST(TheWatchdog, IsFedOnlyWhenTheServiceManagerAsksForIt) {
    Loop loop;
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
    EXPECT_FALSE(loop.feed_watchdog());
    setenv("WATCHDOG_USEC", "60000000", 1);
    Loop fed;
    EXPECT_TRUE(fed.feed_watchdog());
    unsetenv("WATCHDOG_USEC");
}

}  // namespace
}  // namespace tierd
