// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/machine/lvm/argv.hpp"
#include "daemon/machine/lvm/setup.hpp"
#include "daemon/machine/process.hpp"
#include "daemon/model/observation.hpp"

namespace tierd::lvm {

struct Reading {
    std::optional<Lvm> lvm;  ///< nullopt: error says why
    std::string error;
    std::vector<std::string> warnings;  ///< what the report lacks; only what no reading before has said
    LvmSetup setup;
};

/// Runs LVM's reports. The exit status, the form of the answer and whether there is one are three checks; an answer that fails one of
/// them is none. A VG whose lock another command holds is read without waiting and marked busy.
class Reader {
public:
    Reader(Loop& loop, ProcessRunner& runner, const Tools& tools) : loop_{loop}, runner_{runner}, tools_{tools} {}

    /// devices: to tell when more of them carry a PV's label than LVM lists, which are duplicates.
    void read(const std::vector<BlockDevice>& devices, std::function<void(Reading)> done);
    /// Whether another command changes that VG at this moment.
    [[nodiscard]] bool is_locked(const std::string& vg) const;

private:
    struct Round;
    void read_setup(const std::shared_ptr<Round>& round);
    void read_report(const std::shared_ptr<Round>& round);
    void start_report(const std::shared_ptr<Round>& round);
    void report_is_in(const std::shared_ptr<Round>& round, const CommandResult& result);
    void read_duplicates(const std::shared_ptr<Round>& round);
    void finish(const std::shared_ptr<Round>& round);

    Loop& loop_;
    ProcessRunner& runner_;
    const Tools& tools_;
    std::optional<Setup> setup_;
    std::string setup_stamp_;                  ///< of the files that it came from
    std::set<std::string> said_;               ///< warnings, so that each is said once
    std::string duplicates_for_, duplicates_;  ///< the last answer about duplicates, and what it was asked for
};

/// What somebody else holds exclusively at this moment: names of VGs, and "#global" and its kind for LVM's locks that are no VG's.
std::vector<std::string> locked_groups(const std::string& locking_dir);

}  // namespace tierd::lvm
