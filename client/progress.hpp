// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <iosfwd>
#include <string>

#include "client/terminal.hpp"
#include "client/value.hpp"
#include "daemon/model/units.hpp"

namespace tierd::client {

/// A job's progress on standard error: on a terminal one line that is drawn over, elsewhere a line each new stage.
class Progress {
public:
    /// quiet: nothing is written.
    Progress(std::ostream& err, const Terminal& terminal, bool quiet) : err_{err}, terminal_{terminal}, quiet_{quiet} {}
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// The properties of a Job, as the bus has them.
    void update(const Value& job, Usec now);
    /// Takes the drawn line away.
    void clear();

private:
    [[nodiscard]] std::string line(const Value& job, Usec now) const;

    std::ostream& err_;
    Terminal terminal_;
    bool quiet_;
    bool drawn_ = false;
    std::string stage_;
};

}  // namespace tierd::client
