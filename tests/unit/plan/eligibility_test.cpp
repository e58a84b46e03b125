// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "eligibility_fixture.hpp"

namespace tierd {
namespace {

using testing::HasSubstr;

TEST(AJudge, TakesABlankSsdThatTheRuleAsksFor) {
    const auto verdict = judge_disk(world::ssd());
    EXPECT_TRUE(verdict.matches);
    EXPECT_EQ(verdict.answer, Answer::Eligible);
    EXPECT_FALSE(verdict.needs_wipe);
    EXPECT_TRUE(verdict.reasons.empty());
}

// --- the rule's lines ---

TEST(ARule, AsksForEachOfItsLines) {
    const auto matches = [](auto&& change_rule, auto&& change_disk) {
        auto rule = world::fast_rule();
        auto device = world::ssd();
        device.by_path = "pci-0000:00:1f.2-ata-2";
        change_rule(rule.match);
        change_disk(device);
        return judge_disk(device, rule).matches;
    };
    const auto same = [](auto&) {};
    EXPECT_TRUE(matches(same, same));
    EXPECT_FALSE(matches(same, [](BlockDevice& d) { d.transport = "usb"; }));
    EXPECT_FALSE(matches(same, [](BlockDevice& d) { d.transport = ""; }));
    EXPECT_FALSE(matches(same, [](BlockDevice& d) { d.size = 200 * gib - 1; }));
    EXPECT_TRUE(matches(same, [](BlockDevice& d) { d.size = 200 * gib; }));
    EXPECT_TRUE(matches([](DeviceMatch& m) { m.serial = {"nope", "S21*"}; }, same));
    EXPECT_FALSE(matches([](DeviceMatch& m) { m.serial = {"S22*"}; }, same));
    EXPECT_FALSE(matches([](DeviceMatch& m) { m.serial = {"*"}; }, [](BlockDevice& d) { d.serial = ""; })) << "no serial is not any serial";
    EXPECT_TRUE(matches([](DeviceMatch& m) { m.wwn = {"0xS21*"}; }, same));
    EXPECT_FALSE(matches([](DeviceMatch& m) { m.wwn = {"0x5*"}; }, same));
    EXPECT_TRUE(matches([](DeviceMatch& m) { m.model = {"Samsung*"}; }, same));
    EXPECT_FALSE(matches([](DeviceMatch& m) { m.model = {"samsung*"}; }, same)) << "letters count";
    EXPECT_TRUE(matches([](DeviceMatch& m) { m.path = {"pci-*-ata-[23]"}; }, same));
    EXPECT_FALSE(matches([](DeviceMatch& m) { m.path = {"pci-*-ata-[45]"}; }, same));
}

// A18: three values, and only one of them is an SSD.
TEST(AKind, ThatIsUnknownNeverMatches) {
    for (const auto kind : {DiskKind::Unknown, DiskKind::Hdd}) {
        auto device = world::ssd();
        device.kind = kind;
        EXPECT_FALSE(judge_disk(device).matches) << name_of(kind);
        auto rule = world::fast_rule();
        rule.match.serial = {device.serial};
        EXPECT_FALSE(judge_disk(device, rule).matches) << "every line must hold";
        rule.match.kind.reset();
        EXPECT_TRUE(judge_disk(device, rule).matches) << "pinned by serial";
    }
}

// A18: zram, loop, dm, md, ram and what can be pulled out are never taken by kind alone.
TEST(AKind, AloneNeverTakesAVirtualOrRemovableDisk) {
    for (const bool virtual_disk : {true, false}) {
        auto device = world::ssd();
        device.virtual_disk = virtual_disk;
        device.removable = !virtual_disk;
        EXPECT_FALSE(judge_disk(device).matches);
        auto rule = world::fast_rule();
        rule.match.model = {"Samsung*"};
        EXPECT_FALSE(judge_disk(device, rule).matches) << "a model is not one disk";
        rule.match.serial = {device.serial};
        EXPECT_EQ(judge_disk(device, rule).answer, Answer::Eligible);
        rule.match.serial.clear();
        rule.match.wwn = {device.wwn};
        EXPECT_EQ(judge_disk(device, rule).answer, Answer::Eligible);
    }
}

TEST(AKind, IsShownWithItsEvidence) {
    auto device = world::ssd();
    device.kind = DiskKind::Unknown;
    device.kind_evidence = "rotational 0, but 7200 rpm";
    const auto verdict = judge_disk(device);
    const auto line = std::find_if(verdict.findings.begin(), verdict.findings.end(),
                                   [](const Finding& f) { return f.question == "rule fast: kind ssd"; });
    ASSERT_NE(line, verdict.findings.end());
    EXPECT_EQ(line->verdict, Finding::Verdict::No);
    EXPECT_EQ(line->evidence, "unknown (rotational 0, but 7200 rpm)");
    EXPECT_EQ(short_place(line->rule), "10-media.yaml:3");
}

// --- what is on it ---

// A16: each is refused without the opt-in, with its type and offset in the reason, and with an opt-in for something else.
TEST(ASignature, RefusesItsDisk) {
    for (const auto& signature : every_signature()) {
        SCOPED_TRACE(signature.type);
        for (const auto& rule : {world::fast_rule(), wiping({"something-else"})}) {
            const auto verdict = judge_disk(holding({signature}), rule);
            EXPECT_EQ(verdict.answer, Answer::Ineligible);
            EXPECT_THAT(all_reasons(verdict), HasSubstr(signature.type + " at " + std::to_string(signature.offset)));
        }
    }
}

// A16
TEST(ASignature, IsErasedWhereTheRuleListsIt) {
    for (const auto& signature : every_signature()) {
        SCOPED_TRACE(signature.type);
        const auto verdict = judge_disk(holding({signature}), wiping({signature.type}));
        EXPECT_EQ(verdict.answer, Answer::Eligible);
        EXPECT_TRUE(verdict.needs_wipe);
    }
}

// A16: each signature found must be listed, and each one that is not is named.
TEST(ASignature, RefusesItsDiskBesideOneThatIsListed) {
    for (const auto& signature : every_signature()) {
        if (signature.type == "gpt") continue;
        const auto verdict = judge_disk(holding({{"gpt", "table", 512}, signature}), wiping({"gpt"}));
        EXPECT_EQ(verdict.answer, Answer::Ineligible) << signature.type;
        EXPECT_THAT(all_reasons(verdict), HasSubstr(signature.type));
    }
}

TEST(AJudge, SaysWhatToAddToTheRule) {
    const auto verdict = judge_disk(holding({{"gpt", "table", 512}, {"xfs", "filesystem", 0}}));
    const auto line =
        std::find_if(verdict.findings.begin(), verdict.findings.end(), [](const Finding& f) { return f.question == "holds no data"; });
    ASSERT_NE(line, verdict.findings.end());
    EXPECT_THAT(line->advice, HasSubstr("`wipe: [gpt, xfs]`"));
    EXPECT_THAT(line->advice, HasSubstr("`serial: \"S21PNXAG441016\"`"));
}

// G03: two that contradict each other; no opt-in helps.
TEST(AnAmbivalentProbe, RefusesItsDisk) {
    auto device = holding({{"bcache", "other", 4120}, {"linux_raid_member", "raid", 4096}});
    device.probe->ambivalent = true;
    const auto verdict = judge_disk(device, wiping({"bcache", "linux_raid_member"}));
    EXPECT_EQ(verdict.answer, Answer::Ineligible);
    EXPECT_THAT(all_reasons(verdict), HasSubstr("contradict"));
}

// D02: no word of udev's is "blank"; what was not probed is not known.
TEST(AnUnknownContent, IsNotBlank) {
    auto device = world::ssd();
    device.probe.reset();
    EXPECT_EQ(judge_disk(device).answer, Answer::Unknown);
    EXPECT_EQ(judge_disk(device, wiping({"gpt", "vfat"})).answer, Answer::Unknown);
    EXPECT_THAT(all_reasons(judge_disk(device)), HasSubstr("not known"));

    auto now = world::with_disk(holding({{"gpt", "table", 512}}));
    auto part = world::partition(named(now, "sdb"), 1, gib, "u1");
    part.probe.reset();
    now.devices.push_back(part);
    EXPECT_EQ(judge_sdb(now, wiping({"gpt"})).answer, Answer::Unknown) << "nor is a partition's";
}

// D02, D04: the device wins over udev's database, in both directions.
TEST(AProbe, WinsOverUdevsWord) {
    auto device = world::ssd();
    device.udev_fs_type = "gpt";
    EXPECT_EQ(judge_disk(device).answer, Answer::Eligible);
    device = holding({{"ext4", "filesystem", 1080}});
    device.udev_fs_type = "";
    EXPECT_EQ(judge_disk(device).answer, Answer::Ineligible);
}

// --- partitions ---

// A16, D07: story A's disk.
TEST(APartition, RefusesItsDiskUnlessAllOfItIsListed) {
    const auto now = partitioned({{"vfat", "filesystem", 54}});
    const auto refused = judge_sdb(now);
    EXPECT_EQ(refused.answer, Answer::Ineligible);
    EXPECT_THAT(all_reasons(refused), HasSubstr("partition table gpt at 512, /dev/sdb1 vfat at 54 \"EFI\" 512 MiB"));
    EXPECT_EQ(judge_sdb(now, wiping({"gpt"})).answer, Answer::Ineligible);
    EXPECT_EQ(judge_sdb(now, wiping({"vfat"})).answer, Answer::Ineligible);
    const auto allowed = judge_sdb(now, wiping({"vfat", "gpt"}));
    EXPECT_EQ(allowed.answer, Answer::Eligible);
    EXPECT_TRUE(allowed.needs_wipe);
}

TEST(APartition, WithoutASignatureRefusesItsDiskEvenWithWipe) {
    const auto verdict = judge_sdb(partitioned({}), wiping({"gpt", "vfat"}));
    EXPECT_EQ(verdict.answer, Answer::Ineligible);
    EXPECT_THAT(all_reasons(verdict), HasSubstr("/dev/sdb1 without a known signature"));
}

// D07: the partition came before its disk, twice; the order of the list says nothing.
TEST(APartition, CountsWhereverItStandsInTheList) {
    auto now = partitioned({{"vfat", "filesystem", 54}});
    std::reverse(now.devices.begin(), now.devices.end());
    EXPECT_EQ(judge_sdb(now).answer, Answer::Ineligible);
}

TEST(ARule, ThatNamesAPartitionTakesThatAlone) {
    const auto now = partitioned({});
    EXPECT_EQ(judge_sdb1(now).answer, Answer::Eligible) << "blank, of an SSD by its disk's evidence";
    EXPECT_FALSE(judge_sdb(now, for_partition()).matches) << "not the whole disk";
    EXPECT_FALSE(judge_sdb1(now, world::fast_rule()).matches) << "and a rule for disks no partition";
    EXPECT_EQ(judge_sdb1(partitioned({{"vfat", "filesystem", 54}})).answer, Answer::Ineligible);
}

TEST(APartition, IsNotTakenFromADiskThatIsAPartOfSomething) {
    const auto with_whole = [](auto&& change) {
        auto now = partitioned({});
        for (auto& each : now.devices) {
            if (each.name == "sdb") change(each);
        }
        return judge_sdb1(now).answer;
    };
    EXPECT_EQ(with_whole([](BlockDevice&) {}), Answer::Eligible);
    EXPECT_EQ(with_whole([](BlockDevice& d) { d.holders = {"md126"}; }), Answer::Ineligible)
        << "firmware RAID: its partitions show on the disk too";
    EXPECT_EQ(with_whole([](BlockDevice& d) { d.mounts = {"/x"}; }), Answer::Ineligible);
    EXPECT_EQ(with_whole([](BlockDevice& d) { d.probe->signatures.push_back({"isw_raid_member", "raid", 1}); }), Answer::Ineligible);
    EXPECT_EQ(with_whole([](BlockDevice& d) { d.probe.reset(); }), Answer::Unknown);
    EXPECT_EQ(with_whole([](BlockDevice& d) { d.multipath_path = true; }), Answer::Ineligible);
    EXPECT_EQ(with_whole([](BlockDevice& d) { d.hands_off = true; }), Answer::Ineligible);
    EXPECT_EQ(with_whole([](BlockDevice& d) { d.read_only = true; }), Answer::Ineligible);
    // Another partition of it is mounted: then the kernel refuses O_EXCL on the whole disk, and that is no reason.
    EXPECT_EQ(with_whole([](BlockDevice& d) { d.probe->busy = true; }), Answer::Eligible);
}

TEST(AFailingDisk, IsNotTaken) {
    auto device = world::ssd();
    device.health = DiskHealth{true, "its SMART status is failed", std::nullopt};
    const auto verdict = judge_disk(device);
    EXPECT_EQ(verdict.answer, Answer::Ineligible);
    EXPECT_THAT(verdict.reasons, testing::ElementsAre("it is failing: its SMART status is failed"));
    device.health = DiskHealth{false, "", 3U};
    EXPECT_EQ(judge_disk(device).answer, Answer::Eligible);
    device.health.reset();
    EXPECT_EQ(judge_disk(device).answer, Answer::Eligible) << "unknown is not failing";
}

TEST(AFailingDisk, IsNotTakenByItsPartitionEither) {
    auto now = partitioned({});
    for (auto& each : now.devices) {
        if (each.name == "sdb") each.health = DiskHealth{true, "its SMART status is failed", std::nullopt};
    }
    EXPECT_THAT(judge_sdb1(now).reasons, testing::Contains("it is failing: its SMART status is failed"));
}

TEST(TheHealthOfADisk, IsToldInALine) {
    EXPECT_EQ(describe_health(std::nullopt), "not known: the disk was not asked, or does not say");
    EXPECT_EQ(describe_health(DiskHealth{false, "", 3U}), "ok, 3% of what it is rated to be written");
    EXPECT_EQ(describe_health(DiskHealth{true, "x", std::nullopt}), "failing: x");
}

}  // namespace
}  // namespace tierd
