// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdlib>
#include <iostream>

#include "coverage.hpp"
#include "daemon/model/error.hpp"
#include "daemon/model/identity.hpp"
#include "daemon/plan/planner.hpp"
#include "promises.hpp"
#include "properties.hpp"
#include "world.hpp"

namespace tierd::property {
namespace {

using Property = std::string (*)(const Planner&, const Case&, Random&);

/// TIERD_PROPERTY_ROUNDS: how many machines each property is tried on; TIERD_PROPERTY_SEED: that one alone.
std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return otherwise;
    std::uint64_t number = otherwise;
    const std::string_view view{text};
    std::from_chars(view.data(), view.data() + view.size(), number);
    return number;
}

std::uint64_t rounds() {
    return number_in("TIERD_PROPERTY_ROUNDS", 4'000);
}

std::string try_once(Property property, const Planner& planner, std::uint64_t seed) {
    Random random{seed};
    const auto each = generate(random);
    try {
        return property(planner, each, random);
    } catch (const Error& error) {
        return std::string{"it threw: "} + error.what();
    }
}

/// A property that costs more is tried on a share of the rounds.
void hold(const char* name, Property property, std::uint64_t share = 1) {
    const auto only = number_in("TIERD_PROPERTY_SEED", 0);
    const std::uint64_t first = only != 0 ? only : 1;
    const std::uint64_t last = only != 0 ? only : rounds() / share;
    unsigned failures = 0;
    for (auto seed = first; seed <= last && failures < 3; ++seed) {
        const auto fault = try_once(
            property, [](const Policy& policy, const Observation& now) { return make_plan(policy, now); }, seed);
        if (fault.empty()) continue;
        ++failures;
        ADD_FAILURE() << name << " does not hold, TIERD_PROPERTY_SEED=" << seed << '\n' << fault;
    }
}

TEST(EveryPlan, Converges) {
    hold("converges", converges);
}
TEST(EveryPlan, KeepsItsPromises) {
    hold("keeps its promises", keeps_its_promises);
}
TEST(EveryPlan, IgnoresTheOrder) {
    hold("ignores the order", ignores_the_order);
}
TEST(EveryPlan, NeverActsOnTheUnknown) {
    hold("never acts on the unknown", never_acts_on_the_unknown);
}
TEST(EveryPlan, SurvivesJson) {
    hold("survives JSON", survives_json, 8);
}
TEST(EveryPlan, CanBeExplained) {
    hold("can be explained", can_be_explained);
}

TEST(TheGenerator, ReachesEveryVerbRefusalAndState) {
    Coverage coverage;
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(rounds(), 10'000); ++seed) {
        Random random{seed};
        const auto each = generate(random);
        coverage.add(make_plan(each.policy, each.now));
    }
    std::cout << "plans that had\n" << coverage.report();
    EXPECT_THAT(coverage.never_reached(), testing::IsEmpty());
}

// --- the tests of the tests: a planner with a planted defect is found ---

/// In how many rounds; 0 when it never was.
std::uint64_t found_after(Property property, const Planner& planner, std::uint64_t most = 4'000) {
    for (std::uint64_t seed = 1; seed <= most; ++seed) {
        if (!try_once(property, planner, seed).empty()) return seed;
    }
    return 0;
}

/// Sees another machine than the one that is there.
Planner seeing(const std::function<void(Observation&)>& blinker) {
    return [blinker](const Policy& policy, const Observation& now) {
        auto seen = now;
        blinker(seen);
        return make_plan(policy, seen);
    };
}

const Planner takes_occupied_disks = seeing([](Observation& now) {
    for (auto& each : now.devices) each.probe = Probe{};
});

TEST(APlantedDefect, IsFoundWhenOccupiedDisksAreTaken) {
    EXPECT_NE(found_after(keeps_its_promises, takes_occupied_disks), 0u);
}

TEST(APlantedDefect, IsFoundWhenOneSafeguardIsMissing) {
    const std::vector<std::pair<std::string, std::function<void(Observation&)>>> safeguards{
        {"in use",
         [](Observation& now) {
             for (auto& each : now.devices) {
                 each.mounts.clear();
                 each.holders.clear();
                 each.swap = false;
                 if (each.probe) each.probe->busy = false;
             }
         }},
        {"unknown is blank",
         [](Observation& now) {
             for (auto& each : now.devices) {
                 if (!each.probe) each.probe = Probe{};
             }
         }},
        {"partitions", [](Observation& now) { std::erase_if(now.devices, [](const BlockDevice& each) { return !each.parent.empty(); }); }},
        {"two of one identity",
         [](Observation& now) {
             std::set<std::string> seen;
             std::erase_if(now.devices,
                           [&](const BlockDevice& each) { return !identity_of(each).empty() && !seen.insert(identity_of(each)).second; });
         }},
        {"multipath",
         [](Observation& now) {
             for (auto& each : now.devices) each.multipath_path = false;
         }},
        {"hands off",
         [](Observation& now) {
             for (auto& each : now.devices) each.hands_off = false;
         }},
        {"kind",
         [](Observation& now) {
             for (auto& each : now.devices) each.kind = DiskKind::Ssd;
         }},
        {"virtual and removable",
         [](Observation& now) {
             for (auto& each : now.devices) each.virtual_disk = each.removable = false;
         }},
        {"settling",
         [](Observation& now) {
             for (auto& each : now.devices) each.changed = 0;
         }},
        {"busy groups",
         [](Observation& now) {
             if (!now.lvm) return;
             for (auto& each : now.lvm->groups) each.busy = false;
         }},
        {"groups that are not to be changed",
         [](Observation& now) {
             if (!now.lvm) return;
             for (auto& each : now.lvm->groups) {
                 each.exported = each.shared = false;
                 each.writeable = true;
             }
         }},
        {"missing PVs",
         [](Observation& now) {
             if (!now.lvm) return;
             for (auto& each : now.lvm->groups) {
                 each.partial = false;
                 each.missing_pvs = 0;
             }
         }},
        {"duplicates",
         [](Observation& now) {
             if (now.lvm) std::erase_if(now.lvm->pvs, [](const PhysicalVolume& each) { return each.duplicate; });
         }},
        {"suspended and unknown volumes",
         [](Observation& now) {
             if (!now.lvm) return;
             for (auto& each : now.lvm->lvs) {
                 each.active = true;
                 each.suspended = false;
             }
         }},
        {"container", [](Observation& now) { now.container = false; }},
    };
    for (const auto& [what, remove] : safeguards) EXPECT_NE(found_after(keeps_its_promises, seeing(remove), 20'000), 0u) << what;
}

TEST(APlantedDefect, IsFoundWhenAForeignVolumeIsChanged) {
    const Planner removes = [](const Policy& policy, const Observation& now) {
        auto plan = make_plan(policy, now);
        for (auto& step : plan.steps) {
            if (step.verb != "attach-cache") continue;
            for (const auto& volume : now.lvm->lvs) {
                if (volume.vg == step.group && volume.tags.empty() && !volume.hidden)
                    step.action = RemovePool{volume.vg, volume.name, volume.uuid};
            }
        }
        return plan;
    };
    EXPECT_NE(found_after(keeps_its_promises, removes), 0u);
    const Planner fences = [](const Policy& policy, const Observation& now) {
        auto plan = make_plan(policy, now);
        for (auto& step : plan.steps) {
            if (step.verb == "fence-pv")
                step.action = FencePv{step.group, now.lvm->pvs.front().device, now.lvm->pvs.front().uuid, device_tag("d0")};
        }
        return plan;
    };
    EXPECT_NE(found_after(keeps_its_promises, fences), 0u);
    const Planner ignores_frozen = [](const Policy& policy, const Observation& now) {
        auto thawed = policy;
        thawed.frozen.clear();
        return make_plan(thawed, now);
    };
    EXPECT_NE(found_after(keeps_its_promises, ignores_frozen), 0u);
}

TEST(APlantedDefect, IsFoundWhenTheOrderDecides) {
    const Planner takes_the_first = [](const Policy& policy, const Observation& now) {
        auto seen = now;
        bool first = true;
        std::erase_if(seen.devices, [&](const BlockDevice& each) {
            return each.kind == DiskKind::Ssd && each.parent.empty() && !std::exchange(first, false);
        });
        return make_plan(policy, seen);
    };
    EXPECT_NE(found_after(ignores_the_order, takes_the_first), 0u);
}

TEST(APlantedDefect, IsFoundWhenTheUnknownIsActedOn) {
    EXPECT_NE(found_after(never_acts_on_the_unknown, seeing([](Observation& now) {
                              for (auto& each : now.devices) {
                                  if (!each.probe) each.probe = Probe{};
                              }
                          }),
                          20'000),
              0u)
        << "what was not probed is blank";
    EXPECT_NE(found_after(never_acts_on_the_unknown, seeing([](Observation& now) {
                              if (!now.lvm) return;
                              for (auto& each : now.lvm->lvs) {
                                  if (!each.suspended) each.suspended = false;
                              }
                          }),
                          20'000),
              0u)
        << "what is not known to be suspended is not";
}

TEST(APlantedDefect, IsFoundWhenAPlanDoesNotEnd) {
    const Planner fences_for_ever = [](const Policy& policy, const Observation& now) {
        auto plan = make_plan(policy, now);
        if (!now.lvm) return plan;
        for (const auto& pv : now.lvm->pvs) {
            if (!device_rule_of(pv)) continue;
            Step again;
            again.action = FencePv{pv.vg, pv.device, pv.uuid, *pv.tags.begin()};
            again.sentence = "fence it again";
            plan.steps.push_back(again);
        }
        return plan;
    };
    EXPECT_NE(found_after(converges, fences_for_ever), 0u);
    const Planner skips_a_step = [](const Policy& policy, const Observation& now) {
        auto plan = make_plan(policy, now);
        std::erase_if(plan.steps, [](const Step& step) { return step.verb == "extend-vg"; });
        return plan;
    };
    EXPECT_NE(found_after(converges, skips_a_step), 0u);
}

}  // namespace
}  // namespace tierd::property
