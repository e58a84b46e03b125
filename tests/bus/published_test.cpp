// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/service/published.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tierd::bus {
namespace {

struct View {
    unsigned dirty = 0, used = 0;
    std::string phase;
};
constexpr std::array properties{
    property<View, &View::dirty>("Dirty"),
    property<View, &View::used>("Used"),
    property<View, &View::phase>("Phase", true),
    property<View, &View::dirty, &View::used>("Sum"),
};
using Names = std::vector<MemberName>;
using namespace std::chrono_literals;

// E03
TEST(APublishedView, IsAnnouncedOnceASecondHoweverOftenItChanges) {
    Published<View> view{{}};
    const auto begin = Clock::now() + 1s;
    int announced = 0;
    for (unsigned tick = 0; tick < 50 * 3; ++tick)
        announced += view.take({tick + 1, 0, ""}, properties, begin + tick * 20ms).empty() ? 0 : 1;
    EXPECT_EQ(announced, 3);
}

TEST(APublishedView, AnnouncesWhatReallyChanged) {
    Published<View> view{{1, 2, "active"}};
    const auto later = Clock::now() + 2s;
    EXPECT_EQ(view.take({1, 2, "active"}, properties, later), Names{});
    EXPECT_EQ(view.take({1, 3, "active"}, properties, later), (Names{MemberName{"Used"}, MemberName{"Sum"}}));
}

// E11: what depends on a transition is announced with it
TEST(APublishedView, AnnouncesATransitionAtOnceWithAllThatChanged) {
    Published<View> view{{1, 2, "active"}};
    const auto now = Clock::now();
    EXPECT_EQ(view.take({5, 2, "active"}, properties, now), Names{});
    EXPECT_EQ(view.take({5, 2, "draining"}, properties, now), (Names{MemberName{"Dirty"}, MemberName{"Phase"}, MemberName{"Sum"}}));
}

TEST(APublishedView, AnnouncesAtOnceThatAFigureHasBecomeZero) {
    constexpr std::array waited_for{figure_to_zero<View, &View::dirty>("Dirty")};
    Published<View> view{{2, 0, ""}};
    const auto now = Clock::now();
    EXPECT_EQ(view.take({1, 0, ""}, waited_for, now), Names{});
    EXPECT_EQ(view.take({0, 0, ""}, waited_for, now), Names{MemberName{"Dirty"}});
    EXPECT_EQ(view.take({1, 0, ""}, waited_for, now), Names{}) << "once a second";
    EXPECT_EQ(view.take({0, 0, ""}, waited_for, now), Names{}) << "as it was announced";
}

TEST(APublishedView, ShowsWhatItAnnouncedAndNothingNewer) {
    Published<View> view{{1, 0, ""}};
    const auto now = Clock::now();
    view.take({2, 0, ""}, properties, now);
    EXPECT_EQ(view.shown().dirty, 1);
    ASSERT_TRUE(view.due());
    view.take({3, 0, ""}, properties, *view.due());
    EXPECT_EQ(view.shown().dirty, 3);
    EXPECT_FALSE(view.due());
}

TEST(APublishedView, ForgetsAChangeThatWasTakenBack) {
    Published<View> view{{1, 0, ""}};
    const auto now = Clock::now();
    view.take({2, 0, ""}, properties, now);
    view.take({1, 0, ""}, properties, now);
    EXPECT_FALSE(view.due());
}

}  // namespace
}  // namespace tierd::bus
