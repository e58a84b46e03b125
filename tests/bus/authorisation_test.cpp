// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "bus_test.hpp"

namespace tierd::test {
namespace {

using namespace std::chrono_literals;
using Says = MockPolkit::Says;

constexpr const char* not_authorized = "org.tierd1.Error.NotAuthorized";

/// Pausing a group is the verb that is asked about: whether it happened is seen in Frozen.
class AnAuthorisation : public OnTheBus {
protected:
    std::unique_ptr<BusClient> other;
    void begin(Duration limit = 30s) {
        if (!can_be_others()) GTEST_SKIP() << "needs root, to call as another user";
        Daemon::Options options;
        options.authorisation_limit = limit;
        start(options);
        other = std::make_unique<BusClient>(bus.address(), nobody);
    }
    std::shared_ptr<Answer> ask_pause(BusClient& caller) { return caller.ask(root, manager, "Pause", "ssa{sv}", "lvm_hdd", "backup", 0); }
    std::string error_of_pause(BusClient& caller) {
        const auto answer = ask_pause(caller);
        EXPECT_TRUE(caller.wait([&] { return answer->here; }));
        return answer->error;
    }
    bool paused() { return client->property(root, manager, "Frozen").contains("lvm_hdd"); }
    /// Waits for what is seen from another thread, while this client goes on.
    template <typename IsSo>
    bool eventually(IsSo is_so) {
        for (int i = 0; i < 1000; ++i) {
            if (is_so()) return true;
            client->pass(10ms);
        }
        return false;
    }
};

TEST_F(AnAuthorisation, OfRootNeedsNoPolkit) {
    begin();
    EXPECT_EQ(error_of_pause(*client), "");
    EXPECT_TRUE(eventually([&] { return paused(); }));
}

TEST_F(AnAuthorisation, IsAskedOfPolkitForTheCallerItself) {
    begin();
    MockPolkit polkit{bus.address(), Says::Yes};
    other->interactive = true;
    EXPECT_EQ(error_of_pause(*other), "");
    const auto questions = polkit.questions();
    ASSERT_EQ(questions.size(), 1U);
    EXPECT_EQ(questions[0].subject_kind, "system-bus-name");
    EXPECT_EQ(questions[0].subject_name, other->unique_name());
    EXPECT_EQ(questions[0].action, "org.tierd1.pause");
    EXPECT_EQ(questions[0].details, (std::map<std::string, std::string>{{"tierd.target", "lvm_hdd"}}));
    EXPECT_TRUE(questions[0].interactive);
    EXPECT_NE(questions[0].cancellation_id, "");
}

TEST_F(AnAuthorisation, IsRefusedByANo) {
    begin();
    MockPolkit polkit{bus.address(), Says::No};
    EXPECT_EQ(error_of_pause(*other), not_authorized);
    EXPECT_FALSE(paused());
}

TEST_F(AnAuthorisation, IsRefusedWithoutPolkit) {
    begin();
    EXPECT_EQ(error_of_pause(*other), not_authorized);
    EXPECT_FALSE(paused());
}

TEST_F(AnAuthorisation, AsksNoPersonUnlessTheCallAllowsIt) {
    begin();
    MockPolkit polkit{bus.address(), Says::Challenge};
    EXPECT_EQ(error_of_pause(*other), "org.tierd1.Error.InteractionRequired");
    EXPECT_FALSE(polkit.questions().at(0).interactive);
    other->interactive = true;
    EXPECT_EQ(error_of_pause(*other), "");
}

TEST_F(AnAuthorisation, LetsOtherCallsBeServedWhilePolkitIsSilent) {
    begin();
    MockPolkit polkit{bus.address(), Says::Nothing};
    const auto answer = ask_pause(*other);
    ASSERT_TRUE(eventually([&] { return !polkit.questions().empty(); }));
    EXPECT_EQ(client->property(root, manager, "Version"), "1.2.3");
    EXPECT_EQ(other->property(root, manager, "Version"), "1.2.3");
    EXPECT_EQ(error_of_pause(*client), "");
    EXPECT_FALSE(answer->here);
}

TEST_F(AnAuthorisation, MayComeLate) {
    begin();
    MockPolkit polkit{bus.address(), Says::Nothing};
    const auto answer = ask_pause(*other);
    ASSERT_TRUE(eventually([&] { return !polkit.questions().empty(); }));
    EXPECT_FALSE(paused());
    polkit.answer_now(true);
    ASSERT_TRUE(other->wait([&] { return answer->here; }));
    EXPECT_EQ(answer->error, "");
    EXPECT_TRUE(eventually([&] { return paused(); }));
}

TEST_F(AnAuthorisation, IsRefusedWhenPolkitCrashesOverIt) {
    begin();
    MockPolkit polkit{bus.address(), Says::Nothing};
    const auto answer = ask_pause(*other);
    ASSERT_TRUE(eventually([&] { return !polkit.questions().empty(); }));
    polkit.crash();
    ASSERT_TRUE(other->wait([&] { return answer->here; }));
    EXPECT_EQ(answer->error, not_authorized);
    EXPECT_FALSE(paused());
}

TEST_F(AnAuthorisation, IsRefusedAndCalledBackWhenPolkitTakesTooLong) {
    begin(200ms);
    MockPolkit polkit{bus.address(), Says::Nothing};
    EXPECT_EQ(error_of_pause(*other), not_authorized);
    EXPECT_TRUE(eventually([&] { return polkit.cancelled() == std::vector{polkit.questions().at(0).cancellation_id}; }));
    polkit.answer_now(true);
    client->pass(50ms);
    EXPECT_FALSE(paused());
}

TEST_F(AnAuthorisation, IsCalledBackWhenTheCallerVanishes) {
    begin();
    MockPolkit polkit{bus.address(), Says::Nothing};
    ask_pause(*other);
    ASSERT_TRUE(eventually([&] { return !polkit.questions().empty(); }));
    other->vanish();
    EXPECT_TRUE(eventually([&] { return polkit.cancelled() == std::vector{polkit.questions().at(0).cancellation_id}; }));
    polkit.answer_now(true);
    client->pass(50ms);
    EXPECT_FALSE(paused());
}

TEST_F(AnAuthorisation, HoldsForThePlanOfTheCallAndNoLaterOne) {
    begin();
    MockPolkit polkit{bus.address(), Says::Nothing};
    const auto answer = other->ask(root, manager, "Apply", "sa{sv}", "", 0);
    ASSERT_TRUE(eventually([&] { return !polkit.questions().empty(); }));
    const std::string plan = client->call(root, manager, "Plan", "a{sv}", 0).at(0);
    EXPECT_EQ(polkit.questions().at(0).details.at("tierd.target"), "plan " + plan);
    make_the_volume_fast();
    polkit.answer_now(true);
    ASSERT_TRUE(other->wait([&] { return answer->here; }));
    EXPECT_EQ(answer->error, "org.tierd1.Error.StalePlan");
}

TEST_F(AnAuthorisation, OfOneUserCannotCrowdOutTheOthers) {
    begin();
    MockPolkit polkit{bus.address(), Says::Nothing};
    std::vector<std::shared_ptr<Answer>> answers;
    for (int i = 0; i < 100; ++i) answers.push_back(ask_pause(*other));
    const auto refused = [&] { return std::count_if(answers.begin(), answers.end(), [](const auto& answer) { return answer->here; }); };
    ASSERT_TRUE(other->wait([&] { return refused() == 84; }));
    for (const auto& answer : answers) EXPECT_TRUE(!answer->here || answer->error == "org.tierd1.Error.LimitExceeded") << answer->error;
    EXPECT_TRUE(eventually([&] { return polkit.questions().size() == 16; }));
    EXPECT_EQ(error_of_pause(*client), "");
}

TEST_F(AnAuthorisation, CanBeForeseen) {
    begin();
    const auto can = [](BusClient& caller, const char* verb) {
        return caller.call(root, manager, "Can", "s", verb).at(0).get<std::string>();
    };
    EXPECT_EQ(can(*other, "apply"), "no");  // without polkit
    EXPECT_EQ(can(*client, "apply"), "yes");
    EXPECT_EQ(can(*other, "format"), "na");
    MockPolkit polkit{bus.address(), Says::Challenge};
    other->interactive = true;
    EXPECT_EQ(can(*other, "apply"), "challenge");
    EXPECT_FALSE(polkit.questions().at(0).interactive) << "a question of what can be done must not make a password dialog";
    polkit.say(Says::Yes);
    EXPECT_EQ(can(*other, "cancel-job"), "yes");
    EXPECT_EQ(polkit.questions().at(1).action, "org.tierd1.cancel-job");
}

}  // namespace
}  // namespace tierd::test
