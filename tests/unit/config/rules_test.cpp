// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/names.hpp"
#include "support.hpp"

namespace tierd::config {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace {

void expect_refused(const std::string& text, const std::string& words) {
    const auto result = check(text);
    EXPECT_FALSE(result.ok()) << text;
    EXPECT_THAT(told(result), HasSubstr(words)) << text;
    EXPECT_TRUE(result.policy.tiers.empty() && result.policy.snapshots.empty() && result.policy.pools.empty()) << text;
}

void expect_accepted(const std::string& text) {
    EXPECT_THAT(told(check(text)), IsEmpty()) << text;
}

const std::string with_serial = "{match: {serial: X1}}";

}  // namespace

TEST(ADevice, IsReadWithAllItsKeys) {
    const auto result = check(
        "devices:\n"
        "  fast:\n"
        "    match:\n"
        "      kind: ssd\n"
        "      transport: [nvme, sata]\n"
        "      min_size: 200GiB\n"
        "      serial: \"S4EVNX0*\"\n"
        "      wwn: [0x5002538e, eui.0025*]\n"
        "      model: Samsung SSD 850*\n"
        "      path: pci-0000:00:1f.2-ata-1\n"
        "      partlabel: cache\n"
        "      partuuid: 0fc63daf-*\n"
        "    wipe: [vfat, gpt]\n"
        "    volatile: true\n"
        "    count: 2\n"
        "    replace: true\n");
    EXPECT_THAT(told(result), IsEmpty());
    DeviceRule rule;
    rule.name = "fast";
    rule.place = {"/etc/tierd/10-a.yaml", 2, 3};
    rule.match = {
        Kind::Ssd, {"nvme", "sata"}, 200 * gib, {"S4EVNX0*"}, {"0x5002538e", "eui.0025*"}, {"Samsung SSD 850*"}, {"pci-0000:00:1f.2-ata-1"},
        {"cache"}, {"0fc63daf-*"}};
    rule.wipe = {"vfat", "gpt"};
    rule.volatile_contents = true;
    rule.count = 2;
    rule.replace = true;
    EXPECT_EQ(result.policy.devices.at(0), rule);
}

TEST(ATier, IsReadWithAllItsKeys) {
    const auto result =
        check(with_tier("    layout: linear\n"
                        "    size: 95%\n"
                        "    metadata_size: 3GiB\n"
                        "    chunk_size: 256KiB\n"
                        "    mode: writeback\n"
                        "    cache_policy: smq\n"
                        "    settings: {migration_threshold: 16384}\n"
                        "    store: volume\n"
                        "    dirty: {warn: 12.5%, critical: 60%}\n"
                        "    drain: {window: \"22:00-06:00\", on_stall: raise_threshold}\n"
                        "    on_failing_device: alert\n"
                        "    state: absent\n"
                        "    autonomy: full\n"));
    EXPECT_THAT(told(result), IsEmpty());
    TierRule rule;
    rule.name = "media";
    rule.place = {"/etc/tierd/10-a.yaml", 4, 3};
    rule.volume = {"vg", "lv"};
    rule.devices = {"fast"};
    rule.size = Percent{9500};
    rule.metadata_size = 3 * gib;
    rule.chunk_size = 256 * kib;
    rule.mode = CacheMode::Writeback;
    rule.settings = {{"migration_threshold", "16384"}};
    rule.store = Store::Volume;
    rule.dirty = {Percent{1250}, Percent{6000}};
    rule.drain_window = DrainWindow{1320, 360};
    rule.on_stall = OnStall::RaiseThreshold;
    rule.on_failing_device = OnFailingDevice::Alert;
    rule.state = Presence::Absent;
    rule.autonomy = Autonomy::Full;
    EXPECT_EQ(result.policy.tiers.at(0), rule);
}

TEST(ASnapshotRule, IsReadWithAllItsKeys) {
    const auto result = check(
        "snapshots:\n"
        "  nightly:\n"
        "    volumes: [vgtest/lvtest, vgtest/srv]\n"
        "    kind: thick\n"
        "    size: 20%\n"
        "    schedule: Mon..Fri 02:30\n"
        "    keep: {last: 1, hourly: 2, daily: 3, weekly: 4, monthly: 5}\n"
        "    max_active: 15\n"
        "    extend: {at: 75%, by: 10%, max: 100%, reserve: 5GiB}\n"
        "    when_full: drop\n"
        "    state: absent\n"
        "    autonomy: observe\n");
    EXPECT_THAT(told(result), IsEmpty());
    SnapshotRule rule;
    rule.name = "nightly";
    rule.place = {"/etc/tierd/10-a.yaml", 2, 3};
    rule.volumes = {{"vgtest", "lvtest"}, {"vgtest", "srv"}};
    rule.size = Percent{2000};
    rule.schedule = Schedule{Schedule::Every::Day, 150, 0x1f};
    rule.keep = {1, 2, 3, 4, 5};
    rule.max_active = 15;
    rule.extend = ExtendRule{Percent{7500}, Percent{1000}, Percent{10000}, 5 * gib};
    rule.when_full = WhenFull::Drop;
    rule.state = Presence::Absent;
    rule.autonomy = Autonomy::Observe;
    EXPECT_EQ(result.policy.snapshots.at(0), rule);
}

TEST(APool, IsReadWithAllItsKeys) {
    const auto result = check(
        "pools:\n"
        "  vgtest/pool:\n"
        "    extend: {at: 70%, by: 20%, max: 2TiB, reserve: 20GiB}\n"
        "    metadata: {by: 50%}\n"
        "    pressure: {at: 90%, drop: expendable}\n"
        "    autonomy: full\n");
    EXPECT_THAT(told(result), IsEmpty());
    PoolRule rule;
    rule.pool = {"vgtest", "pool"};
    rule.place = {"/etc/tierd/10-a.yaml", 2, 3};
    rule.extend = ExtendRule{Percent{7000}, Percent{2000}, 2 * tib, 20 * gib};
    rule.metadata = ExtendRule{Percent{7000}, Percent{5000}, std::nullopt, std::nullopt};
    rule.pressure_at = Percent{9000};
    rule.autonomy = Autonomy::Full;
    EXPECT_EQ(result.policy.pools.at(0), rule);
}

TEST(WhatIsNotSaid, IsTheDocumentedDefault) {
    const auto policy = check(with_tier("")).policy;
    EXPECT_EQ(policy.devices.at(0).count, 1U);
    EXPECT_FALSE(policy.devices.at(0).replace || policy.devices.at(0).volatile_contents);
    EXPECT_THAT(policy.devices.at(0).wipe, IsEmpty());
    const auto& tier = policy.tiers.at(0);
    EXPECT_EQ(tier.mode, CacheMode::Writethrough);
    EXPECT_EQ(tier.cache_policy, "smq");
    EXPECT_EQ(tier.layout, Layout::Linear);
    EXPECT_EQ(tier.store, Store::Pool);
    EXPECT_EQ(tier.dirty, (DirtyLimits{Percent{4000}, Percent{8000}}));
    EXPECT_EQ(tier.on_failing_device, OnFailingDevice::Demote);
    EXPECT_EQ(tier.autonomy, Autonomy::Act);
    EXPECT_FALSE(tier.size || tier.metadata_size || tier.chunk_size || tier.drain_window);
    const auto snapshot = check(with_thick("    extend: {}\n")).policy.snapshots.at(0);
    EXPECT_EQ(snapshot.max_active, 2U);
    EXPECT_EQ(snapshot.when_full, WhenFull::Alert);
    EXPECT_EQ(snapshot.extend, (ExtendRule{Percent{7000}, Percent{2000}, std::nullopt, std::nullopt}));
}

// F09: what must be said is asked for, not supposed.
TEST(WhatMustBeSaid, IsMissed) {
    expect_refused("devices: {d: {count: 1}}\n", "device d: match is missing");
    expect_refused("devices: {d: {match: {kind: ssd}}}\ntiers: {a: {volume: vg/a, device: d}}\n",
                   ":2:9: tier a: kind is missing; one of cache, writecache, bcache, journal");
    expect_refused("tiers: {a: {kind: cache}}\n", "tier a: volume is missing; kind cache needs it");
    expect_refused("tiers: {a: {kind: cache}}\n", "tier a: device is missing; kind cache needs it");
    expect_refused("tiers: {a: {kind: writecache, device: d}}\n", "volume is missing");
    expect_refused("tiers: {a: {kind: bcache, device: d}}\n", "backing is missing");
    expect_refused("tiers: {a: {kind: journal, device: d}}\n", "filesystem is missing");
    expect_refused("snapshots: {s: {kind: thin}}\n", "snapshot s: volumes is missing");
    expect_refused("snapshots: {s: {volumes: [vg/a]}}\n", "snapshot s: kind is missing; one of thick, thin");
    expect_refused("snapshots: {s: {volumes: [vg/a], kind: thick}}\n", "snapshot s: size is missing");
    expect_refused(with_thin("    schedule: hourly\n"), "snapshot hourly: keep is missing");
    expect_refused(with_thin("    schedule: hourly\n    keep: {}\n"), "snapshot hourly: keep is missing");
    expect_refused("pools: {vg/p: {pressure: {at: 90%}}}\n", "pressure: drop is missing");
    expect_refused("pools: {vg/p: {pressure: {drop: expendable}}}\n", "pressure: at is missing");
    expect_accepted(with_thin("    schedule: none\n"));
    expect_accepted("pools: {vg/p: {}}\n");
}

TEST(AKindOfTier, RefusesTheKeysOfOthers) {
    const auto keys = [](const std::string& kind, const std::string& key) {
        return "tiers:\n  a:\n    kind: " + kind + "\n    " + key + "\n";
    };
    for (const std::string key : {"backing: {serial: a}", "filesystem: /srv", "when: boot"})
        expect_refused(keys("cache", key), "is no key of a tier of kind cache");
    for (const std::string key : {"backing: {serial: a}", "filesystem: /srv", "when: boot", "layout: raid1", "metadata_size: 1GiB",
                                  "chunk_size: 64KiB", "cache_policy: smq", "store: pool"}) {
        expect_refused(keys("writecache", key), "is no key of a tier of kind writecache");
    }
    for (const std::string key : {"volume: vg/a", "filesystem: /srv", "when: boot", "layout: linear", "size: 1GiB", "metadata_size: 1GiB",
                                  "chunk_size: 64KiB", "cache_policy: smq", "store: pool"}) {
        expect_refused(keys("bcache", key), "is no key of a tier of kind bcache");
    }
    for (const std::string key :
         {"volume: vg/a", "backing: {serial: a}", "layout: linear", "metadata_size: 1GiB", "chunk_size: 64KiB", "mode: writeback",
          "cache_policy: smq", "settings: {}", "store: pool", "dirty: {}", "drain: {}", "on_failing_device: alert"}) {
        expect_refused(keys("journal", key), "is no key of a tier of kind journal");
    }
    expect_refused("devices: {d: {match: {kind: ssd}}}\ntiers: {a: {kind: writecache, volume: vg/a, device: d, mode: writethrough}}\n",
                   "mode: a writecache is always writeback");
    expect_refused("devices: {d: {match: {kind: ssd}}}\ntiers: {a: {kind: bcache, backing: {serial: a}, device: d, mode: passthrough}}\n",
                   "bcache has no passthrough");
    EXPECT_EQ(
        check("devices: {d: {match: {kind: ssd}}}\ntiers: {a: {kind: writecache, volume: vg/a, device: d}}\n").policy.tiers.at(0).mode,
        CacheMode::Writeback);
}

TEST(AKindOfSnapshot, RefusesTheKeysOfTheOther) {
    for (const std::string key : {"size: 20%", "max_active: 3", "extend: {at: 70%}", "when_full: drop"})
        expect_refused(with_thin("    " + key + "\n"), "is for thick snapshots");
}

TEST(AMatch, NamesSomething) {
    for (const std::string match : {"{}", "{transport: nvme}", "{min_size: 1GiB}", "{model: X}", "{path: X}",
                                    "{transport: nvme, model: X, path: Y, min_size: 1GiB}"}) {
        expect_refused("devices: {d: {match: " + match + "}}\n", "match: fits too much");
        expect_refused("tiers: {a: {kind: bcache, device: d, backing: " + match + "}}\n", "backing: fits too much");
    }
    for (const std::string match : {"{kind: ssd}", "{serial: X}", "{wwn: X}", "{partlabel: X}", "{partuuid: X}"})
        expect_accepted("devices: {d: {match: " + match + "}}\n");
    expect_refused("devices: {d: {match: {serial: \"\"}}}\n", "serial: an empty text matches nothing");
    expect_refused("devices: {d: {match: {serial: []}}}\n", "serial: is an empty list");
    expect_refused("devices: {d: {match: {kind: ssd, transport: nmve}}}\n",
                   "transport: \"nmve\" is not a transport; did you mean \"nvme\"?");
    expect_refused("devices: {d: {match: {kind: unknown}}}\n", "kind: \"unknown\" is not a kind of disk; one of ssd, hdd");
}

// Promise 1: only a disk that is named is ever erased.
TEST(AWipe, NeedsADiskThatIsNamed) {
    const auto device = [](const std::string& match, const std::string& wipe) {
        return "devices: {d: {match: " + match + ", wipe: " + wipe + "}}\n";
    };
    expect_accepted(device("{serial: S4EVNX0R100}", "[vfat, gpt]"));
    expect_accepted(device("{wwn: \"0x5002*\"}", "[crypto_LUKS]"));
    for (const std::string match : {"{kind: ssd}", "{partlabel: X}", "{partuuid: X}", "{serial: \"*\"}", "{serial: \"?*\"}",
                                    "{serial: [\"*\", X]}", "{wwn: \"*\", kind: ssd}"}) {
        expect_refused(device(match, "[vfat]"), "wipe: erases only a disk that is named");
    }
    expect_refused(device("{serial: X}", "vfat"), "wipe: is text; a list is expected; write [vfat]");
    expect_refused(device("{serial: X}", "[]"), "wipe: is an empty list");
    for (const char* member : {"LVM2_member", "lvm", "pv"})
        expect_refused(device("{serial: X}", '[' + std::string{member} + ']'),
                       "is never erased: LVM alone knows what lives on a physical volume");
    expect_refused(device("{serial: X}", "[mbr]"), "wipe: \"mbr\" is not what libblkid calls it; write dos");
    expect_refused(device("{serial: X}", "[luks]"), "write crypto_LUKS");
    expect_refused(device("{serial: X}", "[\"*\"]"), "wipe: \"*\" is not a signature's type");
}

TEST(AVolatileDevice, NeverServesWhatMustLast) {
    const std::string device = "{match: {kind: ssd}, volatile: true}";
    expect_accepted(with_tier("", device));
    expect_accepted(with_tier("    mode: passthrough\n", device));
    expect_refused(
        with_tier("    mode: writeback\n", device),
        ":8:11: tier media: device fast is volatile (10-a.yaml:2), and writeback would lose what is dirty; write mode: writethrough");
    const auto tier = [&](const std::string& keys) {
        return "devices: {fast: " + device + "}\ntiers: {a: {device: fast, " + keys + "}}\n";
    };
    expect_refused(tier("kind: writecache, volume: vg/a"), "a writecache cannot stand on it");
    expect_refused(tier("kind: journal, filesystem: /srv"), "a journal cannot stand on it");
    expect_refused(tier("kind: bcache, backing: {serial: X}, mode: writeback"), "writeback would lose");
    expect_accepted(tier("kind: bcache, backing: {serial: X}"));
    expect_refused(
        "devices: {a: {match: {kind: ssd}}, b: {match: {serial: X}, volatile: true}}\ntiers: {t: {kind: cache, volume: vg/a, layout: "
        "striped, device: [a, b], mode: writeback}}\n",
        "device b is volatile");
}

TEST(ALayout, NeedsAsManyDisksAsItHasHalves) {
    expect_refused(with_tier("    layout: striped\n"),
                   ":8:13: layout: striped needs two disks; give device fast a count of 2, or name two devices");
    expect_refused(with_tier("    layout: raid1\n"), "layout: raid1 needs two disks");
    expect_refused(with_tier("    layout: raid1\n", "{match: {kind: ssd}, count: 3}"), "needs two disks");
    expect_accepted(with_tier("    layout: raid1\n", "{match: {kind: ssd}, count: 2}"));
    expect_refused(with_tier("    layout: raid1\n    store: volume\n", "{match: {kind: ssd}, count: 2}"),
                   "layout: raid1 is for a pool, whose halves can be repaired; write store: pool");
    const auto listed = [](const std::string& device, const std::string& more) {
        return "devices: {a: {match: {serial: A}}, b: {match: {serial: B}}, c: {match: {serial: C}}}\ntiers: {t: {kind: cache, volume: "
               "vg/a, device: " +
               device + more + "}}\n";
    };
    EXPECT_THAT(check(listed("[a, b]", ", layout: striped")).policy.tiers.at(0).devices, ElementsAre("a", "b"));
    expect_accepted(listed("[a]", ""));
    expect_refused(listed("[a, b]", ""), "device: names 2 devices, and the layout is linear");
    expect_refused(listed("[a, a]", ", layout: striped"), "device: \"a\" is in the list twice");
    expect_refused(listed("[a, b, c]", ", layout: striped"), "device: names 3 devices");
    expect_refused(listed("[a, x]", ", layout: striped"), "device: \"x\" is not a name under devices");
}

TEST(ADeviceThatIsNotThere, IsAskedAfter) {
    expect_refused("tiers: {a: {kind: cache, volume: vg/a, device: fst}}\ndevices: {fast: {match: {kind: ssd}}}\n",
                   ":1:48: device: \"fst\" is not a name under devices; did you mean \"fast\"?");
    expect_refused("tiers: {a: {kind: cache, volume: vg/a, device: fast}}\n",
                   "device: \"fast\" is not a name under devices; there is none");
    expect_refused("tiers: {a: {kind: cache, volume: vg/a, device: fast}}\ndevices: {fast: {match: {kind: sdd}}}\n",
                   "device: \"fast\" is left out because of its own problems (10-a.yaml:2)");
}

// A11, as far as the machine need not be asked.
TEST(AChunk, FitsTheLimitOfChunks) {
    const auto chunk = [](const std::string& step, const std::string& size) {
        return with_tier("    chunk_size: " + step + "\n" + (size.empty() ? "" : "    size: " + size + "\n"));
    };
    expect_accepted(chunk("64KiB", "61GiB"));  // 999,424
    expect_refused(chunk("64KiB", "62GiB"),
                   ":8:17: chunk_size: 64KiB would be 1015808 chunks in 62GiB; LVM allows 1000000: write at least 96KiB");
    expect_refused(chunk("64KiB", "2TiB"), "write at least 2176KiB");
    expect_accepted(chunk("2176KiB", "2TiB"));
    expect_refused(chunk("2144KiB", "2TiB"), "write at least 2176KiB");
    expect_refused(chunk("64KiB", "220GiB"), "would be 3604480 chunks");
    expect_accepted(chunk("32KiB", "32000000000B"));
    expect_accepted(chunk("32KiB", "32768000000B"));  // 1,000,000
    expect_refused(chunk("32KiB", "32768000001B"), "would be 1000001 chunks");
    expect_accepted(chunk("1GiB", "900TiB"));
    expect_refused(chunk("1GiB", "1PiB"), "write a size of at most 1000000GiB");
    expect_accepted(chunk("32KiB", "95%"));
    expect_accepted(chunk("32KiB", ""));
    for (const std::string bad : {"16KiB", "31KiB", "33KiB", "48KiB", "1025MiB", "2GiB", "1B", "8192PiB"})
        expect_refused(chunk(bad, ""), "from 32KiB to 1GiB, in steps of 32KiB");
}

TEST(TheMetadata, HasRoomForEachChunk) {
    expect_accepted(with_tier("    size: 220GiB\n    chunk_size: 256KiB\n    metadata_size: 3GiB\n"));
    expect_accepted(with_tier("    size: 100GiB\n    chunk_size: 128KiB\n    metadata_size: 122m\n"));
    expect_refused(with_tier("    size: 100GiB\n    chunk_size: 128KiB\n    metadata_size: 8MiB\n"),
                   ":10:20: metadata_size: 8MiB is too small; 819200 chunks need 39MiB");
    expect_refused(with_tier("    metadata_size: 1MiB\n"), "metadata_size: 1MiB is too small; at least 4MiB");
    expect_refused(with_tier("    metadata_size: 17GiB\n"), "more than the 16GiB that LVM allows");
    expect_accepted(with_tier("    metadata_size: 16GiB\n"));
}

TEST(ASetting, IsOneThatTheKernelKnows) {
    expect_accepted(with_tier("    settings: {migration_threshold: 16384}\n"));
    expect_refused(with_tier("    settings: {migration_treshold: 16384}\n"),
                   "\"migration_treshold\" is not a key of the settings of a cache; did you mean \"migration_threshold\"?");
    expect_refused(with_tier("    settings: {foo: 1}\n"), ":8:16: \"foo\" is not a key of the settings of a cache");
    expect_refused(with_tier("    settings: {writeback_percent: 10}\n"), "is not a key of the settings of a cache");
    expect_refused(with_tier("    settings: {migration_threshold: 8MiB}\n"), "is not a whole number");
    expect_refused(with_tier("    settings: [migration_threshold]\n"), "settings of a cache: is a list");
    // Below 8 chunks LVM raises it by itself, and the policy would never be reached.
    expect_accepted(with_tier("    chunk_size: 1MiB\n    settings: {migration_threshold: 16384}\n"));
    expect_refused(with_tier("    chunk_size: 1MiB\n    settings: {migration_threshold: 16383}\n"),
                   "settings: migration_threshold 16383 is less than 8 chunks of 1MiB");
    const auto tier = [&](const std::string& keys) { return "devices: {d: " + with_serial + "}\ntiers: {a: {device: d, " + keys + "}}\n"; };
    expect_accepted(tier("kind: bcache, backing: {serial: X}, settings: {writeback_percent: 40, sequential_cutoff: 0}"));
    expect_refused(tier("kind: bcache, backing: {serial: X}, settings: {writeback_percent: 41}"), "0 to 40");
    expect_accepted(tier("kind: writecache, volume: vg/a, settings: {high_watermark: 50, block_size: 4096}"));
    expect_refused(tier("kind: writecache, volume: vg/a, settings: {migration_threshold: 1}"), "settings of a writecache");
}

TEST(ACachePolicy, IsTheOneThatServes) {
    expect_refused(with_tier("    cache_policy: mq\n"), "cache_policy: \"mq\" is an alias of smq");
    expect_refused(with_tier("    cache_policy: cleaner\n"), "only drains");
    expect_refused(with_tier("    cache_policy: lru\n"), "smq is the one there is");
}

TEST(Limits, FitTogether) {
    expect_refused(with_tier("    dirty: {warn: 90%}\n"), ":8:12: dirty: warn (90%) is above critical (80%)");
    expect_accepted(with_tier("    dirty: {warn: 80%}\n"));
    expect_refused(with_thick("    extend: {max: 10%}\n"), "extend: max is less than the size");
    expect_accepted(with_thick("    extend: {max: 20%}\n"));
    expect_accepted(with_thick("    extend: {max: 1GiB}\n"));
    for (const std::string at : {"0%", "100%", "0.00%"}) expect_refused(with_thick("    extend: {at: " + at + "}\n"), "is no threshold");
    expect_refused(with_thick("    extend: {by: 0%}\n"), "would extend by nothing");
    expect_refused("pools: {vg/p: {extend: {max: 50%}}}\n", "max: \"50%\" is a share, and a size is wanted here");
    expect_refused("pools: {vg/p: {pressure: {at: 90%, drop: everything}}}\n", "drop: \"everything\" is nothing to drop");
    expect_refused("devices: {d: " + with_serial +
                       "}\ntiers: {a: {kind: bcache, backing: {serial: X}, device: d, drain: {on_stall: raise_threshold}}}\n",
                   "raise_threshold is for kind cache");
}

// B16, as far as it is syntax; the size that is really used is the plan's to show.
TEST(ASnapshotsSize, IsNotLvmsWayOfSpeaking) {
    const auto size = [](const std::string& spelled) {
        return "snapshots:\n  s:\n    volumes: [vg/lv]\n    kind: thick\n    size: " + spelled + "\n";
    };
    expect_refused(size("100%FREE"), ":5:11: size: \"100%FREE\" is a share as LVM spells it; write 100%, which is of the origin here");
    expect_refused(size("10%ORIGIN"), "write 10%, which is of the origin here");
    expect_refused(size("120%"), "more than 100%");
    expect_accepted(size("100%"));
    expect_accepted(size("40MiB"));
}

// B01
TEST(AVolumesName, IsOneThatLvmAllows) {
    const auto tier = [](const std::string& volume) {
        return "devices: {d: {match: {kind: ssd}}}\ntiers: {a: {kind: cache, device: d, volume: \"" + volume + "\"}}\n";
    };
    for (const std::string name : {"vg/no", "my-vg/my-lv", "a-/b", "a--b/c", "vg/lv+1", "vg/.lv", "vg/lv.", "vg/mysnapshot", "VG_1/LV_1",
                                   "1/2", "vg/_x", "vg/cdata", "a/b-"})
        expect_accepted(tier(name));
    for (const std::string name : {"lv", "", "/", "vg/", "/lv", "vg/lv/x", "vg//lv", "-vg/lv", "vg/-lv", "./lv", "vg/..", "vg/l v",
                                   "vg/l@v", "vg/l:v", "vg/l,v", "vg/l~v", "vg/*", "vg/lv\\u00e9", "vg\\\\lv"}) {
        expect_refused(tier(name), "volume: ");
    }
    expect_refused(tier("/dev/vg/lv"), "is a path; write VG/LV, without /dev/");
    for (const std::string lv : {"snapshot", "snapshot1", "snapshot-x", "pvmove0", "pvmove-x"})
        expect_refused(tier("vg/" + lv), "LVM keeps LV names that begin with");
    for (const std::string infix : {"_cdata", "_cmeta", "_corig", "_cpool", "_cvol", "_wcorig", "_mimage", "_mlog", "_rimage", "_rmeta",
                                    "_tdata", "_tmeta", "_vdata", "_imeta", "_iorig", "_pmspare", "_vorigin"}) {
        expect_refused(tier("vg/x" + infix), "LVM keeps LV names that hold \"" + infix + '"');
        expect_refused(tier("vg/" + infix + "_bak"), "LVM keeps LV names that hold");
    }
    expect_accepted(tier("vg/" + std::string(124, 'a')));
    expect_refused(tier("vg/" + std::string(125, 'a')), "is too long: 128 characters to device-mapper; at most 127");
    expect_refused(tier("vg/" + std::string(70, '-')), "volume: ");
    expect_refused(tier("vg/a" + std::string(70, '-')), "is too long");
}

// B01
TEST(AnEntrysName, IsAWordThatBecomesATagAndAPath) {
    for (const std::string name : {"on", "no", "null_", "a.b", "_x", "A-1", "..a", "1", "x.yaml"}) {
        EXPECT_EQ(entry_name_complaint(name), "") << name;
    }
    EXPECT_EQ(entry_name_complaint(std::string(64, 'a')), "");
    for (const std::string name :
         {"", ".", "..", "-a", "a b", "a/b", "a@b", "a:b", "a,b", "a~", "a+b", "\xc3\xa9", "a\nb", "{lv}-{ts}", "2026-02-01T02:30+02:00"}) {
        EXPECT_NE(entry_name_complaint(name), "") << name;
    }
    EXPECT_NE(entry_name_complaint(std::string(65, 'a')), "");
    for (const std::string section : {"devices", "tiers", "snapshots"}) {
        expect_refused(section + ": {\"a b\": {}}\n", "\"a b\" is not a name");
        expect_refused(section + ": {-a: {}}\n", "begins with a hyphen");
    }
    expect_refused("pools: {pool: {}}\n", "pool: \"pool\" is not a volume; write VG/LV");
    expect_refused("pools: {vg/x_tmeta: {}}\n", "LVM keeps LV names");
}

// B01: the LVs that tierd would make are named after the entries.
TEST(AnEntrysName, MakesNamesThatLvmAllows) {
    const auto tier = [](const std::string& name, const std::string& volume) {
        return "devices: {d: {match: {kind: ssd}}}\ntiers: {" + name + ": {kind: cache, device: d, volume: " + volume + "}}\n";
    };
    for (const std::string name : {"snapshot", "snapshot-1", "pvmove-x", "x_tmeta_bak", "fast_cdata"})
        expect_refused(tier(name, "vg/a"), "the tier's LV is called like the tier");
    expect_refused(tier(std::string(60, 'a'), std::string(60, 'v') + "/a"),
                   "is too long: 133 characters to device-mapper, with LVM's own \"_cpool_cdata\"");
    const auto rule = [](const std::string& name, const std::string& volumes) {
        return "snapshots: {" + name + ": {volumes: [" + volumes + "], kind: thin}}\n";
    };
    expect_accepted(rule("snapshot", "vg/a"));
    expect_refused(rule("x_tmeta_bak", "vg/a"), "would be called \"a-x_tmeta_bak-20260201T023000Z\", which cannot be");
    // Against the longest of a set: none is made if one cannot be.
    expect_accepted(rule("daily", "vg/a, vg/" + std::string(92, 'b')));
    expect_refused(rule("daily", "vg/a, vg/" + std::string(120, 'b')),
                   "snapshot daily: of vg/" + std::string(120, 'b') + " would be called");
    EXPECT_THAT(told(check(rule("daily", "vg/a, vg/" + std::string(120, 'b')))), Not(HasSubstr("of vg/a would")));
}

TEST(AFilesystem, IsAMountPointOrAUuid) {
    const auto journal = [](const std::string& filesystem) {
        return "devices: {d: {match: {kind: ssd}}}\ntiers: {a: {kind: journal, device: d, filesystem: \"" + filesystem + "\"}}\n";
    };
    for (const std::string good : {"/", "/srv/iscsi", "/srv/with space", "/srv/..x", "UUID=6f1c3f2e-0a4d-4b7e-9d4c-3d2b1a0f9e8d"})
        expect_accepted(journal(good));
    for (const std::string bad : {"", "srv", "/srv/", "//srv", "/srv//x", "/srv/../x", "/srv/..", "/dev/sdb1", "UUID=", "UUID=x",
                                  "LABEL=srv", "uuid=6f1c3f2e-0a4d-4b7e-9d4c-3d2b1a0f9e8d"}) {
        expect_refused(journal(bad), "filesystem: ");
    }
}

TEST(Volumes, AreAListWithoutRepetition) {
    expect_refused("snapshots: {s: {volumes: vg/a, kind: thin}}\n", "volumes: is text; a list is expected; write [vg/a]");
    expect_refused("snapshots: {s: {volumes: [], kind: thin}}\n", "volumes: is an empty list");
    expect_refused("snapshots: {s: {volumes: [vg/a, vg/a], kind: thin}}\n", "volumes: \"vg/a\" is in the list twice");
    expect_refused("snapshots: {s: {volumes: [vg/a, [vg/b]], kind: thin}}\n", "volumes: is a list; one value is expected");
    expect_refused("snapshots: {s: {volumes: [vg/a, vg/b_cdata], kind: thin}}\n", "\"vg/b_cdata\"");
}

}  // namespace tierd::config
