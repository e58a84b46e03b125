// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "support.hpp"

namespace tierd::config {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

std::string tier(const std::string& name, const std::string& volume) {
    return "tiers: {" + name + ": {volume: " + volume + ", kind: cache, device: d, size: 1GiB}}\n";
}
const std::string device = "devices: {d: {match: {kind: ssd}}}\n";

std::vector<std::string> names(const std::vector<TierRule>& tiers) {
    std::vector<std::string> all;
    for (const auto& rule : tiers) all.push_back(rule.name);
    return all;
}

// Three folders as the daemon has them.
struct Folders {
    Folder usr, run, etc;
    [[nodiscard]] Result load() const { return config::load({usr.path(), run.path(), etc.path()}); }
};

}  // namespace

TEST(ALoader, NeedsNoFolder) {
    const Folder folder;
    const auto result = load({folder.path("none"), folder.path()});
    EXPECT_THAT(formatted(result), IsEmpty());
    EXPECT_EQ(result.policy, Policy{});
    EXPECT_THAT(default_directories(), ElementsAre("/usr/lib/tierd", "/run/tierd", "/etc/tierd"));
}

TEST(ALoader, AddsTheEntriesOfDifferentFiles) {
    const Folders folders;
    folders.etc.write("20-b.yaml", tier("b", "vg/b"));
    folders.usr.write("30-c.yaml", tier("c", "vg/c"));
    folders.run.write("10-a.yaml", tier("a", "vg/a") + device);
    const auto result = folders.load();
    EXPECT_THAT(formatted(result), IsEmpty());
    EXPECT_THAT(names(result.policy.tiers), ElementsAre("a", "b", "c"));
    EXPECT_THAT(result.policy.files,
                ElementsAre(folders.run.path("10-a.yaml"), folders.etc.path("20-b.yaml"), folders.usr.path("30-c.yaml")));
}

// F16
TEST(ALoader, LetsAFileReplaceTheOneOfTheSameNameInAnEarlierFolder) {
    const Folders folders;
    folders.usr.write("10-a.yaml", device + tier("old", "vg/a"));
    folders.run.write("10-a.yaml", device + tier("newer", "vg/a"));
    EXPECT_THAT(names(folders.load().policy.tiers), ElementsAre("newer"));
    folders.etc.write("10-a.yaml", device + tier("newest", "vg/a"));
    const auto result = folders.load();
    EXPECT_THAT(formatted(result), IsEmpty());
    EXPECT_THAT(names(result.policy.tiers), ElementsAre("newest"));
    EXPECT_THAT(result.policy.files, ElementsAre(folders.etc.path("10-a.yaml")));
}

TEST(ALoader, DoesNotFallBackToTheReplacedFileWhenTheReplacementIsBroken) {
    const Folders folders;
    folders.usr.write("10-a.yaml", device + tier("old", "vg/a"));
    folders.etc.write("10-a.yaml", "tiers: [");
    const auto result = folders.load();
    EXPECT_FALSE(result.ok());
    EXPECT_THAT(result.policy.tiers, IsEmpty());
    EXPECT_THAT(result.policy.files, IsEmpty());
}

TEST(ALinkToDevNull, MasksAFile) {
    const Folders folders;
    folders.usr.write("10-a.yaml", device + tier("a", "vg/a"));
    std::filesystem::create_symlink("/dev/null", folders.etc.path("10-a.yaml"));
    const auto result = folders.load();
    EXPECT_THAT(formatted(result), IsEmpty());
    EXPECT_EQ(result.policy, Policy{});
}

TEST(AnEmptyFile, ReplacesToo) {
    const Folders folders;
    folders.usr.write("10-a.yaml", device + tier("a", "vg/a"));
    folders.etc.write("10-a.yaml", "");
    const auto result = folders.load();
    EXPECT_THAT(formatted(result), IsEmpty());
    EXPECT_THAT(result.policy.tiers, IsEmpty());
}

// F13
TEST(Leftovers, AreNamedOnceAndNotRead) {
    const Folder folder;
    const std::string bomb = "[[[";
    for (const std::string name :
         {".10-a.yaml.swp", ".10-a.yaml", "10-a.yaml~", "#10-a.yaml#", "10-a.yaml.dpkg-new", "10-a.yaml.dpkg-old", "10-a.yaml.rpmsave",
          "10-a.yaml.rpmnew", "10-a.yaml.ucf-dist", "10-a.yaml.bak", "10-a.yaml.orig", "README", "10-a.json", "yaml", ".yaml"}) {
        folder.write(name, bomb);
    }
    std::filesystem::create_symlink("user@host.123:1500000000", folder.path(".#10-a.yaml"));
    std::filesystem::create_directory(folder.path("old"));
    const auto result = load({folder.path()});
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.problems.size(), 17U);
    for (const auto& problem : result.problems) {
        EXPECT_EQ(problem.severity, Severity::Info) << format(problem);
        EXPECT_THAT(problem.text, HasSubstr("is not read: ")) << format(problem);
    }
    EXPECT_EQ(result.policy, Policy{});
}

// F13
TEST(ANearlyRightEnding, IsWarnedOf) {
    const Folder folder;
    for (const std::string name : {"10-A.YAML", "10-a.yml", "10-a.Yaml", "10-a.YML"}) folder.write(name, "[[[");
    const auto result = load({folder.path()});
    EXPECT_TRUE(result.ok());
    ASSERT_EQ(result.problems.size(), 4U);
    for (const auto& problem : result.problems) {
        EXPECT_EQ(problem.severity, Severity::Warning) << format(problem);
        EXPECT_THAT(problem.text, HasSubstr("ends in .yaml, in lower case"));
    }
}

// F13: the name of a file goes over the bus, which takes UTF-8 only.
TEST(ANameThatCannotBeShown, IsEscapedAndNotRead) {
    const Folder folder;
    folder.write("10-\xff.yaml", device);
    folder.write("10-\n.yaml", device);
    folder.write("10-caf\xc3\xa9.yaml", device);
    const auto result = load({folder.path()});
    EXPECT_THAT(told(result), HasSubstr("10-\\x{FF}.yaml: warning: is not read"));
    EXPECT_THAT(told(result), HasSubstr("10-\\n.yaml: warning: is not read"));
    EXPECT_THAT(result.policy.files, ElementsAre(folder.path("10-caf\xc3\xa9.yaml")));
}

TEST(WhatIsNoRegularFile, IsRefusedWithoutBeingOpened) {
    const Folder folder;
    ASSERT_EQ(::mkfifo(folder.path("10-pipe.yaml").c_str(), 0600), 0);
    std::filesystem::create_directory(folder.path("20-folder.yaml"));
    std::filesystem::create_symlink("/dev/zero", folder.path("30-zero.yaml"));
    std::filesystem::create_symlink("nowhere", folder.path("40-dangling.yaml"));
    std::filesystem::create_symlink("50-loop.yaml", folder.path("50-loop.yaml"));
    const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const auto name = folder.path("60-socket.yaml");
    std::copy(name.begin(), name.end(), address.sun_path);
    ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    folder.write("70-good.yaml", device);

    const auto result = load({folder.path()});
    ::close(listener);
    EXPECT_THAT(told(result), HasSubstr("10-pipe.yaml: is a pipe; "));
    EXPECT_THAT(told(result), HasSubstr("20-folder.yaml: is a folder; "));
    EXPECT_THAT(told(result), HasSubstr("30-zero.yaml: is a device; "));
    EXPECT_THAT(told(result), HasSubstr("40-dangling.yaml: cannot be read: "));
    EXPECT_THAT(told(result), HasSubstr("50-loop.yaml: cannot be read: "));
    EXPECT_THAT(told(result), HasSubstr("60-socket.yaml: is a socket; "));
    EXPECT_EQ(result.problems.size(), 6U);
    EXPECT_EQ(result.policy.devices.size(), 1U);
}

TEST(ALinkToAFile, IsRead) {
    const Folder folder;
    const Folder other;
    other.write("policy", device);
    std::filesystem::create_symlink(other.path("policy"), folder.path("10-a.yaml"));
    EXPECT_EQ(load({folder.path()}).policy.devices.size(), 1U);
}

TEST(AFileOverAMebibyte, IsRefusedBeforeItIsRead) {
    const Folder folder;
    folder.write("10-a.yaml", "");
    std::filesystem::resize_file(folder.path("10-a.yaml"), 1ULL << 40U);  // sparse: reading it would take hours
    EXPECT_THAT(told(load({folder.path()})), HasSubstr("10-a.yaml: has 1 TiB; a policy file has at most 1 MiB"));
}

TEST(AFolderThatCannotBeRead, IsAnError) {
    const Folder folder;
    folder.write("file", "");
    const auto result = load({folder.path("file")});
    EXPECT_FALSE(result.ok());
    EXPECT_THAT(told(result), HasSubstr("file: cannot be read: "));
}

TEST(AnUnreadableFile, LeavesTheOthersInForce) {
    const Folder folder;
    folder.write("10-a.yaml", device + tier("a", "vg/a"));
    folder.write("20-b.yaml", "tiers: {b: {volume: vg/b, kind: cache, device: d, size: 1GiB}\n");
    const auto result = load({folder.path()});
    EXPECT_FALSE(result.ok());
    EXPECT_THAT(names(result.policy.tiers), ElementsAre("a"));
    EXPECT_THAT(result.policy.files, ElementsAre(folder.path("10-a.yaml")));
}

TEST(APolicy, IsWholeWhileEachEntryIsInIt) {
    const Folder folder;
    folder.write("10-a.yaml", device + tier("a", "vg/a"));
    EXPECT_TRUE(load({folder.path()}).whole);
    folder.write("20-b.yaml", tier("b", "vg/a"));  // contradicts a: both are in, frozen
    EXPECT_TRUE(load({folder.path()}).whole);
    EXPECT_FALSE(load({folder.path()}).ok());
    folder.write("20-b.yaml", "tiers: {b: {volume: vg/b, kind: cache, device: none}}\n");
    EXPECT_FALSE(load({folder.path()}).whole);
    folder.write("20-b.yaml", "tiers: [");
    EXPECT_FALSE(load({folder.path()}).whole);
    std::filesystem::create_directory(folder.path("20-c.yaml"));
    folder.write("20-b.yaml", "");
    EXPECT_FALSE(load({folder.path()}).whole);
}

TEST(FilesByName, AreReadInAnyFolder) {
    const Folder folder;
    folder.write("one", device + tier("a", "vg/a"));
    folder.write("two.yml", tier("b", "vg/b"));
    const auto result = load_files({folder.path("one"), folder.path("two.yml")});
    EXPECT_THAT(formatted(result), IsEmpty());
    EXPECT_THAT(names(result.policy.tiers), ElementsAre("a", "b"));
    EXPECT_THAT(told(load_files({folder.path("three")})), HasSubstr("three: cannot be read: No such file or directory"));
}

// F16: whatever the order of files, folders and entries, the policy is the same one.
TEST(TheOrderOfFiles, DoesNotMatter) {
    const std::vector<std::string> pieces{
        device,
        "devices: {e: {match: {serial: X1}, count: 2}}\n",
        tier("a", "vg/a"),
        tier("b", "vg/b"),
        "tiers: {c: {volume: vg/a, kind: cache, device: d}}\n",
        "tiers: {x: {volume: tank/x, kind: cache, device: e, size: 60%}}\n",
        "tiers: {y: {volume: tank/y, kind: cache, device: e, size: 70%}}\n",
        "tiers: {z: {volume: other/z, kind: writecache, device: e, size: 80%}}\n",
        "snapshots: {s: {volumes: [other/z], kind: thick, size: 1GiB}}\n",
        "pools: {vg/p: {extend: {at: 80%}}}\n",
        "defaults: {autonomy: full}\n",
        "defaults: {autonomy: observe}\n",
    };
    std::mt19937 random{7};
    std::vector<std::size_t> order(pieces.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    // Names go with the pieces, so that what is said of a place stays; only the order of reading changes.
    const auto load_in_order = [&](const Folder& folder) {
        std::vector<std::string> files;
        for (const auto i : order) {
            folder.write(std::to_string(i) + ".yaml", pieces[i]);
            files.push_back(folder.path(std::to_string(i) + ".yaml"));
        }
        auto result = load_files(files);
        result.policy.files.clear();
        return result;
    };
    const Folder folder;
    const auto first = load_in_order(folder);
    EXPECT_FALSE(first.policy.frozen.empty());
    EXPECT_EQ(first.policy.autonomy, Autonomy::Observe);
    for (int round = 0; round < 50; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        const auto other = load_in_order(folder);
        EXPECT_EQ(other.policy, first.policy);
        EXPECT_EQ(other.problems, first.problems);
    }
}

}  // namespace tierd::config
