// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/help.hpp"

#include <algorithm>

#include "client/options.hpp"
#include "client/verbs.hpp"

namespace tierd::client {
namespace {

constexpr std::size_t help_column = 36;

std::string form_of(const Verb& verb) {
    return verb.name + (verb.arguments.empty() ? "" : " " + verb.arguments);
}

/// "-q, --quiet", "--bus=system|session|ADDRESS".
std::string form_of(const Flag& flag) {
    std::string names = flag.names;
    if (const auto comma = names.find(','); comma != std::string::npos) names.insert(comma + 1, " ");
    return names + (flag.value.empty() ? "" : "=" + flag.value);
}

void show_flags(Page& page, const std::string& verb) {
    for (const Flag& flag : flags())
        if (verb.empty() ? flag.verbs.empty() : belongs_to(flag, verb))
            page.paragraph(help_column, flag.help, Style::Plain, "  " + form_of(flag));
}

bool has_flags(const std::string& verb) {
    return std::any_of(flags().begin(), flags().end(), [&](const Flag& flag) { return belongs_to(flag, verb); });
}

}  // namespace

void show_help(Page& page, const std::string& name) {
    if (const Verb* verb = find_verb(name); verb != nullptr && !name.empty()) {
        page.line("tierctl [OPTIONS] " + form_of(*verb), Style::Bold);
        page.paragraph(2, verb->help);
        if (has_flags(name)) {
            page.blank();
            show_flags(page, name);
        }
        page.blank();
        page.line("`tierctl --help` lists all verbs and the options that hold everywhere; tierctl(1) explains them.");
        return;
    }
    page.line("tierctl [OPTIONS] [VERB]", Style::Bold);
    page.line("  asks tierd, which keeps fast storage in front of slow volumes, as declared");
    page.blank();
    page.line("VERBS", Style::Bold);
    for (const Verb& verb : verbs()) {
        if (verb.hidden) continue;
        page.paragraph(help_column, verb.help, Style::Plain, "  " + form_of(verb));
        for (const Flag& flag : flags())
            if (belongs_to(flag, verb.name)) page.paragraph(help_column + 2, flag.help, Style::Plain, "      " + form_of(flag));
    }
    page.blank();
    page.line("OPTIONS", Style::Bold);
    show_flags(page, "");
    page.blank();
    page.line("EXIT STATUS", Style::Bold);
    page.line("  0 done   1 failed   2 steps pending (plan --detailed-exitcode)   3 tierd is not there");
    page.line("  4 refused   64 usage   130 interrupted while waiting; the job goes on");
}

}  // namespace tierd::client
