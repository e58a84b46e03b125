// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "daemon/plan/eligibility.hpp"
#include "daemon/plan/foretell.hpp"
#include "daemon/plan/planner.hpp"
#include "world.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> verbs(const Plan& plan) {
    std::vector<std::string> list;
    for (const auto& step : plan.steps) list.push_back(step.verb);
    return list;
}

std::vector<std::string> verbs(const Policy& policy, const Observation& now) {
    return verbs(make_plan(policy, now));
}

const Step& only(const Plan& plan) {
    EXPECT_EQ(plan.steps.size(), 1u);
    static const Step none;
    return plan.steps.empty() ? none : plan.steps.front();
}

Observation& carry_out(const Policy& policy, Observation& now, std::size_t most = 100) {
    for (const auto& step : make_plan(policy, now).steps) {
        if (step.state != StepState::Ready || most == 0) continue;
        foretell_in_place(now, *step.action);
        --most;
    }
    return now;
}

/// Story A after the attach.
Observation attached() {
    auto now = world::with_disk();
    return carry_out(world::story_a(), now);
}

LogicalVolume& volume(Observation& now, const std::string& name) {
    for (auto& each : now.lvm->lvs) {
        if (each.name == name) return each;
    }
    throw std::out_of_range{name};
}

PhysicalVolume& our_pv(Observation& now) {
    for (auto& each : now.lvm->pvs) {
        if (is_ours(each, now)) return each;
    }
    throw std::out_of_range{"no PV of ours"};
}

/// As if LVM had put the LV there; the free room is counted anew.
void lay(Observation& now, const std::string& name, std::map<std::string, std::uint64_t> extents_on) {
    auto& moved = volume(now, name);
    const auto count = [&](bool taken) {
        for (auto& pv : now.lvm->pvs) {
            const auto found = moved.extents_on.find(pv.uuid);
            if (found == moved.extents_on.end()) continue;
            pv.allocated_extents += taken ? found->second : -found->second;
            now.lvm->groups.front().free_extents += taken ? -found->second : found->second;
        }
    };
    count(false);
    moved.extents_on = std::move(extents_on);
    count(true);
    moved.size = 0;
    for (const auto& [uuid, extents] : moved.extents_on) moved.size += extents * world::extent;
}

/// One line that a tier's plan consists of, because of something that is so on the machine of story A with its SSD plugged in.
void expect_only(StepState state, const std::string& text, const Observation& now, const Policy& policy = world::story_a()) {
    const auto plan = make_plan(policy, now);
    ASSERT_FALSE(plan.steps.empty()) << text;
    const auto& step = plan.steps.front();
    EXPECT_EQ(step.state, state) << text << ": " << step.sentence << ": " << step.reason;
    EXPECT_THAT(step.sentence + ": " + step.reason, HasSubstr(text));
    EXPECT_FALSE(step.action.has_value());
    for (const auto& each : plan.steps) EXPECT_NE(each.state, StepState::Ready) << each.sentence;
    EXPECT_EQ(step.entry, "tier media");
    EXPECT_EQ(short_place(step.rule), "10-media.yaml:12");
}

void expect_wait(const std::string& text, const Observation& now, const Policy& policy = world::story_a()) {
    expect_only(StepState::Waiting, text, now, policy);
}
void expect_refusal(const std::string& text, const Observation& now, const Policy& policy = world::story_a()) {
    expect_only(StepState::Refused, text, now, policy);
}
void expect_unsupported(const std::string& text, const Observation& now, const Policy& policy) {
    expect_only(StepState::Unsupported, text, now, policy);
}

/// The same for a change to the machine, or to the policy.
void expect_wait_when(const std::string& text, const std::function<void(Observation&)>& change) {
    auto now = world::with_disk();
    change(now);
    expect_wait(text, now);
}
void expect_refusal_when(const std::string& text, const std::function<void(Observation&)>& change) {
    auto now = world::with_disk();
    change(now);
    expect_refusal(text, now);
}
void expect_unsupported_when(const std::string& text, const std::function<void(Policy&)>& change) {
    auto policy = world::story_a();
    change(policy);
    expect_unsupported(text, world::with_disk(), policy);
}

// --- a cache that is not committed ---

/// Without it the volume does not activate after a power cut: it is done whatever the policy says by now.
TEST(ACache, IsCommittedThoughItsRuleIsGone) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 5);
    EXPECT_THAT(verbs({}, now), ElementsAre("commit-metadata"));
    auto policy = world::story_a();
    policy.frozen["tier media"] = "given up on";
    EXPECT_THAT(verbs(policy, now), ElementsAre("commit-metadata", "refuse"));
    for (auto& each : now.lvm->lvs) each.tags.clear();
    EXPECT_THAT(verbs({}, now), IsEmpty()) << "but not one that is not tierd's";
}

// --- the whole way ---

TEST(ACacheTier, IsAttachedInFiveStepsAndACommit) {
    const auto plan = make_plan(world::story_a(), world::with_disk());
    EXPECT_THAT(verbs(plan), ElementsAre("create-pv", "extend-vg", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata"));
    EXPECT_EQ(plan.convergence, Convergence::Drift);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const auto& step = plan.steps[i];
        EXPECT_EQ(step.id, i + 1);
        EXPECT_EQ(step.state, StepState::Ready);
        EXPECT_EQ(step.group, "lvm_hdd");
        EXPECT_FALSE(step.needs_person);
        EXPECT_FALSE(step.reason.empty()) << step.verb;
        EXPECT_EQ(step.after.empty(), i == 0);
    }
    const auto& create = std::get<CreateCachePool>(*plan.steps[2].action);
    EXPECT_EQ(create.name, "media");
    EXPECT_EQ(create.tag, "tierd.tier=media");
    EXPECT_EQ(create.data_extents * create.extent_size, 220 * gib);
    EXPECT_EQ(create.metadata_extents * create.extent_size, 3 * gib);
    EXPECT_EQ(create.chunk_size, 256 * kib);
    EXPECT_EQ(create.node, "/dev/sdb") << "A27: on the SSD, not on the hard disk that has room too";
    const auto& attach = std::get<AttachCache>(*plan.steps[4].action);
    EXPECT_EQ(attach.mode, CacheMode::Writeback);
    EXPECT_EQ(attach.cache_policy, "smq");
    const auto& claim = std::get<CreatePv>(*plan.steps[0].action).disk;
    EXPECT_EQ(claim.identity, "wwn:0xS21PNXAG441016");
    EXPECT_TRUE(claim.may_wipe.empty());
}

TEST(ACacheTier, IsConvergedAfterwards) {
    const auto plan = make_plan(world::story_a(), attached());
    EXPECT_THAT(plan.steps, IsEmpty());
    EXPECT_EQ(plan.convergence, Convergence::Converged);
}

// A20: after a reboot the disks have changed names, and a blank one stands where the SSD was.
TEST(ACacheTier, StaysWhenTheDisksChangeNames) {
    auto now = attached();
    auto& sdb = now.devices.back();
    sdb.name = "sdf";
    sdb.node = "/dev/sdf";
    sdb.dev = "8:80";
    sdb.diskseq = 99;
    auto& pv = our_pv(now);
    pv.device = sdb.node;
    pv.dev = sdb.dev;
    now.devices.push_back(world::ssd("sdb", "S99NEW"));
    now.boot = "boot-2";
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
}

TEST(ACacheTier, IsAttachedToAnInactiveVolumeAndCommittedOnceItIsActive) {
    auto now = world::with_disk();
    volume(now, "hdd").active = false;
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("create-pv", "extend-vg", "create-cache-pool", "fence-pv", "attach-cache"));
    carry_out(world::story_a(), now);
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
    auto& hdd = volume(now, "hdd");
    hdd.active = true;
    now.caches[hdd.uuid] = {CacheStatus{}, false};
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("commit-metadata"));
}

// --- killed anywhere ---

/// Promise 7: after each step the plan is what is left of the first one.
TEST(AnInterruptedAttach, CarriesOnFromEachState) {
    for (const bool occupied : {false, true}) {
        auto policy = world::story_a();
        auto now = world::with_disk();
        if (occupied) {
            policy.devices[0].match.serial = {"S21*"};
            policy.devices[0].wipe = {"vfat", "gpt"};
            now.devices.back().probe->signatures = {{"gpt", "table", 512}};
            auto part = world::partition(now.devices.back(), 1, gib, "p1");
            part.probe->signatures = {{"vfat", "filesystem", 54}};
            now.devices.push_back(part);
        }
        const auto whole = make_plan(policy, now);
        EXPECT_EQ(whole.steps.size(), occupied ? 7u : 6u);
        EXPECT_EQ(whole.steps.front().verb, occupied ? "wipe-signatures" : "create-pv");
        auto left = verbs(whole);
        for (const auto& step : whole.steps) {
            foretell_in_place(now, *step.action);
            left.erase(left.begin());
            EXPECT_EQ(verbs(policy, now), left) << "after " << step.verb;
        }
    }
}

TEST(AnInterruptedAttach, FencesThePhysicalVolumeBelowACacheThatStands) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 5);
    auto& pv = our_pv(now);
    pv.allocatable = true;
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("commit-metadata", "fence-pv"));
    our_pv(now).tags.clear();
    EXPECT_THAT(verbs(world::story_a(), now), ElementsAre("commit-metadata", "fence-pv")) << "known by its UUID, tagged again";
}

TEST(AnInterruptedAttach, UnfencesForAPoolThatIsNotThereYet) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 2);
    auto& pv = our_pv(now);
    pv.allocatable = false;
    pv.tags = {device_tag("fast")};
    EXPECT_THAT(verbs(world::story_a(), now),
                ElementsAre("unfence-pv", "create-cache-pool", "fence-pv", "attach-cache", "commit-metadata"));
}

/// What an interrupted way leaves never stays open to other allocations, though the pool cannot be made.
TEST(AnInterruptedAttach, FencesThePhysicalVolumeThatHasNoRoomForItsPool) {
    auto policy = world::story_a();
    auto now = world::with_disk();
    carry_out(policy, now, 2);
    policy.tiers[0].size = SizeSpec{400 * gib};
    EXPECT_THAT(verbs(policy, now), ElementsAre("fence-pv", "refuse"));
    carry_out(policy, now);
    EXPECT_THAT(verbs(policy, now), ElementsAre("refuse"));
    EXPECT_FALSE(our_pv(now).allocatable);
}

// A17, A27: what lvcreate left half made is tierd's by its tag, holds nothing, and is made anew.
TEST(AHalfMadePool, IsRemovedAndMadeAnew) {
    const auto expect_anew = [](const std::string& why, const std::function<void(Observation&)>& change) {
        auto now = world::with_disk();
        carry_out(world::story_a(), now, 4);
        change(now);
        const auto plan = make_plan(world::story_a(), now);
        ASSERT_FALSE(plan.steps.empty());
        EXPECT_EQ(plan.steps.front().verb, "remove-half-made") << why;
        EXPECT_THAT(plan.steps.front().reason, HasSubstr(why));
        EXPECT_EQ(plan.steps.back().verb, "commit-metadata");
        carry_out(world::story_a(), now);
        EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
    };
    expect_anew("it was to become a cache pool and is none", [](Observation& now) {
        const auto where = volume(now, "media_cdata").extents_on;
        for (const std::string part : {"media_cdata", "media_cmeta"}) lay(now, part, {});
        std::erase_if(now.lvm->lvs, [](const LogicalVolume& each) { return each.name == "media_cdata" || each.name == "media_cmeta"; });
        auto& pool = volume(now, "media");
        pool.segtype = "linear";
        pool.data.clear();
        pool.metadata.clear();
        lay(now, "media", where);
    });
    expect_anew("landed on /dev/sda", [](Observation& now) { lay(now, "media_cdata", {{"pv-hdd", 220 * gib / world::extent}}); });
    expect_anew("landed on /dev/sda", [](Observation& now) { lay(now, "media_cmeta", {{"pv-hdd", 3 * gib / world::extent}}); });
    expect_anew("it has 100 GiB, and 220 GiB are asked for", [](Observation& now) {
        lay(now, "media_cdata", {{our_pv(now).uuid, 100 * gib / world::extent}});
        volume(now, "media").size = 100 * gib;
    });
}

/// Promise 3: a tag alone does not make a volume's content worthless.
TEST(ATaggedVolume, ThatIsNoPoolAndNotOnOurDiskIsLeftAlone) {
    auto now = world::with_disk();
    volume(now, "hdd").tags.insert(tier_tag("media"));
    auto left = make_plan(world::story_a(), now);
    for (const auto& step : left.steps) EXPECT_NE(step.verb, "remove-half-made") << "the very volume that is to be cached";
    now = world::with_disk();
    auto backup = world::linear("lvm_hdd", "backup", 10, "pv-hdd");
    backup.tags.insert(tier_tag("media"));
    now.lvm->lvs.push_back(backup);
    expect_refusal("lvm_hdd/backup", now);
}

/// Promise 5: a pool whose parts were not reported is not "empty".
TEST(AStandingPool, IsNotRemovedBecauseItsPartsAreUnknown) {
    const auto standing = [] {
        auto now = world::with_disk();
        carry_out(world::story_a(), now, 4);
        return now;
    };
    for (const std::string part : {"media_cdata", "media_cmeta"}) {
        auto now = standing();
        volume(now, part).extents_on.clear();
        expect_wait("where it lies is not known", now);
        now = standing();
        volume(now, part).extents_on = {{"pv-nobody-knows", 5}};
        expect_wait("where it lies is not known", now);
        now = standing();
        std::erase_if(now.lvm->lvs, [&](const LogicalVolume& each) { return each.name == part; });
        expect_wait("where it lies is not known", now);
    }
}

TEST(AStandingPool, ThatThePolicyCallsAVolumeIsRefused) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 4);
    auto policy = world::story_a();
    policy.tiers.push_back(policy.tiers.front());
    policy.tiers.back().name = "odd";
    policy.tiers.back().volume = {"lvm_hdd", "media"};
    volume(now, "media").size = gib;
    for (const auto& step : make_plan(policy, now).steps) EXPECT_NE(step.state, StepState::Ready) << step.sentence;
}

/// A pool that was in front of a volume keeps its mode: somebody took it off, and puts it back by a word of theirs.
TEST(AStandingPool, ThatWasTakenOffByHandNeedsAPerson) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 4);
    volume(now, "media").cache_mode = CacheMode::Writeback;
    const auto plan = make_plan(world::story_a(), now);
    EXPECT_THAT(verbs(plan), ElementsAre("attach-cache", "commit-metadata"));
    EXPECT_TRUE(plan.steps[0].needs_person);
    EXPECT_EQ(plan.steps[0].risk, Risk::Disruptive);
    EXPECT_THAT(plan.waits_for, HasSubstr("tierctl apply"));
    volume(now, "media").size = gib;
    EXPECT_THAT(verbs(make_plan(world::story_a(), now))[0], "attach-cache") << "and is never removed";
}

TEST(AStandingPool, ThatFrontsAnotherVolumeIsRefused) {
    auto now = attached();
    auto& hdd = volume(now, "hdd");
    hdd.name = "renamed";
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "hdd", 10, "pv-hdd"));
    expect_refusal("media_cpool is in use by another volume", now);
}

/// Two LVs carry the tier's tag: the order in which LVM lists them says nothing.
TEST(AStandingPool, IsChosenWhateverTheOrder) {
    auto now = world::with_disk();
    carry_out(world::story_a(), now, 4);
    auto old = volume(now, "media");
    old.name = "media_cpool";
    old.hidden = true;
    now.lvm->lvs.push_back(old);
    const auto one = make_plan(world::story_a(), now);
    std::reverse(now.lvm->lvs.begin(), now.lvm->lvs.end());
    EXPECT_EQ(make_plan(world::story_a(), now), one);
}

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
    expect_wait_when("another command holds its lock", [](Observation& now) { now.lvm->groups.front().busy = true; });  // C15
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
    expect_wait("wait until /dev/sdb has settled", now);
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
    for (const std::string type : {"thin", "snapshot", "mirror", "vdo", "error", "zero", "writecache", "cache-pool", "integrity", ""}) {
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

// --- not yet ---

TEST(ACacheTier, SaysWhatThisVersionCannotDo) {
    for (const auto kind : {TierKind::Writecache, TierKind::Bcache, TierKind::Journal}) {
        expect_unsupported_when(std::string{name_of(kind)}, [&](Policy& policy) { policy.tiers[0].kind = kind; });
    }
    expect_unsupported_when("store: volume", [](Policy& policy) { policy.tiers[0].store = Store::Volume; });
    expect_unsupported_when("raid1", [](Policy& policy) { policy.tiers[0].layout = Layout::Raid1; });
    expect_unsupported_when("striped", [](Policy& policy) { policy.tiers[0].layout = Layout::Striped; });
    expect_unsupported_when("several disks", [](Policy& policy) { policy.tiers[0].devices = {"fast", "fast"}; });
    expect_unsupported_when("count: 2", [](Policy& policy) { policy.devices[0].count = 2; });
    auto now = world::with_disk();
    volume(now, "hdd").segtype = "thin-pool";
    expect_unsupported("thin pool", now, world::story_a());
}

TEST(ACacheTier, ThatStandsIsNotChangedYet) {
    const auto now = attached();
    const auto expect_change = [&](const std::string& text, const std::function<void(TierRule&)>& change) {
        auto policy = world::story_a();
        change(policy.tiers[0]);
        expect_unsupported(text, now, policy);
    };
    expect_change("mode from writeback to writethrough", [](TierRule& rule) { rule.mode = CacheMode::Writethrough; });
    expect_change("cache_policy from smq to mq", [](TierRule& rule) { rule.cache_policy = "mq"; });
    expect_change("setting migration_threshold from the default to 16384", [](TierRule& rule) {
        rule.settings = {{"migration_threshold", "16384"}};
    });
    expect_change("chunk_size from 256 KiB to 512 KiB", [](TierRule& rule) { rule.chunk_size = 512 * kib; });
    expect_change("size from 220 GiB to 200 GiB", [](TierRule& rule) { rule.size = SizeSpec{200 * gib}; });
}

TEST(ACacheTier, ThatStandsHasNoDriftWhereSomethingIsUnknown) {
    auto now = attached();
    volume(now, "hdd").cache_mode.reset();
    volume(now, "hdd").cache_policy.clear();
    volume(now, "hdd").chunk_size = 0;
    now.caches.begin()->second = {std::nullopt, true};
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
    now.caches.begin()->second.metadata_committed.reset();
    expect_wait("whether the cache's metadata reached the SSD", now);
}

// Promise 4
TEST(AnAbsentTier, RemovesNothingYet) {
    auto policy = world::story_a();
    policy.tiers[0].state = Presence::Absent;
    EXPECT_THAT(verbs(policy, world::with_disk()), IsEmpty());
    expect_unsupported("state: absent", attached(), policy);
    policy.tiers.clear();
    EXPECT_THAT(verbs(policy, attached()), IsEmpty()) << "left out is not taken away";
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

}  // namespace
}  // namespace tierd
