// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "daemon/core/view.hpp"
#include "daemon/model/error.hpp"
#include "daemon/model/plan.hpp"
#include "daemon/model/policy.hpp"
#include "dbus/sdbus_compat.hpp"

/// The state as values of the bus. An unknown number is the documented "unknown"; text that the bus would refuse is escaped.
namespace tierd::bus {

using Dictionary = std::map<std::string, sdbus::Variant>;
using BusProblem = sdbus::Struct<std::string, std::string, std::uint32_t, std::uint32_t, std::string>;

/// Bytes that are not UTF-8 as the bus wants it, and NUL, become \xNN: one disk's odd serial must not make a whole reply fail.
std::string bus_text(const std::string& text);

// One overload a type of view member.
inline std::string bus_value(const std::string& value) {
    return bus_text(value);
}
inline bool bus_value(bool value) {
    return value;
}
inline std::uint32_t bus_value(std::uint32_t value) {
    return value;
}
inline std::uint64_t bus_value(std::uint64_t value) {
    return value;
}
inline std::uint64_t bus_value(const std::optional<std::uint64_t>& value) {
    return value.value_or(UINT64_MAX);
}
inline double bus_value(const std::optional<double>& value) {
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
}
inline const std::map<std::string, double>& bus_value(const std::map<std::string, double>& value) {
    return value;
}
std::vector<std::string> bus_value(const std::vector<std::string>& value);
std::map<std::string, std::string> bus_value(const std::map<std::string, std::string>& value);
std::vector<BusProblem> bus_value(const std::vector<Problem>& problems);

/// Decimal numbers as t, other text as s.
Dictionary settings_value(const std::map<std::string, std::string>& settings);
/// Each as s.
Dictionary text_dictionary(const std::map<std::string, std::string>& texts);
std::vector<sdbus::ObjectPath> paths_value(const std::string& kind, const std::vector<std::string>& ids);

std::vector<Dictionary> steps_value(const ShownPlan& plan);
std::vector<Dictionary> findings_value(const std::vector<Finding>& findings);
Dictionary statistics_of(const TierView& tier);
Dictionary statistics_of(const SnapshotView& snapshot);

/// Takes the option of that name out; nullopt where it is not given, Error{InvalidArgs} where it is of another type.
template <typename Value>
std::optional<Value> take_option(Dictionary& options, const char* name) {
    const auto entry = options.extract(name);
    if (!entry) return std::nullopt;
    if (!entry.mapped().template containsValueOfType<Value>())
        throw Error{ErrorCode::InvalidArgs, std::string{"option \""} + name + "\" is of type " +
                                                std::string{entry.mapped().peekValueType()} + ", which it cannot be"};
    return entry.mapped().template get<Value>();
}
/// What was not taken out is not known: Error{InvalidArgs} names the first one.
void refuse_options(const Dictionary& options);

}  // namespace tierd::bus
