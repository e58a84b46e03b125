// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/root_volume.hpp"

#include "cache_tier_fixture.hpp"
#include "daemon/model/request.hpp"

/// A machine whose initramfs cannot activate a cached root volume does not boot.
namespace tierd {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Policy with_kind(TierKind kind) {
    auto policy = world::story_a();
    policy.tiers[0].kind = kind;
    if (kind == TierKind::Writecache) {
        policy.tiers[0].store = Store::Volume;
        policy.tiers[0].cache_policy = writecache_policy;
        policy.tiers[0].metadata_size.reset();
    }
    return policy;
}
void make_root(Observation& now, const std::string& name, std::optional<bool> boots_cached) {
    now.root = {volume(now, name).dm_uuid, boots_cached, std::nullopt};
}

TEST(ARootVolume, IsCachedOnlyWhereTheMachineIsKnownToBoot) {
    auto now = world::with_disk();
    make_root(now, "hdd", false);
    expect_refusal("the root file system is on it, and the initramfs was made without dm-cache and cache_check", now);
    expect_refusal("install thin-provisioning-tools", now);
    expect_refusal("update-initramfs -u", now);
    make_root(now, "hdd", std::nullopt);
    expect_refusal("whether the initramfs has dm-cache and cache_check is not known", now);
    expect_refusal("it is known where initramfs-tools made the initramfs of the running kernel", now);
    make_root(now, "hdd", true);
    EXPECT_EQ(verbs(world::story_a(), now), verbs(world::story_a(), world::with_disk()));
    now.root = {"LVM-another", false, false};
    EXPECT_EQ(verbs(world::story_a(), now), verbs(world::story_a(), world::with_disk()));
}

TEST(ARootVolume, NeedsTheModuleOfItsKind) {
    auto now = world::with_disk();
    make_root(now, "hdd", true);
    const auto policy = with_kind(TierKind::Writecache);
    expect_refusal("whether the initramfs has dm-writecache is not known", now, policy);
    now.root.boots_writecached = false;
    expect_refusal("write the line dm-writecache into /etc/initramfs-tools/modules", now, policy);
    now.root = {now.root.dm_uuid, false, true};
    EXPECT_THAT(verbs(policy, now), Contains("attach-writecache"));
}

TEST(ARootVolume, IsToldBehindAThinPoolAndASnapshot) {
    auto now = world::with_disk();
    now.lvm->lvs.push_back(world::linear("lvm_hdd", "root", 0, "pv-hdd"));
    make_root(now, "root", false);
    EXPECT_EQ(below_root(now), &volume(now, "root"));
    volume(now, "root").segtype = "linear";
    volume(now, "root").origin = "hdd";
    EXPECT_EQ(below_root(now), &volume(now, "hdd"));
    expect_refusal("the root file system is on it", now);

    volume(now, "root").segtype = "thin";
    volume(now, "root").origin = "another";  // a thin snapshot
    volume(now, "root").pool = "pool";
    auto pool = world::linear("lvm_hdd", "pool", 0, "pv-hdd");
    pool.segtype = "thin-pool";
    pool.data = "hdd";
    now.lvm->lvs.push_back(pool);
    EXPECT_EQ(below_root(now), &volume(now, "hdd"));
    auto policy = world::story_a();
    policy.tiers[0].volume.lv = "pool";
    expect_refusal("the root file system is on it", now, policy);
}

// What stands is kept, changed, drained and taken off as ever; only not made anew.
TEST(ARootVolume, ThatIsCachedIsServedAsAnyOther) {
    auto now = attached();
    make_root(now, "hdd", false);
    EXPECT_EQ(below_root(now), &volume(now, "hdd"));
    EXPECT_THAT(verbs(world::story_a(), now), IsEmpty());
    auto policy = world::story_a();
    policy.tiers[0].mode = CacheMode::Writethrough;
    EXPECT_THAT(verbs(policy, now), Contains("set-cache-mode"));
    policy = world::story_a();
    policy.tiers[0].state = Presence::Absent;
    EXPECT_THAT(verbs(policy, now), Contains("remove-cache"));
    policy = world::story_a();
    policy.tiers[0].size = SizeSpec{100 * gib};
    EXPECT_THAT(make_plan(policy, now).steps.front().reason,
                AllOf(HasSubstr("size from 220 GiB to 100 GiB"), HasSubstr("without dm-cache and cache_check")));
    volume(now, "hdd").tags.insert(request_tag(RequestKind::Remake));
    EXPECT_THAT(verbs(policy, now), ElementsAre("refuse")) << "asked for while it could have been made";
    now.root.boots_cached = true;
    EXPECT_THAT(verbs(policy, now), Contains("remove-cache"));
}

}  // namespace
}  // namespace tierd
