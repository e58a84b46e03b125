// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "daemon/model/policy.hpp"

/// What something may be called. Each check gives a clause that follows the name in quotes, or "" when the name is well.
namespace tierd::config {

/// An entry's own name: it becomes a tag, a bus path, an LV's name. A-Za-z0-9_.-, at most 64, not starting with '-'.
std::string entry_name_complaint(std::string_view name);

/// VG/LV, as LVM lets one name them (lvm(8), "VALID NAMES"; lib/misc/lvm-string.c).
std::string volume_name_complaint(std::string_view name);
/// The two halves of a name without complaint.
VolumeName split_volume(std::string_view name);

/// Whether LVM would let an LV of this name be made: it keeps prefixes and infixes for itself.
std::string reserved_complaint(std::string_view lv);
/// Whether device-mapper has room for VG and LV as one name; suffix is what LVM appends to the LV's hidden parts.
std::string length_complaint(std::string_view vg, std::string_view lv, std::string_view suffix);

/// A snapshot's name as tierd makes it: LV-RULE-20260201T023000Z; LVM appends "-cow" to a thick one's store.
std::string snapshot_name(std::string_view lv, std::string_view rule);
inline constexpr std::string_view snapshot_suffix = "-cow";

}  // namespace tierd::config
