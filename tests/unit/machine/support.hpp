// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "systemd/loop.hpp"

namespace tierd {

/// A file of data/, as recorded in the booted kernel (data/record.sh).
std::string recorded(const std::string& name);
/// Its lines.
std::vector<std::string> recorded_lines(const std::string& name);

/// A folder of its own, removed with it.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }
    /// Writes a file and gives its path.
    std::string file(const std::string& name, const std::string& text) const;
    /// A program, as a shell script.
    std::string program(const std::string& name, const std::string& script) const;

private:
    std::string path_;
};

std::string text_of(const std::string& path);

/// Runs the loop until done is called; fails the test after a while.
void run_until(Loop& loop, const std::function<void(std::function<void()> done)>& begin);

}  // namespace tierd
