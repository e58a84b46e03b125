// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/service/guard.hpp"

#include "dbus/names.hpp"
#include "dbus/service/values.hpp"

namespace tierd::bus {

sdbus::Error bus_error(const std::exception& error) {
    if (const auto* of_the_bus = dynamic_cast<const sdbus::Error*>(&error)) return *of_the_bus;
    const auto* ours = dynamic_cast<const Error*>(&error);
    const ErrorCode code = ours != nullptr ? ours->code() : ErrorCode::Internal;
    return sdbus::Error{ErrorName{error_name_on_bus(code)}, bus_text(error.what())};
}

}  // namespace tierd::bus
