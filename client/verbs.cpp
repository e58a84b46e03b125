// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/verbs.hpp"

#include <algorithm>

namespace tierd::client {

const std::vector<Verb>& verbs() {
    static const std::vector<Verb> all{
        {"status", "", "one screen: how things stand and what happens next (default)", 0, 0, verb_status},
        {"devices", "", "the disks that could serve, and why or why not", 0, 0, verb_devices},
        {"tiers", "", "what is made fast, with all figures", 0, 0, verb_tiers},
        {"snapshots", "", "the snapshots and how full they are", 0, 0, verb_snapshots},
        {"jobs", "", "what is running, and what ended within the last minute", 0, 0, verb_jobs},
        {"policy", "", "the policy files in force, and what is wrong with them", 0, 0, verb_policy},
        {"show", "OBJECT", "all properties of a tier, device, snapshot, job or the manager", 1, 1, verb_show},
        {"plan", "", "what would be done and why, step by step", 0, 0, verb_plan},
        {"apply", "", "do the plan, steps that wait for a person included", 0, 0, verb_apply, false, false, true},
        {"flush", "VG/LV", "write back what is dirty, once; the cache stays", 1, 1, verb_flush, false, false, true},
        {"set-mode", "VG/LV [MODE]", "writethrough, writeback or passthrough, whatever the policy says", 1, 2, verb_set_mode, false, false,
         true},
        {"detach", "VG/LV", "drain the cache and take it off; no new one until --cancel", 1, 1, verb_detach, false, false, true},
        {"recover", "VG/LV [CHOICE]", "after an SSD died: wait or drop-cache, each with its price", 1, 2, verb_recover, false, false, true},
        {"explain", "TARGET", "why this volume is (not) fast, why this disk was (not) taken", 1, 1, verb_explain},
        {"doctor", "", "the known risks of this machine, and the ways out", 0, 0, verb_doctor},
        {"check", "[FILE…]", "the problems of policy files, without a daemon", 0, any_number, verb_check},
        {"reload", "", "read the policy files anew and put them in force", 0, 0, verb_reload, false, false, true},
        {"thaw", "WHAT", "try again what tierd has given up on", 1, 1, verb_thaw, false, false, true},
        {"pause", "VG -- COMMAND…", "run a command while tierd changes nothing in that volume group", 1, 1, verb_pause, false, true, true},
        {"cat-policy", "", "the text of the policy files in force", 0, 0, verb_cat_policy},
        {"watch", "", "what happens, as it happens", 0, 0, verb_watch},
        {"dump-observation", "", "this machine as JSON, for tierd --simulate elsewhere", 0, 0, verb_dump_observation},
        {"__complete", "KIND [WORD]", "candidates for the shells' completions", 1, 2, verb_complete, true},
    };
    return all;
}

const Verb* find_verb(const std::string& name) {
    const auto found = std::find_if(verbs().begin(), verbs().end(), [&](const Verb& verb) { return verb.name == name; });
    return found != verbs().end() ? &*found : nullptr;
}

}  // namespace tierd::client
