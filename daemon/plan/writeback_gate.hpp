// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

#include "daemon/model/policy.hpp"
#include "daemon/plan/scene.hpp"

namespace tierd {

/// The mode in which a cache may be served, and why it is not the one that is asked for; "" when it is.
struct AllowedMode {
    CacheMode mode = CacheMode::Writethrough;
    std::string why;
};

/// Write-back trusts the SSD with what is nowhere else. It is not trusted, and the cache is write-through, when its contents may vanish
/// (volatile: true), when it is on USB, when it says that it is failing (unless on_failing_device: alert), or when it stands alone in front
/// of a volume that is kept on several disks for one to fail.
/// What the entry asks for and what stands both have to allow it.
AllowedMode allowed_mode(const Policy& policy, const TierRule& rule, const Scene& scene);

/// Why no cache as the entry asks for it may be write-back, whatever stands now; "": it may.
std::string why_never_writeback(const Policy& policy, const TierRule& rule, const Scene& scene);

/// Why nothing may be on that disk alone, as far as the disk says; "": it may.
std::string why_not_on(const BlockDevice& device);

}  // namespace tierd
