// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/listing.hpp"
#include "client/tables.hpp"
#include "client/verbs.hpp"

namespace tierd::client {

int verb_devices(Context& context) {
    return list_objects(
        context, "devices", [](const Value& state) { return device_table(state); },
        "no disk that could serve is there. Plug one in; tierd notices it by itself.");
}

}  // namespace tierd::client
