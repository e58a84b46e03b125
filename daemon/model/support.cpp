// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/support.hpp"

namespace tierd {

Unsupported unsupported_part(const TierRule& rule) {
    if (rule.kind != TierKind::Cache && rule.kind != TierKind::Writecache) return {"kind", "kind: " + std::string{name_of(rule.kind)}};
    return {};
}

Unsupported unsupported_part(const DeviceRule& rule) {
    if (rule.count > 2) return {"count", "count: " + std::to_string(rule.count)};
    return {};
}

Unsupported unsupported_part(const SnapshotRule& rule) {
    return {"", rule.state == Presence::Absent ? "" : "snapshots"};
}

Unsupported unsupported_part(const PoolRule& /*rule*/) {
    return {"", "pools"};
}

}  // namespace tierd
