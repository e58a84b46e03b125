// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/problems.hpp"

#include <algorithm>

#include "client/figures.hpp"
#include "config/loader.hpp"

namespace tierd::client {
namespace {

std::size_t count(const std::vector<Problem>& problems, Severity severity) {
    return static_cast<std::size_t>(
        std::count_if(problems.begin(), problems.end(), [&](const Problem& problem) { return problem.severity == severity; }));
}

}  // namespace

bool any_error(const std::vector<Problem>& problems) {
    return count(problems, Severity::Error) > 0;
}

std::string problem_count(const std::vector<Problem>& problems) {
    const std::size_t errors = count(problems, Severity::Error);
    const std::size_t warnings = count(problems, Severity::Warning);
    std::string text = errors > 0 ? count_text(errors, "problem") : "";
    if (warnings > 0) text += (text.empty() ? "" : ", ") + count_text(warnings, "warning");
    return text.empty() ? "no problems" : text;
}

void show_problems(Page& page, const std::vector<Problem>& problems) {
    for (const Problem& problem : problems)
        page.line(config::format(problem), problem.severity == Severity::Error     ? Style::Bad
                                           : problem.severity == Severity::Warning ? Style::Warning
                                                                                   : Style::Dim);
}

bool frozen_by_policy(const std::string& why) {
    return why.starts_with("policy: ");
}
bool is_pause(const std::string& why) {
    return why.starts_with("paused: ");
}

std::string frozen_sentence(const std::string& what, const std::string& why) {
    if (is_pause(why)) return what + " is " + why + " (until that has ended)";
    if (frozen_by_policy(why)) return what + ": nothing is done about it: " + why.substr(why.find(' ') + 1) + '.';
    return what + " is frozen: " + why + ". `tierctl thaw '" + what + "'` tries it again.";
}

std::string in_force_sentence(const std::vector<Problem>& problems, bool kept, const Value& loaded) {
    if (!any_error(problems)) return "The policy is in force.";
    if (!kept) return problem_count(problems) + "; the policy is in force, less what is at fault, and nothing is taken away because of it.";
    const Usec time = loaded.count().value_or(0);
    return problem_count(problems) + "; the policy in force stays the one " + (time == 0 ? "of before" : "read at " + time_text(time)) +
           '.';
}

Value problems_value(const std::vector<Problem>& problems) {
    Value::List list;
    for (const Problem& problem : problems)
        list.emplace_back(Value::Map{{"severity", std::string{name_of(problem.severity)}},
                                     {"file", problem.place.file},
                                     {"line", std::uint64_t{problem.place.line}},
                                     {"column", std::uint64_t{problem.place.column}},
                                     {"text", problem.text}});
    return list;
}

std::vector<Problem> problems_of(const Value& value) {
    std::vector<Problem> problems;
    for (const Value& item : value.list())
        problems.push_back({value_of<Severity>(item["severity"].text()).value_or(Severity::Error),
                            {item["file"].text(), static_cast<unsigned>(item["line"].count().value_or(0)),
                             static_cast<unsigned>(item["column"].count().value_or(0))},
                            item["text"].text()});
    return problems;
}

}  // namespace tierd::client
