// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/listing.hpp"
#include "client/tables.hpp"
#include "client/verbs.hpp"

namespace tierd::client {

int verb_snapshots(Context& context) {
    return list_objects(
        context, "snapshots", [](const Value& state) { return snapshot_table(state); }, "there are no snapshots.");
}

}  // namespace tierd::client
