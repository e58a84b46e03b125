// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/loader.hpp"

#include <algorithm>
#include <tuple>

#include "config/assemble.hpp"
#include "config/directories.hpp"
#include "config/source.hpp"

namespace tierd::config {

namespace {

// Adds what the text says to the draft, unless the file as a whole cannot be relied on.
bool read_text(std::string text, Report& report, Draft& draft) {
    const auto clean = normalise(std::move(text), report);
    if (!clean) return false;
    const auto root = read_yaml(*clean, report);
    if (!root) return false;
    read_document(*root, report, draft);
    return true;
}

void add(std::vector<Problem>& all, std::vector<Problem> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// What entries say together is bounded as what each file says is: no policy makes a reply too large for the bus.
void limit_rest(std::vector<Problem>& problems, std::size_t of_files) {
    if (problems.size() - of_files <= Report::limit) return;
    const auto rest = problems.begin() + static_cast<std::ptrdiff_t>(of_files);
    std::stable_sort(rest, problems.end());  // the errors first
    const auto more = problems.size() - of_files - Report::limit;
    const auto severity = problems[of_files + Report::limit].severity;
    problems.resize(of_files + Report::limit);
    problems.push_back({severity, {}, "and " + std::to_string(more) + " problems more between the entries"});
}

Result finish(Draft draft, std::vector<std::string> files, std::vector<Problem> problems) {
    Result result;
    const bool understood =
        std::none_of(problems.begin(), problems.end(), [](const Problem& problem) { return problem.severity == Severity::Error; });
    const auto entries = draft.devices.size() + draft.tiers.size() + draft.snapshots.size() + draft.pools.size();
    const auto of_files = problems.size();
    result.policy = assemble(std::move(draft), problems);
    limit_rest(problems, of_files);
    const auto& policy = result.policy;
    result.whole = understood && entries == policy.devices.size() + policy.tiers.size() + policy.snapshots.size() + policy.pools.size();
    result.policy.files = std::move(files);
    std::sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
        return std::tie(a.place, a.severity, a.text) < std::tie(b.place, b.severity, b.text);
    });
    problems.erase(std::unique(problems.begin(), problems.end()), problems.end());
    result.problems = std::move(problems);
    return result;
}

Result read_files(const std::vector<std::string>& files, std::vector<Problem> problems) {
    Draft draft;
    std::vector<std::string> in_force;
    for (const auto& file : files) {
        Report report{file};
        auto text = read_file(file, report);
        if (text && read_text(std::move(*text), report, draft)) {
            in_force.push_back(file);
        } else {
            // It may have been the one that says "observe".
            draft.autonomy_unclear = true;
        }
        add(problems, report.problems());
    }
    return finish(std::move(draft), std::move(in_force), std::move(problems));
}

}  // namespace

bool Result::ok() const {
    return std::none_of(problems.begin(), problems.end(), [](const Problem& problem) { return problem.severity == Severity::Error; });
}

std::vector<std::string> default_directories() {
    return {"/usr/lib/tierd", "/run/tierd", "/etc/tierd"};
}

Result load(const std::vector<std::string>& directories) {
    std::vector<Problem> problems;
    const auto files = find_files(directories, problems);
    return read_files(files, std::move(problems));
}

Result load_files(const std::vector<std::string>& files) {
    return read_files(files, {});
}

Result load_text(const std::string& name, const std::string& text) {
    Draft draft;
    Report report{name};
    std::vector<std::string> in_force;
    if (read_text(text, report, draft)) {
        in_force.push_back(name);
    } else {
        draft.autonomy_unclear = true;
    }
    return finish(std::move(draft), std::move(in_force), report.problems());
}

std::string format(const Problem& problem) {
    const std::string severity = problem.severity == Severity::Error ? "" : std::string{name_of(problem.severity)} + ": ";
    const std::string place = full_place(problem.place);
    return (place.empty() ? "" : place + ": ") + severity + problem.text;
}

}  // namespace tierd::config
