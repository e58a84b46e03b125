// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/model/error.hpp"

/// What things are called on the bus.
namespace tierd::bus {

inline constexpr const char* service_name = "org.tierd1";
inline constexpr const char* root_path = "/org/tierd1";
inline constexpr const char* log_control_path = "/org/freedesktop/LogControl1";

/// The verbs that are authorised, each by the polkit action "org.tierd1." + verb.
inline constexpr std::string_view apply_verb = "apply";
inline constexpr std::string_view reload_verb = "reload";
inline constexpr std::string_view thaw_verb = "thaw";
inline constexpr std::string_view pause_verb = "pause";
inline constexpr std::string_view cancel_job_verb = "cancel-job";
inline constexpr std::string_view detach_verb = "detach";
inline constexpr std::string_view flush_verb = "flush";
inline constexpr std::string_view set_mode_verb = "set-mode";
inline constexpr std::string_view recover_verb = "recover";
const std::vector<std::string_view>& authorised_verbs();
std::string polkit_action(std::string_view verb);

/// One element of an object path, by the rules of sd_bus_path_encode(3): letters and digits stay, each other byte and a leading
/// digit become _XX (hexadecimal), an empty text "_". Exact in both directions.
std::string encode_id(std::string_view id);
std::optional<std::string> decode_id(std::string_view element);

/// kind: "device", "tier", "snapshot". "/org/tierd1/tier/media".
std::string object_path(std::string_view kind, std::string_view id);
/// A job's number is not encoded: "/org/tierd1/job/7".
std::string job_path(std::uint32_t id);
/// Of an alert's object: "tier/media" with the id as it is; "" is the manager.
std::string path_of_object(std::string_view object);
/// Inverse of object_path for that kind; nullopt for any other path.
std::optional<std::string> id_of_path(std::string_view kind, std::string_view path);

/// "org.tierd1.Error.StalePlan".
std::string error_name_on_bus(ErrorCode code);
/// Inverse; Internal for an error that is not tierd's own.
ErrorCode error_code_from_bus(std::string_view name);

}  // namespace tierd::bus
