// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "client/verbs.hpp"
#include "config/loader.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {
namespace {

/// Those in force; without a daemon those that would be.
std::vector<std::string> policy_files(Context& context) {
    try {
        std::vector<std::string> files;
        const Value manager = context.gateway().properties("/org/tierd1", "Manager");
        for (const Value& file : manager["PolicyFiles"].list()) files.push_back(file.text());
        return files;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::NotRunning) throw;
        context.note("tierd is not running; these are the files that it would read");
        return config::load(config::default_directories()).policy.files;
    }
}

std::string content(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) throw Error{ErrorCode::InvalidArgs, path + " cannot be read: " + std::strerror(errno)};
    return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

int verb_cat_policy(Context& context) {
    if (!context.options().host.empty())
        throw Error{ErrorCode::Unsupported,
                    "cat-policy reads the files of this machine; use ssh " + context.options().host + " tierctl cat-policy"};
    const auto files = policy_files(context);
    if (files.empty()) context.note("no policy file is in force; put one into /etc/tierd, see tierd.yaml(5)");
    Page page = context.page();
    Value::List documents;
    for (const std::string& file : files) {
        const std::string text = content(file);
        documents.emplace_back(Value::Map{{"file", file}, {"text", text}});
        page.blank();
        if (context.legend()) page.line("# " + file, Style::Dim);
        std::istringstream lines{text};
        for (std::string line; std::getline(lines, line);) page.line(line);
    }
    if (context.json())
        context.show_json({{"files", documents}});
    else
        context.show(page);
    return exit_done;
}

}  // namespace tierd::client
