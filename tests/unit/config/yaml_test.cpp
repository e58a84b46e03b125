// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/words.hpp"
#include "support.hpp"

namespace tierd::config {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

namespace {

// Refused, with a place in the file, and without an entry.
void expect_refused(const std::string& text, const std::string& place, const std::string& words) {
    const auto result = check(text);
    EXPECT_FALSE(result.ok()) << quote(text);
    EXPECT_THAT(told(result), HasSubstr("10-a.yaml" + place)) << quote(text);
    EXPECT_THAT(told(result), HasSubstr(words)) << quote(text);
    EXPECT_THAT(result.policy.tiers, IsEmpty()) << quote(text);
}

const std::string good = with_tier("");

}  // namespace

TEST(AFile, IsReadWhenWellFormed) {
    const auto result = check(good);
    EXPECT_THAT(formatted(result), IsEmpty());
    ASSERT_EQ(result.policy.tiers.size(), 1U);
    EXPECT_EQ(result.policy.tiers[0].volume.text(), "vg/lv");
    EXPECT_EQ(full_place(result.policy.tiers[0].place), "/etc/tierd/10-a.yaml:4:3");
}

// F02
TEST(DeepNesting, IsRefusedWhereItBecomesTooDeep) {
    for (const std::size_t depth : {13U, 499U, 500U, 501U, 100'000U, 1'000'000U}) {
        expect_refused(std::string(depth, '['), ":1:", "nested more than 12 levels");
        expect_refused("tiers: " + std::string(depth, '['), ":1:", "nested more than 12 levels");
        if (depth < max_file_size / 2)
            expect_refused(std::string(depth, '[') + std::string(depth, ']'), ":1:13: ", "nested more than 12 levels");
    }
    std::string maps, dashes, questions, indented;
    for (int i = 0; i < 50'000; ++i) maps += "{a: ", dashes += "- ", questions += "? ";
    for (unsigned i = 0; i < 1'000; ++i) indented += std::string(i, ' ') + "a:\n";
    expect_refused(maps, ":1:", "nested more than 12 levels");
    expect_refused(dashes, ":1:25: ", "nested more than 12 levels");
    expect_refused(questions, ":1:25: ", "nested more than 12 levels");
    expect_refused(indented, ":13:13: ", "nested more than 12 levels");
    expect_refused("[" + std::string(200'000, ']'), ":1:", "");
}

// F02: broke newer libraries' indentation stack.
TEST(ATag, IsRefusedBeforeAnythingElseIsLookedAt) {
    expect_refused("!\n: |\nb\n>\n|\n  !\n>", ":1:1: ", "a tag (!)");
    expect_refused(with_tier("    mode: !!str writeback\n"), ":8:11: ", "a tag (!)");
    expect_refused(with_tier("    mode: ! writeback\n"), ":8:11: ", "a tag (!)");
    expect_refused("!!map\ntiers: {}\n", ":1:1: ", "a tag (!)");
}

TEST(AFile, IsRefusedWhenTooLarge) {
    expect_refused(good + "#" + std::string(max_file_size, 'x'), ": has 1 MiB; ", "at most 1 MiB");
    const std::string most = good + "#" + std::string(max_file_size - good.size() - 1, 'x');
    EXPECT_TRUE(check(most).ok());
}

// A large file in one line, an event every few bytes: nothing may be counted anew for each.
TEST(AFileOfOneLine, IsReadInLinearTime) {
    for (const std::string& unit :
         {std::string{"a,"}, std::string{"\xc3\xa9,"}, std::string{"? a,"}, std::string{"'a',"}, std::string{"{},"}}) {
        std::string text = "tiers: [";
        while (text.size() < max_file_size / 4) text += unit;
        EXPECT_FALSE(check(text + ']').ok()) << unit;
        EXPECT_FALSE(check("tiers: {" + text.substr(8) + '}').ok()) << unit;
    }
}

// F07
TEST(LineEnds, AreAllTheSame) {
    const auto plain = check(good + "    mode: writeback\n    size: 10GB\n");
    std::string crlf, cr;
    for (const char c : good + "    mode: writeback\n    size: 10GB\n") {
        crlf += c == '\n' ? "\r\n" : std::string(1, c);
        cr += c == '\n' ? '\r' : c;
    }
    EXPECT_THAT(told(plain), StartsWith("10-a.yaml:9:11: size: "));
    EXPECT_EQ(told(check(crlf)), told(plain));
    EXPECT_EQ(told(check(cr)), told(plain));
    EXPECT_EQ(told(check("\xef\xbb\xbf" + crlf)), told(plain));
}

// F07
TEST(AByteOrderMark, IsNoPartOfAKey) {
    EXPECT_TRUE(check("\xef\xbb\xbf" + good).ok());
    expect_refused("---\n\xef\xbb\xbf" + good, ":2:1: ", "\"\\u{FEFF}devices\" holds a character that cannot be seen (U+FEFF)");
    expect_refused("\xef\xbb\xbf\xef\xbb\xbftiers: {}\n", ":1:1: ", "U+FEFF");
}

// F07
TEST(AnInvisibleCharacter, IsShownEscaped) {
    expect_refused(with_tier("    mo\xe2\x80\x8b"
                             "de: writeback\n"),
                   ":8:5: ", "\"mo\\u{200B}de\"");
    expect_refused(with_tier("    mode: \xc2\xa0writeback\n"), ":8:11: ", "\\u{00A0}writeback");
    expect_refused(with_tier("    mode: \"write\\u202Eback\"\n"), ":8:11: ", "U+202E");
    expect_refused(with_tier("    mode: \"write\\0back\"\n"), ":8:11: ", "U+0000");
    expect_refused(with_tier("    mode: \"write\\nback\"\n"), ":8:11: ", "\\n");
}

// F07
TEST(AnotherEncoding, IsRefused) {
    std::string utf16{"\xff\xfe"};
    for (const char c : good) utf16 += {c, '\0'};
    expect_refused(utf16, ":1:1: ", "UTF-16");
    expect_refused(std::string{"\xfe\xff\0t", 4}, ":1:1: ", "UTF-16");
    expect_refused(with_tier(std::string{"    mode: a\0b\n", 14}), ":8:12: ", "\\u{0000}");
    expect_refused(with_tier("    # a bell \a\n"), ":8:14: ", "\\u{0007}");
    expect_refused(with_tier("    # caf\xe9\n"), ":8:10: ", "\\x{E9}");
    expect_refused("\xc0\xaf", ":1:1: ", "no UTF-8");
    expect_refused("\xed\xa0\x80", ":1:1: ", "no UTF-8");
    expect_refused("tiers: \xf4\x90\x80\x80", ":1:8: ", "no UTF-8");
}

TEST(AColumn, CountsCharacters) {
    EXPECT_THAT(told(check("devices:\n  d: {match: {kind: ssd, model: \"caf\xc3\xa9\xc3\xa9\"}, count: 0}\n")),
                StartsWith("10-a.yaml:2:50: count: "));
}

// F09
TEST(AQuoteThatIsNotClosed, SwallowsNothing) {
    expect_refused("tiers:\n  media:\n    mode: 'writeback\n    keep: 7\n", ":3:11: ", "a quote that is not closed in its line");
    expect_refused("tiers:\n  media:\n    mode: 'writeback\n    keep: 7\n  b: {volume: 'vg/lv'}\n", ":3:11: ", "not closed in its line");
    expect_refused("tiers:\n  media:\n    mode: \"writeback\n    keep: 7\n", ":3:11: ", "not closed in its line");
    expect_refused("tiers:\n  media:\n    mode: \"writeback\\\n      x\"\n", ":3:11: ", "not closed in its line");
    expect_refused("tiers:\n  media:\n    mode: \"writeback", ":3:", "quote is not closed");
    expect_refused("tiers:\n  media:\n    'mode\n    ': writeback\n", ":4:6: ", "a second \": \"");
    EXPECT_THAT(told(check(with_tier("    mode: 'it''s'\n"))), HasSubstr(":8:11: mode: \"it's\" is not a mode"));
    EXPECT_THAT(told(check(with_tier("    mode: \"a\\\"b\"\n"))), HasSubstr(":8:11: mode: \"a\"b\" is not a mode"));
}

// F09: a value that goes on in the next line is never what was meant.
TEST(AValueOverSeveralLines, IsRefused) {
    expect_refused(with_tier("    mode: write\n      back\n"), ":8:11: ", "a value over several lines: \"write back\"");
    expect_refused(with_tier("    mode: |\n      writeback\n"), ":8:11: ", "text over several lines (|)");
    expect_refused(with_tier("    mode: >-\n      writeback\n"), ":8:11: ", "text over several lines (>)");
    expect_refused(with_device("    match: {serial: [a\n  b: 1\n"), ":", "");
}

// F10
TEST(ALineThatStartsWithPercent, IsNotSilentlyTheEndOfTheFile) {
    expect_refused("%FREE: 100\n" + good, ":1:1: ", "starts with %");
    expect_refused("# c\n%FREE: 100\n", ":2:1: ", "starts with %");
    expect_refused(good + "%x: 2\n", ":8:1: ", "starts with %");
    expect_refused("---\n%FREE: 1\n", ":2:1: ", "starts with %");
    expect_refused("%YAML 1.2\n---\n" + good, ":1:1: ", "starts with %");
    expect_refused(with_tier("    size: %50\n"), ":8:11: ", "cannot start with this character");
}

// F10
TEST(AnEmptyFile, IsValidAndOneThatOnlyLooksEmptyIsNot) {
    for (const std::string text :
         {"", "\n\n", "# only a comment\n", "---\n", "---\n# c\n...\n", "   \n\t\n", "\xef\xbb\xbf", "--- # c\n"}) {
        EXPECT_THAT(formatted(check(text)), IsEmpty()) << quote(text);
    }
    for (const std::string text : {"null\n", "~\n", "---\nnull\n", "--- ~\n"}) expect_refused(text, ":1:1: ", "though it is not empty");
    for (const std::string text : {"\"\"\n", "[]\n", "42\n", "tiers\n"}) expect_refused(text, ":1:1: ", "a map is expected");
}

// F11
TEST(Tabs, AreRefusedInTheIndentationOnly) {
    expect_refused("tiers:\n\tmedia:\n", ":2:1: ", "a tab in the indentation");
    expect_refused("tiers:\n  media:\n  \t  volume: vg/lv\n\tx\n", ":3:3: ", "a tab in the indentation");
    EXPECT_TRUE(check(with_tier("    mode:\twriteback\t# c\n\t# an indented comment\n\t\n")).ok());
}

// F11
TEST(AValueThatYamlTakesForSomethingElse, IsRefusedWithItsPlace) {
    expect_refused(with_tier("    mode: @x\n"), ":8:11: ", "put it in quotes");
    expect_refused(with_tier("    mode: `x\n"), ":8:11: ", "put it in quotes");
    expect_refused(with_tier("    mode: *\n"), ":8:", "alias and anchor");
    expect_refused(with_tier("    mode: *.ssd\n"), ":8:11: ", "alias and anchor");
    expect_refused(with_tier("    mode: &\n"), ":8:", "alias and anchor");
    expect_refused(with_tier("    mode: [x_cdata]\n"), ":8:11: ", "mode: is a list; one value is expected");
    expect_refused(with_tier("    mode: {x}\n"), ":8:11: ", "mode: is a map; one value is expected");
    expect_refused(with_tier("    mode: a: b\n"), ":8:12: ", "a second \": \"");
    expect_refused(with_tier("    mode: - a\n"), ":8:", "");
    expect_refused("a:1", ":1:1: ", "a map is expected");
    expect_refused("tiers: 1\nb", ":2:1: ", "\"b\" is not a key");
    expect_refused("tiers:\n  media\n", ":2:3: ", "tiers: a map is expected");
    expect_refused("tiers:\n  - media\n", ":2:3: ", "tiers: a map is expected");
    expect_refused(with_tier("   mode: writeback\n"), ":8:4: ", "indented unlike");
    expect_refused("tiers: {a: {volume: vg/lv}\n", ":", "not closed");
    expect_refused("devices: {d: {match: {serial: [a, b}}}\n", ":", "");
    expect_refused("devices: {d: {match: {serial: [a,,b]}}}\n", ":1:34: ", "an empty place in the list");
}

TEST(AnAnchorAnAliasOrAMergeKey, IsRefused) {
    expect_refused("tiers:\n  a: &x {volume: vg/a}\n  b: *x\n", ":2:6: ", "an anchor (&)");
    expect_refused("tiers:\n  a: &x {volume: vg/a}\n  b: *x\n", ":3:6: ", "an alias (*)");
    expect_refused(with_tier("    <<: {mode: writeback}\n"), ":8:5: ", "a merge key (<<)");
    expect_refused(with_tier("    mode: &m writeback\n"), ":8:11: ", "an anchor (&)");
    expect_refused(with_tier("    settings: &s\n"), ":8:15: ", "an anchor (&)");
}

TEST(AKey, IsRefusedWhenItIsNoWord) {
    expect_refused("? [a, b]\n: 1\n", ":1:3: ", "a list or map as a key");
    expect_refused("tiers: {? {a: 1} : 2}\n", ":1:", "a list or map as a key");
    expect_refused(with_tier("    ~: 1\n"), ":8:5: ", "a key that is empty or null");
    expect_refused(with_tier("    null: 1\n"), ":8:5: ", "a key that is empty or null");
    expect_refused(with_tier("    : 1\n"), ":8:5: ", "a key that is empty or null");
}

TEST(AKey, IsRefusedWhenItIsUnknownAndAskedAfter) {
    EXPECT_THAT(told(check("tires: {}\n")), StartsWith("10-a.yaml:1:1: \"tires\" is not a key of a policy; did you mean \"tiers\"?"));
    EXPECT_THAT(told(check(with_tier("    chunksize: 64KiB\n"))),
                HasSubstr(":8:5: \"chunksize\" is not a key of a tier; did you mean \"chunk_size\"?"));
    EXPECT_THAT(told(check(with_tier("    Mode: writeback\n"))), HasSubstr("did you mean \"mode\"?"));
    EXPECT_THAT(told(check(with_tier("    xyzzy: 1\n"))), HasSubstr("\"xyzzy\" is not a key of a tier; one of volume, kind, "));
    EXPECT_THAT(told(check(with_tier("    " + std::string(1'000, 'a') + ": 1\n"))), HasSubstr("…\" is not a key of a tier"));
}

TEST(AKey, IsRefusedWhenItIsWrittenTwice) {
    EXPECT_THAT(told(check(with_tier("    mode: writeback\n    size: 1GiB\n    mode: writethrough\n"))),
                HasSubstr(":10:5: mode: is written twice in a tier; the first is in line 8"));
    EXPECT_THAT(told(check("tiers: {}\n\"tiers\": {}\n")), HasSubstr(":2:1: tiers: is written twice in a policy"));
    EXPECT_THAT(told(check(with_thick("    keep: {last: 1, last: 2}\n"))), HasSubstr("last: is written twice in keep"));
    EXPECT_THAT(told(check(with_tier("    settings: {migration_threshold: 16384, migration_threshold: 8192}\n"))),
                HasSubstr("written twice"));
    EXPECT_THAT(told(check(with_device("    match: {serial: [a, a]}\n"))), HasSubstr("is in the list twice"));
}

// Unknown is not zero: a key without a value is no default.
TEST(AKey, IsRefusedWithoutAValue) {
    for (const std::string text : {"tiers:\n", "defaults:\n", "tiers: ~\n"}) expect_refused(text, ":1:1: ", "has no value");
    expect_refused(with_tier("    mode:\n"), ":8:5: ", "mode: has no value");
    expect_refused(with_tier("    dirty: {warn: , critical: 50%}\n"), ":8:13: ", "warn: has no value");
    expect_refused("tiers:\n  media:\n", ":2:3: ", "tier media: has no keys");
}

TEST(ASecondDocument, IsRefused) {
    expect_refused("---\ntiers: {}\n---\ndefaults: {}\n", ":3:1: ", "a second document");
    expect_refused(good + "...\n" + good, ":9:1: ", "a second document");
    expect_refused(good + "---\n", ":8:1: ", "a second document");
    expect_refused(" tiers: {}\ndefaults: {}\n", ":2:1: ", "a second document");
    expect_refused("\"tiers\":1", ":1:", "");
    EXPECT_TRUE(check("---\n" + good + "...\n").ok());
}

// F06
TEST(WordsThatYamlTakesForTruth, AreTextWhereTextIsMeant) {
    const auto result = check(
        "devices: {off: {match: {serial: [no, on, 010, 1e3, 0x1F, .inf]}}}\n"
        "tiers:\n"
        "  on: {volume: vg/no, kind: cache, device: off}\n"
        "  yes: {volume: off/null, kind: cache, device: off, size: 1GiB}\n"
        "  \"null\": {volume: n/y, kind: cache, device: off, size: 1GiB, state: absent}\n"
        "  010: {volume: 1/2, kind: cache, device: off, size: 1GiB, state: absent}\n");
    EXPECT_THAT(told(result), Not(HasSubstr("is not")));
    ASSERT_EQ(result.policy.tiers.size(), 4U);
    EXPECT_EQ(result.policy.tier("on")->volume.text(), "vg/no");
    EXPECT_EQ(result.policy.tier("yes")->volume.text(), "off/null");
    EXPECT_NE(result.policy.tier("null"), nullptr);
    EXPECT_NE(result.policy.tier("010"), nullptr);
    EXPECT_THAT(result.policy.devices[0].match.serial, ::testing::ElementsAre("no", "on", "010", "1e3", "0x1F", ".inf"));
}

// F06
TEST(WordsThatYamlTakesForTruth, AreNoFlags) {
    EXPECT_THAT(told(check(with_device("    match: {kind: ssd}\n    replace: off\n"))),
                HasSubstr(":4:14: replace: \"off\" is not true or false; write false"));
    EXPECT_THAT(told(check(with_device("    match: {kind: ssd}\n    volatile: 1\n"))),
                HasSubstr(":4:15: volatile: \"1\" is not true or false; write true"));
    EXPECT_THAT(told(check(with_device("    match: {kind: ssd}\n    replace: \"yes\"\n"))),
                HasSubstr(":4:14: replace: \"yes\" is text, being in quotes"));
    EXPECT_THAT(told(check(with_device("    match: {kind: ssd}\n    replace: \"true\"\n"))), HasSubstr("in quotes"));
    EXPECT_THAT(told(check(with_tier("    mode: off\n"))),
                HasSubstr(":8:11: mode: \"off\" is not a mode; one of writethrough, writeback, passthrough"));
    EXPECT_TRUE(check(with_device("    match: {kind: ssd}\n    replace: true\n")).policy.devices.at(0).replace);
}

// F05
TEST(ACountInAFile, IsRefusedInAnyOtherForm) {
    for (const std::string number :
         {"010", "08", "0x10", "+5", "5.0", "1e3", "-1", "\"7\"", "99999999999", ".inf", "1,5", "0", "[7]", "{7}"}) {
        const auto result = check(with_thick("    keep: {last: " + number + "}\n    max_active: 64\n"));
        EXPECT_THAT(told(result), HasSubstr("10-a.yaml:6:")) << number;
        EXPECT_THAT(result.policy.snapshots, IsEmpty()) << number;
    }
    EXPECT_THAT(told(check(with_device("    match: {kind: ssd}\n    count: -1\n"))),
                HasSubstr(":4:12: count: \"-1\" is not a whole number, 1 to 64"));
    EXPECT_THAT(told(check(with_tier("    dirty: {warn: .nan}\n"))), HasSubstr(":8:19: warn: \".nan\" is not a number"));
    EXPECT_THAT(told(check(with_thick("    extend: {at: .inf%}\n"))), HasSubstr(":6:18: at: \".inf%\" is not a number"));
}

/// What one key's fault hides of the others is nothing: a person mends all of them in one go.
TEST(AnEntry, TellsWhatIsWrongBesidesAFault) {
    const auto tier = [](const std::string& keys) {
        return told(check("devices: {s: {match: {serial: X}}}\ntiers:\n  a: {volume: vg/lv, " + keys + "}\n"));
    };
    const auto both = tier("kind: cache, device: nope, chunk_size: 100KiB, size: 220GB");
    EXPECT_THAT(both, HasSubstr("device: \"nope\" is not a name under devices"));
    EXPECT_THAT(both, HasSubstr("chunk_size: 100KiB is no chunk"));
    EXPECT_THAT(both, HasSubstr("size: \"220GB\" is ambiguous"));
    EXPECT_THAT(tier("kind: journal, device: s, size: 1GB"),
                AllOf(HasSubstr("filesystem is missing"), HasSubstr("volume: is no key of a tier of kind journal")));
    EXPECT_THAT(tier("device: s, size: 1GB"), AllOf(HasSubstr("kind is missing"), HasSubstr("ambiguous")));
    EXPECT_THAT(tier("kind: cache, device: s, size: 1GB, settings: {x: 1}"), HasSubstr("\"x\" is not a key of the settings"));

    // And nothing follows from a value that could not be read.
    const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
    EXPECT_EQ(lines(tier("kind: cash, device: s, settings: {x: 1}, when: boot")), 1);
    EXPECT_EQ(lines(tier("kind: writecache, device: s, mode: back")), 1);
    EXPECT_EQ(lines(tier("kind: cache, device: [s, s2], layout: both")), 2) << "s2 is nobody's name";
    EXPECT_EQ(lines(tier("kind: cache, device: s, dirty: {warn: 95%, critical: x}")), 1);

    EXPECT_THAT(told(check("devices: {s: {wipe: [vfat], count: x}}\n")), AllOf(HasSubstr("match is missing"), HasSubstr("count")));
    EXPECT_EQ(lines(told(check("devices: {s: {match: {serial: [X, X]}, wipe: [vfat]}}\n"))), 1);
    const auto snapshot = told(check("snapshots: {n: {kind: thick, schedule: never}}\n"));
    EXPECT_THAT(snapshot, AllOf(HasSubstr("volumes is missing"), HasSubstr("size is missing"), HasSubstr("schedule")));
    EXPECT_EQ(lines(told(check("snapshots: {n: {volumes: [vg/lv], kind: thick, size: 1GB, schedule: daily, keep: {last: x}}}\n"))), 2);
}

TEST(AFile, TellsAllItsProblemsAtOnceInOrder) {
    const auto result = check(
        "tiers:\n"
        "  a: {volume: vg, kind: cash, device: x, mode: back, size: 10GB}\n"
        "snapshots:\n"
        "  b: {volumes: vg/lv, kind: thick, schedule: never}\n"
        "devices:\n"
        "  c: {match: {}, count: 01}\n"
        "typo: 1\n");
    EXPECT_EQ(told(result),
              "10-a.yaml:2:15: volume: \"vg\" is not a volume; write VG/LV\n"
              "10-a.yaml:2:25: kind: \"cash\" is not a kind of tier; one of cache, writecache, bcache, journal\n"
              "10-a.yaml:2:39: device: \"x\" is not a name under devices; one of c\n"
              "10-a.yaml:2:48: mode: \"back\" is not a mode; one of writethrough, writeback, passthrough\n"
              "10-a.yaml:2:60: size: \"10GB\" is ambiguous; write 10GiB (10.7 GB) or 9.3GiB (10 GB)\n"
              "10-a.yaml:4:3: snapshot b: size is missing; a thick one needs it, as a size or as a share of the origin: 20%\n"
              "10-a.yaml:4:16: volumes: is text; a list is expected; write [vg/lv]\n"
              "10-a.yaml:4:46: schedule: \"never\" is not a schedule; one of hourly, daily, weekly, monthly, \"02:30\", \"Mon..Fri "
              "02:30\", \"Sun 04:00\"\n"
              "10-a.yaml:6:14: match: fits too much; at least one of kind, serial, wwn, partlabel, partuuid must be in it\n"
              "10-a.yaml:6:25: count: \"01\" has a leading zero; write 1\n"
              "10-a.yaml:7:1: \"typo\" is not a key of a policy; one of devices, tiers, snapshots, pools, defaults\n");
    EXPECT_THAT(formatted(result), Each(StartsWith("/etc/tierd/10-a.yaml:")));
}

TEST(AFaultyEntry, IsLeftOutAndTheOthersStay) {
    const auto result = check(
        "devices: {d: {match: {kind: ssd}}}\n"
        "tiers:\n"
        "  good: {volume: vg/a, kind: cache, device: d}\n"
        "  bad: {volume: vg/b, kind: cache, device: d, mode: x}\n"
        "  twice: {volume: vg/c, kind: cache, kind: cache, device: d}\n"
        "  anchored: {volume: &v vg/d, kind: cache, device: d}\n"
        "  -dash: {volume: vg/e, kind: cache, device: d}\n");
    EXPECT_FALSE(result.ok());
    ASSERT_EQ(result.policy.tiers.size(), 1U);
    EXPECT_EQ(result.policy.tiers[0].name, "good");
}

TEST(AFileOfProblems, IsCutBeforeItFillsAReply) {
    std::string text = "tiers:\n";
    for (int i = 0; i < 20'000; ++i) text += "  a" + std::to_string(i) + ": 1\n";
    const auto result = check(text);
    EXPECT_EQ(result.problems.size(), 501U);
    EXPECT_THAT(told(result), HasSubstr("and 19500 problems more in this file"));
}

TEST(AProblem, IsFormattedWithPlaceAndSeverity) {
    EXPECT_EQ(format({Severity::Error, {"/etc/tierd/a.yaml", 14, 11}, "mode: …"}), "/etc/tierd/a.yaml:14:11: mode: …");
    EXPECT_EQ(format({Severity::Warning, {"/etc/tierd/a.yml"}, "is not read"}), "/etc/tierd/a.yml: warning: is not read");
    EXPECT_EQ(format({Severity::Info, {"a", 3}, "x"}), "a:3: info: x");
}

TEST(AProblem, IsOneLineOfUtf8WhateverTheFileHolds) {
    for (const std::string& text : {std::string{"\x01\x02\xff"}, std::string{"\"a\\nb\": 1\n"}, std::string{"tiers: {\"\\x07\": 1}\n"},
                                    std::string{"\"\xf0\x9f\x98\x80\xf0\x9f\x98\x80\": \"\\U0001F600\"\n"},
                                    "\"" + std::string(300, '\xc3') + "\": 1\n", "'" + std::string(79, 'a') + "\xc3\xa9\xc3\xa9': 1\n"}) {
        const auto result = check(text);
        EXPECT_FALSE(result.ok());
        for (const auto& problem : result.problems) {
            EXPECT_EQ(invalid_utf8(problem.text), std::string::npos);
            EXPECT_EQ(problem.text.find('\n'), std::string::npos);
        }
    }
}

}  // namespace tierd::config
