// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/root.hpp"

#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <tuple>

#include "daemon/machine/files.hpp"

namespace tierd {

namespace {

/// What initramfs-tools makes an initramfs by: hooks, which are scripts, and lists of modules.
constexpr std::array recipes{"/etc/initramfs-tools/hooks", "/usr/share/initramfs-tools/hooks", "/etc/initramfs-tools/modules",
                             "/usr/share/initramfs-tools/modules.d"};

std::vector<std::string> files_at(const std::string& path) {
    std::vector<std::string> files;
    std::error_code fault;
    for (const auto& entry : std::filesystem::directory_iterator{path, fault}) files.push_back(entry.path());
    if (fault) files.push_back(path);
    return files;
}

/// Outside of comments.
bool names(const std::string& path, const std::set<std::string>& words) {
    std::istringstream text{text_in(path)};
    for (std::string line; std::getline(text, line);) {
        const auto is_in_line = [&](const std::string& word) { return line.find(word) < line.find('#'); };
        if (std::any_of(words.begin(), words.end(), is_in_line)) return true;
    }
    return false;
}

/// When the oldest recipe that names one of the words came there, by ctime, since a package's files keep an mtime of their own.
std::optional<std::timespec> first_recipe(const std::set<std::string>& words, const std::string& below) {
    std::optional<std::timespec> first;
    for (const auto* recipe : recipes) {
        for (const auto& path : files_at(below + recipe)) {
            struct stat about {};
            if (!names(path, words) || stat(path.c_str(), &about) != 0) continue;
            const auto& time = about.st_ctim;
            if (!first || std::tie(time.tv_sec, time.tv_nsec) < std::tie(first->tv_sec, first->tv_nsec)) first = time;
        }
    }
    return first;
}

/// The LV that a block device is or, through LUKS or md, stands on; "" for none.
std::string lv_below(const std::string& name, const std::string& below) {
    const std::string folder = below + "/sys/class/block/" + name;
    std::string uuid = first_line_in(folder + "/dm/uuid");
    if (uuid.rfind("LVM-", 0) == 0) return uuid;
    std::error_code fault;
    for (const auto& slave : std::filesystem::directory_iterator{folder + "/slaves", fault}) {
        if (auto found = lv_below(slave.path().filename(), below); !found.empty()) return found;
    }
    return "";
}

}  // namespace

std::optional<bool> initramfs_has(const std::set<std::string>& words, const std::string& release, const std::string& below) {
    struct stat image {};
    std::error_code fault;
    if (!std::filesystem::exists(below + "/usr/share/initramfs-tools", fault) ||
        stat((below + "/boot/initrd.img-" + release).c_str(), &image) != 0)
        return std::nullopt;
    const auto recipe = first_recipe(words, below);
    return recipe && std::tie(recipe->tv_sec, recipe->tv_nsec) <= std::tie(image.st_mtim.tv_sec, image.st_mtim.tv_nsec);
}

RootSetup read_root(const std::vector<BlockDevice>& devices, const std::string& below) {
    RootSetup root;
    for (const auto& device : devices) {
        if (!device.virtual_disk || std::find(device.mounts.begin(), device.mounts.end(), "/") == device.mounts.end()) continue;
        root.dm_uuid = lv_below(device.name, below);
    }
    utsname kernel{};
    if (root.dm_uuid.empty() || uname(&kernel) != 0) return root;
    // With cache_check its hook brings the modules, on Debian.
    root.boots_cached = initramfs_has({"cache_check"}, kernel.release, below);
    root.boots_writecached = initramfs_has({"dm-writecache", "dm_writecache"}, kernel.release, below);
    return root;
}

}  // namespace tierd
