// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/action.hpp"

#include <gtest/gtest.h>

#include "each_action.hpp"

namespace tierd {
namespace {

TEST(AnAction, HasAVerbOfItsOwn) {
    std::set<std::string_view> verbs;
    for (const auto& action : each_action()) {
        const auto verb = verb_of(action);
        EXPECT_TRUE(verbs.insert(verb).second) << verb;
        EXPECT_EQ(verb.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << verb;
    }
    EXPECT_EQ(verbs.size(), std::variant_size_v<Action>);
}

TEST(AnAction, LocksItsVolumeGroup) {
    EXPECT_EQ(vg_of(WipeSignatures{}), "");
    EXPECT_EQ(vg_of(CreatePv{}), "");
    EXPECT_EQ(vg_of(ExtendVg{"vg", "", ""}), "vg");
    EXPECT_EQ(vg_of(AttachCache{{"vg", "lv"}, "", {}, "", {}}), "vg");
    EXPECT_EQ(vg_of(CommitMetadata{{"vg", "lv"}, "", ""}), "vg");
    EXPECT_EQ(vg_of(SetCachePolicy{{"vg", "lv"}, "", "", "", {}}), "vg");
    EXPECT_EQ(vg_of(SetCacheMode{{"vg", "lv"}, "", "", {}}), "vg");
    EXPECT_EQ(vg_of(RemoveCache{{"vg", "lv"}, ""}), "vg");
    EXPECT_EQ(vg_of(RemovePool{"vg", "", ""}), "vg");
    EXPECT_EQ(vg_of(ReduceVg{"vg", "", ""}), "vg");
    EXPECT_EQ(vg_of(RemovePv{}), "");
}

}  // namespace
}  // namespace tierd
