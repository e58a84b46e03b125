// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>
#include <vector>

namespace tierd::dm {

/// Takes away what a killed lvconvert left in the kernel of a cache that LVM says is in front of nothing: devices of LVM's whose name is
/// one of these or goes on from one, the table loaded beside a volume's own that stands on them, and what else that one stood on. Never
/// what is open, nor a table that runs. names: as device-mapper has them ("vg-pool_cpool" for "vg-pool_cpool_cdata", too).
void drop_leftovers(const std::vector<std::string>& names);

}  // namespace tierd::dm
