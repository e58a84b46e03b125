// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/eligibility.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "world.hpp"

namespace tierd {
namespace {

using testing::HasSubstr;
using Answer = Verdict::Answer;

std::string all_reasons(const Verdict& verdict) {
    std::string text;
    for (const auto& reason : verdict.reasons) text += reason + "; ";
    return text;
}

const BlockDevice& named(const Observation& now, const std::string& name) {
    return *std::find_if(now.devices.begin(), now.devices.end(), [&](const BlockDevice& each) { return each.name == name; });
}

Verdict judge_sdb(const Observation& now, const DeviceRule& rule = world::fast_rule()) {
    return judge(rule, named(now, "sdb"), now);
}

Verdict judge_disk(const BlockDevice& device, const DeviceRule& rule = world::fast_rule()) {
    return judge_sdb(world::with_disk(device), rule);
}

DeviceRule wiping(std::vector<std::string> types) {
    auto rule = world::fast_rule();
    rule.match.serial = {"S21*"};
    rule.wipe = std::move(types);
    return rule;
}

BlockDevice holding(std::vector<Signature> signatures) {
    auto device = world::ssd();
    device.probe->signatures = std::move(signatures);
    return device;
}

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

const std::vector<Signature>& every_signature() {
    static const std::vector<Signature> list{
        {"vfat", "filesystem", 54},
        {"ext2", "filesystem", 1080},
        {"ext4", "filesystem", 1080},
        {"xfs", "filesystem", 0},
        {"btrfs", "filesystem", 65600},
        {"f2fs", "filesystem", 1024},
        {"ntfs", "filesystem", 3},
        {"swap", "other", 4086},
        {"swsuspend", "other", 4086},
        {"crypto_LUKS", "crypto", 0},
        {"BitLocker", "crypto", 0},
        {"linux_raid_member", "raid", 4096},
        {"isw_raid_member", "raid", 1},
        {"zfs_member", "filesystem", 139264},
        {"bcache", "other", 4120},
        {"jbd", "other", 1080},
        {"xfs_external_log", "other", 0},
        {"DM_snapshot_cow", "other", 0},
        {"drbd", "raid", 4096},
        {"ceph_bluestore", "other", 0},
        {"mpath_member", "raid", 0},
        {"squashfs", "filesystem", 0},
        {"gpt", "table", 512},
        {"dos", "table", 510},
        {"PMBR", "table", 510},
        {"iso9660", "filesystem", 32769},
        {"DDF_raid_member", "raid", 512},
        {"VMFS_volume_member", "raid", 0},
    };
    return list;
}

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

Observation partitioned(std::vector<Signature> on_partition) {
    auto now = world::with_disk(holding({{"gpt", "table", 512}}));
    auto part = world::partition(named(now, "sdb"), 1, 512 * mib, "1111-2222");
    part.partlabel = "EFI";
    part.probe->signatures = std::move(on_partition);
    now.devices.push_back(part);
    return now;
}

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

DeviceRule for_partition() {
    auto rule = world::fast_rule();
    rule.match.min_size = 100 * mib;
    rule.match.partlabel = {"EFI"};
    return rule;
}

Verdict judge_sdb1(const Observation& now, const DeviceRule& rule = for_partition()) {
    return judge(rule, named(now, "sdb1"), now);
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

// --- members of something alive ---

// A16, G01: refused even where every type is listed.
TEST(AMemberOfSomethingAlive, IsRefusedEvenWithWipe) {
    std::vector<std::string> all;
    for (const auto& signature : every_signature()) all.push_back(signature.type);
    all.emplace_back("LVM2_member");
    const auto rule = wiping(all);
    for (const auto& signature : every_signature()) {
        SCOPED_TRACE(signature.type);
        for (int use = 0; use < 4; ++use) {
            auto device = holding({signature});
            if (use == 0) device.holders = {"dm-7"};
            if (use == 1) device.mounts = {"/srv"};
            if (use == 2) device.swap = true;
            if (use == 3) device.probe->busy = true;  // zfs, btrfs, a journal: nothing else shows that it is alive
            EXPECT_EQ(judge_disk(device, rule).answer, Answer::Ineligible);
            EXPECT_THAT(all_reasons(judge_disk(device, rule)), HasSubstr("in use"));
            // The same on a partition of it.
            auto now = partitioned({signature});
            auto& part = now.devices.back();
            part.holders = device.holders;
            part.mounts = device.mounts;
            part.swap = device.swap;
            part.probe->busy = device.probe->busy;
            EXPECT_EQ(judge_sdb(now, rule).answer, Answer::Ineligible);
        }
    }
}

// A16, F: an LVM2_member that is not tierd's is never erased: LVM alone knows whether something lives on it.
TEST(AForeignPhysicalVolume, IsRefusedEvenWithWipe) {
    const Signature label{"LVM2_member", "raid", 512};
    const auto rule = wiping({"gpt", "LVM2_member"});
    for (const std::string vg : {"vg_other", ""}) {
        SCOPED_TRACE(vg.empty() ? "orphan" : "of a group whose volumes are not active: no holder shows it");
        auto now = world::with_disk(holding({label}));
        now.lvm->pvs.push_back(world::pv_of("pv-other", named(now, "sdb"), vg));
        EXPECT_EQ(judge_sdb(now, rule).answer, Answer::Ineligible);
        auto split = partitioned({label});
        split.lvm->pvs.push_back(world::pv_of("pv-other", named(split, "sdb1"), vg));
        EXPECT_EQ(judge_sdb(split, rule).answer, Answer::Ineligible) << "on a partition";
    }
}

// A14: LVM does not see it; that is not "nothing is on it".
TEST(APhysicalVolume, ThatTheDevicesFileHidesIsRefusedEvenWithWipe) {
    auto now = world::with_disk(holding({{"LVM2_member", "raid", 512}}));
    const auto plain = judge_sdb(now, wiping({"LVM2_member"}));
    EXPECT_EQ(plain.answer, Answer::Ineligible);
    EXPECT_THAT(all_reasons(plain), HasSubstr("LVM does not list it"));
    now.setup.use_devices_file = now.setup.devices_file_exists = true;
    const auto hidden = judge_sdb(now, wiping({"LVM2_member"}));
    EXPECT_EQ(hidden.answer, Answer::Ineligible);
    EXPECT_THAT(all_reasons(hidden), HasSubstr("hidden-by-devices-file"));
}

TEST(AJudge, KnowsNothingWithoutLvm) {
    auto now = world::with_disk();
    now.lvm.reset();
    EXPECT_EQ(judge_sdb(now).answer, Answer::Unknown);
}

// --- what is tierd's ---

Observation with_our_pv(const std::string& vg, std::set<std::string> tags) {
    auto now = world::with_disk(holding({{"LVM2_member", "raid", 512}}));
    auto pv = world::pv_of(world::our_uuid(named(now, "sdb")), named(now, "sdb"), vg);
    pv.tags = std::move(tags);
    now.lvm->pvs.push_back(pv);
    return now;
}

TEST(OurPhysicalVolume, ServesOnceItIsInAGroup) {
    EXPECT_EQ(judge_sdb(with_our_pv("lvm_hdd", {device_tag("fast")})).answer, Answer::Serving);
    EXPECT_EQ(judge_sdb(with_our_pv("lvm_hdd", {})).answer, Answer::Serving) << "a kill before the tag: known by its UUID";
    EXPECT_EQ(judge_sdb(with_our_pv("", {})).answer, Answer::Eligible) << "a kill before vgextend";
}

TEST(OurPhysicalVolume, OfAnotherRuleIsNotTaken) {
    const auto verdict = judge_sdb(with_our_pv("lvm_hdd", {device_tag("other")}));
    EXPECT_EQ(verdict.answer, Answer::Ineligible);
    EXPECT_THAT(all_reasons(verdict), HasSubstr("serves device rule other"));
}

TEST(OurPhysicalVolume, WithSomethingElseOnItIsRefused) {
    auto now = with_our_pv("", {});
    now.devices.back().probe->signatures.push_back({"ext4", "filesystem", 1080});
    EXPECT_EQ(judge_sdb(now).answer, Answer::Ineligible);
}

// A22: by field, on whichever of the two LVM reports it.
TEST(ADuplicatePhysicalVolume, IsRefusedOnBothItsDevices) {
    auto now = with_our_pv("", {});
    auto copy = world::ssd("sdc", "S21COPY");
    copy.probe = now.devices.back().probe;
    now.devices.push_back(copy);
    auto second = world::pv_of(now.lvm->pvs.back().uuid, copy, "");
    second.duplicate = true;
    now.lvm->pvs.push_back(second);
    EXPECT_EQ(judge_sdb(now).answer, Answer::Ineligible);
    EXPECT_THAT(all_reasons(judge_sdb(now)), HasSubstr("on two devices"));
    EXPECT_EQ(judge(world::fast_rule(), named(now, "sdc"), now).answer, Answer::Ineligible);
}

// --- which disk it is ---

TEST(AnIdentity, MustBeThere) {
    auto device = world::ssd();
    device.serial.clear();
    device.wwn.clear();
    EXPECT_EQ(judge_disk(device).answer, Answer::Ineligible);
    EXPECT_THAT(all_reasons(judge_disk(device)), HasSubstr("neither WWN nor serial"));
    auto now = partitioned({});
    now.devices.back().partuuid.clear();
    EXPECT_EQ(judge_sdb1(now).answer, Answer::Ineligible);
}

// A21: two disks with one WWN are a hold, without any word of multipath's.
TEST(AnIdentity, ThatTwoDisksHaveHoldsBoth) {
    auto now = world::with_disk();
    auto path = world::ssd("sdc");
    now.devices.push_back(path);
    for (const std::string name : {"sdb", "sdc"}) {
        const auto verdict = judge(world::fast_rule(), named(now, name), now);
        EXPECT_EQ(verdict.answer, Answer::Ineligible) << name;
        EXPECT_THAT(all_reasons(verdict), HasSubstr("same identity"));
    }
    now.devices.back().wwn = "0xother";
    EXPECT_EQ(judge_sdb(now).answer, Answer::Eligible) << "one serial for two: NVMe namespaces";
}

// A21
TEST(APathOfAMultipathDevice, IsRefused) {
    auto device = world::ssd();
    device.multipath_path = true;
    EXPECT_EQ(judge_disk(device, wiping({"mpath_member"})).answer, Answer::Ineligible);
    EXPECT_THAT(all_reasons(judge_disk(device)), HasSubstr("multipath"));
}

// G09
TEST(ADisk, ThatUdevsRulesKeepHandsOffIsRefused) {
    auto device = world::ssd();
    device.hands_off = true;
    EXPECT_EQ(judge_disk(device).answer, Answer::Ineligible);
    device.hands_off = false;
    device.read_only = true;
    EXPECT_EQ(judge_disk(device).answer, Answer::Ineligible);
}

TEST(ADisk, OfUnknownSizeIsNotTaken) {
    auto device = world::ssd();
    device.size = 0;
    auto rule = world::fast_rule();
    rule.match.min_size.reset();
    EXPECT_EQ(judge_disk(device, rule).answer, Answer::Unknown);
}

// A21, D02: what the second event says may change everything.
TEST(ADisk, SettlesBeforeItIsTaken) {
    auto device = world::ssd();
    device.changed = world::noon - settle_span + 1;
    const auto verdict = judge_disk(device);
    EXPECT_EQ(verdict.answer, Answer::Settling);
    EXPECT_EQ(verdict.until, world::noon + 1);
    device.changed = world::noon - settle_span;
    EXPECT_EQ(judge_disk(device).answer, Answer::Eligible);
    device.changed = world::noon;
    device.multipath_path = true;
    EXPECT_EQ(judge_disk(device).answer, Answer::Ineligible) << "a refusal need not settle";
}

TEST(APartition, SettlesWithItsDisk) {
    auto now = partitioned({});
    for (auto& each : now.devices) {
        if (each.name == "sdb") each.changed = world::noon - 1;
    }
    EXPECT_EQ(judge_sdb1(now).answer, Answer::Settling);
}

// A20: the same disk under another name is the same disk, and a blank one under its old name is a new one.
TEST(ADisk, IsKnownByItsIdentityUnderAnyName) {
    auto now = with_our_pv("lvm_hdd", {device_tag("fast")});
    auto& sdb = now.devices.back();
    sdb.name = "sdf";
    sdb.node = "/dev/sdf";
    sdb.dev = "8:80";
    now.lvm->pvs.back().device = sdb.node;
    now.lvm->pvs.back().dev = sdb.dev;
    now.devices.push_back(world::ssd("sdb", "S99NEW"));
    EXPECT_EQ(judge(world::fast_rule(), named(now, "sdf"), now).answer, Answer::Serving);
    EXPECT_EQ(judge_sdb(now).answer, Answer::Eligible);
}

TEST(AJudge, DoesNotStopAtTheFirstRefusal) {
    auto device = holding({{"ext4", "filesystem", 1080}});
    device.hands_off = true;
    device.mounts = {"/data"};
    const auto verdict = judge_disk(device);
    EXPECT_GE(verdict.reasons.size(), 3u);
    EXPECT_GE(verdict.findings.size(), 6u);
}

TEST(ADescription, ShowsWhatIsOnADiskWithoutAnyRule) {
    const auto now = partitioned({{"vfat", "filesystem", 54}});
    std::string text;
    for (const auto& finding : describe_device(named(now, "sdb"), now)) {
        EXPECT_EQ(finding.verdict, Finding::Verdict::Note);
        text += finding.question + ": " + finding.evidence + '\n';
    }
    EXPECT_THAT(text, HasSubstr("Samsung SSD 850, serial S21PNXAG441016, 223.6 GiB, sata"));
    EXPECT_THAT(text, HasSubstr("/dev/sdb: partition table gpt at 512"));
    EXPECT_THAT(text, HasSubstr("/dev/sdb1: vfat at 54"));
    auto blank = world::with_disk();
    EXPECT_EQ(describe_device(named(blank, "sdb"), blank).back().evidence, "blank: no signature, no partition table");
    blank.devices.back().probe.reset();
    EXPECT_EQ(describe_device(named(blank, "sdb"), blank).back().evidence, "not known");
}

}  // namespace
}  // namespace tierd
