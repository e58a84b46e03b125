// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>

#include "client/figures.hpp"
#include "client/json.hpp"
#include "client/text.hpp"

namespace tierd::client {
namespace {

class AText : public testing::Test {
protected:
    void SetUp() override { std::setlocale(LC_CTYPE, "C.UTF-8"); }
};

TEST_F(AText, OfPlainWordsStaysAsItIs) {
    for (const char* text : {"", "sdb", "Größe", "磁盘", "e\xcc\x81", "a\\x1b", "…·█"}) EXPECT_EQ(printable(text), text);
}

TEST_F(AText, SpellsOutWhatCannotBeShown) {
    EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
    EXPECT_EQ(printable("a\nb\tc\r"), "a\\x0ab\\x09c\\x0d");
    EXPECT_EQ(printable(std::string{"a\0b", 3}), "a\\x00b");
    EXPECT_EQ(printable("\x7f"), "\\x7f");
    EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");        // C1: a control sequence in one character
    EXPECT_EQ(printable("\xe2\x80\xae"), "\\u202e");  // right-to-left override
    EXPECT_EQ(printable("\xe2\x80\x8b"), "\\u200b");  // zero-width space
    EXPECT_EQ(printable("\xef\xbb\xbf"), "\\ufeff");
    EXPECT_EQ(printable("\xf3\xa0\x81\x81"), "\\U000e0041");  // a tag character
}

TEST_F(AText, SpellsOutBytesThatAreNoUtf8) {
    EXPECT_EQ(printable("\xff"), "\\xff");
    EXPECT_EQ(printable("\xc3"), "\\xc3");           // cut short
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");  // overlong
    EXPECT_EQ(printable("\xe0\x80\x80"), "\\xe0\\x80\\x80");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST_F(AText, OnceMadePrintableStaysSo) {
    for (const char* text : {"a\x1b[31mb", "\xc2\x9b", "\xff\xfe"}) EXPECT_EQ(printable(printable(text)), printable(text));
}

TEST_F(AText, IsAsWideAsATerminalShowsIt) {
    EXPECT_EQ(width_of("sdb"), 3U);
    EXPECT_EQ(width_of("Größe"), 5U);
    EXPECT_EQ(width_of("磁盘"), 4U);
    EXPECT_EQ(width_of("e\xcc\x81"), 1U);
}

TEST_F(AText, IsShortenedWithAnEllipsis) {
    EXPECT_EQ(shorten("abcdef", 6), "abcdef");
    EXPECT_EQ(shorten("abcdef", 5), "abcd…");
    EXPECT_EQ(shorten("磁盘磁盘", 4), "磁…");
    EXPECT_EQ(shorten("abc", 1), "…");
    EXPECT_EQ(shorten("abc", 0), "");
}

TEST_F(AText, IsWrappedAtSpaces) {
    EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
    EXPECT_EQ(wrap("averylongword x", 5), (std::vector<std::string>{"averylongword", "x"}));
    EXPECT_EQ(wrap("one two", 0), (std::vector<std::string>{"one two"}));
    EXPECT_EQ(wrap("", 10), (std::vector<std::string>{""}));
}

TEST_F(AText, FindsWhatWasMeant) {
    const std::vector<std::string> verbs{"status", "plan", "apply"};
    EXPECT_EQ(nearest("statsu", verbs), "status");
    EXPECT_EQ(nearest("applyy", verbs), "apply");
    EXPECT_EQ(nearest("detonate", verbs), "");
}

TEST(ARatio, IsNeverRoundedToNothingOrAll) {
    EXPECT_EQ(ratio_text(0.0), "0%");
    EXPECT_EQ(ratio_text(0.0000001), "<0.1%");
    EXPECT_EQ(ratio_text(0.006), "0.6%");
    EXPECT_EQ(ratio_text(0.05), "5%");
    EXPECT_EQ(ratio_text(0.814), "81%");
    EXPECT_EQ(ratio_text(0.9999), "99%");
    EXPECT_EQ(ratio_text(1.0), "100%");
    EXPECT_EQ(ratio_text(std::nullopt), "?");
    EXPECT_EQ(ratio_text(std::nan("")), "?");
    EXPECT_EQ(ratio_of(Value{std::uint64_t{1}}, Value{std::uint64_t{0}}), std::nullopt);
}

TEST(AnObjectsName, IsItsPathDecoded) {
    EXPECT_EQ(object_name("/org/tierd1/tier/media"), "tier/media");
    EXPECT_EQ(object_name("/org/tierd1/tier/vg1_2farchive"), "tier/vg1/archive");
    EXPECT_EQ(object_name("/org/tierd1"), "/org/tierd1");
    EXPECT_EQ(object_name("/elsewhere"), "/elsewhere");
    EXPECT_EQ(short_name("tier media"), "media");
    EXPECT_EQ(short_name("tier/media"), "media");
    EXPECT_EQ(short_name("/org/tierd1/job/7"), "7");
    EXPECT_EQ(short_name("tiered"), "tiered");
}

TEST(AValue, ReadsTheBusesUnknownAsUnknown) {
    EXPECT_EQ(Value{UINT64_MAX}.count(), std::nullopt);
    EXPECT_EQ(Value{std::nan("")}.real(), std::nullopt);
    EXPECT_EQ(Value{std::int64_t{-1}}.count(), std::nullopt);
    EXPECT_EQ(Value{}.count(), std::nullopt);
    EXPECT_EQ(Value{"text"}.count(), std::nullopt);
    EXPECT_EQ(to_text(Value{UINT64_MAX}), "?");
}

TEST(AValue, SurvivesJson) {
    const std::string text = R"({"a":[1,-2,1.5,"x",true,null],"big":18446744073709551614,"o":{"k":"v"}})";
    EXPECT_EQ(to_json(parse_json(text), false), text);
    EXPECT_EQ(to_json(Value{UINT64_MAX}, false), "null");
    EXPECT_EQ(to_json(Value{std::nan("")}, false), "null");
    EXPECT_EQ(to_json(Value{"\x1b\x7f\xc2\x9b"}, false), R"("\u001b\u007f\u009b")");
    EXPECT_NO_THROW((void)to_json(Value{"\xff"}, false));
}

}  // namespace
}  // namespace tierd::client
