// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "daemon/device/probe.hpp"

namespace tierd::device {

/// Whether the LVM2 physical volume in that area belongs to a volume group. True also where that cannot be told.
/// Source of the format: lvm2, lib/format_text/layout.h.
bool in_volume_group(const Area& area);

}  // namespace tierd::device
