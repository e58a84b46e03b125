// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <string>

#include "daemon/model/plan.hpp"
#include "generator.hpp"

/// What holds for every machine and every policy. Each takes the planner as a function, so that a planted defect can be put in its place;
/// each gives what is broken, in words, or "".
namespace tierd::property {

using Planner = std::function<Plan(const Policy&, const Observation&)>;

/// A plan ends, each of its steps can be foretold, and once they are done nothing is left to do. From any point of the way too.
std::string converges(const Planner& planner, const Case& each, Random& random);
/// No step breaks a promise, and nothing that is not tierd's is changed.
std::string keeps_its_promises(const Planner& planner, const Case& each, Random& random);
/// In which order disks, groups, PVs and LVs are reported says nothing.
std::string ignores_the_order(const Planner& planner, const Case& each, Random& random);
/// Something that was known is not known any more: no step is planned that was not planned before.
std::string never_acts_on_the_unknown(const Planner& planner, const Case& each, Random& random);
/// The observation survives JSON, and so does the plan.
std::string survives_json(const Planner& planner, const Case& each, Random& random);
/// Everything can be explained.
std::string can_be_explained(const Planner& planner, const Case& each, Random& random);

}  // namespace tierd::property
