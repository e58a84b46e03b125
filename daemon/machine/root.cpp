// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/root.hpp"

#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <tuple>

#include "daemon/machine/files.hpp"

namespace tierd {

namespace {

/// Of the hooks that bring cache_check (with it, on Debian, the modules): when the oldest of them was installed, by ctime, since a
/// package's files keep an mtime of their own.
std::optional<std::timespec> hook_installed(const std::string& below) {
    std::optional<std::timespec> first;
    for (const auto* folder : {"/etc/initramfs-tools/hooks", "/usr/share/initramfs-tools/hooks"}) {
        std::error_code fault;
        for (const auto& entry : std::filesystem::directory_iterator{below + folder, fault}) {
            struct stat about {};
            const std::string path = entry.path();
            if (text_in(path).find("cache_check") == std::string::npos || stat(path.c_str(), &about) != 0) continue;
            const auto& time = about.st_ctim;
            if (!first || std::tie(time.tv_sec, time.tv_nsec) < std::tie(first->tv_sec, first->tv_nsec)) first = time;
        }
    }
    return first;
}

}  // namespace

std::optional<bool> initramfs_has_cache(const std::string& release, const std::string& below) {
    struct stat image {};
    std::error_code fault;
    if (!std::filesystem::exists(below + "/usr/share/initramfs-tools", fault) ||
        stat((below + "/boot/initrd.img-" + release).c_str(), &image) != 0)
        return std::nullopt;
    const auto hook = hook_installed(below);
    return hook && std::tie(hook->tv_sec, hook->tv_nsec) <= std::tie(image.st_mtim.tv_sec, image.st_mtim.tv_nsec);
}

RootSetup read_root(const std::vector<BlockDevice>& devices, const std::string& below) {
    RootSetup root;
    for (const auto& device : devices) {
        if (!device.virtual_disk || std::find(device.mounts.begin(), device.mounts.end(), "/") == device.mounts.end()) continue;
        root.dm_uuid = first_line_in(below + "/sys/class/block/" + device.name + "/dm/uuid");
    }
    utsname kernel{};
    if (root.dm_uuid.rfind("LVM-", 0) == 0 && uname(&kernel) == 0) root.boots_cached = initramfs_has_cache(kernel.release, below);
    return root;
}

}  // namespace tierd
