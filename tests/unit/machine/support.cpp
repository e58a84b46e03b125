// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "support.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tierd {

std::string text_of(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string recorded(const std::string& name) {
    return text_of(TIERD_SOURCE_DIR "/tests/unit/machine/data/" + name);
}

std::vector<std::string> recorded_lines(const std::string& name) {
    std::istringstream text{recorded(name)};
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

TemporaryFolder::TemporaryFolder() : path_{std::filesystem::temp_directory_path() / "tierd-test-XXXXXX"} {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error{"no temporary folder"};
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code fault;
    std::filesystem::remove_all(path_, fault);
}

std::string TemporaryFolder::file(const std::string& name, const std::string& text) const {
    const std::string path = path_ + '/' + name;
    std::ofstream{path, std::ios::binary} << text;
    return path;
}

std::string TemporaryFolder::program(const std::string& name, const std::string& script) const {
    const std::string path = file(name, "#!/bin/sh\n" + script + '\n');
    chmod(path.c_str(), 0755);
    return path;
}

void run_until(Loop& loop, const std::function<void(std::function<void()> done)>& begin) {
    constexpr int finished = 0, too_late = 1;
    const Watch limit = loop.after(std::chrono::seconds{60}, [&] { loop.quit(too_late); });
    const Watch first = loop.soon([&] { begin([&] { loop.quit(finished); }); });
    EXPECT_EQ(loop.run(), finished) << "nothing came within a minute";
}

}  // namespace tierd
