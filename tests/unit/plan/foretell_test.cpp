// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/foretell.hpp"
#include "daemon/plan/differences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "daemon/model/error.hpp"
#include "daemon/plan/planner.hpp"
#include "each_action.hpp"
#include "world.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string uuid = world::our_uuid(world::ssd());
const DiskClaim claim{"/dev/sdb", "wwn:0xS21PNXAG441016", 2, 240'057'409'536, {}};
const CreateCachePool create{"lvm_hdd", "media", "/dev/sdb", uuid, 1'000, 10, world::extent, 64 * kib, tier_tag("media")};
const AttachCache attach{{"lvm_hdd", "hdd"}, "media", CacheMode::Writeback, "smq", {{"migration_threshold", "16384"}}};

/// The first so many actions of an attach, done.
Observation after(std::size_t count) {
    const std::vector<Action> way{CreatePv{claim, uuid},
                                  ExtendVg{"lvm_hdd", "/dev/sdb", uuid},
                                  create,
                                  FencePv{"lvm_hdd", "/dev/sdb", uuid, device_tag("fast")},
                                  attach,
                                  CommitMetadata{{"lvm_hdd", "hdd"}, "lv-lvm_hdd-hdd", "LVM-lvm-hddhdd"}};
    auto now = world::with_disk();
    for (std::size_t i = 0; i < count; ++i) foretell_in_place(now, way.at(i));
    return now;
}

ErrorCode refusal_of(const Observation& now, const Action& action) {
    try {
        static_cast<void>(foretell(now, action));
    } catch (const Error& error) {
        return error.code();
    }
    ADD_FAILURE() << verb_of(action) << " was foretold";
    return ErrorCode::Internal;
}

TEST(AForetoldWipe, LeavesABlankDiskWithoutPartitions) {
    auto now = world::with_disk();
    now.devices.back().probe->signatures = {{"gpt", "table", 512}};
    now.devices.push_back(world::partition(now.devices.back(), 1, gib, "u"));
    const auto then = foretell(now, WipeSignatures{claim});
    ASSERT_EQ(then.devices.size(), 2u);
    EXPECT_TRUE(then.devices.back().probe->signatures.empty());
    EXPECT_EQ(now.devices.size(), 3u) << "what was is not touched";
}

TEST(AForetoldPhysicalVolume, IsAnOrphanThatIsOurs) {
    const auto then = after(1);
    const auto* pv = then.lvm->pv(uuid);
    ASSERT_NE(pv, nullptr);
    EXPECT_EQ(pv->vg, "");
    EXPECT_TRUE(is_ours(*pv, then));
    EXPECT_EQ(then.devices.back().probe->signatures.at(0).type, "LVM2_member");
}

TEST(AForetoldGroup, GrowsByTheDisk) {
    const auto before = after(1);
    const auto then = after(2);
    const auto* pv = then.lvm->pv(uuid);
    EXPECT_EQ(pv->extents, (240'057'409'536 - mib) / world::extent);
    EXPECT_TRUE(pv->allocatable);
    EXPECT_EQ(then.lvm->groups[0].free_extents, before.lvm->groups[0].free_extents + pv->extents);
    EXPECT_EQ(then.lvm->groups[0].extents, before.lvm->groups[0].extents + pv->extents);
}

TEST(AForetoldPool, LiesOnTheDiskAndIsTagged) {
    const auto then = after(3);
    const auto* pool = then.lvm->volume({"lvm_hdd", "media"});
    ASSERT_NE(pool, nullptr);
    EXPECT_EQ(pool->segtype, "cache-pool");
    EXPECT_EQ(tier_of(*pool), "media");
    EXPECT_EQ(pool->size, 1'000 * world::extent);
    for (const std::string& part : {pool->data, pool->metadata}) {
        const auto* volume = then.lvm->volume({"lvm_hdd", part});
        ASSERT_NE(volume, nullptr) << part;
        EXPECT_TRUE(volume->hidden);
        EXPECT_EQ(volume->extents_on.begin()->first, uuid);
    }
    EXPECT_EQ(then.lvm->pv(uuid)->allocated_extents, 1'010u);
    EXPECT_EQ(then.lvm->groups[0].free_extents, after(2).lvm->groups[0].free_extents - 1'010);
}

TEST(AForetoldFence, TagsAndKeepsAllocationsOff) {
    auto then = after(4);
    EXPECT_FALSE(then.lvm->pv(uuid)->allocatable);
    EXPECT_EQ(device_rule_of(*then.lvm->pv(uuid)), "fast");
    foretell_in_place(then, UnfencePv{"lvm_hdd", "/dev/sdb", uuid});
    EXPECT_TRUE(then.lvm->pv(uuid)->allocatable);
    EXPECT_EQ(device_rule_of(*then.lvm->pv(uuid)), "fast") << "the tag stays";
}

TEST(AForetoldCache, StandsInFrontOfItsHiddenOrigin) {
    const auto then = after(5);
    const auto* hdd = then.lvm->volume({"lvm_hdd", "hdd"});
    EXPECT_EQ(hdd->segtype, "cache");
    EXPECT_EQ(hdd->pool, "media_cpool");
    EXPECT_EQ(hdd->origin, "hdd_corig");
    EXPECT_EQ(hdd->cache_mode, CacheMode::Writeback);
    EXPECT_EQ(hdd->cache_settings.at("migration_threshold"), "16384");
    EXPECT_EQ(hdd->size, world::hard_disk_alone().lvm->lvs[0].size) << "the volume keeps its size";
    const auto* origin = then.lvm->volume({"lvm_hdd", "hdd_corig"});
    ASSERT_NE(origin, nullptr);
    EXPECT_EQ(origin->extents_on.begin()->first, "pv-hdd") << "and its data its place";
    const auto* pool = then.lvm->volume({"lvm_hdd", "media_cpool"});
    EXPECT_EQ(tier_of(*pool), "media");
    EXPECT_NE(then.lvm->volume({"lvm_hdd", pool->data}), nullptr);
    EXPECT_EQ(then.caches.at(hdd->uuid).metadata_committed, false);
    EXPECT_EQ(after(6).caches.at(hdd->uuid).metadata_committed, true);
}

TEST(AForetoldRemoval, GivesBackWhatTheHalfMadeTook) {
    const auto made = after(3);
    const auto* pool = made.lvm->volume({"lvm_hdd", "media"});
    EXPECT_EQ(foretell(made, RemovePool{"lvm_hdd", "media", pool->uuid}), after(2));
    EXPECT_EQ(refusal_of(made, RemovePool{"lvm_hdd", "media", "another"}), ErrorCode::NoSuchTarget) << "an LV of that name is not that LV";
}

/// Where the machine would refuse, so does foretell: the simulated machine reports it as a failed command.
TEST(Foretelling, RefusesWhatTheMachineWould) {
    EXPECT_EQ(refusal_of(after(1), CreatePv{claim, uuid}), ErrorCode::DeviceNotEmpty);
    auto twice = world::with_disk();
    twice.lvm->pvs.push_back(world::pv_of(uuid, twice.devices.front(), ""));
    EXPECT_EQ(refusal_of(twice, CreatePv{claim, uuid}), ErrorCode::ToolFailed);
    auto unprobed = world::with_disk();
    unprobed.devices.back().probe.reset();
    EXPECT_EQ(refusal_of(unprobed, CreatePv{claim, uuid}), ErrorCode::DeviceNotEmpty);
    EXPECT_EQ(refusal_of(after(2), ExtendVg{"lvm_hdd", "/dev/sdb", uuid}), ErrorCode::ToolFailed) << "it is in a group already";
    auto sizeless = after(1);
    sizeless.lvm->groups[0].extent_size = 0;
    EXPECT_EQ(refusal_of(sizeless, ExtendVg{"lvm_hdd", "/dev/sdb", uuid}), ErrorCode::StateUnknown);
    EXPECT_EQ(refusal_of(after(3), create), ErrorCode::ToolFailed) << "the name is taken";
    auto fenced = after(2);
    foretell_in_place(fenced, FencePv{"lvm_hdd", "/dev/sdb", uuid, "t"});
    EXPECT_EQ(refusal_of(fenced, create), ErrorCode::InsufficientSpace) << "fenced";
    auto large = create;
    large.data_extents = 100'000;
    EXPECT_EQ(refusal_of(after(2), large), ErrorCode::InsufficientSpace);
    large.data_extents = ~std::uint64_t{0};
    EXPECT_EQ(refusal_of(after(2), large), ErrorCode::InsufficientSpace) << "without overflow";
    EXPECT_EQ(refusal_of(after(5), attach), ErrorCode::NoSuchTarget);
    auto other = attach;
    other.pool = "media_cpool";
    EXPECT_EQ(refusal_of(after(5), other), ErrorCode::ToolFailed) << "cached already";
    other.pool = "hdd";
    EXPECT_EQ(refusal_of(after(3), other), ErrorCode::ToolFailed) << "no pool";
    EXPECT_EQ(refusal_of(after(4), CommitMetadata{{"lvm_hdd", "hdd"}, "lv-lvm_hdd-hdd", ""}), ErrorCode::NoSuchTarget);
}

TEST(Foretelling, RefusesEachActionOnAMachineThatIsNotThere) {
    for (const auto& action : each_action()) {
        EXPECT_EQ(refusal_of(Observation{}, action), ErrorCode::StateUnknown) << verb_of(action);
        Observation empty;
        empty.lvm.emplace();
        EXPECT_EQ(refusal_of(empty, action), ErrorCode::NoSuchTarget) << verb_of(action);
    }
}

// --- differences ---

TEST(ADifference, IsNoneBetweenEqualMachines) {
    for (std::size_t i = 0; i <= 6; ++i) {
        EXPECT_THAT(differences(after(i), after(i)), IsEmpty());
        EXPECT_THAT(differences(after(i), after(i), "lvm_hdd"), IsEmpty());
    }
}

/// Each step is seen: a machine on which it did not happen is not what was foretold.
TEST(ADifference, ShowsEachStepThatDidNotHappen) {
    for (std::size_t i = 1; i <= 6; ++i) EXPECT_FALSE(differences(after(i), after(i - 1)).empty()) << i;
    for (std::size_t i = 2; i <= 6; ++i)
        EXPECT_FALSE(differences(after(i), after(i - 1), "lvm_hdd").empty()) << i << ", in its group alone";
}

TEST(ADifference, NamesTheObjectAndBothValues) {
    EXPECT_THAT(differences(after(5), after(4), "lvm_hdd"),
                testing::Contains(HasSubstr("lvm_hdd/hdd: segment type foretold \"cache\", found \"linear\"")));
    EXPECT_THAT(differences(after(6), after(5)), ElementsAre("lvm_hdd/hdd: metadata committed foretold yes, found no"));
    auto unknown = after(5);
    unknown.caches.begin()->second.metadata_committed.reset();
    EXPECT_THAT(differences(after(6), unknown), ElementsAre("lvm_hdd/hdd: metadata committed foretold yes, found unknown"));
    auto blind = after(6);
    blind.lvm.reset();
    EXPECT_THAT(differences(after(6), blind), ElementsAre("LVM could not be read"));
}

TEST(ADifference, IsNotWhatLvmChoosesOrWhatMovesByItself) {
    auto real = after(6);
    for (auto& each : real.lvm->lvs) {
        if (each.uuid.rfind("new:", 0) == 0) each.uuid = "real-" + each.name;
    }
    real.time += 5 * usec_per_second;
    real.caches.begin()->second.status->dirty_blocks = 17;
    real.devices.back().changed = real.time;
    EXPECT_THAT(differences(after(6), real), IsEmpty());
    real.lvm->lvs.front().uuid = "another";
    EXPECT_THAT(differences(after(6), real),
                testing::Contains(HasSubstr("lvm_hdd/hdd: UUID foretold \"lv-lvm_hdd-hdd\", found \"another\"")));
}

/// Everything that an action changes is compared: undo one field of the outcome, and it shows.
TEST(ADifference, IsSeenInEachFieldThatActionsChange) {
    const std::vector<std::pair<std::string, std::function<void(Observation&)>>> undone{
        {"physical volume gone", [](Observation& now) { now.lvm->pvs.pop_back(); }},
        {"in no group", [](Observation& now) { now.lvm->pvs.back().vg.clear(); }},
        {"not fenced", [](Observation& now) { now.lvm->pvs.back().allocatable = true; }},
        {"PV not tagged", [](Observation& now) { now.lvm->pvs.back().tags.clear(); }},
        {"more allocated", [](Observation& now) { now.lvm->pvs.back().allocated_extents++; }},
        {"group smaller", [](Observation& now) { now.lvm->groups.back().extents--; }},
        {"group gone", [](Observation& now) { now.lvm->groups.clear(); }},
        {"an LV more", [](Observation& now) { now.lvm->lvs.push_back(world::linear("lvm_hdd", "lvol0", 1, "pv-hdd")); }},
        {"an LV less", [](Observation& now) { now.lvm->lvs.pop_back(); }},
        {"pool not tagged",
         [](Observation& now) {
             for (auto& each : now.lvm->lvs) each.tags.clear();
         }},
        {"on the wrong disk",
         [](Observation& now) {
             for (auto& each : now.lvm->lvs) {
                 if (each.name == "media_cpool_cdata") each.extents_on = {{"pv-hdd", 1'000}};
             }
         }},
        {"another mode", [](Observation& now) { now.lvm->lvs.front().cache_mode = CacheMode::Writethrough; }},
        {"another policy", [](Observation& now) { now.lvm->lvs.front().cache_policy = "cleaner"; }},
        {"no settings", [](Observation& now) { now.lvm->lvs.front().cache_settings.clear(); }},
        {"another chunk", [](Observation& now) { now.lvm->lvs.front().chunk_size *= 2; }},
        {"signature gone", [](Observation& now) { now.devices.back().probe->signatures.clear(); }},
    };
    for (const auto& [what, undo] : undone) {
        auto now = after(6);
        undo(now);
        EXPECT_FALSE(differences(after(6), now).empty()) << what;
    }
}

TEST(ADifference, OfAnotherGroupIsLeftOut) {
    auto now = after(6);
    now.lvm->lvs.push_back(world::linear("other", "x", 1, "pv-x"));
    EXPECT_THAT(differences(after(6), now, "lvm_hdd"), IsEmpty());
    EXPECT_FALSE(differences(after(6), now).empty());
}

}  // namespace
}  // namespace tierd
