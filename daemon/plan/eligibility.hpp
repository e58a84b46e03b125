// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "daemon/model/observation.hpp"
#include "daemon/model/plan.hpp"
#include "daemon/model/policy.hpp"

namespace tierd {

/// How long a disk must have been quiet before it is judged for good: late udev events carry what the first one lacks (multipath).
inline constexpr Usec settle_span = 250'000;

/// Whether a rule asks for this disk, and whether the disk may be taken under it.
struct Verdict {
    enum class Answer {
        Eligible,
        Serving,   ///< it is tierd's already
        Settling,  ///< to be looked at again at until
        Unknown,   ///< something could not be read
        Ineligible,
    };
    bool matches = false;  ///< every line of the rule holds
    Answer answer = Answer::Ineligible;
    std::vector<Finding> findings;     ///< each line and each check with its evidence; the ones that refuse have Verdict::No
    std::vector<std::string> reasons;  ///< the refusing or unknown ones, short: 'holds data: gpt, /dev/sdb1 vfat'
    Usec until = 0;
    bool needs_wipe = false;  ///< eligible because the policy allows what is on it to be erased
};

/// False where a look at the disk alone says that the rule does not ask for it, as for most devices of a big machine; true is not yet a
/// match.
bool can_match(const DeviceRule& rule, const BlockDevice& device);

/// Pure. Findings are complete: they do not stop at the first refusal.
Verdict judge(const DeviceRule& rule, const BlockDevice& device, const Observation& observation);

/// "ok, 3% of what it is rated to be written".
std::string describe_health(const std::optional<DiskHealth>& health);

/// The evidence about a disk without any rule: what is on it and what stands on it.
std::vector<Finding> describe_device(const BlockDevice& device, const Observation& observation);

}  // namespace tierd
