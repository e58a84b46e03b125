// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "daemon/model/error.hpp"

namespace tierd {

namespace {

/// A file descriptor that is closed.
class File {
public:
    explicit File(int fd) : fd_{fd} {}
    ~File() {
        if (fd_ >= 0) close(fd_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    [[nodiscard]] int fd() const { return fd_; }

private:
    int fd_;
};

std::string fault_at(const std::string& path) {
    return path + ": " + std::strerror(errno);
}

bool write_all(int fd, const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const auto wrote = write(fd, text.data() + done, text.size() - done);
        if (wrote < 0 && errno != EINTR) return false;
        if (wrote > 0) done += static_cast<std::size_t>(wrote);
    }
    return true;
}

}  // namespace

std::string text_in(const std::string& path) {
    std::ifstream file{path};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string first_line_in(const std::string& path) {
    std::ifstream file{path};
    std::string line;
    std::getline(file, line);
    return line;
}

std::optional<std::string> text_of_regular(const std::string& path, std::size_t most) {
    // A FIFO in its place must not hold anybody.
    const File file{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)};
    if (file.fd() < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
    struct stat status {};
    if (file.fd() < 0 || fstat(file.fd(), &status) != 0) throw Error{ErrorCode::StateUnknown, fault_at(path)};
    if (!S_ISREG(status.st_mode)) throw Error{ErrorCode::StateUnknown, "it is no regular file"};
    if (static_cast<std::size_t>(status.st_size) > most) throw Error{ErrorCode::StateUnknown, "it is longer than what is written there"};
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    const auto got = read(file.fd(), text.data(), text.size());
    if (got < 0) throw Error{ErrorCode::StateUnknown, fault_at(path)};
    text.resize(static_cast<std::size_t>(got));
    return text;
}

std::string write_whole(const std::string& path, const std::string& text) {
    const std::string folder = path.substr(0, path.rfind('/'));
    const std::string part = path + ".part";
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) return fault_at(folder);
    static_cast<void>(unlink(part.c_str()));
    const File file{open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)};
    // Not synced: that would hold the loop for as long as a slow disk takes, for what the next look shows anyway.
    if (file.fd() < 0 || !write_all(file.fd(), text)) return fault_at(part);
    return rename(part.c_str(), path.c_str()) == 0 ? "" : fault_at(path);
}

}  // namespace tierd
