// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/views.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/plan/foretell.hpp"
#include "daemon/plan/planner.hpp"
#include "world.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Everything that is shown of one machine and one policy.
struct Look {
    explicit Look(Observation seen, Policy wanted = world::story_a())
        : policy{std::move(wanted)}, now{std::move(seen)}, plan{make_plan(policy, now)} {
        watchers.add(now.time, now.caches);
        for (const auto& uuid : watchers.uuids()) {
            const auto& dirty = watchers.of(uuid)->dirty;
            if (dirty.dirty()) remembered[uuid] = {*dirty.dirty(), dirty.seen(), "", false};
        }
    }
    [[nodiscard]] Shown shown() const { return {policy, now, plan, watchers, remembered, acting, {}, held, arriving}; }
    [[nodiscard]] std::vector<std::string> facts() const {
        std::vector<std::string> list;
        for (const auto& fact : facts_of(shown(), view_tiers(shown()))) list.push_back(fact.object + ' ' + fact.code);
        return list;
    }

    Policy policy;
    Observation now;
    Plan plan;
    Watchers watchers;
    std::map<std::string, LastSeen> remembered;
    std::set<std::string> acting;
    std::map<std::string, std::string> held;
    std::set<std::string> arriving;
};

Observation attached() {
    auto now = world::with_disk();
    for (const auto& step : make_plan(world::story_a(), now).steps) foretell_in_place(now, *step.action);
    auto& cache = now.caches.begin()->second;
    cache.status->used_blocks = 100;
    cache.status->dirty_blocks = 10;
    cache.status->metadata_used = 1;
    cache.status->metadata_total = 4;
    return now;
}

// --- devices ---

std::string state_of(const Look& look, const std::string& path) {
    for (const auto& view : view_devices(look.shown())) {
        if (view.path == path) return view.state;
    }
    return "not shown";
}

DeviceView view_of(const Look& look, const std::string& path) {
    for (auto& view : view_devices(look.shown())) {
        if (view.path == path) return view;
    }
    return {};
}

TEST(ADeviceView, TellsHowTheDiskIs) {
    auto now = attached();
    EXPECT_EQ(view_of(Look{now}, "/dev/sdb").health, "unknown");
    EXPECT_EQ(view_of(Look{now}, "/dev/sdb").wear, std::nullopt);
    now.devices.back().health = DiskHealth{false, "", 3U};
    EXPECT_EQ(view_of(Look{now}, "/dev/sdb").health, "ok");
    EXPECT_EQ(view_of(Look{now}, "/dev/sdb").wear, 0.03);
    EXPECT_EQ(view_of(Look{now}, "/dev/sdb").state, "serving");
    now.devices.back().health = DiskHealth{true, "its SMART status is failed", std::nullopt};
    const auto failing = view_of(Look{now}, "/dev/sdb");
    EXPECT_EQ(failing.health, "failing");
    EXPECT_EQ(failing.state, "failing");
    EXPECT_THAT(failing.reasons, ElementsAre("it is failing: its SMART status is failed", "it serves"));
    // Nobody asks for it, or it is refused for that very reason.
    EXPECT_THAT(view_of(Look{now, Policy{}}, "/dev/sdb").reasons,
                ElementsAre("it is failing: its SMART status is failed", "no rule of the policy asks for it"));
    auto fresh = world::with_disk();
    fresh.devices.back().health = now.devices.back().health;
    EXPECT_THAT(view_of(Look{fresh}, "/dev/sdb").reasons, ElementsAre("it is failing: its SMART status is failed"));
}

TEST(AFailingDisk, IsAnAlertWhereItServesOrIsAskedFor) {
    const auto alert = [](const Look& look) -> AlertView {
        for (const auto& fact : facts_of(look.shown(), view_tiers(look.shown()))) {
            if (fact.code == "device-failing") return fact;
        }
        return {};
    };
    auto now = attached();
    EXPECT_EQ(alert(Look{now}).code, "");
    now.devices.back().health = DiskHealth{true, "its SMART status is failed", std::nullopt};
    EXPECT_EQ(alert(Look{now}).object, "device/wwn:0xS21PNXAG441016");
    EXPECT_EQ(alert(Look{now}).severity, 2U);
    EXPECT_THAT(alert(Look{now}).details.at("message"),
                testing::AllOf(HasSubstr("/dev/sdb (serial S21PNXAG441016) is failing: its SMART status is failed"),
                               HasSubstr("'tierctl detach lvm_hdd/hdd'")));
    EXPECT_EQ(alert(Look{now, Policy{}}).severity, 2U) << "its rule is gone, and the cache is there";
    auto fresh = world::with_disk();
    fresh.devices.back().health = now.devices.back().health;
    EXPECT_EQ(alert(Look{fresh}).severity, 4U);
    EXPECT_THAT(alert(Look{fresh}).details.at("message"), HasSubstr("it is not taken"));
    EXPECT_EQ(alert(Look{fresh, Policy{}}).code, "") << "nobody's business";
}

TEST(ADeviceView, TellsWhatBecomesOfTheDisk) {
    EXPECT_EQ(state_of(Look{world::with_disk()}, "/dev/sdb"), "eligible");
    EXPECT_EQ(state_of(Look{world::with_disk()}, "/dev/sda"), "ineligible");
    EXPECT_EQ(state_of(Look{attached()}, "/dev/sdb"), "serving");
    auto now = world::with_disk();
    now.devices.back().probe->signatures = {{"ext4", "filesystem", 1080}};
    const Look look{now};
    EXPECT_EQ(state_of(look, "/dev/sdb"), "ineligible");
    for (const auto& view : view_devices(look.shown())) {
        if (view.path != "/dev/sdb") continue;
        EXPECT_THAT(view.reasons, ElementsAre("it holds data: ext4 at 1080"));
        EXPECT_EQ(view.policy, "fast");
        EXPECT_EQ(view.id, "wwn:0xS21PNXAG441016");
    }
}

TEST(ADeviceView, IsOfDisksThatAPersonWouldCallOne) {
    auto now = world::with_disk();
    auto mapped = world::ssd("sdm", "");
    mapped.virtual_disk = true;
    now.devices.push_back(mapped);
    now.devices.push_back(world::partition(world::ssd(), 1, gib, "p1"));
    EXPECT_EQ(state_of(Look{now}, "/dev/sdm"), "not shown");
    EXPECT_EQ(state_of(Look{now}, "/dev/sdb1"), "not shown");
    auto policy = world::story_a();
    policy.devices[0].match.partuuid = {"p1"};
    policy.devices[0].match.min_size.reset();
    EXPECT_NE(state_of(Look{now, policy}, "/dev/sdb1"), "not shown") << "a rule names it";
}

TEST(ADeviceView, OfASecondDiskNamesTheOneThatServes) {
    auto now = attached();
    now.devices.push_back(world::ssd("sdc", "S22"));
    const Look look{now};
    for (const auto& view : view_devices(look.shown())) {
        if (view.path == "/dev/sda") continue;
        EXPECT_EQ(view.reasons.size(), view.path == "/dev/sdc" ? 1u : 0u);
        for (const auto& reason : view.reasons) EXPECT_EQ(reason, "rule fast is served already by /dev/sdb");
    }
}

// Property: whatever a disk or LVM says, each object has a name of its own that a bus takes.
TEST(AnId, IsBoundedAndItsOwnForEveryText) {
    std::vector<std::string> texts{"",
                                   "/",
                                   "\xff\xfe",
                                   "S 21",
                                   std::string(4096, 'x'),
                                   std::string(4095, 'x') + 'y',
                                   std::string(70'000, '/'),
                                   std::string(128, 'z'),
                                   std::string(129, 'z'),
                                   std::string("a\0b", 3),
                                   "\xf0\x9f\x92\xbe"};
    const auto once = texts;
    texts.insert(texts.end(), once.begin(), once.end());
    auto now = attached();
    Policy policy = world::story_a();
    unsigned number = 0;
    for (const auto& text : texts) {
        auto disk = world::ssd("sd" + std::to_string(++number), text);
        disk.wwn = number % 2 == 0 ? text : "";
        now.devices.push_back(disk);
        auto snap = world::linear("lvm_hdd", "snap" + std::to_string(number % 3), 1, "pv-hdd");
        snap.uuid = text;
        snap.origin = "hdd";
        snap.attr = "swi-a-s---";
        now.lvm->lvs.push_back(snap);
        policy.tiers.push_back(policy.tiers[0]);
        policy.tiers.back().name = text;
    }
    const Look look{now, policy};
    const auto check = [](const auto& views, std::size_t least) {
        std::set<std::string> ids;
        for (const auto& view : views) {
            EXPECT_TRUE(ids.insert(view.id).second) << view.id;
            EXPECT_LE(view.id.size(), 128u);
        }
        EXPECT_GE(ids.size(), least);
    };
    check(view_devices(look.shown()), texts.size());
    check(view_tiers(look.shown()), texts.size());
    check(view_snapshots(look.shown()), texts.size());
}

TEST(ADeviceView, HasAnIdOfItsOwn) {
    auto now = world::with_disk();
    now.devices.push_back(world::ssd("sdc"));      // another path
    now.devices.push_back(world::ssd("sdd", ""));  // no identity
    now.devices.push_back(world::ssd("sde", ""));
    std::set<std::string> ids;
    const Look look{now};
    const auto views = view_devices(look.shown());
    for (const auto& view : views) EXPECT_TRUE(ids.insert(view.id).second) << view.id;
    EXPECT_EQ(views.size(), 5u);
}

// --- tiers ---

TEST(ATierView, WaitsBeforeThereIsADisk) {
    const Look look{world::hard_disk_alone()};
    const auto tier = view_tiers(look.shown()).at(0);
    EXPECT_EQ(tier.id, "media");
    EXPECT_EQ(tier.phase, "waiting");
    EXPECT_EQ(tier.health, "unknown");
    EXPECT_EQ(tier.volume, "lvm_hdd/hdd");
    EXPECT_EQ(tier.uuid, "lv-lvm_hdd-hdd");
    EXPECT_EQ(tier.dirty, std::nullopt) << "not 0";
    EXPECT_EQ(tier.size, std::nullopt);
    EXPECT_THAT(tier.waits_for, HasSubstr("waits for a disk: fast"));
}

TEST(ATierView, IsAttachingWhileItIsWorkedAt) {
    Look look{world::with_disk()};
    look.acting = {"tier media"};
    EXPECT_EQ(view_tiers(look.shown()).at(0).phase, "attaching");
}

TEST(ATierView, ShowsTheNumbersOfAnActiveCache) {
    const Look look{attached()};
    const auto tier = view_tiers(look.shown()).at(0);
    EXPECT_EQ(tier.phase, "active");
    EXPECT_EQ(tier.health, "ok");
    EXPECT_EQ(tier.mode, "writeback");
    EXPECT_EQ(tier.size, 220 * gib);
    EXPECT_EQ(tier.chunk_size, 256 * kib);
    EXPECT_EQ(tier.used, 100 * 256 * kib);
    EXPECT_EQ(tier.dirty, 10 * 256 * kib);
    EXPECT_EQ(tier.metadata_ratio, 0.25);
    EXPECT_THAT(tier.devices, ElementsAre("wwn:0xS21PNXAG441016"));
    EXPECT_THAT(tier.hit_ratios, IsEmpty()) << "no request in any window";
    EXPECT_FALSE(tier.foreign);
    EXPECT_EQ(tier.waits_for, "");
}

TEST(ATierView, HasNoNumbersWhenTheCacheIsLost) {
    for (const auto health : {CacheStatus::Health::Error, CacheStatus::Health::Failed}) {
        auto now = attached();
        Look look{now};
        now.caches.begin()->second.status->health = health;
        now.caches.begin()->second.status->dirty_blocks = 0;
        look.now = now;
        look.watchers.add(now.time + 1, now.caches);
        const auto tier = view_tiers(look.shown()).at(0);
        EXPECT_EQ(tier.phase, "lost");
        EXPECT_EQ(tier.dirty, std::nullopt);
        EXPECT_EQ(tier.used, std::nullopt);
        EXPECT_EQ(tier.last_known_dirty->first, 10 * 256 * kib) << "what may be lost";
        EXPECT_THAT(look.facts(), testing::Contains("tier/media tier-lost"));
    }
}

TEST(ATierView, IsUnknownWhenTheStatusIs) {
    auto now = attached();
    now.caches.begin()->second.status.reset();
    const Look look{now};
    const auto tier = view_tiers(look.shown()).at(0);
    EXPECT_EQ(tier.health, "unknown");
    EXPECT_EQ(tier.dirty, std::nullopt);
    EXPECT_EQ(tier.used, std::nullopt);
}

TEST(ATierView, OfAForeignCacheIsShownAsForeign) {
    auto now = attached();
    for (auto& each : now.lvm->lvs) each.tags.clear();
    const Look with_rule{now};
    EXPECT_TRUE(view_tiers(with_rule.shown()).at(0).foreign);
    const Look without{now, {}};
    const auto tier = view_tiers(without.shown()).at(0);
    EXPECT_TRUE(tier.foreign);
    EXPECT_EQ(tier.id, "lv-lvm_hdd-hdd");
    EXPECT_EQ(tier.policy, "");
}

TEST(ATierView, OfOtherKindsNamesWhatItFronts) {
    auto policy = world::story_a();
    policy.tiers[0].kind = TierKind::Journal;
    policy.tiers[0].filesystem = "/srv/iscsi";
    policy.tiers[0].volume = {};
    const Look look{world::with_disk(), policy};
    const auto tier = view_tiers(look.shown()).at(0);
    EXPECT_EQ(tier.volume, "/srv/iscsi");
    EXPECT_EQ(tier.volume_kind, "filesystem");
    EXPECT_THAT(tier.waits_for, HasSubstr("kind: journal"));
}

TEST(ATierView, WaitsForApplyWhenItsNextStepNeedsAPerson) {
    auto policy = world::story_a();
    policy.tiers[0].autonomy = Autonomy::Observe;
    Look look{world::with_disk(), policy};
    EXPECT_EQ(view_tiers(look.shown()).at(0).waits_for, "waits for 'tierctl apply' (initialise sdb as a physical volume)");
    look.held = {{"lvm_hdd", "lvm_hdd is paused: backup"}};
    EXPECT_EQ(view_tiers(look.shown()).at(0).waits_for, "waits: lvm_hdd is paused: backup");
    look.held = {{"", "tierd observes only"}};
    EXPECT_EQ(view_tiers(look.shown()).at(0).waits_for, "waits: tierd observes only");
    EXPECT_EQ(view_tiers(Look{world::with_disk()}.shown()).at(0).waits_for, "") << "it is done by itself";
}

TEST(ATierView, IsOneForEachEntryAlsoWhereTwoHaveOneName) {
    auto policy = world::story_a();
    policy.tiers.push_back(policy.tiers[0]);
    policy.tiers[1].place = {"/etc/tierd/20-b.yaml", 7, 3};
    policy.frozen["tier media"] = "contradicts 20-b.yaml:7";
    const Look look{world::with_disk(), policy};
    const auto views = view_tiers(look.shown());
    EXPECT_EQ(views.at(0).id, "media");
    EXPECT_EQ(views.at(1).id, "media@20-b.yaml:7");
    EXPECT_THAT(views.at(0).waits_for, HasSubstr("tier media contradicts another entry of the policy ("));
}

// --- snapshots ---

LogicalVolume snapshot(const std::string& attr, std::optional<double> fill) {
    auto volume = world::linear("lvm_hdd", "nightly", 10, "pv-hdd");
    volume.origin = "hdd";
    volume.attr = attr;
    volume.data_percent = fill;
    return volume;
}

SnapshotView view_of(const LogicalVolume& volume) {
    auto now = world::hard_disk_alone();
    now.lvm->lvs.push_back(volume);
    const Look look{now};
    return view_snapshots(look.shown()).at(0);
}

TEST(ASnapshotView, ShowsItsFillAndState) {
    EXPECT_EQ(view_of(snapshot("swi-a-s---", 31.2)).state, "active");
    EXPECT_DOUBLE_EQ(*view_of(snapshot("swi-a-s---", 31.2)).fill_ratio, 0.312);
    EXPECT_EQ(view_of(snapshot("swi-a-s---", 31.2)).origin, "lvm_hdd/hdd");
    EXPECT_EQ(view_of(snapshot("swi-I-s---", 100)).state, "invalid");
    EXPECT_EQ(view_of(snapshot("swi-a-s---", 100)).state, "full");
    auto merging = snapshot("Swi-a-s---", 10);
    merging.merging = true;
    EXPECT_EQ(view_of(merging).state, "merging");
}

// C03, B09, C10: no number is not zero, and no state is not inactive.
TEST(ASnapshotView, IsUnknownWhereNothingIsSaid) {
    auto unknown = snapshot("swi-X-s---", std::nullopt);
    unknown.active.reset();
    EXPECT_EQ(view_of(unknown).fill_ratio, std::nullopt);
    EXPECT_EQ(view_of(unknown).state, "unknown");
    auto inactive = snapshot("swi---s---", std::nullopt);
    inactive.active = false;
    EXPECT_EQ(view_of(inactive).state, "inactive");
}

TEST(ASnapshotView, IsOfThickAndThinOnesAndNothingElse) {
    auto now = attached();  // the cached volume has an origin too
    auto thin = world::linear("lvm_hdd", "thin-snap", 0, "pv-hdd");
    thin.segtype = "thin";
    thin.origin = "thin";
    thin.attr = "Vwi-a-tz--";
    now.lvm->lvs.push_back(thin);
    now.lvm->lvs.push_back(snapshot("swi-a-s---", 1));
    const Look look{now};
    const auto views = view_snapshots(look.shown());
    ASSERT_EQ(views.size(), 2u);
    EXPECT_EQ(views[0].kind, "thin");
    EXPECT_EQ(views[1].kind, "thick");
    EXPECT_EQ(views[0].fill_ratio, std::nullopt) << "a thin one has no fill of its own";
}

// --- facts ---

TEST(AFact, IsNoneOfAMachineThatIsWell) {
    EXPECT_THAT(Look{attached()}.facts(), IsEmpty());
    EXPECT_THAT(Look{world::hard_disk_alone()}.facts(), IsEmpty()) << "waiting is no alarm";
}

TEST(AFact, IsSaidOfWhatIsWrong) {
    auto now = attached();
    now.caches.begin()->second.status->dirty_blocks = now.caches.begin()->second.status->total_blocks / 2;
    EXPECT_THAT(Look{now}.facts(), ElementsAre("tier/media dirty-high"));
    now = attached();
    now.caches.begin()->second.status->health = CacheStatus::Health::ReadOnly;
    EXPECT_THAT(Look{now}.facts(), ElementsAre("tier/media tier-degraded"));
    now = attached();
    now.lvm->groups[0].missing_pvs = 1;
    EXPECT_THAT(Look{now}.facts(), testing::Contains("tier/media vg-incomplete"));
    now = world::with_disk();
    now.devices.push_back(world::ssd("sdc", "S22"));
    EXPECT_THAT(Look{now}.facts(), ElementsAre("tier/media device-ambiguous"));
    now = world::with_disk();
    now.lvm.reset();
    EXPECT_THAT(Look{now}.facts(), testing::Contains(" inventory-lost"));
}

/// Promise 5: what cannot be read is not "not made yet".
TEST(ATierView, SaysWhyItIsNotServedAsWriteback) {
    auto now = attached();
    for (auto& device : now.devices) device.transport = "usb";
    for (auto& volume : now.lvm->lvs) {
        if (volume.cache_mode) volume.cache_mode = CacheMode::Writethrough;
    }
    now.caches.begin()->second.status->mode = "writethrough";
    const auto view = view_tiers(Look{now}.shown()).front();
    EXPECT_EQ(view.phase, "active");
    EXPECT_THAT(view.waits_for, HasSubstr("is writethrough, not writeback: /dev/sdb is on USB"));
}

/// Twelve looks, half a minute apart: what moved between them, and how long its I/Os took.
Look busy(Usec tier_usec, Usec origin_usec) {
    Look look{attached()};
    const auto uuid = look.now.caches.begin()->first;
    auto& status = *look.now.caches.begin()->second.status;
    status.used_blocks = status.total_blocks;
    CacheService service;
    for (Usec i = 1; i <= 12; ++i) {
        status.promotions += 60;
        status.write_misses += 1'000;
        for (auto* device : {&service.tier, &service.origin}) device->write.ios += 60'000;
        for (auto* device : {&service.tier, &service.origin}) device->write.bytes += 60'000 * 64 * kib;
        service.tier.write.time += 60'000 * tier_usec;
        service.origin.write.time += 60'000 * origin_usec;
        look.watchers.add(look.now.time + i * 30 * usec_per_second, look.now.caches);
        look.watchers.add_service(look.now.time + i * 30 * usec_per_second, {{uuid, service}, {"of-no-cache", service}});
    }
    return look;
}

TEST(ATierView, ShowsWhatMovesAndHowLongItTakes) {
    const auto view = view_tiers(busy(5'000, 1'500).shown()).front();
    EXPECT_NEAR(view.promotion_rate.value_or(0), 2, 0.1);
    EXPECT_NEAR(view.demotion_rate.value_or(1), 0, 0.1);
    EXPECT_TRUE(view.full);
    EXPECT_THAT(view.service_times, ElementsAre(testing::Pair("origin-write", 1'500), testing::Pair("tier-write", 5'000)));
    EXPECT_FALSE(view_tiers(Look{attached()}.shown()).front().promotion_rate) << "unknown is not zero";
}

// Story B: with the local SSD in front, the cloud's disks were slower than alone.
TEST(AFact, IsThatATierIsSlowerThanItsOriginWithBothFigures) {
    const auto look = busy(5'000, 1'500);
    EXPECT_THAT(look.facts(), ElementsAre("tier/media tier-slower-than-origin"));
    const auto alert = facts_of(look.shown(), view_tiers(look.shown())).front();
    EXPECT_THAT(alert.details.at("message"), HasSubstr("5000 µs a write where the volume's own disks take 1500 µs"));
    EXPECT_EQ(alert.details.at("tier-write-usec"), "5000");
    EXPECT_EQ(alert.details.at("origin-write-usec"), "1500");
    EXPECT_THAT(busy(100, 8'000).facts(), IsEmpty());
}

TEST(ATierView, IsUnknownWhileLvmCannotBeRead) {
    auto now = attached();
    now.lvm.reset();
    const Look look{now};
    const auto tier = view_tiers(look.shown()).at(0);
    EXPECT_EQ(tier.phase, "unknown");
    EXPECT_EQ(tier.health, "unknown");
}

// A03
TEST(AFact, IsNotMadeOfAWritethroughCacheThatCountsAsDirty) {
    auto policy = world::story_a();
    policy.tiers[0].mode = CacheMode::Writethrough;
    auto now = world::with_disk();
    for (const auto& step : make_plan(policy, now).steps) foretell_in_place(now, *step.action);
    now.caches.begin()->second.status->dirty_blocks = now.caches.begin()->second.status->total_blocks;
    EXPECT_THAT((Look{now, policy}.facts()), IsEmpty());
}

}  // namespace
}  // namespace tierd
