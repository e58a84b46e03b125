// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/describe.hpp"

#include <gtest/gtest.h>

#include <set>

#include "each_action.hpp"
#include "world.hpp"

namespace tierd {
namespace {

/// Each kind of action says what it does in both tenses; a kind that lacks one does not compile, one that says nothing fails here.
TEST(AnAction, HasASentenceInTwoTenses) {
    std::set<std::string> said;
    for (const auto& action : each_action()) {
        SCOPED_TRACE(std::string{verb_of(action)});
        const auto plan = sentence(action, Tense::Imperative);
        const auto job = sentence(action, Tense::Progressive);
        EXPECT_GT(plan.size(), 10u);
        EXPECT_TRUE(said.insert(plan).second) << "two kinds say the same";
        EXPECT_NE(plan, job);
        EXPECT_NE(job.substr(0, job.find(' ')).find("ing"), std::string::npos) << job;
        EXPECT_EQ(plan.substr(plan.find(' ')), job.substr(job.find(' '))) << "the rest is the same";
        EXPECT_NE(plan.back(), '.');
    }
}

TEST(AnAction, IsDescribedInTheWordsOfAPerson) {
    EXPECT_EQ(sentence(CreatePv{{"/dev/sdb", "", 0, 0, {}}, ""}, Tense::Imperative), "initialise sdb as a physical volume");
    EXPECT_EQ(sentence(ExtendVg{"lvm_hdd", "/dev/sdb", ""}, Tense::Progressive), "extending volume group lvm_hdd by sdb");
    EXPECT_EQ(sentence(WipeSignatures{{"/dev/sdb", "", 0, 0, {"vfat", "gpt"}}}, Tense::Imperative),
              "erase what is on sdb, as the policy allows: vfat, gpt");
    EXPECT_EQ(sentence(CreateCachePool{"lvm_hdd", "media", "/dev/sdb", "", 56'320, 768, 4 * mib, 256 * kib, ""}, Tense::Imperative),
              "create cache pool media: 220 GiB data, 3 GiB metadata, chunks of 256 KiB, on sdb");
    EXPECT_EQ(sentence(AttachCache{{"lvm_hdd", "hdd"}, "media", CacheMode::Writeback, "smq", {}}, Tense::Progressive),
              "putting it in front of lvm_hdd/hdd, writeback; the volume stays in use");
}

TEST(AnAction, ThatTagsSaysWhat) {
    const VolumeName hdd{"lvm_hdd", "hdd"};
    EXPECT_EQ(sentence(TagVolume{hdd, "", {"tierd.detach"}, {}}, Tense::Imperative), "tag lvm_hdd/hdd with tierd.detach");
    EXPECT_EQ(sentence(TagVolume{hdd, "", {}, {"tierd.detach"}}, Tense::Progressive), "taking tierd.detach off lvm_hdd/hdd");
}

TEST(AnAction, ThatFollowsALossSaysWhatIsLost) {
    EXPECT_EQ(sentence(UncacheLost{{"lvm_hdd", "hdd"}, "", ""}, Tense::Imperative),
              "take the lost cache off lvm_hdd/hdd; the volume stays in use");
    EXPECT_EQ(sentence(RemoveMissing{"lvm_hdd", {"a"}}, Tense::Progressive),
              "taking 1 missing physical volume out of volume group lvm_hdd");
    EXPECT_EQ(sentence(RestoreMissing{"lvm_hdd", "/dev/sdc", "", 0}, Tense::Imperative), "count sdc into volume group lvm_hdd again");
    EXPECT_EQ(sentence(DropCache{{"lvm_hdd", "hdd"}, "", ""}, Tense::Imperative),
              "give up the lost cache of lvm_hdd/hdd, and what was on its SSD only");
    EXPECT_EQ(sentence(RefreshVolume{{"lvm_hdd", "hdd"}, ""}, Tense::Imperative),
              "load what LVM says of lvm_hdd/hdd into the kernel; the volume stays in use");
    EXPECT_EQ(sentence(ClearOutdated{"lvm_hdd", "/dev/sdc", "", 0}, Tense::Imperative),
              "clear what sdc says of volume group lvm_hdd, which has gone on without it");
}

TEST(AnAction, ThatIsADrainSaysSo) {
    const VolumeName hdd{"lvm_hdd", "hdd"};
    EXPECT_EQ(sentence(SetCachePolicy{hdd, "", "", "cleaner", {}}, Tense::Imperative),
              "begin to write back what is dirty in front of lvm_hdd/hdd");
    EXPECT_EQ(sentence(SetCachePolicy{hdd, "", "", "smq", {{"migration_threshold", "16384"}}}, Tense::Progressive),
              "giving lvm_hdd/hdd cache_policy smq, migration_threshold 16384");
    EXPECT_EQ(sentence(RemoveCache{hdd, ""}, Tense::Progressive),
              "taking the cache off lvm_hdd/hdd, and its pool away; the volume stays in use");
}

TEST(ARisk, IsDestructiveWhereSomethingIsErased) {
    for (const auto& action : each_action())
        EXPECT_EQ(risk_of(action) == Risk::Destructive,
                  verb_of(action) == "wipe-signatures" || verb_of(action) == "clear-outdated" || verb_of(action) == "drop-cache")
            << verb_of(action);
}

/// Behind these the next step would stand on something that LVM does not refuse by itself.
TEST(AnAction, MustBeSeenWhereItsOutcomeDecidesTheNext) {
    const std::set<std::string_view> seen{"wipe-signatures", "create-cache-pool", "set-cache-policy", "remove-cache",
                                          "remove-pool",     "tag-volume",        "uncache-lost",     "remove-missing",
                                          "restore-missing", "clear-outdated",    "create-volume",    "make-pool",
                                          "repair-part",     "attach-writecache", "refresh-volume",   "drop-cache"};
    for (const auto& action : each_action()) EXPECT_EQ(must_be_seen(action), seen.contains(verb_of(action))) << verb_of(action);
}

}  // namespace
}  // namespace tierd
