// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/directories.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <system_error>

#include "config/words.hpp"

namespace tierd::config {

namespace {

constexpr std::string_view suffix = ".yaml";

bool is_null_device(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

std::string lower(std::string_view text) {
    std::string out{text};
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

// Why a name is not taken, and how loudly that is to be said.
Problem not_taken(const std::string& path, std::string_view name) {
    const std::string low = lower(name);
    if (!name.starts_with('.') && (low.ends_with(suffix) || low.ends_with(".yml"))) {
        return {Severity::Warning, {path}, "is not read: a policy file ends in .yaml, in lower case"};
    }
    if (name.starts_with('.')) return {Severity::Info, {path}, "is not read: its name begins with a dot"};
    return {Severity::Info, {path}, "is not read: its name does not end in .yaml"};
}

void scan(const std::string& directory, std::map<std::string, std::string>& files, std::vector<Problem>& problems) {
    std::error_code error;
    std::filesystem::directory_iterator entries{directory, error};
    if (error == std::errc::no_such_file_or_directory) return;
    for (const std::filesystem::directory_iterator end; !error && entries != end; entries.increment(error)) {
        const std::string name = entries->path().filename().string();
        const std::string path = entries->path().string();
        if (!hidden_character(name).empty()) {
            problems.push_back(
                {Severity::Warning, {escape(path)}, "is not read: its name holds a character that cannot be seen or is no UTF-8"});
        } else if (!name.ends_with(suffix) || name.starts_with('.')) {
            problems.push_back(not_taken(path, name));
        } else {
            files[name] = path;
        }
    }
    if (error) problems.push_back({Severity::Error, {directory}, "cannot be read: " + error.message()});
}

}  // namespace

std::vector<std::string> find_files(const std::vector<std::string>& directories, std::vector<Problem>& problems) {
    std::map<std::string, std::string> files;
    for (const auto& directory : directories) scan(directory, files, problems);
    std::vector<std::string> found;
    for (const auto& [name, path] : files) {
        if (!is_null_device(path)) found.push_back(path);
    }
    return found;
}

}  // namespace tierd::config
