// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/listing.hpp"
#include "client/tables.hpp"
#include "client/verbs.hpp"

namespace tierd::client {

int verb_tiers(Context& context) {
    return list_objects(
        context, "tiers", [](const Value& state) { return tier_table(state, true); },
        "nothing is to be made fast. Declare a tier in /etc/tierd/NAME.yaml, see tierd.yaml(5), then `tierctl reload`.");
}

}  // namespace tierd::client
