// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/root.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "support.hpp"

namespace tierd {
namespace {

namespace fs = std::filesystem;

/// A root folder with a kernel's initramfs and initramfs-tools.
class AnInitramfs : public testing::Test {
protected:
    AnInitramfs() {
        fs::create_directories(folder_.path() + "/boot");
        fs::create_directories(folder_.path() + hooks_);
    }
    void hook(const std::string& name, const std::string& text) { folder_.file(hooks_.substr(1) + '/' + name, text); }
    /// Made so many seconds from now.
    void image(int seconds) {
        const std::string path = folder_.file("boot/initrd.img-6.1", "x");
        fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::seconds{seconds});
    }
    [[nodiscard]] std::optional<bool> has_cache() const { return initramfs_has({"cache_check"}, "6.1", folder_.path()); }

    TemporaryFolder folder_;
    const std::string hooks_ = "/usr/share/initramfs-tools/hooks";
};

TEST_F(AnInitramfs, HasWhatItsHooksBroughtWhenItWasMade) {
    hook("lvm2", "copy_exec /sbin/lvm");
    image(60);
    EXPECT_EQ(has_cache(), false) << "no hook brings it";
    hook("thin-provisioning-tools", "ln -s pdata_tools ${DESTDIR}/usr/sbin/cache_check\nmanual_add_modules dm-cache\n");
    EXPECT_EQ(has_cache(), true);
    image(-3600);
    EXPECT_EQ(has_cache(), false) << "the hook was installed later";
}

// Promise 5
TEST_F(AnInitramfs, ThatIsNotThereIsUnknown) {
    hook("thin-provisioning-tools", "cache_check");
    EXPECT_EQ(has_cache(), std::nullopt);
    image(60);
    EXPECT_EQ(initramfs_has({"cache_check"}, "6.2", folder_.path()), std::nullopt) << "another kernel's";
    fs::remove_all(folder_.path() + "/usr/share/initramfs-tools");
    EXPECT_EQ(has_cache(), std::nullopt) << "another tool made it";
}

TEST_F(AnInitramfs, HasTheModulesOfItsLists) {
    const auto has = [&] { return initramfs_has({"dm-writecache", "dm_writecache"}, "6.1", folder_.path()); };
    image(60);
    EXPECT_EQ(has(), false) << "no list is there";
    const std::string list = "etc/initramfs-tools/modules";
    fs::create_directories(folder_.path() + "/etc/initramfs-tools");
    folder_.file(list, "# dm-writecache\nraid1 # not dm_writecache\n");
    EXPECT_EQ(has(), false) << "in comments only";
    folder_.file(list, "raid1\ndm_writecache\n");
    EXPECT_EQ(has(), true);
    fs::remove(folder_.path() + '/' + list);
    fs::create_directories(folder_.path() + "/usr/share/initramfs-tools/modules.d");
    folder_.file("usr/share/initramfs-tools/modules.d/tiers", "dm-writecache\n");
    EXPECT_EQ(has(), true);
}

/// A machine's block devices in sysfs, and its root file system on dm-2.
class ARoot : public testing::Test {
protected:
    void dm(const std::string& name, const std::string& uuid) {
        fs::create_directories(folder_.path() + "/sys/class/block/" + name + "/dm");
        folder_.file("sys/class/block/" + name + "/dm/uuid", uuid + '\n');
    }
    void on(const std::string& upper, const std::string& lower) {
        fs::create_directories(folder_.path() + "/sys/class/block/" + upper + "/slaves/" + lower);
    }
    [[nodiscard]] RootSetup read(const std::string& node = "dm-2", bool is_virtual = true) const {
        BlockDevice root, other;
        root.name = node;
        root.mounts = {"/boot", "/"};
        other.name = "dm-3";
        other.mounts = {"/home"};
        root.virtual_disk = is_virtual;
        other.virtual_disk = true;
        return read_root({other, root}, folder_.path());
    }

    TemporaryFolder folder_;
};

TEST_F(ARoot, IsKnownByItsVolume) {
    dm("dm-2", "LVM-group-root");
    dm("dm-3", "LVM-group-home");
    EXPECT_EQ(read(), (RootSetup{"LVM-group-root", std::nullopt, std::nullopt}));
    EXPECT_EQ(read("sda2", false), RootSetup{});
}

TEST_F(ARoot, IsFoundBelowLuksAndMd) {
    dm("dm-2", "CRYPT-LUKS2-x");
    EXPECT_EQ(read(), RootSetup{}) << "on a partition";
    on("dm-2", "md0");
    on("md0", "dm-7");
    dm("dm-7", "LVM-group-root");
    EXPECT_EQ(read().dm_uuid, "LVM-group-root");
    dm("dm-9", "LVM-other-image");
    on("dm-7", "dm-9");
    EXPECT_EQ(read().dm_uuid, "LVM-group-root") << "the uppermost LV";
}

}  // namespace
}  // namespace tierd
