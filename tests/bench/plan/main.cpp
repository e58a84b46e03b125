// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
//
// bench_plan: how long a plan takes for 1,000 and for 10,000 volumes (each with a device-mapper device; a tenth of them with a tier, in
// ten volume groups with an SSD each), while nothing is attached yet and once all is. Linear is a growth of 10. Exits with 1 when a
// plan is not what it must be; times are shown, not judged. (Instructions grow by 8 to 9;
// what comes on top of 10 are cache misses.)
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "daemon/plan/foretell.hpp"
#include "daemon/plan/planner.hpp"
#include "world.hpp"

namespace {

using namespace tierd;

constexpr std::size_t groups = 10;

struct Bench {
    Policy policy;
    Observation now;
};

void add_group(Bench& bench, std::size_t number, std::size_t volumes) {
    auto& lvm = *bench.now.lvm;
    const std::string vg = "vg" + std::to_string(number);
    auto slow =
        world::disk("slow" + std::string(1, static_cast<char>('a' + number)), DiskKind::Hdd, 40 * tib, "H" + std::to_string(number));
    slow.dev = "8:" + std::to_string(number);
    slow.holders = {"dm-0"};
    slow.probe = Probe{{{"LVM2_member", "raid", 512}}, false, true};
    auto pv = world::pv_of("pv-" + vg, slow, vg);
    pv.allocated_extents = volumes * 100;
    VolumeGroup group;
    group.name = group.uuid = vg;
    group.extent_size = world::extent;
    group.extents = pv.extents;
    group.free_extents = pv.extents - pv.allocated_extents;
    lvm.groups.push_back(group);
    for (std::size_t i = 0; i < volumes; ++i) {
        const std::string name = "volume" + std::to_string(i);
        lvm.lvs.push_back(world::linear(vg, name, 100, pv.uuid));
        BlockDevice mapped;
        mapped.name = "dm-" + std::to_string(bench.now.devices.size());
        mapped.node = "/dev/" + mapped.name;
        mapped.dev = "253:" + std::to_string(bench.now.devices.size());
        mapped.size = 100 * world::extent;
        mapped.virtual_disk = true;
        mapped.kind_evidence = "a virtual device";
        bench.now.devices.push_back(mapped);
        if (i % 10 != 0) continue;
        auto tier = world::media_rule();
        tier.name = vg + '-' + name;
        tier.volume = {vg, name};
        tier.devices = {"fast" + std::to_string(number)};
        tier.size = SizeSpec{400 * mib};
        tier.metadata_size.reset();
        bench.policy.tiers.push_back(tier);
    }
    lvm.pvs.push_back(pv);
    bench.now.devices.push_back(slow);
    auto fast = world::disk("fast" + std::string(1, static_cast<char>('a' + number)), DiskKind::Ssd, 2 * tib, "S" + std::to_string(number));
    fast.dev = "259:" + std::to_string(number);
    bench.now.devices.push_back(fast);
    auto rule = world::fast_rule();
    rule.name = "fast" + std::to_string(number);
    rule.match.serial = {fast.serial};
    bench.policy.devices.push_back(rule);
}

Bench make(std::size_t volumes) {
    Bench bench;
    bench.now.time = world::noon;
    bench.now.machine = world::machine_id;
    bench.now.lvm.emplace();
    for (std::size_t i = 0; i < groups; ++i) add_group(bench, i, volumes / groups);
    return bench;
}

double cpu_ms() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// The median of nine, in milliseconds of this process: what else the machine does hardly counts.
double time_of(const Bench& bench) {
    std::vector<double> times;
    for (int i = 0; i < 9; ++i) {
        const auto before = cpu_ms();
        const auto plan = make_plan(bench.policy, bench.now);
        times.push_back(cpu_ms() - before);
    }
    std::sort(times.begin(), times.end());
    return times[4];
}

void show(const char* what, const std::vector<double>& times) {
    std::printf("%-22s  1,000 volumes %7.2f ms   10,000 volumes %7.2f ms   growth %5.1f (linear: 10)\n", what, times[0], times[1],
                times[1] / times[0]);
}

}  // namespace

int main() {
    std::vector<double> before, after;
    for (const std::size_t volumes : {1'000U, 10'000U}) {
        auto bench = make(volumes);
        const auto plan = make_plan(bench.policy, bench.now);
        const auto expected =
            bench.policy.tiers.size() * 5 + groups;  // each disk once by two steps, each tier by unfence, pool, fence, attach, commit
        if (plan.steps.size() != expected) {
            std::printf("%zu steps instead of %zu: %s\n", plan.steps.size(), expected,
                        plan.steps.empty() ? "" : plan.steps.back().reason.c_str());
            return 1;
        }
        before.push_back(time_of(bench));
        VolumeIndex by_name{bench.now.lvm->lvs};
        for (const auto& step : plan.steps) foretell_in_place(bench.now, *step.action, by_name);
        if (const auto rest = make_plan(bench.policy, bench.now); !rest.steps.empty()) {
            std::printf("not converged: %s: %s\n", rest.steps.front().sentence.c_str(), rest.steps.front().reason.c_str());
            return 1;
        }
        after.push_back(time_of(bench));
    }
    show("plan, all to be done", before);
    show("plan, all is done", after);
    return 0;
}
