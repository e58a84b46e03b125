// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "support.hpp"

namespace tierd::config {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Pair;

namespace {

/// Each text a file of its own: 1.yaml, 2.yaml, …
Result files(const std::vector<std::string>& texts) {
    const Folder folder;
    for (std::size_t i = 0; i < texts.size(); ++i) folder.write(std::to_string(i + 1) + ".yaml", texts[i]);
    return load({folder.path()});
}

const std::string one_disk = "devices: {s1: {match: {serial: X1}}}\n";
std::string cache(const std::string& name, const std::string& volume, const std::string& more = "") {
    return "tiers: {" + name + ": {volume: " + volume + ", kind: cache, device: s1" + (more.empty() ? "" : ", ") + more + "}}\n";
}

}  // namespace

// F16
TEST(TwoTiersForOneVolume, AreBothNamedAndFrozenAndTheRestGoesOn) {
    const auto result = files({one_disk + cache("db", "tank/db", "mode: writeback, size: 10GiB"),
                               cache("base", "tank/db", "mode: writethrough, size: 10GiB"), cache("other", "tank/other", "size: 10GiB")});
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(told(result),
              "2.yaml:1:9: tier base: contradicts tier db in 1.yaml:2: both are tiers for tank/db; nothing is done about either\n");
    EXPECT_THAT(
        result.policy.frozen,
        ElementsAre(
            Pair("tier base", "contradicts tier db in 1.yaml:2: both are tiers for tank/db; edit 1.yaml:2 or 2.yaml:1, then reload"),
            Pair("tier db", "contradicts tier base in 2.yaml:1: both are tiers for tank/db; edit 1.yaml:2 or 2.yaml:1, then reload")));
    EXPECT_EQ(result.policy.tiers.size(), 3U);
}

// F16
TEST(ATierThatWantsAllOfADisk, ContradictsTheOthersOnIt) {
    const auto result = files({one_disk + cache("a", "tank/db", "mode: writeback"), cache("b", "tank/db", "mode: writethrough"),
                               cache("c", "tank/other", "size: 100%")});
    EXPECT_THAT(told(result), AllOf(HasSubstr("2.yaml:1:9: tier b: contradicts tier a in 1.yaml:2: both are tiers for tank/db"),
                                    HasSubstr("3.yaml:1:54: tier c: contradicts tier a in 1.yaml:2: nothing is left of device s1")));
    EXPECT_THAT(result.policy.frozen, ElementsAre(Key("tier a"), Key("tier b"), Key("tier c")));
}

// F16: of one name in one file, or in two.
TEST(TwoEntriesOfOneName, AreBothNamedAndFrozen) {
    const auto result = files(
        {one_disk +
         "tiers: {a: {volume: vg/a, kind: cache, device: s1, size: 1GiB}, a: {volume: vg/b, kind: cache, device: s1, size: 1GiB}}\n"});
    EXPECT_THAT(told(result), HasSubstr("1.yaml:2:65: tier a: contradicts 1.yaml:2: there are two entries of this tier's name"));
    EXPECT_THAT(result.policy.frozen, ElementsAre(Key("tier a")));
    EXPECT_EQ(result.policy.tiers.size(), 2U);

    EXPECT_THAT(files({cache("a", "vg/a") + one_disk, cache("a", "vg/b")}).policy.frozen, ElementsAre(Key("tier a")));
    const std::string thin = "snapshots: {n: {volumes: [vg/a], kind: thin}}\n";
    EXPECT_THAT(files({thin, thin}).policy.frozen, ElementsAre(Key("snapshot n")));
    const std::string pool = "pools: {vg/p: {autonomy: act}}\n";
    EXPECT_THAT(files({pool, pool}).policy.frozen, ElementsAre(Key("pool vg/p")));
}

TEST(ATier, IsFrozenWithItsDevice) {
    const auto result = files({one_disk, one_disk + cache("a", "vg/a")});
    EXPECT_THAT(result.policy.frozen, ElementsAre(Key("device s1"), Pair("tier a", "its device s1 is frozen")));
}

TEST(TiersForOneThing, ContradictWhateverTheirKind) {
    const std::string journal = "{kind: journal, filesystem: /srv, device: s1, size: 1GiB}";
    EXPECT_THAT(files({one_disk + "tiers: {a: " + journal + "}\n", "tiers: {b: " + journal + "}\n"}).policy.frozen,
                ElementsAre(Key("tier a"), Key("tier b")));
    const std::string bcache = "{kind: bcache, backing: {serial: WD}, device: s1}";
    EXPECT_THAT(told(files({one_disk + "tiers: {a: " + bcache + ", b: " + bcache + "}\n"})),
                HasSubstr("both are tiers for the backing disk serial \"WD\""));
    EXPECT_THAT(
        files({one_disk + cache("a", "vg/a", "size: 1GiB"), "tiers: {b: {volume: vg/a, kind: writecache, device: s1, size: 1GiB}}\n"})
            .policy.frozen,
        ElementsAre(Key("tier a"), Key("tier b")));
    EXPECT_THAT(files({one_disk +
                       "tiers: {a: {kind: bcache, backing: {serial: A}, device: s1}, b: {kind: bcache, backing: {wwn: A}, device: s1}}\n"})
                    .policy.frozen,
                IsEmpty());
}

TEST(ADevice, ServesAsManyVolumeGroupsAsItHasDisks) {
    const auto a = cache("a", "vg1/a", "size: 1GiB");
    const auto b = cache("b", "vg2/b", "size: 1GiB");
    EXPECT_THAT(told(files({one_disk + a, b})),
                HasSubstr("2.yaml:1:49: tier b: contradicts tier a in 1.yaml:2: device s1 cannot serve 2 volume groups"));
    EXPECT_THAT(files({"devices: {s1: {match: {serial: X}, count: 2}}\n" + a, b}).policy.frozen, IsEmpty());
    EXPECT_THAT(files({one_disk + a, cache("b", "vg2/b", "size: 1GiB, state: absent")}).policy.frozen, IsEmpty());
}

TEST(ADevice, IsSharedByTiersThatFitTogether) {
    const auto frozen = [](const std::string& first, const std::string& second, const std::string& third) {
        return files({one_disk + cache("a", "vg/a", first), cache("b", "vg/b", second), cache("c", "vg/c", third)}).policy.frozen;
    };
    EXPECT_THAT(frozen("size: 1GiB", "size: 2GiB", "size: 3GiB"), IsEmpty());
    EXPECT_THAT(frozen("size: 1GiB", "size: 2GiB", ""), IsEmpty());
    EXPECT_THAT(frozen("size: 50%", "size: 30%", "size: 20%"), IsEmpty());
    EXPECT_THAT(frozen("size: 50%", "size: 30%", ""), IsEmpty());
    EXPECT_THAT(frozen("size: 50%", "size: 30%", "size: 20.01%"), ElementsAre(Key("tier a"), Key("tier b"), Key("tier c")));
    EXPECT_THAT(frozen("size: 50%", "size: 50%", "size: 1GiB"), ElementsAre(Key("tier a"), Key("tier b"), Key("tier c")));
    EXPECT_THAT(frozen("size: 1GiB", "", ""), ElementsAre(Key("tier b"), Key("tier c")));
    EXPECT_THAT(frozen("size: 1GiB", "", "state: absent"), IsEmpty());
}

TEST(ADevice, IsBcachesAloneOrNotAtAll) {
    const std::string bcache = "tiers: {o: {kind: bcache, backing: {serial: WD}, device: s1}}\n";
    EXPECT_THAT(told(files({one_disk + cache("a", "vg/a", "size: 1GiB"), bcache})), HasSubstr("bcache takes all of device s1"));
}

// B17
TEST(AThinSnapshotOfACachedVolume, IsAContradictionAcrossFiles) {
    const auto result = files({"snapshots: {s: {volumes: [tank/x, tank/db], kind: thin}}\n",
                               one_disk + "tiers: {db: {volume: tank/db, kind: cache, device: s1}}\n"});
    EXPECT_EQ(told(result),
              "2.yaml:2:22: tier db: contradicts snapshot s in 1.yaml:1: a volume with a cache has no thin snapshots (tank/db); nothing is "
              "done about either\n");
    EXPECT_THAT(result.policy.frozen, ElementsAre(Key("snapshot s"), Key("tier db")));
    EXPECT_THAT(
        files({"snapshots: {s: {volumes: [tank/db], kind: thin}}\n" + one_disk + cache("db", "tank/db", "state: absent")}).policy.frozen,
        IsEmpty());
}

// B17: LVM 2.03.16 takes it, flushes and takes off the writecache below it, puts one there, and merges it (all seen in the kernel).
TEST(AThickSnapshotOfACachedVolume, IsAllowedAndWarnedOfWhereItCosts) {
    const std::string snapshot = "snapshots: {s: {volumes: [tank/x, tank/db], kind: thick, size: 1GiB}}\n";
    const auto with = [&](const std::string& tier) {
        return files({snapshot, one_disk + "tiers: {db: {volume: tank/db, " + tier + "}}\n"});
    };
    const auto result = with("kind: writecache, device: s1");
    EXPECT_TRUE(result.ok());
    EXPECT_THAT(result.policy.frozen, IsEmpty());
    EXPECT_EQ(
        told(result),
        "1.yaml:1:26: warning: volumes: while there is a thick snapshot of tank/db, the first write to each chunk waits for a copy on "
        "the slow disk, which the writecache of tier db (2.yaml:2) is to spare\n");
    EXPECT_THAT(told(with("kind: writecache, device: s1, state: absent")), IsEmpty());
    EXPECT_THAT(told(with("kind: cache, device: s1, mode: writeback")), IsEmpty());
}

// B15
TEST(ThickSnapshots, AreLimitedInARuleAndCountedOverRules) {
    EXPECT_THAT(
        told(check(with_thick("    schedule: hourly\n    keep: {hourly: 24}\n"))),
        HasSubstr(
            ":7:11: keep: asks for 24 thick snapshots of each volume, and max_active is 2; each one costs every write to the origin"));
    EXPECT_THAT(told(check(with_thick("    keep: {hourly: 2, daily: 1}\n"))), HasSubstr("asks for 3 thick"));
    EXPECT_THAT(told(check(with_thick("    keep: {hourly: 24}\n    max_active: 24\n"))), IsEmpty());
    EXPECT_THAT(told(check(with_thin("    schedule: hourly\n    keep: {hourly: 24, daily: 7}\n"))), IsEmpty());
    const auto rule = [](const std::string& name) {
        return "snapshots: {" + name + ": {volumes: [vg/a], kind: thick, size: 1GiB, keep: {last: 2}}}\n";
    };
    const auto result = files({rule("a"), rule("b")});
    EXPECT_TRUE(result.ok());
    EXPECT_THAT(told(result), AllOf(HasSubstr("1.yaml:1:65: warning: keep: 2 rules ask for 4 thick snapshots of vg/a together"),
                                    HasSubstr("2.yaml:1:65: warning: ")));
}

TEST(Autonomy, IsTheMostCautiousOneThatAnybodySaid) {
    EXPECT_EQ(files({"{}"}).policy.autonomy, Autonomy::Act);
    EXPECT_EQ(files({"defaults: {autonomy: full}"}).policy.autonomy, Autonomy::Full);
    EXPECT_EQ(files({"defaults: {}"}).policy.autonomy, Autonomy::Act);
    const auto result = files({"defaults: {autonomy: full}", "defaults: {autonomy: observe}", "defaults: {autonomy: observe}"});
    EXPECT_EQ(result.policy.autonomy, Autonomy::Observe);
    EXPECT_THAT(told(result), HasSubstr("1.yaml:1:22: autonomy: full here and observe in 2.yaml:1"));
}

// What could not be read might have been "observe".
TEST(Autonomy, IsToObserveWhileItCannotBeRead) {
    EXPECT_EQ(check("defaults: {autonomy: obsrve}\n").policy.autonomy, Autonomy::Observe);
    EXPECT_EQ(check("defaults: {autonomi: observe}\n").policy.autonomy, Autonomy::Observe);
    EXPECT_EQ(check("defaults: observe\n").policy.autonomy, Autonomy::Observe);
}

TEST(Autonomy, IsInheritedByEntriesThatSayNothing) {
    const auto policy = files({one_disk + "tiers: {a: {volume: vg/a, kind: cache, device: s1}, b: {volume: vg/b, kind: cache, device: s1, "
                                          "size: 1GiB, autonomy: full}}\n"
                                          "snapshots: {s: {volumes: [vg/a], kind: thin}}\npools: {vg/p: {autonomy: act}, vg/q: {}}\n",
                               "defaults: {autonomy: observe}"})
                            .policy;
    EXPECT_EQ(policy.tiers.at(0).autonomy, Autonomy::Observe);
    EXPECT_EQ(policy.tiers.at(1).autonomy, Autonomy::Full);
    EXPECT_EQ(policy.snapshots.at(0).autonomy, Autonomy::Observe);
    EXPECT_EQ(policy.pools.at(0).autonomy, Autonomy::Act);
    EXPECT_EQ(policy.pools.at(1).autonomy, Autonomy::Observe);
}

// A file of a mebibyte must not hold the loop up.
TEST(ManyEntries, AreHeldAgainstEachOtherInLinearTime) {
    std::string text = one_disk + "tiers:\n";
    for (int i = 0; i < 12'000; ++i)
        text += "  t" + std::to_string(i) + ": {volume: vg/l" + std::to_string(i) + ", kind: cache, device: s1, size: 1GiB}\n";
    ASSERT_LT(text.size(), max_file_size);
    const auto result = check(text);
    EXPECT_THAT(told(result), IsEmpty());
    EXPECT_EQ(result.policy.tiers.size(), 12'000U);
}

TEST(ManyContradictions, AreCountedBeyondALimitAsOtherProblemsAre) {
    std::string text = one_disk + "tiers:\n";
    for (int i = 0; i < 2'000; ++i) text += "  t" + std::to_string(i) + ": {volume: vg/same, kind: cache, device: s1, size: 1GiB}\n";
    const auto result = check(text);
    EXPECT_EQ(result.problems.size(), 501U);
    EXPECT_THAT(told(result), HasSubstr("and 1499 problems more between the entries"));
    EXPECT_EQ(result.policy.frozen.size(), 2'000U) << "each is frozen all the same";
}

// What is read and not acted on is said, and is no fault.
TEST(AnEntryThatThisVersionDoesNotActOn, IsNoted) {
    const auto result =
        files({one_disk + "tiers: {a: {kind: journal, filesystem: /srv, device: s1, size: 1GiB}}\npools: {vg/p: {autonomy: act}}\n" +
               "snapshots: {n: {volumes: [vg/a], kind: thin}}\n"});
    EXPECT_TRUE(result.ok());
    EXPECT_TRUE(result.whole);
    EXPECT_EQ(noted(result),
              "1.yaml:2:19: info: tier a: kind: journal is read and checked, and not acted on by this version\n"
              "1.yaml:3:9: info: pool vg/p: pools are read and checked, and not acted on by this version\n"
              "1.yaml:4:13: info: snapshot n: snapshots are read and checked, and not acted on by this version\n");
    EXPECT_THAT(noted(files({one_disk + cache("a", "vg/a")})), IsEmpty());
    EXPECT_THAT(noted(files({"devices: {s1: {match: {serial: X}, count: 3}}\n" + cache("a", "vg/a")})), HasSubstr("count: 3 is read"));
}

// Anybody may have a text checked.
TEST(ManyNamesThatAreMissing, AreToldInAnAnswerOfABoundedSize) {
    std::string text = "devices:\n";
    for (int i = 0; i < 900; ++i) text += "  d" + std::to_string(i) + ": {match: {serial: X}}\n";
    text += "tiers:\n";
    for (int i = 0; i < 600; ++i)
        text += "  t" + std::to_string(i) + ": {volume: v/l" + std::to_string(i) + ", kind: cache, device: somethingelse}\n";
    const auto result = check(text);
    EXPECT_EQ(result.problems.size(), 501U);
    EXPECT_LT(told(result).size(), 200U * 1024U);
}

}  // namespace tierd::config
