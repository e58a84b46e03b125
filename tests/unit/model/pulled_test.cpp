// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/pulled.hpp"

#include <gtest/gtest.h>

#include "world.hpp"

namespace tierd {
namespace {

/// The SSD carries a cache of lvm_hdd/hdd.
Observation cached() {
    auto now = world::with_disk();
    auto& lvm = *now.lvm;
    auto pv = world::pv_of("pv-ssd", now.devices.back(), "lvm_hdd");
    pv.tags = {"tierd.device=fast"};
    lvm.pvs.push_back(pv);
    for (const std::string part : {"media_cpool_cdata", "media_cpool_cmeta"})
        lvm.lvs.push_back(world::linear("lvm_hdd", part, 10, "pv-ssd"));
    auto pool = world::linear("lvm_hdd", "media_cpool", 10, "");
    pool.extents_on.clear();
    pool.segtype = "cache-pool";
    pool.data = "media_cpool_cdata";
    pool.metadata = "media_cpool_cmeta";
    lvm.lvs.push_back(pool);
    auto& volume = lvm.lvs.front();
    volume.segtype = "cache";
    volume.pool = "media_cpool";
    volume.origin = "hdd_corig";
    now.caches[volume.uuid].status.emplace();
    lvm.lvs.push_back(world::linear("lvm_hdd", "hdd_corig", 10, "pv-hdd"));
    return now;
}

TEST(ADiskThatIsPulled, MakesItsPvMissingAndItsCachePartial) {
    auto now = cached();
    const auto lost = take_away(now, "/dev/sdb");
    EXPECT_EQ(lost, std::set<std::string>{"lv-lvm_hdd-hdd"});
    EXPECT_EQ(now.devices.size(), 1u);
    const auto* pv = now.lvm->pv("pv-ssd");
    EXPECT_TRUE(pv->missing);
    EXPECT_EQ(pv->device + pv->dev, "");
    EXPECT_EQ(pv->tags, std::set<std::string>{"tierd.device=fast"});
    EXPECT_EQ(now.lvm->groups.front().missing_pvs, 1u);
    EXPECT_TRUE(now.lvm->groups.front().partial);
    for (const auto& volume : now.lvm->lvs) EXPECT_EQ(volume.partial, volume.name != "hdd_corig") << volume.name;
    EXPECT_EQ(now.caches.at("lv-lvm_hdd-hdd").status->health, CacheStatus::Health::Error);
}

TEST(ADiskThatIsPulled, TakesItsPartitionsAlong) {
    auto now = cached();
    now.devices.push_back(world::partition(now.devices.back(), 1, gib, "p1"));
    now.lvm->pvs.back().dev = now.devices.back().dev;
    EXPECT_EQ(take_away(now, "/dev/sdb").size(), 1u);
    EXPECT_EQ(now.devices.size(), 1u);
}

TEST(ADiskThatIsPulled, LosesNoCacheThatGoesOnWithAnotherLeg) {
    auto now = cached();
    auto& lvm = *now.lvm;
    now.devices.push_back(world::ssd("sdc", "S21PNXAG441017"));
    lvm.pvs.push_back(world::pv_of("pv-other", now.devices.back(), "lvm_hdd"));
    for (const std::string part : {"media_cpool_cdata", "media_cpool_cmeta"}) {
        for (auto& each : lvm.lvs) {
            if (each.name != part) continue;
            each.segtype = "raid1";
            each.extents_on.clear();
        }
        lvm.lvs.push_back(world::linear("lvm_hdd", part + "_rimage_0", 10, "pv-ssd"));
        lvm.lvs.push_back(world::linear("lvm_hdd", part + "_rimage_1", 10, "pv-other"));
    }
    lvm.lvs.front().partial = true;  // as LVM says it once it has looked
    EXPECT_TRUE(take_away(now, "/dev/sdb").empty());
    EXPECT_EQ(now.caches.at("lv-lvm_hdd-hdd").status->health, CacheStatus::Health::Ok);
    EXPECT_TRUE(now.lvm->pv("pv-ssd")->missing);
    EXPECT_EQ(take_away(now, "/dev/sdc").size(), 1u) << "and the other";
}

TEST(ADiskThatIsPulled, IsForgottenWhenItServedNobody) {
    auto now = world::with_disk();
    now.lvm->pvs.push_back(world::pv_of("pv-orphan", now.devices.back(), ""));
    const auto groups = now.lvm->groups;
    EXPECT_TRUE(take_away(now, "/dev/sdb").empty());
    EXPECT_EQ(now.lvm->pv("pv-orphan"), nullptr);
    EXPECT_EQ(now.lvm->groups, groups);
}

TEST(ADiskThatIsPulled, OfANodeThatNobodyKnowsChangesNothing) {
    auto now = cached();
    const auto before = now;
    EXPECT_TRUE(take_away(now, "/dev/sdz").empty());
    EXPECT_EQ(now, before);
}

TEST(ADiskThatIsPulled, IsCountedOnce) {
    auto now = cached();
    take_away(now, "/dev/sdb");
    const auto once = now;
    EXPECT_TRUE(take_away(now, "/dev/sdb").empty());
    EXPECT_EQ(now, once);
}

}  // namespace
}  // namespace tierd
