// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/lvm/argv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "daemon/machine/lvm/setup.hpp"
#include "daemon/model/error.hpp"
#include "support.hpp"

namespace tierd::lvm {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

const Tools tools{"/usr/sbin/lvm", "/usr/libexec/tierd/tierd-device"};
const std::string pv_uuid = "abcdef-0123-4567-89ab-cdef-0123-456789";
const DiskClaim disk{"/dev/sdb", "wwn:0x5002538d0000 1", 7, 256 * gib, {"vfat", "gpt"}};

/// Every kind of action, well formed.
std::vector<Action> all() {
    return {
        WipeSignatures{disk},
        CreatePv{disk, pv_uuid},
        ExtendVg{"lvm_hdd", "/dev/sdb", pv_uuid, 7},
        FencePv{"lvm_hdd", "/dev/sdb", pv_uuid, "tierd.device=fast"},
        UnfencePv{"lvm_hdd", "/dev/sdb", pv_uuid},
        CreateCachePool{"lvm_hdd", "media", "/dev/sdb", pv_uuid, 1000, 3, 4 * mib, 256 * kib, "tierd.tier=media"},
        AttachCache{{"lvm_hdd", "hdd"}, "media", CacheMode::Writeback, "smq", {{"migration_threshold", "16384"}, {"a_b", "1"}}},
        CreateVolume{"lvm_hdd", "media", Layout::Linear, {{"/dev/sdb", pv_uuid, 7}}, 1003, 4 * mib, "tierd.tier=media"},
        CreateVolume{
            "lvm_hdd", "media", Layout::Raid1, {{"/dev/sdb", pv_uuid, 7}, {"/dev/sdc", pv_uuid, 8}}, 1000, 4 * mib, "tierd.part=media"},
        CreateVolume{
            "lvm_hdd", "media_meta", Layout::Striped, {{"/dev/sdb", pv_uuid, 7}, {"/dev/sdc", pv_uuid, 8}}, 4, 4 * mib, "tierd.part=media"},
        MakePool{"lvm_hdd", "media", "media_meta", 256 * kib},
        RepairPart{{"lvm_hdd", "media_cpool_cdata"}, "l-1", {"/dev/sdc", pv_uuid, 8}},
        AttachCache{{"lvm_hdd", "hdd"}, "media", CacheMode::Writethrough, "smq", {}, Store::Volume, 256 * kib, 12 * mib},
        AttachWritecache{{"lvm_hdd", "hdd"}, "media", {{"block_size", "4096"}}},
        SetCachePolicy{{"lvm_hdd", "hdd"}, "l-1", "LVM-abc", "cleaner", {}, TierKind::Writecache},
        SetCachePolicy{{"lvm_hdd", "hdd"}, "l-1", "LVM-abc", "writecache", {{"low_watermark", "20"}}, TierKind::Writecache},
        CommitMetadata{{"lvm_hdd", "hdd"}, "l-1", "LVM-abc-real"},
        RemovePool{"lvm_hdd", "media", pv_uuid},
        SetCachePolicy{{"lvm_hdd", "hdd"}, "l-1", "LVM-abc", "cleaner", {{"random_threshold", "default"}}},
        SetCacheMode{{"lvm_hdd", "hdd"}, "l-1", "LVM-abc", CacheMode::Writethrough, true},
        RemoveCache{{"lvm_hdd", "hdd"}, "LVM-abc"},
        ReduceVg{"lvm_hdd", "/dev/sdb", pv_uuid, 7},
        RemovePv{"/dev/sdb", pv_uuid, 7},
        TagVolume{{"lvm_hdd", "hdd"}, "l-1", {"tierd.lost=fast"}, {"tierd.lost=slow"}},
        UncacheLost{{"lvm_hdd", "hdd"}, "l-1", "LVM-abc"},
        RemoveMissing{"lvm_hdd", {pv_uuid}},
        RestoreMissing{"lvm_hdd", "/dev/sdb", pv_uuid, 7},
        ClearOutdated{"lvm_hdd", "/dev/sdb", pv_uuid, 7},
        RefreshVolume{{"lvm_hdd", "hdd"}, "l-1"},
        DropCache{{"lvm_hdd", "hdd"}, "l-1", "LVM-abc"}};
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--config") {
            ++i;
            continue;
        }
        text += (text.empty() ? "" : " ") + words[i];
    }
    return text;
}

TEST(AnAction, IsSpelledAsOneCommand) {
    std::vector<std::string> commands;
    for (const auto& action : all()) commands.push_back(joined(argv_of(action, tools)));
    EXPECT_THAT(
        commands,
        ElementsAre(
            "/usr/libexec/tierd/tierd-device claim --diskseq 7 --size 274877906944 --identity wwn:0x5002538d0000 1 --may-wipe vfat "
            "--may-wipe gpt --wipe /dev/sdb",
            "/usr/libexec/tierd/tierd-device claim --diskseq 7 --size 274877906944 --identity wwn:0x5002538d0000 1 /dev/sdb -- "
            "/usr/sbin/lvm pvcreate --uuid abcdef-0123-4567-89ab-cdef-0123-456789 --norestorefile /dev/sdb",
            "/usr/libexec/tierd/tierd-device claim --diskseq 7 --pv-uuid abcdef-0123-4567-89ab-cdef-0123-456789 /dev/sdb -- /usr/sbin/lvm "
            "vgextend lvm_hdd /dev/sdb",
            "/usr/sbin/lvm pvchange -xn --addtag tierd.device=fast /dev/sdb", "/usr/sbin/lvm pvchange -xy /dev/sdb",
            "/usr/sbin/lvm lvcreate -y --type cache-pool --poolmetadataspare n -n media -l 1000 --poolmetadatasize 12582912b -c "
            "262144b --addtag "
            "tierd.tier=media lvm_hdd /dev/sdb",
            "/usr/sbin/lvm lvconvert -y --type cache --cachepool lvm_hdd/media --cachemode writeback --cachepolicy smq "
            "--cachesettings a_b=1 --cachesettings migration_threshold=16384 lvm_hdd/hdd",
            "/usr/sbin/lvm lvcreate -y -an -Zn -Wn -n media -l 1003 --addtag tierd.tier=media lvm_hdd /dev/sdb",
            "/usr/sbin/lvm lvcreate -y -an -Zn -Wn --type raid1 -m 1 --nosync -n media -l 1000 --addtag tierd.part=media lvm_hdd "
            "/dev/sdb /dev/sdc",
            "/usr/sbin/lvm lvcreate -y -an -Zn -Wn --type striped -i 2 -n media_meta -l 4 --addtag tierd.part=media lvm_hdd /dev/sdb "
            "/dev/sdc",
            "/usr/sbin/lvm lvconvert -y --type cache-pool --poolmetadataspare n -c 262144b --poolmetadata lvm_hdd/media_meta "
            "lvm_hdd/media",
            "/usr/sbin/lvm lvconvert -y --repair lvm_hdd/media_cpool_cdata /dev/sdc",
            "/usr/sbin/lvm lvconvert -y --type cache --cachevol lvm_hdd/media --cachemode writethrough --cachepolicy smq --chunksize "
            "262144b --poolmetadatasize 12582912b lvm_hdd/hdd",
            "/usr/sbin/lvm lvconvert -y --type writecache --cachevol lvm_hdd/media --cachesettings block_size=4096 lvm_hdd/hdd",
            "/usr/libexec/tierd/tierd-device commit LVM-abc -- /usr/sbin/lvm lvchange -y -S lv_uuid=l-1 --cachesettings cleaner=1 "
            "lvm_hdd/hdd",
            "/usr/libexec/tierd/tierd-device commit LVM-abc -- /usr/sbin/lvm lvchange -y -S lv_uuid=l-1 --cachesettings cleaner=0 "
            "--cachesettings low_watermark=20 lvm_hdd/hdd",
            "/usr/libexec/tierd/tierd-device commit LVM-abc-real",
            "/usr/sbin/lvm lvremove -y -S lv_uuid=abcdef-0123-4567-89ab-cdef-0123-456789 lvm_hdd/media",
            "/usr/libexec/tierd/tierd-device commit LVM-abc -- /usr/sbin/lvm lvchange -y -S lv_uuid=l-1 --cachepolicy cleaner "
            "--cachesettings "
            "random_threshold=default lvm_hdd/hdd",
            "/usr/libexec/tierd/tierd-device commit LVM-abc -- /usr/libexec/tierd/tierd-device clean LVM-abc -- /usr/sbin/lvm lvchange -y "
            "-S lv_uuid=l-1 --cachemode writethrough "
            "lvm_hdd/hdd",
            "/usr/libexec/tierd/tierd-device clean LVM-abc -- /usr/sbin/lvm lvconvert -y --uncache lvm_hdd/hdd",
            "/usr/sbin/lvm vgreduce lvm_hdd /dev/sdb",
            "/usr/libexec/tierd/tierd-device claim --diskseq 7 --pv-uuid abcdef-0123-4567-89ab-cdef-0123-456789 /dev/sdb -- "
            "/usr/sbin/lvm pvremove /dev/sdb",
            "/usr/sbin/lvm lvchange -y -S lv_uuid=l-1 --deltag tierd.lost=slow --addtag tierd.lost=fast lvm_hdd/hdd",
            "/usr/sbin/lvm lvconvert -y --uncache lvm_hdd/hdd", "/usr/sbin/lvm vgreduce --removemissing lvm_hdd",
            "/usr/libexec/tierd/tierd-device claim --diskseq 7 --pv-uuid abcdef-0123-4567-89ab-cdef-0123-456789 /dev/sdb -- "
            "/usr/sbin/lvm vgextend --restoremissing lvm_hdd /dev/sdb",
            "/usr/libexec/tierd/tierd-device claim --diskseq 7 --pv-uuid abcdef-0123-4567-89ab-cdef-0123-456789 /dev/sdb -- "
            "/usr/sbin/lvm vgck --updatemetadata lvm_hdd",
            "/usr/sbin/lvm lvchange --refresh -S lv_uuid=l-1 lvm_hdd/hdd",
            "/usr/libexec/tierd/tierd-device failed LVM-abc -- /usr/sbin/lvm lvconvert -y --uncache --force lvm_hdd/hdd"));
}

// Promise 2, A16: nothing is forced but by a person's word for that volume, and nothing that asks before it destroys data is answered for
TEST(AnAction, ForcesNothing) {
    for (const auto& action : all()) {
        if (std::holds_alternative<DropCache>(action)) continue;
        const auto argv = argv_of(action, tools);
        EXPECT_THAT(argv, AllOf(Not(Contains("-f")), Not(Contains("-ff")), Not(Contains("--force"))));
        if (std::holds_alternative<CreatePv>(action) || std::holds_alternative<ExtendVg>(action)) {
            EXPECT_THAT(argv, AllOf(Not(Contains("-y")), Not(Contains("--yes")), Not(Contains("-W")), Not(Contains("-Zy"))));
        }
    }
}

TEST(ALvmReport, PinsWhatASitesConfigurationCouldChange) {
    for (const auto& argv : {report_command(tools, true), report_command(tools, false), duplicates_command(tools)}) {
        const auto config = std::find(argv.begin(), argv.end(), "--config");
        ASSERT_NE(config, argv.end());
        EXPECT_THAT(*(config + 1), AllOf(HasSubstr("suffix=0"), HasSubstr("mark_hidden_devices=1"), HasSubstr("command_names=0")));
    }
}

TEST(ALvmReport, LocksUnlessItIsToldNotTo) {
    EXPECT_THAT(report_command(tools, true), Not(Contains("--nolocking")));
    EXPECT_THAT(report_command(tools, false), Contains("--nolocking"));
}

// C08, and whatever else could make one word another
TEST(AnAction, WithWordsThatAreNoneIsNotSpelled) {
    for (const auto* bad :
         {"", "-f", "--yes", "[lv]", "a b", "a\nb", "a\"b", "a'b", "a`b", "a$b", "a;b", "a\\b", "a\tb", "ä", "a/b", "a@b"}) {
        const std::vector<Action> actions{
            ExtendVg{bad, "/dev/sdb", pv_uuid},
            RemovePool{"vg", bad, pv_uuid},
            RemovePool{"vg", "lv", bad},
            CreateCachePool{bad, "p", "/dev/sdb", pv_uuid, 1, 1, mib, mib, "t"},
            CreateCachePool{"vg", bad, "/dev/sdb", pv_uuid, 1, 1, mib, mib, "t"},
            AttachCache{{bad, "lv"}, "p", CacheMode::Writeback, "smq", {}},
            AttachCache{{"vg", bad}, "p", CacheMode::Writeback, "smq", {}},
            AttachCache{{"vg", "lv"}, bad, CacheMode::Writeback, "smq", {}},
            AttachCache{{"vg", "lv"}, "p", CacheMode::Writeback, bad, {}},
            AttachCache{{"vg", "lv"}, "p", CacheMode::Writeback, "smq", {{bad, "1"}}},
            AttachCache{{"vg", "lv"}, "p", CacheMode::Writeback, "smq", {{"a", bad}}},
            SetCachePolicy{{"vg", bad}, "u", "LVM-a", "smq", {}},
            SetCachePolicy{{"vg", "lv"}, "u", bad, "smq", {}},
            SetCachePolicy{{"vg", "lv"}, "u", "LVM-a", bad, {}},
            SetCachePolicy{{"vg", "lv"}, "u", "LVM-a", "smq", {{bad, "1"}}},
            SetCachePolicy{{"vg", "lv"}, "u", "LVM-a", "smq", {{"a", bad}}},
            SetCacheMode{{bad, "lv"}, "u", "LVM-a", CacheMode::Writeback},
            SetCacheMode{{"vg", "lv"}, "u", bad, CacheMode::Writeback},
            RemoveCache{{bad, "lv"}, "LVM-a"},
            RemoveCache{{"vg", bad}, "LVM-a"},
            RemoveCache{{"vg", "lv"}, bad},
            SetCachePolicy{{"vg", "lv"}, bad, "LVM-a", "smq", {}},
            SetCacheMode{{"vg", "lv"}, bad, "LVM-a", CacheMode::Writeback},
            ReduceVg{bad, "/dev/sdb", pv_uuid, 1},
            RemovePv{"/dev/sdb", bad, 1},
            CreatePv{disk, bad},
            CommitMetadata{{"vg", "lv"}, "u", bad},
            WipeSignatures{{"/dev/sdb", "", 1, 1, {bad}}},
            TagVolume{{"vg", bad}, "u", {"t"}, {}},
            TagVolume{{"vg", "lv"}, bad, {"t"}, {}},
            UncacheLost{{bad, "lv"}, "u", "LVM-a"},
            RemoveMissing{bad, {}},
            RestoreMissing{bad, "/dev/sdb", pv_uuid, 1},
            ClearOutdated{"vg", "/dev/sdb", bad, 1},
            RefreshVolume{{"vg", bad}, "u"},
            RefreshVolume{{"vg", "lv"}, bad},
            DropCache{{bad, "lv"}, "u", "LVM-a"},
            DropCache{{"vg", "lv"}, "u", bad},
        };
        for (const auto& action : actions) EXPECT_THROW(argv_of(action, tools), Error) << verb_of(action) << " with '" << bad << "'";
    }
    for (const auto* bad : {"", "sdb", "-y", "/etc/passwd", "/dev/a b", "/dev/a\nb", "/dev/a'b", "/dev/a\"b"}) {
        EXPECT_THROW(argv_of(ExtendVg{"vg", bad, pv_uuid}, tools), Error) << bad;
        EXPECT_THROW(argv_of(ReduceVg{"vg", bad, pv_uuid}, tools), Error) << bad;
        EXPECT_THROW(argv_of(RemovePv{bad, pv_uuid}, tools), Error) << bad;
        EXPECT_THROW(argv_of(WipeSignatures{{bad, "", 1, 1, {}}}, tools), Error) << bad;
    }
    for (const auto* bad : {"-t", "a b", "a,b", "a@b", "a~b", "a\"b"})
        EXPECT_THROW(argv_of(FencePv{"vg", "/dev/sdb", pv_uuid, bad}, tools), Error) << bad;
    EXPECT_THROW(argv_of(TagVolume{{"vg", "lv"}, "u", {}, {"a b"}}, tools), Error);
}

// Seen with LVM 2.03.16: lvconvert knows the data of a thin pool by the pool, and lvchange by its own name.
TEST(TheDataOfAThinPool, IsCalledAsLvmWantsIt) {
    const VolumeName data{"vg", "pool_tdata"};
    EXPECT_EQ(argv_of(AttachCache{data, "media", CacheMode::Writeback, "smq", {}}, tools).back(), "vg/pool");
    EXPECT_EQ(argv_of(AttachWritecache{data, "media", {}}, tools).back(), "vg/pool");
    EXPECT_EQ(argv_of(RemoveCache{data, "LVM-a-tdata"}, tools).back(), "vg/pool");
    EXPECT_EQ(argv_of(UncacheLost{data, "l-1", "LVM-a-tdata"}, tools).back(), "vg/pool");
    EXPECT_EQ(argv_of(SetCacheMode{data, "l-1", "LVM-a-tdata", CacheMode::Writethrough}, tools).back(), "vg/pool_tdata");
    EXPECT_EQ(argv_of(TagVolume{data, "l-1", {"tierd.detach"}, {}}, tools).back(), "vg/pool_tdata");
}

TEST(AFence, WithoutATagOnlyKeepsOthersOff) {
    EXPECT_EQ(joined(argv_of(FencePv{"vg", "/dev/sdb", pv_uuid, ""}, tools)), "/usr/sbin/lvm pvchange -xn /dev/sdb");
}

// A23: hyphens are plain there
TEST(AnAction, TakesEveryNameThatLvmTakes) {
    for (const auto* name : {"a", "a-b", "a--b", "a-", "A.b_c+d", "0", "_x"}) {
        EXPECT_THAT(argv_of(RemovePool{name, name, pv_uuid}, tools), Contains(std::string{name} + '/' + name));
    }
    for (const auto* node : {"/dev/nvme0n1", "/dev/mapper/a-b", "/dev/cciss/c0d0", "/dev/disk/by-id/wwn-0x5"}) {
        EXPECT_THAT(argv_of(UnfencePv{"vg", node, pv_uuid}, tools), Contains(node));
    }
}

TEST(ASetup, IsReadFromLvmsOwnWords) {
    const auto setup = parse_setup(recorded("lvmconfig"), recorded("version"));
    EXPECT_EQ(setup.setup.version, "2.03.16");
    EXPECT_EQ(setup.setup.cache_pool_max_chunks, 1'000'000U);
    EXPECT_FALSE(setup.setup.use_devices_file);
    EXPECT_EQ(setup.setup.snapshot_autoextend_threshold, 100U);
    EXPECT_EQ(setup.devices_file, "/etc/lvm/devices/system.devices");
    EXPECT_EQ(setup.locking_dir, "/run/lock/lvm");
}

TEST(ASetup, TakesWhatASiteChanged) {
    const auto setup = parse_setup(
        "cache_pool_max_chunks=100000\nuse_devicesfile=1\ndevicesfile=\"mine.devices\"\nsnapshot_autoextend_threshold=70\n"
        "thin_pool_autoextend_threshold=80\ncache_check_executable=\"/usr/sbin/cache_check\"\n",
        "");
    EXPECT_EQ(setup.setup.cache_pool_max_chunks, 100'000U);
    EXPECT_TRUE(setup.setup.use_devices_file);
    EXPECT_EQ(setup.setup.snapshot_autoextend_threshold, 70U);
    EXPECT_EQ(setup.setup.thin_pool_autoextend_threshold, 80U);
    EXPECT_EQ(setup.setup.cache_check, "/usr/sbin/cache_check");
    EXPECT_EQ(parse_setup("cache_check_executable=\"\"\n", "").setup.cache_check, "");
    EXPECT_EQ(parse_setup("", "").setup.cache_check, std::nullopt);
    EXPECT_EQ(setup.devices_file, "/etc/lvm/devices/mine.devices");
    EXPECT_EQ(setup.setup.version, "");
    EXPECT_EQ(parse_setup("cache_pool_max_chunks=many\n", "").setup.cache_pool_max_chunks, 1'000'000U);
}

// A14
TEST(ADevicesFile, GivesItsNodesAndIds) {
    EXPECT_THAT(
        parse_devices_file("# LVM uses devices listed in this file.\nVERSION=1.1.2\nIDTYPE=sys_wwid IDNAME=naa.5002538d DEVNAME=/dev/sda2 "
                           "PVID=abc PART=2\n"
                           "IDTYPE=devname IDNAME=/dev/vdb DEVNAME=/dev/vdb PVID=def\nIDTYPE=sys_serial IDNAME=. DEVNAME=. PVID=ghi\n"),
        UnorderedElementsAre("naa.5002538d", "/dev/sda2", "/dev/vdb"));
    EXPECT_THAT(parse_devices_file(""), IsEmpty());
}

}  // namespace
}  // namespace tierd::lvm
