// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/identity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "world.hpp"

namespace tierd {
namespace {

/// LVM's own alphabet for tags (lib/misc/lvm-string.c), less the separators that tierd needs none of.
bool allowed_in_a_tag(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view{"_+.-/=!:&#"}.find(c) != std::string_view::npos;
}

TEST(ATag, HoldsAnyBytesAndGivesThemBack) {
    std::string every;
    for (int byte = 0; byte < 256; ++byte) {
        every += static_cast<char>(byte);
        const std::string one(1, static_cast<char>(byte));
        EXPECT_EQ(decode_tag(encode_tag(one)), one) << byte;
        EXPECT_EQ(decode_tag(encode_tag(one + "41")), one + "41") << byte;
    }
    EXPECT_EQ(decode_tag(encode_tag(every)), every);
    const std::string tag = encode_tag(every);
    EXPECT_TRUE(std::all_of(tag.begin(), tag.end(), allowed_in_a_tag)) << tag;
}

TEST(ATag, LeavesPlainNamesReadable) {
    EXPECT_EQ(tier_tag("media-2.x_y"), "tierd.tier=media-2.x_y");
}

TEST(ATag, KeepsAPlusThatBeginsNothing) {
    EXPECT_EQ(decode_tag("a+"), "a+");
    EXPECT_EQ(decode_tag("a+4"), "a+4");
    EXPECT_EQ(decode_tag("a+zz"), "a+zz");
    EXPECT_EQ(decode_tag(encode_tag("a+20b")), "a+20b");
}

TEST(AnOwner, IsReadFromTheTagAlone) {
    LogicalVolume pool;
    pool.name = "media";
    EXPECT_EQ(tier_of(pool), std::nullopt) << "never by name";
    pool.tags = {"backup", "tierd.tiers=x", "xtierd.tier=y"};
    EXPECT_EQ(tier_of(pool), std::nullopt);
    pool.tags.insert(tier_tag("müll & mehr"));
    EXPECT_EQ(tier_of(pool), "müll & mehr");
    PhysicalVolume pv;
    EXPECT_EQ(device_rule_of(pv), std::nullopt);
    pv.tags = {device_tag("fast")};
    EXPECT_EQ(device_rule_of(pv), "fast");
}

TEST(APhysicalVolumesUuid, IsStable) {
    // Held fixed: what is on people's disks is recognised by it.
    EXPECT_EQ(pv_uuid_for("0123456789abcdef0123456789abcdef", "wwn:0x5002538d41628a33"), "c83668-be53-7dd9-91e3-2581-3ab7-dd804c");
    EXPECT_EQ(pv_uuid_for("", ""), "d228cb-6910-1a8c-af78-912b-704e-4a147f");
}

TEST(APhysicalVolumesUuid, HasLvmsForm) {
    constexpr std::array<std::size_t, 6> dashes{6, 11, 16, 21, 26, 31};
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
        const std::string uuid = pv_uuid_for("machine", "serial:" + std::to_string(i));
        ASSERT_EQ(uuid.size(), 38u);
        for (std::size_t at = 0; at < uuid.size(); ++at) {
            const bool dash = std::find(dashes.begin(), dashes.end(), at) != dashes.end();
            EXPECT_TRUE(dash ? uuid[at] == '-' : std::isxdigit(static_cast<unsigned char>(uuid[at])) != 0) << uuid;
        }
        EXPECT_TRUE(seen.insert(uuid).second);
    }
}

TEST(APhysicalVolumesUuid, TellsMachinesAndDisksApart) {
    EXPECT_NE(pv_uuid_for("a", "b"), pv_uuid_for("b", "a"));
    EXPECT_NE(pv_uuid_for("ab", "c"), pv_uuid_for("a", "bc")) << "the two are not just put together";
}

TEST(APhysicalVolume, IsOursByTagOrByTheUuidOfItsDisk) {
    auto now = world::with_disk();
    const auto& sdb = now.devices.back();
    auto pv = world::pv_of("foreign", sdb, "");
    EXPECT_FALSE(is_ours(pv, now));
    pv.uuid = world::our_uuid(sdb);
    EXPECT_TRUE(is_ours(pv, now));
    pv.dev = now.devices.front().dev;
    EXPECT_FALSE(is_ours(pv, now)) << "the UUID of another disk: a copy";
    pv.tags = {device_tag("fast")};
    EXPECT_TRUE(is_ours(pv, now));
}

TEST(AnIdentity, IsTheWwnThenTheSerialAndNeverTheNode) {
    auto device = world::ssd();
    EXPECT_EQ(identity_of(device), "wwn:0xS21PNXAG441016");
    device.wwn.clear();
    EXPECT_EQ(identity_of(device), "serial:S21PNXAG441016");
    device.serial.clear();
    EXPECT_EQ(identity_of(device), "");
    auto part = world::partition(world::ssd(), 1, gib, "1234-5678");
    EXPECT_EQ(identity_of(part), "partuuid:1234-5678");
    part.partuuid.clear();
    part.wwn = "0x1";
    EXPECT_EQ(identity_of(part), "") << "its disk's WWN is not its own";
}

// A23
TEST(AMapperName, IsExactForEveryPair) {
    EXPECT_EQ(dm_name("vg0", "var-log"), "vg0-var--log");
    EXPECT_EQ(dm_name("my-vg", "my-lv"), "my--vg-my--lv");
    EXPECT_EQ(dm_name("a-", "b"), "a---b");
    EXPECT_EQ(dm_name("a", "b-"), "a-b--");
    EXPECT_EQ(dm_name("a--b", "c"), "a----b-c");
    EXPECT_EQ(dm_name("my-vg", "db_corig"), "my--vg-db_corig");
}

/// The inverse, written the other way round: a hyphen that is not doubled parts the two. nullopt when there is not exactly one.
std::optional<std::pair<std::string, std::string>> split(const std::string& text) {
    std::vector<std::string> parts{""};
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '-') {
            parts.back() += text[i];
        } else if (i + 1 < text.size() && text[i + 1] == '-') {
            parts.back() += '-';
            ++i;
        } else {
            parts.emplace_back();
        }
    }
    if (parts.size() != 2) return std::nullopt;
    return std::pair{parts[0], parts[1]};
}

// A23: any two names LVM allows (an LV's does not begin with a hyphen) come back as they were.
TEST(AMapperName, ComesBackAsThePairItWas) {
    std::vector<std::string> names{"a", "b-", "c--", "d-e", "f--g", "h-i-j", "k---l-"};
    std::set<std::string> seen;
    for (const auto& vg : names) {
        for (const auto& lv : names) {
            const auto text = dm_name(vg, lv);
            EXPECT_TRUE(seen.insert(text).second) << text << " stands for two pairs";
            if (vg.back() == '-') continue;  // "a---b": read from the left it is a-/b or a/-b; LVM allows only the first
            EXPECT_EQ(split(text), (std::pair{vg, lv})) << text;
        }
    }
}

}  // namespace
}  // namespace tierd
