// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "cache_tier_fixture.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// --- waits ---

TEST(ACacheTier, WaitsForADisk) {
    const auto plan = make_plan(world::story_a(), world::hard_disk_alone());
    EXPECT_EQ(plan.convergence, Convergence::Waiting);
    EXPECT_EQ(only(plan).verb, "wait");
    EXPECT_EQ(only(plan).sentence, "waits for a disk: fast (ssd, sata or nvme, 200 GiB or more)");
    EXPECT_THAT(plan.waits_for, HasSubstr("waits for a disk: fast"));
}

TEST(ACacheTier, WaitsForWhatIsNotThereOrNotKnown) {
    expect_wait_when("volume group lvm_hdd", [](Observation& now) { now.lvm->groups.clear(); });
    expect_wait_when("volume lvm_hdd/hdd", [](Observation& now) { now.lvm->lvs.clear(); });
    expect_wait_when("lvmlockd says no", [](Observation& now) {
        now.lvm.reset();
        now.lvm_error = "lvmlockd says no";
    });
    expect_wait_when("udev or sysfs", [](Observation& now) { now.devices_known = false; });
    expect_wait_when("is known", [](Observation& now) { volume(now, "hdd").active.reset(); });     // C10
    expect_wait_when("is known", [](Observation& now) { volume(now, "hdd").suspended.reset(); });  // C10
    expect_wait_when("is resumed", [](Observation& now) { volume(now, "hdd").suspended = true; });
    // C01: pvmove
    expect_wait_when("not locked any more", [](Observation& now) { volume(now, "hdd").attr = "-wI-ao----"; });
    expect_wait_when("extent size", [](Observation& now) { now.lvm->groups.front().extent_size = 0; });
    expect_wait_when("machine", [](Observation& now) { now.machine.clear(); });
}

TEST(ACacheTier, IsUnknownAsAWholeWhenTheMachineCannotBeRead) {
    auto now = world::with_disk();
    now.lvm.reset();
    now.lvm_error = "lvm exited with 5";
    auto plan = make_plan(world::story_a(), now);
    EXPECT_EQ(plan.convergence, Convergence::Unknown);
    EXPECT_THAT(plan.waits_for, HasSubstr("lvm exited with 5"));
    now = world::with_disk();
    now.devices_known = false;
    EXPECT_EQ(make_plan(world::story_a(), now).convergence, Convergence::Unknown);
}

TEST(ACacheTier, WaitsForAGroupThatIsBusyOrNotWhole) {
    expect_wait_when("another command holds its lock", [](Observation& now) { now.lvm->groups.front().busy = true; });  // C15, A04
    expect_wait_when("1 physical volume is missing", [](Observation& now) { now.lvm->groups.front().missing_pvs = 1; });
    expect_wait_when("1 physical volume is missing", [](Observation& now) { now.lvm->pvs.front().missing = true; });
    expect_wait_when("2 physical volumes are missing", [](Observation& now) { now.lvm->groups.front().missing_pvs = 2; });
    expect_wait_when("to be whole", [](Observation& now) { now.lvm->groups.front().partial = true; });
    expect_wait_when("a part of it is missing", [](Observation& now) { volume(now, "hdd").partial = true; });
    expect_wait_when("merge", [](Observation& now) { volume(now, "hdd").merging = true; });  // B14
}

TEST(ACacheTier, WaitsForADiskToSettleAndSaysUntilWhen) {
    auto now = world::with_disk();
    now.devices.back().changed = now.time - 1'000;
    expect_wait("waits until /dev/sdb has settled", now);
    EXPECT_EQ(only(make_plan(world::story_a(), now)).until, now.time - 1'000 + settle_span);
}

TEST(ACacheTier, SaysWhyADiskIsNotTaken) {
    auto now = world::with_disk();
    now.devices.back().probe->signatures = {{"ext4", "filesystem", 1080}};
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("wait", "refuse-device"));
    EXPECT_THAT(plan.steps[0].reason, HasSubstr("not taken: /dev/sdb: it holds data: ext4 at 1080"));
    EXPECT_EQ(plan.steps[1].target, "/dev/sdb");
    EXPECT_EQ(plan.steps[1].entry, "device fast");
    EXPECT_EQ(plan.convergence, Convergence::Waiting) << "for another disk, or for this one to be emptied";
}

/// Promise 5: a disk of which something is unknown may be the one that is meant.
TEST(ACacheTier, WaitsWhileADiskThatMatchesTooIsNotKnown) {
    auto now = world::with_disk();
    now.devices.push_back(world::ssd("sdc", "S22"));
    now.devices.back().probe.reset();
    expect_wait("/dev/sdc", now);
}

// --- refusals ---

TEST(ACacheTier, RefusesAGroupThatItMayNotChange) {
    expect_refusal_when("shared with other hosts", [](Observation& now) { now.lvm->groups.front().shared = true; });  // C16
    expect_refusal_when("exported", [](Observation& now) { now.lvm->groups.front().exported = true; });
    expect_refusal_when("read-only", [](Observation& now) { now.lvm->groups.front().writeable = false; });
    expect_refusal_when("on more than one device", [](Observation& now) {  // A22
        auto copy = now.lvm->pvs.front();
        copy.device = "/dev/sdi";
        copy.dev = "8:128";
        copy.duplicate = true;
        now.lvm->pvs.push_back(copy);
    });
    expect_refusal_when("two volume groups", [](Observation& now) {
        auto twin = now.lvm->groups.front();
        twin.uuid = "vg-twin";
        now.lvm->groups.push_back(twin);
    });
}

TEST(ACacheTier, RefusesAVolumeThatLvmCannotCache) {
    for (const std::string type : {"thin", "snapshot", "mirror", "vdo", "error", "zero", "thin-pool-data", "cache-pool", "integrity", ""}) {
        expect_refusal_when("cannot be cached", [&](Observation& now) { volume(now, "hdd").segtype = type; });
    }
    for (const std::string type : {"linear", "striped", "raid0", "raid1", "raid10", "raid5_ls", "raid6_zr", "raid0_meta"}) {
        auto now = world::with_disk();
        volume(now, "hdd").segtype = type;
        EXPECT_EQ(make_plan(world::story_a(), now).convergence, Convergence::Drift) << type;
    }
    expect_refusal_when("a part of another volume", [](Observation& now) { volume(now, "hdd").hidden = true; });
    expect_refusal_when("Ceph", [](Observation& now) { volume(now, "hdd").tags = {"ceph.type=block"}; });  // G16
    expect_refusal_when("snapshot of other", [](Observation& now) {  // a thick snapshot's segments are linear
        volume(now, "hdd").origin = "other";
        volume(now, "hdd").attr = "swi-a-s---";
    });
}

TEST(ACacheTier, LeavesAForeignCacheAlone) {
    auto now = attached();
    volume(now, "media_cpool").tags = {"someone-elses"};
    expect_refusal("a cache that tierd did not make (media_cpool)", now);
}

TEST(ACacheTier, RefusesWhenTwoDisksMatch) {
    auto now = world::with_disk();
    now.devices.push_back(world::ssd("sdc", "S22"));
    expect_refusal("asks for one disk and 2 match, so none is taken: /dev/sdb (wwn:0xS21PNXAG441016), /dev/sdc (wwn:0xS22)", now);
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_EQ(only(plan).verb, "device-ambiguous");
    EXPECT_EQ(plan.convergence, Convergence::Blocked);
}

TEST(ACacheTier, GoesOnWithTheDiskItBeganWith) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 1);
    now.devices.push_back(world::ssd("sdc", "S22"));
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_EQ(plan.steps.front().verb, "extend-vg");
    EXPECT_EQ(std::get<ExtendVg>(*plan.steps.front().action).node, "/dev/sdb");
}

TEST(ACacheTier, RefusesADiskThatIsTooSmallBeforeItIsTouched) {
    auto now = world::with_disk(world::ssd("sdb", "S1", 210 * gib));
    expect_refusal("/dev/sdb: 220 GiB does not fit", now);
    auto policy = world::story_a();
    policy.tiers[0].chunk_size = 64 * kib;
    expect_refusal("chunk_size 64 KiB would make 3604480 chunks", world::with_disk(), policy);  // A11
}

TEST(ACacheTier, RefusesDisksOfAnotherBlockSize) {
    auto disk = world::ssd();
    disk.logical_block_size = 4096;
    expect_refusal("/dev/sdb has logical blocks of 4 KiB and /dev/sda of 512 B", world::with_disk(disk));
}

/// A copy of our disk carries the UUID that is to be given to it.
TEST(ACacheTier, RefusesADiskWhoseUuidIsInUse) {
    for (const bool missing : {true, false}) {
        auto now = world::with_disk();
        PhysicalVolume other;
        other.uuid = world::our_uuid(now.devices.back());
        other.vg = "vg_other";
        other.missing = missing;
        other.dev = missing ? "" : "8:240";
        other.device = missing ? "" : "/dev/sdp";
        now.lvm->pvs.push_back(other);
        expect_refusal(other.uuid, now);
    }
}

TEST(ACacheTier, RefusesWhatThePolicyContradicts) {
    auto policy = world::story_a();
    policy.frozen["tier media"] = "10-a.yaml:1 and 20-b.yaml:1 contradict each other";
    expect_refusal("contradict each other", world::with_disk(), policy);
    policy = world::story_a();
    policy.frozen["device fast"] = "two of that name";
    expect_refusal("two of that name", world::with_disk(), policy);
    policy = world::story_a();
    policy.devices.clear();
    expect_refusal("there is no device rule fast", world::with_disk(), policy);
}

TEST(ACacheTier, TellsADiskThatServesAnotherGroup) {
    auto now = attached();
    now.lvm->groups.push_back(now.lvm->groups.front());
    now.lvm->groups.back().name = now.lvm->groups.back().uuid = "vg2";
    now.lvm->lvs.push_back(world::linear("vg2", "data", 10, "pv-hdd"));
    auto policy = world::story_a();
    policy.tiers.push_back(policy.tiers.front());
    policy.tiers.back().name = "second";
    policy.tiers.back().volume = {"vg2", "data"};
    const auto plan = make_plan(policy, now);
    EXPECT_THAT(only(plan).reason, HasSubstr("/dev/sdb serves volume group lvm_hdd"));
}

TEST(ACacheTier, SharesItsDiskWithAnotherTierOfTheGroup) {
    auto now = world::with_disk();
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "second", 10, "pv-hdd"));
    auto policy = world::story_a();
    policy.tiers.front().size = SizeSpec{100 * gib};
    policy.tiers.push_back(policy.tiers.front());
    policy.tiers.back().name = "second";
    policy.tiers.back().volume = {"lvm_hdd", "second"};
    EXPECT_THAT(verbs(policy, now),
                ElementsAre("create-pv", "extend-vg", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata", "unfence-pv",
                            "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata"));
    carry_out(policy, now);
    EXPECT_THAT(verbs(policy, now), IsEmpty());
}

// A25: LVM 2.03.16 refuses it at the attach only, with the SSD taken already.
TEST(ACacheTier, RefusesAVolumeOfRaidWithIntegrity) {
    expect_refusal_when("RAID with integrity, before which LVM 2.03.16 puts no cache", [](Observation& now) {
        volume(now, "hdd").segtype = "raid1";
        for (const std::string leg : {"hdd_rimage_0", "hdd_rimage_1"}) {
            now.lvm->lvs.push_back(world::linear("lvm_hdd", leg, 10, "pv-hdd"));
            now.lvm->lvs.back().segtype = "integrity";
            now.lvm->lvs.back().hidden = true;
        }
    });
}

// A06
TEST(ACache, WhoseVolumeIsHeldUpByAPartThatIsActiveOnItsOwnSaysSo) {
    for (const auto state : {Presence::Present, Presence::Absent}) {
        auto policy = world::story_a();
        policy.tiers[0].state = state;
        auto now = attached();
        volume(now, "hdd").active = false;
        volume(now, "media_cpool_cdata").active = true;
        const auto plan = make_plan(policy, now);
        EXPECT_EQ(only(plan).alert, "half-made");
        EXPECT_THAT(only(plan).reason, HasSubstr("'lvchange -an lvm_hdd/media_cpool_cdata' ends it"));
        volume(now, "media_cpool_cdata").active = false;
        EXPECT_THAT(make_plan(policy, now).steps, testing::Each(testing::Field(&Step::alert, "")));
    }
}

// --- not yet ---

TEST(ACacheTier, SaysWhatThisVersionCannotDo) {
    for (const auto kind : {TierKind::Bcache, TierKind::Journal}) {
        expect_unsupported_when(std::string{name_of(kind)}, [&](Policy& policy) { policy.tiers[0].kind = kind; });
    }
    expect_unsupported_when("count: 3", [](Policy& policy) { policy.devices[0].count = 3; });
}

TEST(ACacheTier, ThatStandsHasNoDriftWhereSomethingIsUnknown) {
    auto now = attached();
    volume(now, "hdd").cache_mode.reset();
    volume(now, "hdd").cache_policy.clear();
    volume(now, "hdd").chunk_size = 0;
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
    now.caches.begin()->second = {std::nullopt, true};
    expect_wait("its status could not be read", now);
    now.caches.begin()->second.metadata_committed.reset();
    expect_wait("whether the cache's metadata reached the SSD", now);
}

TEST(ATierThatOnlyReports, NeedsAPerson) {
    auto policy = world::story_a();
    policy.tiers[0].autonomy = Autonomy::Observe;
    const auto plan = make_plan(policy, world::with_disk());
    EXPECT_EQ(plan.steps.size(), 6u);
    for (const auto& step : plan.steps) EXPECT_TRUE(step.needs_person);
    EXPECT_EQ(plan.convergence, Convergence::Drift);
}

// D08
TEST(AContainer, IsOnlyObserved) {
    auto now = world::with_disk();
    now.container = true;
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_THAT(plan.steps.front().reason, HasSubstr("container"));
    for (const auto& step : plan.steps) EXPECT_TRUE(step.needs_person || step.state != StepState::Ready);
}

// --- names ---

// A23, B01: the pool is called as the tier wherever LVM allows it.
TEST(APoolsName, IsTheTiersWhereLvmAllowsIt) {
    const auto name_for = [](const std::string& tier, const std::string& vg = "lvm_hdd") {
        auto now = world::with_disk();
        now.lvm->groups[0].name = now.lvm->pvs[0].vg = now.lvm->lvs[0].vg = vg;
        auto policy = world::story_a();
        policy.tiers[0].name = tier;
        policy.tiers[0].volume.vg = vg;
        const auto plan = make_plan(policy, now);
        for (const auto& step : plan.steps) {
            if (step.verb == "create-cache-pool") return std::get<CreateCachePool>(*step.action).name;
        }
        return std::string{"none"};
    };
    EXPECT_EQ(name_for("media"), "media");
    EXPECT_EQ(name_for("my-media.2"), "my-media.2");
    EXPECT_EQ(name_for("snapshot-x"), "tier-snapshot-x");
    EXPECT_EQ(name_for("pvmove_x"), "tier-pvmove-x");
    EXPECT_EQ(name_for("a_cdata"), "tier-a-cdata");
    EXPECT_EQ(name_for("x_pmspare_tmeta"), "tier-x-pmspare-tmeta");
    for (const std::size_t length : {20U, 64U, 100U}) {
        const std::string vg = std::string(length, 'v');
        for (const std::string& tier : {std::string(64, 't'), std::string(64, '-').replace(0, 1, "t")}) {
            const auto name = name_for(tier, vg);
            EXPECT_LE(dm_name(vg, name + "_cpool_cdata").size(), 127u) << name;
            EXPECT_GE(name.size(), 1u);
        }
    }
}

TEST(APoolsName, AvoidsThoseInUse) {
    auto now = world::with_disk();
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "media", 1, "pv-hdd"));
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "media-2_cpool", 1, "pv-hdd"));
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_EQ(std::get<CreateCachePool>(*plan.steps[2].action).name, "media-3");
    EXPECT_EQ(std::get<AttachCache>(*plan.steps[4].action).pool, "media-3");
}

/// Whatever of the cached volume is suspended, everybody stands still.
TEST(ACachedVolume, OfWhichAPartIsSuspendedIsHalfMade) {
    for (const std::string part : {"hdd", "hdd_corig", "media_cpool", "media_cpool_cdata", "media_cpool_cmeta"}) {
        auto now = attached();
        volume(now, part).suspended = true;
        expect_wait("lvchange --refresh lvm_hdd/hdd", now);
        EXPECT_EQ(make_plan(world::story_a(), now).steps.at(0).alert, "half-made") << part;
        // Else the resume puts in force what a killed command had loaded.
        expect_wait("'dmsetup clear lvm_hdd-hdd lvm_hdd-hdd_corig lvm_hdd-media_cpool_cdata lvm_hdd-media_cpool_cmeta', and then 'lvchange",
                    now);
    }
}

/// A tier's pool, or somebody's tag on somebody's data.
TEST(AVolume, ThatCarriesTheTagOfATierIsNotCached) {
    expect_refusal_when("it carries the tag of what serves tier other: take the tag off if it is data",
                        [](Observation& now) { volume(now, "hdd").tags = {tier_tag("other")}; });
}

TEST(AStandingPool, ThatIsSuspendedIsHalfMade) {
    for (const std::string part : {"media", "media_cdata", "media_cmeta"}) {
        auto now = world::with_disk();
        carry_out(world::story_a(), now, 4);
        volume(now, part).suspended = true;
        expect_wait("waits until lvm_hdd/" + part + " is resumed", now);
    }
}

/// pvmove: an attach would fail, again and again.
TEST(AStandingPool, ThatIsLockedIsWaitedFor) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 4);
    volume(now, "media_cdata").attr = "CwA-------";
    expect_wait("not locked any more", now);
}

/// An attach that was killed between its commit and its last resume: LVM says neither active nor suspended then, and the kernel does.
TEST(ACachedVolume, ThatLvmAndTheKernelDisagreeOnIsResumedFirst) {
    auto now = attached();
    auto& hdd = volume(now, "hdd");
    hdd.attr = "Cwi-XXC-X-";
    hdd.active.reset();
    hdd.suspended.reset();
    now.caches[hdd.uuid] = {std::nullopt, std::nullopt, false};
    expect_wait("never refresh it", now);
    now.caches[hdd.uuid].suspended = true;
    expect_wait("lvchange --refresh lvm_hdd/hdd", now);
    expect_wait("waits until lvm_hdd/hdd is resumed", now);
}

}  // namespace
}  // namespace tierd
