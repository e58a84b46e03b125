// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <map>
#include <string>

#include "daemon/monitor/last_seen.hpp"

namespace tierd {

/// Keeps how each cache was when last seen, by the UUID of the cached LV, in one small file of a folder: over a restart, and when the cache
/// cannot be read any more. What it cannot do it says once, and goes on without.
class Memory {
public:
    /// Between two writes of what has changed; of the moment at which dirt appears or is gone; and of what is still the same.
    static constexpr Usec span = 30 * usec_per_second, urgent_span = 5 * usec_per_second, still_span = 600 * usec_per_second;
    /// Caches that are remembered at most: beyond, those seen longest ago are forgotten.
    static constexpr std::size_t most = 10'000;

    /// "": nothing is kept.
    Memory(std::string directory, std::function<void(const std::string&)> note);

    void load();
    void see(const std::string& lv_uuid, const LastSeen& seen);
    void forget(const std::string& lv_uuid);
    void save_when_due(Usec steady);
    void save(Usec steady);
    [[nodiscard]] const std::map<std::string, LastSeen>& all() const { return all_; }

private:
    std::string directory_;
    std::function<void(const std::string&)> note_;
    std::map<std::string, LastSeen> all_;
    bool changed_ = false, urgent_ = false;
    Usec saved_ = 0;  ///< steady; 0: never
};

}  // namespace tierd
