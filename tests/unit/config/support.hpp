// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "config/loader.hpp"

namespace tierd::config {

inline Result check(const std::string& text) {
    return load_text("/etc/tierd/10-a.yaml", text);
}

/// That this version does not act on something is no fault: noted() has it, the others leave it out.
inline bool is_note(const Problem& problem) {
    return problem.severity == Severity::Info && problem.text.ends_with("not acted on by this version");
}

inline std::vector<std::string> formatted(const Result& result) {
    std::vector<std::string> lines;
    for (const auto& problem : result.problems) {
        if (!is_note(problem)) lines.push_back(format(problem));
    }
    return lines;
}

/// All problems, one a line, without the folder: "10-a.yaml:3:5: …".
inline std::string told(const Result& result, bool notes = false) {
    std::string all;
    for (auto problem : result.problems) {
        if (is_note(problem) != notes) continue;
        problem.place.file = problem.place.file.substr(problem.place.file.rfind('/') + 1);
        all += format(problem) + '\n';
    }
    return all;
}

inline std::string noted(const Result& result) {
    return told(result, true);
}

inline std::string read(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// A folder of its own that goes with the test.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "tierd-config-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] std::string path(const std::string& name = "") const { return name.empty() ? path_ : path_ + '/' + name; }
    void write(const std::string& name, const std::string& text) const { std::ofstream{path(name), std::ios::binary} << text; }

private:
    std::string path_;
};

/// A whole policy around one line of a tier, a device, a snapshot or a pool.
inline std::string with_tier(const std::string& lines, const std::string& device = "{match: {kind: ssd}}") {
    return "devices:\n  fast: " + device + "\ntiers:\n  media:\n    volume: vg/lv\n    kind: cache\n    device: fast\n" + lines;
}
inline std::string with_device(const std::string& lines) {
    return "devices:\n  fast:\n" + lines;
}
inline std::string with_thick(const std::string& lines) {
    return "snapshots:\n  nightly:\n    volumes: [vg/lv]\n    kind: thick\n    size: 20%\n" + lines;
}
inline std::string with_thin(const std::string& lines) {
    return "snapshots:\n  hourly:\n    volumes: [vg/lv]\n    kind: thin\n" + lines;
}

}  // namespace tierd::config
