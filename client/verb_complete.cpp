// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>
#include <ostream>
#include <set>
#include <sstream>

#include "client/text.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"

/// `tierctl __complete verbs|flags [VERB]|values NAME|names VERB`: a candidate a line, what it is behind a tab. All that the shells'
/// completions know.
namespace tierd::client {
namespace {

void write(std::ostream& out, const std::string& candidate, const std::string& help) {
    // A name that would need quoting is left to the person.
    if (candidate.empty() || printable(candidate) != candidate || candidate.find_first_of(" \t\\'\"`$&|;<>()") != std::string::npos) return;
    out << candidate << '\t' << help << '\n';
}

void complete_verbs(std::ostream& out) {
    for (const Verb& verb : verbs())
        if (!verb.hidden) write(out, verb.name, verb.help);
}

void complete_flags(std::ostream& out, const std::string& verb) {
    for (const Flag& flag : flags()) {
        if (!flag.verbs.empty() && !belongs_to(flag, verb)) continue;
        std::istringstream names{flag.names};
        for (std::string name; std::getline(names, name, ',');)
            write(out, name + (flag.value.empty() || !name.starts_with("--") ? "" : "="), flag.help);
    }
}

void complete_values(std::ostream& out, const std::string& name) {
    for (const Flag& flag : flags()) {
        if (flag.names != "--" + name) continue;
        std::istringstream values{flag.value};
        for (std::string value; std::getline(values, value, '|');)
            if (std::none_of(value.begin(), value.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) write(out, value, flag.help);
    }
}

void complete_names(Context& context, const std::string& verb) {
    const Value state = context.gateway().describe();
    std::set<std::pair<std::string, std::string>> names;
    const auto add = [&](const char* list, const char* member, const char* kind) {
        for (const Value& object : state[list].list()) names.emplace(object[member].text(), kind);
    };
    if (verb == "show" || verb == "explain") {
        add("devices", "path", "device");
        add("tiers", "policy", "tier");
        add("tiers", "volume", "volume");
    }
    if (verb == "explain") {
        for (const auto& [entry, place] : state["policy_entries"].map()) names.emplace(entry.substr(entry.find(' ') + 1), entry);
    }
    if (verb == "show") {
        add("snapshots", "volume", "snapshot");
        for (const Value& job : state["jobs"].list()) names.emplace("job/" + to_text(job["id"]), "job");
    }
    if (verb == "flush" || verb == "set-mode" || verb == "detach" || verb == "recover") {
        add("tiers", "policy", "tier");
        add("tiers", "volume", "volume");
    }
    if (verb == "thaw")
        for (const auto& [what, why] : state["frozen"].map()) names.emplace(what, why.text());
    if (verb == "pause")
        for (const Value& tier : state["tiers"].list())
            if (const std::string& volume = tier["volume"].text(); volume.find('/') != std::string::npos)
                names.emplace(volume.substr(0, volume.find('/')), "volume group");
    for (const auto& [name, kind] : names) write(context.world().out, name, printable(kind));
}

}  // namespace

int verb_complete(Context& context) {
    const std::string& what = context.argument(0);
    const std::string which = context.options().arguments.size() > 1 ? context.argument(1) : "";
    std::ostream& out = context.world().out;
    if (what == "verbs") complete_verbs(out);
    if (what == "flags") complete_flags(out, which);
    if (what == "values") complete_values(out, which);
    if (what == "names") {
        try {
            complete_names(context, which);
        } catch (const Error&) {
            return exit_failed;  // no daemon, no names: a completion stays silent
        }
    }
    return exit_done;
}

}  // namespace tierd::client
