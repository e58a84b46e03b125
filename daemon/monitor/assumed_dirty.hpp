// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>

#include "daemon/model/observation.hpp"
#include "daemon/monitor/last_seen.hpp"

namespace tierd {

/// After a stop in which it could not say otherwise (a crash, a power cut) dm-cache counts all that it holds as dirty, in write-through
/// too, until it has written it back. So what is dirty then is assumed to be, and no alarm; a detach has to wait for it all the same.
///
/// It is told by the mode (nothing becomes dirty in write-through), or by far more being dirty than was last known, in another boot.
/// It ends once the cache is clean, or no dirtier than it was known to be.
class AssumedDirty {
public:
    /// before: how the cache was seen last before this daemon; nullptr when that is not known. boot: the boot id of now.
    void add(const CacheStatus& status, const LastSeen* before, const std::string& boot);
    [[nodiscard]] bool assumed() const { return most_ > 0; }
    /// How much of it has been written back, 0 to 1; nullopt when nothing is assumed.
    [[nodiscard]] std::optional<double> progress() const;

private:
    bool looked_ = false;
    Bytes dirty_ = 0;
    Bytes most_ = 0;   ///< dirty at most since it is assumed; 0: it is not
    Bytes known_ = 0;  ///< of that, what was known to be dirty before
};

}  // namespace tierd
