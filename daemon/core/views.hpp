// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "daemon/core/memory.hpp"
#include "daemon/core/view.hpp"
#include "daemon/core/watchers.hpp"
#include "daemon/model/observation.hpp"
#include "daemon/model/plan.hpp"
#include "daemon/model/policy.hpp"

/// State -> what is shown of it. Pure.
namespace tierd {

struct Shown {
    const Policy& policy;
    const Observation& observation;
    const Plan& plan;
    const Watchers& watchers;
    const std::map<std::string, LastSeen>& remembered;  ///< by the UUID of the cached LV, of before this daemon too
    std::set<std::string> acting;                       ///< entries that a step is under way for
    std::set<std::string> running;                      ///< groups in which a step is under way
    std::map<std::string, std::string> held;            ///< group -> why nothing is done in it now; "": everywhere
    std::set<std::string> arriving;                     ///< groups that have lacked a disk since the start, which is waited for
};

/// Of a step that is refused because its entry is frozen by the policy: in short, the policy's problems say all of it.
std::string contradiction_of(const Step& step);

/// A name of at most 128 bytes for an object, whatever text it was observed by: the text itself, or its beginning and a hash of all of it.
std::string bounded_id(const std::string& text);

std::vector<DeviceView> view_devices(const Shown& shown);
std::vector<TierView> view_tiers(const Shown& shown);
std::vector<SnapshotView> view_snapshots(const Shown& shown);

/// Adds what only watching tells of a tier or volume.
void explain_watched(const Shown& shown, const std::string& about, std::vector<Finding>& findings);

/// What is to be known about the machine now, apart from the controller's own state (frozen groups, policy).
std::vector<AlertView> facts_of(const Shown& shown, const std::vector<TierView>& tiers);

}  // namespace tierd
