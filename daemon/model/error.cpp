// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/error.hpp"

#include <array>

namespace tierd {

namespace {

struct Row {
    ErrorCode code;
    std::string_view name;
    int exit_status;
};

constexpr std::array<Row, 23> table{{
    {ErrorCode::InvalidArgs, "InvalidArgs", 64},
    {ErrorCode::InvalidPolicy, "InvalidPolicy", 1},
    {ErrorCode::StalePlan, "StalePlan", 1},
    {ErrorCode::PlanDiverged, "PlanDiverged", 1},
    {ErrorCode::NoSuchTarget, "NoSuchTarget", 1},
    {ErrorCode::NotAuthorized, "NotAuthorized", 4},
    {ErrorCode::InteractionRequired, "InteractionRequired", 4},
    {ErrorCode::Ineligible, "Ineligible", 1},
    {ErrorCode::DeviceNotEmpty, "DeviceNotEmpty", 1},
    {ErrorCode::DeviceBusy, "DeviceBusy", 1},
    {ErrorCode::DeviceChanged, "DeviceChanged", 1},
    {ErrorCode::InsufficientSpace, "InsufficientSpace", 1},
    {ErrorCode::Unsupported, "Unsupported", 1},
    {ErrorCode::StateUnknown, "StateUnknown", 1},
    {ErrorCode::Frozen, "Frozen", 1},
    {ErrorCode::Paused, "Paused", 1},
    {ErrorCode::NotCancelable, "NotCancelable", 1},
    {ErrorCode::Canceled, "Canceled", 1},
    {ErrorCode::ToolFailed, "ToolFailed", 1},
    {ErrorCode::Timeout, "Timeout", 1},
    {ErrorCode::LimitExceeded, "LimitExceeded", 1},
    {ErrorCode::NotRunning, "NotRunning", 3},
    {ErrorCode::Internal, "Internal", 1},
}};

constexpr bool complete() {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (static_cast<std::size_t>(table.at(i).code) != i) return false;
    }
    return static_cast<std::size_t>(ErrorCode::Internal) + 1 == table.size();
}
static_assert(complete(), "each ErrorCode has its row, in the order of the enumeration");

}  // namespace

std::string_view error_name(ErrorCode code) {
    return table.at(static_cast<std::size_t>(code)).name;
}

int exit_status(ErrorCode code) {
    return table.at(static_cast<std::size_t>(code)).exit_status;
}

ErrorCode error_code(std::string_view name) {
    for (const auto& row : table) {
        if (row.name == name) return row.code;
    }
    return ErrorCode::Internal;
}

}  // namespace tierd
