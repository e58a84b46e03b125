// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/listing.hpp"
#include "client/tables.hpp"
#include "client/verbs.hpp"

namespace tierd::client {

int verb_jobs(Context& context) {
    return list_objects(
        context, "jobs", [](const Value& state) { return job_table(state); },
        "nothing is running, and nothing ended within the last minute.");
}

}  // namespace tierd::client
