// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "daemon/core/view.hpp"
#include "daemon/model/error.hpp"

namespace tierd {

/// The jobs there are, and those that ended in the last minute, so that who comes late still reads the result.
class JobBook {
public:
    static constexpr Usec kept = 60 * usec_per_second;

    std::function<void(const JobView&)> on_new, on_removed;
    std::function<void()> on_changed;

    std::uint32_t open(std::string operation, std::string about, std::vector<std::string> tiers, std::uint32_t uid);
    void stage(std::uint32_t id, std::string stage, std::optional<double> progress);
    /// Of what is counted in bytes; end: CLOCK_REALTIME, when it can be told.
    void bytes(std::uint32_t id, Bytes done, Bytes total, std::optional<Usec> expected_end);
    void finish(std::uint32_t id, std::string result);
    void fail(std::uint32_t id, ErrorCode code, const std::string& message);
    /// Forgets what ended more than a minute before now.
    void expire(Usec now);

    [[nodiscard]] std::vector<JobView> list() const;
    /// Error{NoSuchTarget}.
    [[nodiscard]] const JobView& get(std::uint32_t id) const;
    [[nodiscard]] bool running(std::uint32_t id) const;
    std::function<Usec()> clock;

private:
    struct Entry {
        JobView view;
        Usec ended = 0;
    };
    void end(std::uint32_t id, const std::string& result, const std::string& error, const std::string& message);

    std::map<std::uint32_t, Entry> jobs_;
    std::uint32_t last_ = 0;
};

}  // namespace tierd
