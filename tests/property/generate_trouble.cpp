// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>
#include <functional>
#include <utility>

#include "daemon/model/identity.hpp"
#include "daemon/model/pulled.hpp"
#include "daemon/model/request.hpp"
#include "daemon/plan/foretell.hpp"
#include "daemon/plan/planner.hpp"
#include "generator.hpp"

namespace tierd::property {

namespace {

/// The room that LVs take is counted anew, after they were moved about.
void count_extents(Lvm& lvm) {
    for (auto& pv : lvm.pvs) {
        if (pv.vg.empty()) continue;
        pv.allocated_extents = 0;
        for (const auto& volume : lvm.lvs) {
            const auto found = volume.extents_on.find(pv.uuid);
            if (volume.vg == pv.vg && found != volume.extents_on.end()) pv.allocated_extents += found->second;
        }
    }
    for (auto& group : lvm.groups) {
        group.extents = group.free_extents = 0;
        for (const auto& pv : lvm.pvs) {
            if (pv.vg != group.name) continue;
            group.extents += pv.extents;
            group.free_extents += pv.extents - pv.allocated_extents;
        }
    }
}

std::vector<LogicalVolume*> standing_pools(Lvm& lvm) {
    std::vector<LogicalVolume*> pools;
    for (auto& volume : lvm.lvs) {
        if (tier_of(volume) && volume.segtype == "cache-pool" && !volume.hidden) pools.push_back(&volume);
    }
    return pools;
}

/// What a kill or a power cut in the middle of a command could leave of a pool that fronts nothing yet.
void damage_pool(Random& random, Lvm& lvm) {
    const auto pools = standing_pools(lvm);
    if (pools.empty()) return;
    auto& pool = *random.pick(pools);
    const auto part = [&](const std::string& name) -> LogicalVolume* {
        for (auto& volume : lvm.lvs) {
            if (volume.vg == pool.vg && volume.name == name) return &volume;
        }
        return nullptr;
    };
    auto* data = part(pool.data);
    auto* metadata = part(pool.metadata);
    if (data == nullptr || metadata == nullptr) return;
    switch (random.below(5)) {
        case 0: {  // on the slow disk
            auto* moved = random.chance(50) ? data : metadata;
            for (const auto& pv : lvm.pvs) {
                const auto extents = moved->extents_on.begin()->second;
                if (pv.vg == pool.vg && pv.tags.empty() && pv.uuid.rfind("pv-", 0) == 0 && pv.extents - pv.allocated_extents > extents) {
                    moved->extents_on = {{pv.uuid, extents}};
                    break;
                }
            }
            break;
        }
        case 1: {  // only half of it
            auto& [uuid, extents] = *data->extents_on.begin();
            if (extents > 10) extents /= 2;
            data->size = pool.size = pool.size / 2;
            break;
        }
        case 2: {  // it never became a pool
            pool.segtype = "linear";
            pool.extents_on = data->extents_on;
            const std::vector<std::string> gone{pool.data, pool.metadata};
            const std::string vg = pool.vg;
            pool.data.clear();
            pool.metadata.clear();
            std::erase_if(lvm.lvs, [&](const LogicalVolume& volume) {
                return volume.vg == vg && (volume.name == gone[0] || volume.name == gone[1]);
            });
            break;
        }
        case 3: (random.chance(50) ? data : metadata)->extents_on.clear(); break;
        default: metadata->extents_on = {{"pv-nobody-knows", 3}};
    }
    count_extents(lvm);
}

/// lvconvert --uncache was killed behind its first commit: the volume has its data again, and what LVM called its origin has the pool.
void leave_uncached(Random& random, Observation& now) {
    auto& lvm = *now.lvm;
    for (auto& volume : lvm.lvs) {
        if (volume.segtype != "cache" || !random.chance(50)) continue;
        const auto part = [&](const std::string& name) {
            return std::find_if(lvm.lvs.begin(), lvm.lvs.end(),
                                [&](const LogicalVolume& each) { return each.vg == volume.vg && each.name == name; });
        };
        const auto left = part(volume.origin), pool = part(volume.pool);
        if (left == lvm.lvs.end() || pool == lvm.lvs.end()) continue;
        volume.segtype = left->segtype;
        volume.extents_on.swap(left->extents_on);
        left->segtype = "cache";
        left->pool = std::exchange(volume.pool, "");
        left->hidden = false;
        volume.origin.clear();
        volume.cache_mode.reset();
        volume.cache_policy.clear();
        volume.cache_settings.clear();
        now.caches.erase(volume.uuid);
        left->active = false;
        for (const auto& each : {part(pool->data), part(pool->metadata)}) {
            if (each == lvm.lvs.end()) continue;
            each->active = random.chance(50);
            if (*each->active) left->active.reset(), left->attr = "Cwi-XXC-X-";
        }
    }
}

void damage(Random& random, Observation& now) {
    auto& lvm = *now.lvm;
    if (random.chance(50)) {
        damage_pool(random, lvm);
        return;
    }
    if (random.chance(20)) leave_uncached(random, now);
    for (auto& pv : lvm.pvs) {
        if (!is_ours(pv, now) || pv.vg.empty()) continue;
        if (random.chance(40)) pv.allocatable = !pv.allocatable;
        if (random.chance(15)) pv.tags.clear();
        if (random.chance(5)) pv.tags = {device_tag("another")};
    }
    for (auto& volume : lvm.lvs) {
        if (!tier_of(volume) || !volume.hidden || volume.segtype != "cache-pool") continue;
        if (random.chance(10)) volume.tags.clear();  // somebody took the tag off: foreign from then on
        if (random.chance(10)) volume.tags = {tier_tag("t" + std::to_string(random.below(4)))};
    }
    for (auto& volume : lvm.lvs) {
        if (volume.segtype == "cache" && random.chance(10)) volume.name += "-renamed";
    }
    for (auto& [uuid, cache] : now.caches) {
        if (random.chance(20)) cache.metadata_committed.reset();
    }
}

std::vector<std::function<void(Random&, Observation&)>> troubles() {
    const auto group = [](Random& random, Observation& now) -> VolumeGroup& {
        return now.lvm->groups[static_cast<std::size_t>(random.below(now.lvm->groups.size()))];
    };
    const auto volume = [](Random& random, Observation& now) -> LogicalVolume& {
        return now.lvm->lvs[static_cast<std::size_t>(random.below(now.lvm->lvs.size()))];
    };
    const auto pv = [](Random& random, Observation& now) -> PhysicalVolume& {
        return now.lvm->pvs[static_cast<std::size_t>(random.below(now.lvm->pvs.size()))];
    };
    const auto ours_or_any = [=](Random& random, Observation& now) -> PhysicalVolume& {
        const auto ours = std::find_if(now.lvm->pvs.begin(), now.lvm->pvs.end(),
                                       [](const PhysicalVolume& each) { return device_rule_of(each).has_value(); });
        return ours != now.lvm->pvs.end() && random.chance(80) ? *ours : pv(random, now);
    };
    return {
        [=](Random& random, Observation& now) { group(random, now).busy = true; },
        [=](Random& random, Observation& now) { group(random, now).exported = true; },
        [=](Random& random, Observation& now) { group(random, now).shared = true; },
        [=](Random& random, Observation& now) { group(random, now).writeable = false; },
        [=](Random& random, Observation& now) { group(random, now).partial = true; },
        [=](Random& random, Observation& now) { group(random, now).extent_size = 0; },
        [=](Random& random, Observation& now) { group(random, now).name = "gone"; },
        [=](Random& random, Observation& now) { volume(random, now).partial = true; },
        [=](Random& random, Observation& now) { volume(random, now).active.reset(); },
        [=](Random& random, Observation& now) { volume(random, now).suspended = true; },
        [=](Random& random, Observation& now) { volume(random, now).suspended.reset(); },
        [=](Random& random, Observation& now) { volume(random, now).merging = true; },
        [=](Random& random, Observation& now) {  // the kernel has another kind of table for it
            const auto cached =
                std::find_if(now.lvm->lvs.begin(), now.lvm->lvs.end(), [](const LogicalVolume& each) { return each.segtype == "cache"; });
            auto& mismatched = cached != now.lvm->lvs.end() && random.chance(70) ? *cached : volume(random, now);
            mismatched.attr = "Cwi-XXC-X-";
            mismatched.active.reset();
            mismatched.suspended.reset();
        },
        [=](Random& random, Observation& now) {  // pulled
            const std::string node = ours_or_any(random, now).device;
            if (!node.empty()) take_away(now, node);
            for (auto& lost : now.lvm->lvs) {  // and given up by a person
                if (lost.segtype == "cache" && random.chance(50)) lost.tags.insert(request_tag(RequestKind::Recover, drop_choice));
            }
        },
        [=](Random& random, Observation& now) {  // pulled, and back after the group was changed without it
            const auto whole = now;
            const std::string node = ours_or_any(random, now).device;
            if (node.empty()) return;
            take_away(now, node);
            now.devices = whole.devices;
            for (auto& back : now.lvm->pvs) {
                const auto* before = whole.lvm->pv(back.uuid);
                if (before == nullptr) continue;
                back.device = before->device;
                back.dev = before->dev;
            }
        },
        [=](Random& random, Observation& now) {  // back after its group went on without it for good
            std::vector<BlockDevice*> fast;
            for (auto& each : now.devices) {
                if (each.kind == DiskKind::Ssd && each.parent.empty() && each.probe && now.lvm->pv_on(each) == nullptr)
                    fast.push_back(&each);
            }
            if (fast.empty()) return;
            auto& disk = *random.pick(fast);
            Signature label{"LVM2_member", "raid", 536, pv_uuid_for(now.machine, identity_of(disk)), group(random, now).name, {}};
            if (random.chance(90)) label.writeback = random.chance(30);
            disk.probe->signatures = {label};
        },
        [=](Random& random, Observation& now) {  // a copy of it appears
            auto copy = random.chance(50) ? pv(random, now) : now.lvm->pvs.back();
            copy.duplicate = true;
            copy.dev = "8:240";
            copy.device = "/dev/sdp";
            now.lvm->pvs.push_back(std::move(copy));
        },
        [=](Random& random, Observation& now) {
            auto twin = group(random, now);
            twin.uuid += "-twin";
            now.lvm->groups.push_back(std::move(twin));
        },
        [=](Random&, Observation& now) {  // disks come back empty: what LVM knows of them is missing
            for (auto& each : now.devices) {
                const auto* old = now.lvm->pv_on(each);
                if (old == nullptr || !is_ours(*old, now)) continue;
                each.probe = Probe{};
                for (auto& lost : now.lvm->pvs) {
                    if (lost.dev != each.dev) continue;
                    lost.missing = true;
                    lost.dev = lost.device = "";
                    for (auto& owner : now.lvm->groups) {
                        if (owner.name == lost.vg) ++owner.missing_pvs;
                    }
                }
            }
        },
        [](Random&, Observation& now) { now.devices_known = false; },
        [](Random&, Observation& now) { now.container = true; },
        [](Random&, Observation& now) { now.machine.clear(); },
        [](Random&, Observation& now) {
            now.lvm.reset();
            now.lvm_error = "lvm exited with 5";
        },
    };
}

/// The SSD of a write-back cache is gone, and maybe back; and a person may have given it up.
void lose_writeback(Random& random, Observation& now) {
    for (auto& volume : now.lvm->lvs) {
        if (volume.segtype != "cache" || volume.cache_mode != CacheMode::Writeback) continue;
        const auto* pool = now.lvm->volume({volume.vg, volume.pool});
        const auto* data = pool == nullptr ? nullptr : now.lvm->volume({volume.vg, pool->data});
        const auto* pv = data == nullptr || data->extents_on.empty() ? nullptr : now.lvm->pv(data->extents_on.begin()->first);
        if (pv == nullptr || pv->device.empty()) continue;
        if (random.chance(50)) volume.tags.insert(request_tag(RequestKind::Recover, drop_choice));
        const auto lost = *pv;
        const auto devices = now.devices;
        take_away(now, lost.device);
        if (random.chance(70)) return;
        now.devices = devices;
        for (auto& back : now.lvm->pvs) {
            if (back.uuid == lost.uuid) back.device = lost.device, back.dev = lost.dev;
        }
        return;
    }
}

/// One SSD of a raid1 pool is gone; another may take its place.
void lose_leg(Random& random, Case& each) {
    for (const auto& pool : each.now.lvm->lvs) {
        if (pool.segtype != "cache-pool" || !pool.hidden || !each.now.lvm->is_held_by_a_leg(pool)) continue;
        const auto* data = each.now.lvm->volume({pool.vg, pool.data});
        const auto* pv = each.now.lvm->pv(each.now.lvm->extents_below(*data).begin()->first);
        if (pv == nullptr || pv->device.empty()) continue;
        auto spare = *each.now.device_of(*pv);
        const auto rule = device_rule_of(*pv);
        take_away(each.now, std::string{pv->device});
        if (random.chance(30)) return;
        spare.node = "/dev/sdz";
        spare.name = "sdz";
        spare.dev = "8:400";
        spare.serial = "S9999";
        spare.wwn = "0xS9999";
        spare.diskseq = 99;
        spare.probe = Probe{};
        spare.holders.clear();
        spare.health.reset();
        each.now.devices.push_back(std::move(spare));
        for (auto& device : each.policy.devices) {
            if (rule && device.name == *rule) device.match.serial.push_back("S9999");
        }
        return;
    }
}

}  // namespace

void interrupt(Random& random, Case& each) {
    auto steps = make_plan(each.policy, each.now).steps;
    std::erase_if(steps, [](const Step& step) { return step.state != StepState::Ready; });
    const auto done = random.chance(40) ? steps.size() : random.below(steps.size() + 1);
    for (std::size_t i = 0; i < done; ++i) foretell_in_place(each.now, *steps[i].action);
    if (random.chance(50)) damage(random, each.now);
    if (random.chance(15)) each.policy = generate_policy(random, each.now);  // and the policy is another one by now
    for (const auto& volume : each.now.lvm->lvs) {
        if (!tier_of(volume) || volume.hidden || !random.chance(20)) continue;
        each.policy.tiers[static_cast<std::size_t>(random.below(each.policy.tiers.size()))].volume = {volume.vg, volume.name};
    }
    for (auto& [uuid, device] : each.now.caches) {
        if (device.status && random.chance(50)) device.status->dirty_blocks = random.below(3) * 1'000;
    }
    for (auto& disk : each.now.devices) {  // some say how they are, and some of those fail
        if (random.chance(10)) disk.health = DiskHealth{random.chance(50), "it says so", std::nullopt};
    }
    for (auto& volume : each.now.lvm->lvs) {  // a drain was begun
        if (volume.segtype == "cache" && random.chance(20)) volume.cache_policy = cleaner_policy;
    }
    for (auto& volume : each.now.lvm->lvs) {  // a person asked for something
        if (volume.hidden || volume.segtype == "cache-pool" || !random.chance(volume.segtype == "cache" ? 25 : 3)) continue;
        volume.tags.insert(random.pick<std::string>({request_tag(RequestKind::Detach), request_tag(RequestKind::Remake),
                                                     request_tag(RequestKind::Mode, "writethrough"), request_tag(RequestKind::Flush, "1"),
                                                     request_tag(RequestKind::Recover, drop_choice),
                                                     request_tag(RequestKind::Flush, "253402300799"), "tierd.flush=soon"}));
    }
    if (random.chance(5)) lose_writeback(random, each.now);
    if (random.chance(30)) lose_leg(random, each);
    for (auto& rule : each.policy.tiers) {
        if (random.chance(20)) rule.state = Presence::Absent;
        if (random.chance(10)) rule.drain_window = DrainWindow{60, 360};
        if (random.chance(10)) rule.mode = random.pick<CacheMode>({CacheMode::Passthrough, CacheMode::Writethrough, CacheMode::Writeback});
        if (random.chance(5)) rule.settings["migration_threshold"] = "8192";
        if (random.chance(10)) rule.size = SizeSpec{random.pick<Bytes>({gib, 4 * gib, 700 * mib})};
        if (random.chance(5)) rule.chunk_size = 512 * kib;
        if (random.chance(5)) rule.devices = {"d" + std::to_string(random.below(3))};
        if (random.chance(20)) rule.autonomy = Autonomy::Full;
    }
    if (random.chance(95)) freeze_twins(each.policy);
}

void trouble(Random& random, Observation& now) {
    static const auto list = troubles();
    const auto count = 1 + random.below(2);
    for (std::uint64_t i = 0; i < count && now.lvm; ++i) {
        // The last ones leave nothing else to look at: seldom.
        const auto which = random.chance(92) ? random.below(list.size() - 4) : random.below(list.size());
        if (now.lvm->groups.empty() || now.lvm->lvs.empty() || now.lvm->pvs.empty()) return;
        list[static_cast<std::size_t>(which)](random, now);
    }
}

}  // namespace tierd::property
