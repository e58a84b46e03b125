// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

#include "client/context.hpp"

namespace tierd::client {

/// The objects of the bus that a person calls so: by path, name, node, serial, volume. Error{NoSuchTarget} says what there is.
std::vector<Object> find_objects(Context& context, const std::string& wanted);
/// The one tier.
Object find_tier(Context& context, const std::string& wanted);

}  // namespace tierd::client
