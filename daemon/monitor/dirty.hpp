// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>

#include "daemon/model/observation.hpp"

namespace tierd {

/// When a tier began to be dirty, and how it was when last seen.
class DirtyWatch {
public:
    enum class Level { Clean, Some, Warn, Critical };
    void add(Usec time, const CacheStatus& status);
    /// 0 when clean or never seen.
    [[nodiscard]] Usec since() const { return since_; }
    [[nodiscard]] std::optional<Bytes> dirty() const { return dirty_; }
    [[nodiscard]] Usec seen() const { return seen_; }
    /// After an unclean start every block of a cache counts as dirty, in write-through too: that is no alarm (suspect),
    /// so write-through is never above Some.
    [[nodiscard]] Level level(const DirtyLimits& limits, CacheMode mode) const;

private:
    Usec since_ = 0, seen_ = 0;
    std::optional<Bytes> dirty_;
    std::optional<Bytes> size_;
};

/// When the next sample is due: 1 s while dirty blocks move, growing to 10 s at rest.
Usec next_sample_after(const std::optional<CacheStatus>& before, const std::optional<CacheStatus>& now, Usec last_span);

}  // namespace tierd
