// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/device/probe.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "daemon/device/cache.hpp"
#include "daemon/device/lvm_label.hpp"
#include "daemon/model/error.hpp"
#include "support.hpp"

namespace tierd::device {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// A disk as a file: signatures are written into it as their on-disk formats have them.
class AnImage : public testing::Test {
protected:
    static constexpr Bytes size = 16 * mib;
    AnImage() : fd_{open(folder_.file("disk", "").c_str(), O_RDWR | O_CLOEXEC)} {
        if (ftruncate(fd_.get(), static_cast<off_t>(size)) != 0) throw std::runtime_error{"no image"};
    }
    void put(Bytes offset, const std::string& bytes) {
        ASSERT_EQ(pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)), static_cast<ssize_t>(bytes.size()));
    }
    void put_number(Bytes offset, std::uint64_t value, unsigned width) {
        std::string bytes;
        for (unsigned i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xffU);
        put(offset, bytes);
    }
    void put_ext4() {
        put_number(1024 + 0x38, 0xef53, 2);  // magic
        put_number(1024 + 0x4c, 1, 4);       // revision
        put_number(1024 + 0x5c, 4, 4);       // has a journal
        put_number(1024 + 0x60, 0x40, 4);    // extents
    }
    void put_swap() {
        put_number(1024, 1, 4);    // version
        put_number(1028, 100, 4);  // last page
        put(4086, "SWAPSPACE2");
    }
    void put_dos_table() {
        put(446 + 4, std::string{'\x83'});
        put_number(446 + 8, 2048, 4);
        put_number(446 + 12, 8192, 4);
        put(510, "\x55\xaa");
    }
    [[nodiscard]] std::vector<std::string> types() const {
        std::vector<std::string> found;
        for (const auto& signature : look(area()).signatures) found.push_back(signature.type);
        return found;
    }
    [[nodiscard]] Area area() const { return {fd_.get(), 0, 0}; }

    TemporaryFolder folder_;
    Descriptor fd_;
};

TEST_F(AnImage, ThatIsBlankCarriesNothing) {
    EXPECT_THAT(types(), IsEmpty());
    EXPECT_FALSE(look(area()).ambivalent);
}

TEST_F(AnImage, SaysWhereItsSignatureIs) {
    put_ext4();
    EXPECT_THAT(look(area()).signatures, ElementsAre(Signature{"ext4", "filesystem", 1080}));
}

TEST_F(AnImage, HasItsTableAndPartitions) {
    put_dos_table();
    const auto content = look(area());
    EXPECT_THAT(content.signatures, ElementsAre(Signature{"dos", "table", 510}));
    ASSERT_EQ(content.partitions.size(), 1U);
    EXPECT_EQ(content.partitions[0].start, mib);
    EXPECT_EQ(content.partitions[0].size, 4 * mib);
}

// A16: a protective MBR alone is the rest of a GPT
TEST_F(AnImage, TakesAProtectiveMbrForAGpt) {
    put(446 + 4, "\xee");
    put_number(446 + 8, 1, 4);
    put_number(446 + 12, size / sector - 1, 4);
    put(510, "\x55\xaa");
    EXPECT_THAT(types(), ElementsAre("gpt"));
    erase(area());
    EXPECT_THAT(types(), IsEmpty());
}

// G03
TEST_F(AnImage, WithTwoFilesystemsIsAmbivalentAndShowsBoth) {
    put_ext4();
    put_swap();
    EXPECT_THAT(types(), UnorderedElementsAre("ext4", "swap"));
    EXPECT_TRUE(look(area()).ambivalent);
}

TEST_F(AnImage, LosesEverythingWhenItIsErased) {
    put_ext4();
    put_swap();
    put_dos_table();
    put(size - 64 * kib, "\xfc\x4e\x2b\xa9");  // an mdraid superblock 0.90 at the end
    ASSERT_GE(types().size(), 3U);
    erase(area());
    EXPECT_THAT(types(), IsEmpty());
}

TEST_F(AnImage, KeepsWhatIsOutsideTheErasedArea) {
    put_ext4();
    put_number(8 * mib + 1024, 1, 4);
    put_number(8 * mib + 1028, 100, 4);
    put(8 * mib + 4086, "SWAPSPACE2");
    ASSERT_THAT(look({fd_.get(), 8 * mib, 4 * mib}).signatures, ElementsAre(Signature{"swap", "other", 4086}));
    put(9 * mib - 1, "data");
    erase({fd_.get(), 8 * mib, 4 * mib});
    EXPECT_THAT(types(), ElementsAre("ext4"));
    EXPECT_THAT(look({fd_.get(), 8 * mib, 4 * mib}).signatures, IsEmpty());
    std::string data(4, '\0');
    ASSERT_EQ(pread(fd_.get(), data.data(), 4, 9 * mib - 1), 4);
    EXPECT_EQ(data, "data");
}

TEST_F(AnImage, ThatCannotBeReadIsNotBlank) {
    const Descriptor write_only{open((folder_.path() + "/disk").c_str(), O_WRONLY | O_CLOEXEC)};
    EXPECT_THROW(look({write_only.get(), 0, 0}), Error);
    const Descriptor read_only{open((folder_.path() + "/disk").c_str(), O_RDONLY | O_CLOEXEC)};
    put_swap();
    EXPECT_THROW(erase({read_only.get(), 0, 0}), Error);
}

/// A physical volume's label, with the given lists of data and metadata areas.
class APhysicalVolume : public AnImage {
protected:
    void label(const std::vector<std::uint64_t>& metadata_areas) {
        put(512, "LABELONE");
        put_number(512 + 20, 32, 4);  // the header follows the label's
        put(512 + 24, "LVM2 001");
        Bytes at = 512 + 32 + 32 + 8;
        put_number(at, mib, 8);  // the data area
        at += 32;                // and its list's end
        for (const auto offset : metadata_areas) {
            put_number(at, offset, 8);
            put_number(at + 8, mib - 4096, 8);
            at += 16;
        }
    }
    void metadata(Bytes offset, std::uint64_t text) {
        put(offset + 4, " LVM2 x[5A%r0N*>");
        put_number(offset + 40, text, 8);
    }
};

TEST_F(APhysicalVolume, WithoutTextBelongsToNoGroup) {
    label({4096});
    metadata(4096, 0);
    EXPECT_FALSE(in_volume_group(area()));
}
TEST_F(APhysicalVolume, WithTextBelongsToOne) {
    label({4096});
    metadata(4096, 512);
    EXPECT_TRUE(in_volume_group(area()));
}
TEST_F(APhysicalVolume, WithTextInItsSecondAreaBelongsToOne) {
    label({4096, 8 * mib});
    metadata(4096, 0);
    metadata(8 * mib, 512);
    EXPECT_TRUE(in_volume_group(area()));
}
// Promise 5: what cannot be told is not "no"
TEST_F(APhysicalVolume, ThatCannotBeUnderstoodMayBelongToOne) {
    EXPECT_TRUE(in_volume_group(area())) << "no label";
    label({});
    EXPECT_TRUE(in_volume_group(area())) << "no metadata area";
    label({4096});
    EXPECT_TRUE(in_volume_group(area())) << "no metadata header";
    label({1ULL << 60U});
    EXPECT_TRUE(in_volume_group(area())) << "beyond the end";
    put_number(512 + 20, 0xffffffff, 4);
    EXPECT_TRUE(in_volume_group(area())) << "header beyond the label";
}

TEST(CacheMetadata, IsCommittedOnceItKnowsItsBlocks) {
    // On a filesystem that can do direct I/O: not every /tmp can.
    const std::string path = std::string{TIERD_BINARY_DIR} + "/cache-metadata-test";
    const Descriptor fd{open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    std::string block(4096, '\0');
    const auto write = [&] { ASSERT_EQ(pwrite(fd.get(), block.data(), block.size(), 0), 4096); };
    const auto put = [&](std::size_t at, std::uint32_t value) { std::memcpy(&block[at], &value, sizeof value); };
    write();
    if (const Descriptor direct{open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC)}; direct.get() < 0)
        GTEST_SKIP() << "no direct I/O here";
    EXPECT_FALSE(metadata_committed(path)) << "nothing there";
    put(32, 06142003);
    write();
    EXPECT_FALSE(metadata_committed(path)) << "as the kernel makes it: a cache of no blocks";
    put(240, 2560);
    write();
    EXPECT_TRUE(metadata_committed(path));
    EXPECT_EQ(ftruncate(fd.get(), 512), 0);
    EXPECT_THROW(metadata_committed(path), Error) << "cut";
    unlink(path.c_str());
    EXPECT_THROW(metadata_committed(path), Error) << "gone";
}

// A30
TEST(ALabel, TellsWhetherTheGroupHadACacheThatIsNotWriteThrough) {
    EXPECT_FALSE(knows_writeback("vg {\nlogical_volumes {\nhdd {\ntype = \"striped\"\n"));
    EXPECT_FALSE(knows_writeback("vg {\ntype = \"cache-pool\"\ncache_mode = \"writethrough\"\ncache_mode = \"passthrough\"\n"));
    EXPECT_TRUE(knows_writeback("vg {\ntype = \"cache-pool\"\ncache_mode = \"writethrough\"\ncache_mode = \"writeback\"\n"));
    EXPECT_TRUE(knows_writeback("vg {\ntype = \"writecache\"\norigin = \"hdd_wcorig\"\nwritecache = \"media_cvol\"\n"));
    EXPECT_TRUE(knows_writeback("vg {\ntype = \"writecache+SOME_FLAG\"\n"));
    EXPECT_TRUE(knows_writeback("vg {\ncache_mode = \"of a later LVM\"\n"));
}

}  // namespace
}  // namespace tierd::device
