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
    [[nodiscard]] std::optional<bool> has_cache() const { return initramfs_has_cache("6.1", folder_.path()); }

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
    EXPECT_EQ(initramfs_has_cache("6.2", folder_.path()), std::nullopt) << "another kernel's";
    fs::remove_all(folder_.path() + "/usr/share/initramfs-tools");
    EXPECT_EQ(has_cache(), std::nullopt) << "another tool made it";
}

TEST(ARoot, IsKnownByItsDeviceMapperUuid) {
    const TemporaryFolder folder;
    fs::create_directories(folder.path() + "/sys/class/block/dm-2/dm");
    folder.file("sys/class/block/dm-2/dm/uuid", "CRYPT-LUKS2-x\n");
    BlockDevice root, other, disk;
    root.name = "dm-2";
    root.mounts = {"/boot", "/"};
    other.name = "dm-3";
    other.mounts = {"/home"};
    root.virtual_disk = other.virtual_disk = true;
    disk.name = "sda";
    EXPECT_EQ(read_root({disk, other, root}, folder.path()), (RootSetup{"CRYPT-LUKS2-x", std::nullopt}));
    disk.mounts = {"/"};
    EXPECT_EQ(read_root({disk, other}, folder.path()), RootSetup{});
}

}  // namespace
}  // namespace tierd
