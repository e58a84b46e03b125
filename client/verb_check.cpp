// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <iostream>
#include <iterator>

#include "client/figures.hpp"
#include "client/problems.hpp"
#include "client/verbs.hpp"
#include "config/loader.hpp"

namespace tierd::client {
namespace {

config::Result load(const std::vector<std::string>& files) {
    if (files.empty()) return config::load(config::default_directories());
    if (files == std::vector<std::string>{"-"}) {
        std::string text{std::istreambuf_iterator<char>{std::cin}, {}};
        return config::load_text("standard input", text);
    }
    return config::load_files(files);
}

}  // namespace

int verb_check(Context& context) {
    const auto& files = context.options().arguments;
    const config::Result result = load(files);
    const int status = result.ok() ? exit_done : exit_failed;
    if (context.json()) {
        Value::List names;
        for (const std::string& file : result.policy.files) names.emplace_back(file);
        context.show_json({{"ok", result.ok()}, {"files", names}, {"problems", problems_value(result.problems)}});
        return status;
    }
    Page page = context.page();
    show_problems(page, result.problems);
    if (!context.options().quiet) {
        std::string line = problem_count(result.problems);
        if (!result.whole)
            line += "; `tierctl reload` would leave the policy that is in force as it is.";
        else if (!result.ok())
            line += "; `tierctl reload` would put all of it in force but what contradicts.";
        else if (result.policy.files.empty() && files.empty())
            line = "No policy file in /etc/tierd, /run/tierd or /usr/lib/tierd: tierd would only watch and report. See tierd.yaml(5).";
        else
            line += ": " + count_text(result.policy.devices.size(), "device rule") + ", " + count_text(result.policy.tiers.size(), "tier") +
                    ", " + count_text(result.policy.snapshots.size(), "snapshot rule") + ", " +
                    count_text(result.policy.pools.size(), "pool") + '.';
        page.line(line);
    }
    context.show(page);
    return status;
}

}  // namespace tierd::client
