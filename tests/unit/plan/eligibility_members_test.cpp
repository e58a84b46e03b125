// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "eligibility_fixture.hpp"

namespace tierd {
namespace {

using testing::HasSubstr;

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
