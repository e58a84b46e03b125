// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "client/context.hpp"

namespace tierd::client {

inline constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

/// One verb of tierctl. The whole program is this table: help, completions and the man page's test read it.
struct Verb {
    std::string name;
    std::string arguments;  ///< "OBJECT", "[FILE…]", "VG -- COMMAND…"
    std::string help;
    std::size_t least, most;  ///< number of arguments
    int (*run)(Context& context);
    bool hidden = false;
    bool runs_command = false;  ///< takes a command behind "--"
    bool changes = false;       ///< asks the daemon to change something: a password may be needed
};

const std::vector<Verb>& verbs();
/// nullptr where there is none of that name.
const Verb* find_verb(const std::string& name);

// Each in a file of its own name; the exit status is returned, failures are thrown.
int verb_status(Context& context);
int verb_devices(Context& context);
int verb_tiers(Context& context);
int verb_snapshots(Context& context);
int verb_jobs(Context& context);
int verb_policy(Context& context);
int verb_show(Context& context);
int verb_plan(Context& context);
int verb_apply(Context& context);
int verb_flush(Context& context);
int verb_set_mode(Context& context);
int verb_detach(Context& context);
int verb_recover(Context& context);
int verb_explain(Context& context);
int verb_doctor(Context& context);
int verb_check(Context& context);
int verb_reload(Context& context);
int verb_thaw(Context& context);
int verb_pause(Context& context);
int verb_cat_policy(Context& context);
int verb_watch(Context& context);
int verb_dump_observation(Context& context);
int verb_complete(Context& context);

}  // namespace tierd::client
