// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "daemon/model/units.hpp"

namespace tierd {

/// How often the same is tried. The same plan is not tried for ever: a step that failed several times without a success in between, or that
/// was done and did not stay done several times within ten minutes, makes its group be given up on until a person thaws it.
class Patience {
public:
    static constexpr unsigned most_failures = 4;
    static constexpr unsigned most_runs = 6;
    static constexpr Usec memory = 600 * usec_per_second;  ///< of runs; failures are remembered however long each took

    /// first_wait: before the second try; each next one is four times as long.
    explicit Patience(Usec first_wait = usec_per_second) : first_wait_{first_wait} {}
    /// To be asked before a step runs: false when it has run too often already.
    bool may_run(const std::string& group, const std::string& step, Usec now);
    /// How long to wait before the next try; 0: give up.
    Usec failed(const std::string& group, const std::string& step);
    /// What was done in the group came true.
    void succeeded(const std::string& group);
    void forget(const std::string& group);

private:
    Usec first_wait_;
    using Key = std::pair<std::string, std::string>;
    std::map<Key, std::deque<Usec>> runs_;
    std::map<Key, unsigned> failures_;
};

}  // namespace tierd
