// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <string>

#include "daemon/model/units.hpp"

namespace tierd::udev {

/// When udev last spoke of each disk, by its kernel name.
class Changes {
public:
    void spoke_of(const std::string& name, Usec time) { times_[name] = time; }
    void removed(const std::string& name) { times_.erase(name); }
    /// Events were lost: nothing that was known counts, and it may have spoken of any disk just now.
    void lost(Usec time) {
        times_.clear();
        lost_ = time;
    }
    /// 0: not since the daemon started.
    [[nodiscard]] Usec of(const std::string& name) const {
        const auto found = times_.find(name);
        return found == times_.end() ? lost_ : found->second;
    }

private:
    std::map<std::string, Usec> times_;
    Usec lost_ = 0;
};

}  // namespace tierd::udev
