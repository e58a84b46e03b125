// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <string_view>

#include "daemon/device/probe.hpp"

namespace tierd::device {

/// The UUID of the LVM2 physical volume in that area, as LVM writes it for people (6-4-4-4-4-4-6 characters); "" when there is none.
std::string pv_uuid_in(const Area& area);

/// The metadata text that LVM wrote there last, the VG's name and all that is in it; "" when there is none, or it cannot be read. A VG that
/// went on without this PV has gone on without changing it.
std::string metadata_in(const Area& area);

/// Whether the LVM2 physical volume in that area belongs to a volume group. True also where that cannot be told.
/// Source of the format: lvm2, lib/format_text/layout.h.
bool in_volume_group(const Area& area);

/// Whether a volume group's metadata knows a cache that is not write-through. text: as metadata_in gives it.
bool knows_writeback(std::string_view text);

}  // namespace tierd::device
