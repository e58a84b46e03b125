// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "support.hpp"

namespace tierd {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Command shell(const std::string& script) {
    Command command;
    command.argv = {"/bin/sh", "-c", script};
    return command;
}

CommandResult result_of(Command command) {
    Loop loop;
    ProcessRunner runner{loop};
    CommandResult result;
    run_until(loop, [&](const auto& done) {
        runner.run(std::move(command), [&result, done](CommandResult each) {
            result = std::move(each);
            done();
        });
    });
    return result;
}

CommandResult clean_result_of(Command command) {
    auto result = result_of(std::move(command));
    // Nothing is left behind: neither running nor waiting to be reaped.
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    return result;
}

/// Of a group that this process is the reaper of: the signal that ended each of its members.
std::vector<int> ends_of_group(pid_t group) {
    std::vector<int> ends;
    for (int i = 0; i < 500; ++i) {
        int status = 0;
        const pid_t pid = waitpid(-group, &status, WNOHANG);
        if (pid < 0) return ends;
        if (pid > 0) ends.push_back(WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        if (pid == 0) usleep(10'000);
    }
    ends.push_back(-1);
    return ends;
}

class AStubbornProcess : public testing::Test {
protected:
    void SetUp() override { prctl(PR_SET_CHILD_SUBREAPER, 1); }
    void TearDown() override { prctl(PR_SET_CHILD_SUBREAPER, 0); }
};

TEST(AProcess, KeepsTheOutputsApart) {
    const auto result = clean_result_of(shell("echo out; echo err >&2; exit 3"));
    EXPECT_EQ(result.output, "out\n");
    EXPECT_EQ(result.error_output, "err\n");
    EXPECT_EQ(result.exit_status, 3);
    EXPECT_FALSE(result.ok());
}

TEST(AProcess, SaysWhichSignalEndedIt) {
    EXPECT_EQ(clean_result_of(shell("kill -9 $$")).exit_status, -SIGKILL);
}

TEST(AProcess, ThatCannotBeStartedSaysWhy) {
    Command command;
    command.argv = {"/nowhere/at/all"};
    const auto result = clean_result_of(command);
    EXPECT_FALSE(result.ok());
    EXPECT_THAT(result.start_error, HasSubstr("/nowhere/at/all cannot be run: No such file"));
}

// C02, A16: one locale, nothing to read from, nothing of the daemon's environment
TEST(AProcess, HasAFixedEnvironmentAndNothingToRead) {
    setenv("LC_NUMERIC", "fi_FI.UTF-8", 1);
    setenv("LVM_SYSTEM_DIR", "/tmp", 1);
    const auto result = clean_result_of(shell("env; echo \"in: $(cat)\"; pwd"));
    EXPECT_THAT(result.output, HasSubstr("LC_ALL=C\n"));
    EXPECT_THAT(result.output, Not(HasSubstr("fi_FI")));
    EXPECT_THAT(result.output, Not(HasSubstr("LVM_SYSTEM_DIR")));
    EXPECT_THAT(result.output, HasSubstr("in: \n/\n"));
}

// C04
TEST(AProcess, InheritsNoDescriptor) {
    const int leaky = open("/dev/null", O_RDONLY);  // on purpose without O_CLOEXEC
    const int high = fcntl(leaky, F_DUPFD, 200);
    const auto result = clean_result_of(shell("ls /proc/self/fd | tr '\\n' ' '"));
    close(leaky);
    close(high);
    // 3 is the folder that ls itself has open.
    EXPECT_EQ(result.output, "0 1 2 3 ");
}

TEST(AProcess, HasNoSignalBlockedOrIgnored) {
    signal(SIGPIPE, SIG_IGN);
    // The last 28 bits: signals 32 and 33 are the C library's own.
    const auto result = clean_result_of(shell("grep -E 'Sig(Blk|Ign)' /proc/self/status | grep -o '.......$'"));
    signal(SIGPIPE, SIG_DFL);
    EXPECT_EQ(result.output, "0000000\n0000000\n");
}

TEST(AProcess, IsAGroupOfItsOwn) {
    const auto result = clean_result_of(shell("ps -o pid=,pgid= $$"));
    std::istringstream text{result.output};
    pid_t pid = 0, group = 0;
    text >> pid >> group;
    EXPECT_EQ(pid, group);
    EXPECT_NE(group, getpgrp());
}

TEST(AProcess, IsEndedAtItsTimeLimit) {
    auto command = shell("echo begun; sleep 600");
    command.limit = 200ms;
    const auto result = clean_result_of(command);
    EXPECT_TRUE(result.timed_out);
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.exit_status, -SIGTERM);
    EXPECT_EQ(result.output, "begun\n");
    EXPECT_LT(result.took, 5 * usec_per_second);
}

// C15: TERM is not enough, and its children are ended too
TEST_F(AStubbornProcess, IsKilledWithItsChildren) {
    auto command = shell("trap '' TERM; echo $$; (trap '' TERM; while :; do sleep 1; done) & while :; do sleep 1; done");
    command.limit = 200ms;
    const auto result = result_of(command);
    EXPECT_TRUE(result.timed_out);
    EXPECT_EQ(result.exit_status, -SIGKILL);
    EXPECT_THAT(ends_of_group(std::stoi(result.output)), AllOf(Not(IsEmpty()), Each(SIGKILL)));
}

TEST_F(AStubbornProcess, GoesWhenItsParentObeys) {
    auto command = shell("echo $$; (trap '' TERM; while :; do sleep 1; done) & sleep 600");
    command.limit = 200ms;
    const auto result = result_of(command);
    EXPECT_EQ(result.exit_status, -SIGTERM);
    EXPECT_THAT(ends_of_group(std::stoi(result.output)), AllOf(Contains(SIGKILL), Each(AnyOf(SIGKILL, SIGTERM))));
}

TEST(AProcess, IsNotWaitedForByItsPipes) {
    const auto result = result_of(shell("echo answer; sleep 3 & exit 0"));
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.output, "answer\n");
    EXPECT_LT(result.took, 2 * usec_per_second);
}

TEST(AProcess, GivesAllOfAHugeAnswer) {
    const auto result = result_of(shell("head -c 40000000 /dev/zero; head -c 3000000 /dev/zero >&2"));
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.output.size(), 40'000'000U);
    EXPECT_EQ(result.error_output.size(), 3'000'000U);
}

TEST(AProcess, SaysThatAnAnswerWasCut) {
    auto command = shell("head -c 1000000 /dev/zero");
    command.output_limit = 1000;
    const auto result = result_of(command);
    EXPECT_TRUE(result.truncated);
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.exit_status, 0);
    EXPECT_EQ(result.output.size(), 1000U);
}

TEST(AProcess, CanBeEnded) {
    Loop loop;
    ProcessRunner runner{loop};
    CommandResult result;
    Watch soon;
    run_until(loop, [&](const auto& done) {
        const auto id = runner.run(shell("sleep 600"), [&result, done](CommandResult each) {
            result = std::move(each);
            done();
        });
        soon = loop.after(100ms, [&runner, id] {
            runner.end(id);
            runner.end(id);
        });
    });
    EXPECT_TRUE(result.timed_out);
}

TEST(AProcessRunner, RunsSideBySide) {
    Loop loop;
    ProcessRunner runner{loop};
    unsigned open = 20;
    run_until(loop, [&](const auto& done) {
        for (unsigned i = 0; i < 20; ++i) {
            runner.run(shell("sleep 0.3"), [&open, done](const CommandResult& result) {
                EXPECT_TRUE(result.ok());
                EXPECT_LT(result.took, 5 * usec_per_second);
                if (--open == 0) done();
            });
        }
    });
}

TEST(AProcessRunner, CountsWhatChanges) {
    Loop loop;
    ProcessRunner runner{loop};
    auto command = shell("sleep 0.1");
    command.changing = true;
    run_until(loop, [&](const auto& done) {
        runner.run(shell("sleep 0.01"), [](const CommandResult&) {});
        runner.run(command, [done](const CommandResult&) { done(); });
        EXPECT_EQ(runner.changing(), 1U);
    });
    EXPECT_EQ(runner.changing(), 0U);
}

TEST(AProcessRunner, LeavesOnlyWhatChangesRunningWhenItGoes) {
    const TemporaryFolder folder;
    Loop loop;
    {
        ProcessRunner runner{loop};
        auto changing = shell("sleep 0.5; echo changed >" + folder.path() + "/changed");
        changing.changing = true;
        runner.run(changing, [](const CommandResult&) { FAIL() << "no callback after the destructor"; });
        runner.run(shell("sleep 0.5; echo read >" + folder.path() + "/read"), [](const CommandResult&) { FAIL(); });
    }
    while (wait(nullptr) > 0) {
    }
    EXPECT_EQ(text_of(folder.path() + "/changed"), "changed\n");
    EXPECT_NE(access((folder.path() + "/read").c_str(), F_OK), 0);
}

// A line that nobody reads any more does not end what changes the machine.
TEST(AProcessRunner, LeavesWhatChangesRunningThoughItSpeaks) {
    const TemporaryFolder folder;
    Loop loop;
    {
        ProcessRunner runner{loop};
        auto changing = shell("sleep 0.5; echo said; echo said >&2; echo changed >" + folder.path() + "/changed");
        changing.changing = true;
        runner.run(changing, [](const CommandResult&) { FAIL(); });
    }
    while (wait(nullptr) > 0) {
    }
    EXPECT_EQ(text_of(folder.path() + "/changed"), "changed\n");
}

TEST(AProcessRunner, MayBeDestroyedByAnAnswer) {
    Loop loop;
    auto runner = std::make_unique<ProcessRunner>(loop);
    run_until(loop, [&](const auto& done) {
        runner->run(shell("true"), [&runner, done](const CommandResult&) {
            runner.reset();
            done();
        });
    });
    EXPECT_EQ(runner, nullptr);
}

}  // namespace
}  // namespace tierd
