// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>

#include "daemon/plan/tier_case.hpp"

/// What planning a cache does when its SSD dies, and after.
namespace tierd {

/// Of a volume with a cache of ours: what is done because that has lost its disk or failed; nullopt when it is well.
std::optional<Step> handle_loss(const TierCase& tier);
/// Of a group that lacks physical volumes: the next step to its being whole; nullopt where more than our own empty ones are missing.
std::optional<Step> make_group_whole(const TierCase& tier);

/// Of a disk of ours that the group went on without: what it says of the group is cleared, where nothing on it can be the only copy.
Step clear_outdated(const TierCase& tier, const BlockDevice& disk, const Signature& label);
/// Of a volume that carries lost_tags: that disk takes the place of the one that died. By a person's word, unless the policy allows it.
Step replace(const TierCase& tier, const BlockDevice& disk);
/// Takes those tags off.
Step forget_loss(const TierCase& tier, const std::string& why);

}  // namespace tierd
