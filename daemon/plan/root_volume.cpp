// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/root_volume.hpp"

#include <algorithm>

namespace tierd {

const LogicalVolume* below_root(const Observation& now) {
    if (!now.lvm || now.root.dm_uuid.empty()) return nullptr;
    const auto root = std::find_if(now.lvm->lvs.begin(), now.lvm->lvs.end(),
                                   [&](const LogicalVolume& volume) { return volume.dm_uuid == now.root.dm_uuid; });
    if (root == now.lvm->lvs.end()) return nullptr;
    if (root->segtype == "thin") return now.lvm->fronted({root->vg, root->pool});
    return root->origin.empty() || root->is_cached() ? &*root : now.lvm->volume({root->vg, root->origin});
}

std::optional<BootRisk> boot_risk(const RootSetup& root, TierKind kind) {
    const bool is_writecache = kind == TierKind::Writecache;
    const auto& boots = is_writecache ? root.boots_writecached : root.boots_cached;
    if (boots == true) return std::nullopt;
    const std::string needed = is_writecache ? "dm-writecache" : "dm-cache and cache_check";
    const std::string first = is_writecache ? "write the line dm-writecache into /etc/initramfs-tools/modules"
                                            : "install thin-provisioning-tools (its hook brings both)";
    const std::string again = ", and make the initramfs anew (update-initramfs -u -k all)";
    if (boots)
        return BootRisk{true, "the initramfs was made without " + needed + ": with a cache in front of it the machine does not boot",
                        first + again};
    return BootRisk{
        false, "whether the initramfs has " + needed + " is not known: without, and with a cache in front of it, the machine does not boot",
        first + again + "; it is known where initramfs-tools made the initramfs of the running kernel"};
}

}  // namespace tierd
