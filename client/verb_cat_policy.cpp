// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "client/figures.hpp"
#include "client/verbs.hpp"
#include "config/loader.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {
namespace {

struct Sources {
    std::vector<std::string> files;
    std::vector<std::string> warnings;  ///< why the files of now are not what is in force
};

/// The files in force; without a daemon those that would be.
Sources in_force(Context& context) {
    try {
        Sources found;
        const Value manager = context.gateway().properties("/org/tierd1", "Manager");
        for (const Value& file : manager["PolicyFiles"].list()) found.files.push_back(file.text());
        const std::string since = "the one read at " + time_text(manager["PolicyLoadedUSec"].count().value_or(0));
        if (manager["PolicyChanged"].flag())
            found.warnings.push_back("the files changed on disk since they were read; the policy in force is " + since +
                                     ". Run 'tierctl reload'.");
        if (manager["PolicyKept"].flag())
            found.warnings.push_back("the files have faults; the policy in force is " + since + ". See 'tierctl policy'.");
        if (!found.warnings.empty()) found.warnings.emplace_back("What follows are the files as they are now.");
        return found;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::NotRunning) throw;
        context.note("tierd is not running; these are the files that it would read");
        return {config::load(config::default_directories()).policy.files, {}};
    }
}

/// nullopt, and why, for a file that is in force and has gone since.
std::optional<std::string> content(const std::string& path, std::string& why) {
    std::ifstream file{path, std::ios::binary};
    if (file) return std::string{std::istreambuf_iterator<char>{file}, {}};
    why = path + " cannot be read: " + std::strerror(errno);
    return std::nullopt;
}

}  // namespace

int verb_cat_policy(Context& context) {
    if (!context.options().host.empty())
        throw Error{ErrorCode::Unsupported,
                    "cat-policy reads the files of this machine; use ssh " + context.options().host + " tierctl cat-policy"};
    const Sources found = in_force(context);
    if (found.files.empty()) context.note("no policy file is in force; put one into /etc/tierd, see tierd.yaml(5)");
    Page page = context.page();
    Value::List documents, warnings;
    const auto warn = [&](const std::string& text) {
        warnings.emplace_back(text);
        page.line("# Warning: " + text, Style::Warning);
    };
    for (const std::string& warning : found.warnings) warn(warning);
    int status = exit_done;
    for (const std::string& file : found.files) {
        std::string why;
        const auto text = content(file, why);
        page.blank();
        if (context.legend()) page.line("# " + file, Style::Dim);
        if (!text) {
            warn(why);
            status = exit_failed;
            continue;
        }
        documents.emplace_back(Value::Map{{"file", file}, {"text", *text}});
        std::istringstream lines{*text};
        for (std::string line; std::getline(lines, line);) page.line(line);
    }
    if (context.json())
        context.show_json({{"files", documents}, {"warnings", warnings}});
    else
        context.show(page);
    return status;
}

}  // namespace tierd::client
