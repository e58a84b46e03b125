// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <array>

#include "config/scalars.hpp"
#include "support.hpp"

namespace tierd::config {

using ::testing::HasSubstr;

namespace {

Bytes size_of(const std::string& text) {
    const auto parsed = parse_size(text);
    EXPECT_TRUE(parsed.value) << text << ' ' << parsed.complaint;
    return parsed.value.value_or(0);
}

std::string complaint(const std::string& text) {
    const auto parsed = parse_size(text);
    EXPECT_FALSE(parsed.value) << text;
    EXPECT_FALSE(parsed.complaint.empty()) << text;
    return parsed.complaint;
}

}  // namespace

// F15
TEST(ASize, HasOneMeaningForEachSpelling) {
    EXPECT_EQ(size_of("10G"), 10 * gib);
    EXPECT_EQ(size_of("10g"), 10 * gib);
    EXPECT_EQ(size_of("10GiB"), 10 * gib);
    EXPECT_EQ(size_of("10 G"), 10 * gib);
    EXPECT_EQ(size_of("10 GiB"), 10 * gib);
    EXPECT_EQ(size_of("10.5G"), 10 * gib + 512 * mib);
    EXPECT_EQ(size_of("0.5GiB"), 512 * mib);
    EXPECT_EQ(size_of("512B"), 512U);
    EXPECT_EQ(size_of("1B"), 1U);
    EXPECT_EQ(size_of("122m"), 122 * mib);
    EXPECT_EQ(size_of("64KiB"), 64 * kib);
    EXPECT_EQ(size_of("2TiB"), 2 * tib);
    EXPECT_EQ(size_of("8192PiB"), 8192 * pib);
}

// F15: a fraction that is no whole byte is rounded up, never down to less than was asked.
TEST(ASize, RoundsAFractionUp) {
    EXPECT_EQ(size_of("0.1KiB"), 103U);              // 102.4
    EXPECT_EQ(size_of("0.000000001PiB"), 1125900U);  // 1125899.906842624
    EXPECT_EQ(size_of("0.25KiB"), 256U);
    EXPECT_EQ(size_of("7.999999999PiB"), 9007199253615093U);  // 9007199253615092.2
}

// F15
TEST(ASize, IsRefusedWithAHintWhenAmbiguous) {
    EXPECT_EQ(complaint("220GB"), "is ambiguous; write 220GiB (236 GB) or 204.9GiB (220 GB)");
    EXPECT_EQ(complaint("10GB"), "is ambiguous; write 10GiB (10.7 GB) or 9.3GiB (10 GB)");
    EXPECT_THAT(complaint("1.5tb"), HasSubstr("write 1.5TiB (1.6 TB)"));
    EXPECT_THAT(complaint("10Kb"), HasSubstr("ambiguous"));
    EXPECT_THAT(complaint("999999999999999999999999999GB"), HasSubstr("GiB"));
}

// F15
TEST(ASize, IsRefusedWithAHintWhenMalformed) {
    EXPECT_THAT(complaint("10"), HasSubstr("write 10GiB"));
    EXPECT_THAT(complaint("1,5G"), HasSubstr("comma"));
    EXPECT_THAT(complaint("10Gib"), HasSubstr("write 10GiB"));
    EXPECT_THAT(complaint("10gib"), HasSubstr("write 10GiB"));
    EXPECT_THAT(complaint("10Gi"), HasSubstr("write 10GiB"));
    EXPECT_THAT(complaint("512b"), HasSubstr("write 512B"));
    EXPECT_THAT(complaint("0"), HasSubstr("unit"));
    EXPECT_THAT(complaint("0G"), HasSubstr("zero"));
    EXPECT_THAT(complaint("0.0KiB"), HasSubstr("zero"));
    EXPECT_THAT(complaint("-1G"), HasSubstr("sign"));
    EXPECT_THAT(complaint("+1G"), HasSubstr("sign"));
    EXPECT_THAT(complaint("010G"), HasSubstr("write 10G"));
    EXPECT_THAT(complaint("00G"), HasSubstr("write 0G"));
    EXPECT_THAT(complaint(".5G"), HasSubstr("decimal point"));
    EXPECT_THAT(complaint("5.G"), HasSubstr("decimal point"));
    EXPECT_THAT(complaint("1.2.3G"), HasSubstr("decimal point"));
    EXPECT_THAT(complaint("1.5B"), HasSubstr("part of a byte"));
    EXPECT_THAT(complaint("10  G"), HasSubstr("write 10G"));
    EXPECT_THAT(complaint("10G "), HasSubstr("write 10G"));
    EXPECT_THAT(complaint(" 10G"), HasSubstr("begin with a number"));
    EXPECT_THAT(complaint("10 "), HasSubstr("no unit"));
    EXPECT_THAT(complaint("0x10G"), HasSubstr("unit"));
    EXPECT_THAT(complaint("1e3G"), HasSubstr("unit"));
    EXPECT_THAT(complaint("1_000G"), HasSubstr("unit"));
    EXPECT_THAT(complaint("100%FREE"), HasSubstr("share"));
    EXPECT_THAT(complaint("50%"), HasSubstr("share"));
    EXPECT_THAT(complaint("1.0000000001G"), HasSubstr("decimals"));
    EXPECT_THAT(complaint(""), HasSubstr("empty"));
    EXPECT_THAT(complaint("GiB"), HasSubstr("number"));
}

// F15
TEST(ASize, IsRefusedBeyondEightExbibytes) {
    for (const std::string text :
         {"99999999999G", "8192.1PiB", "8193P", "9223372036854775809B", "18446744073709551616B", "99999999999999999999999B"}) {
        EXPECT_THAT(complaint(text), HasSubstr("8 EiB")) << text;
    }
    EXPECT_THAT(complaint("16E"), HasSubstr("unit"));
    EXPECT_EQ(size_of("9223372036854775808B"), 8192 * pib);
}

// F15: what is read, spelled and read again is the same, for every accepted form; so a second pass changes nothing.
TEST(ASize, RoundTripsInEverySpelling) {
    const std::array<std::string, 5> letters{"K", "M", "G", "T", "P"};
    const std::array<std::string, 9> numbers{"1", "7", "10", "512", "1023", "1024", "1.5", "0.25", "3.999999999"};
    std::size_t tried = 0;
    Bytes unit = kib;
    for (const auto& letter : letters) {
        const std::string small{static_cast<char>(letter[0] + ('a' - 'A'))};
        for (const auto& number : numbers) {
            const Bytes first = size_of(number + letter + "iB");
            EXPECT_GE(first, unit / 4);
            for (const auto& ending : {letter, small, ' ' + letter, ' ' + small, ' ' + letter + "iB"}) {
                const Bytes size = size_of(number + ending);
                EXPECT_EQ(size, first) << number << ending;
                EXPECT_EQ(size_of(spell_size(size)), first) << number << ending;
                ++tried;
            }
        }
        unit *= 1024;
    }
    for (Bytes size = 1; size < 4 * pib; size = size * 3 + 1) {
        EXPECT_EQ(size_of(spell_size(size)), size);
        EXPECT_EQ(size_of(std::to_string(size) + " B"), size);
        ++tried;
    }
    EXPECT_GT(tried, 250U);
}

// F15
TEST(AShare, IsRefusedInLvmsSpellingAndAboveAHundred) {
    const auto say = [](const std::string& text) { return parse_size_or_share(text, "the device").complaint; };
    for (const std::string text : {"100%FREE", "50%free", "50%VG", "10%ORIGIN", "50%PVS", "50% FREE"}) {
        EXPECT_THAT(say(text), HasSubstr("as LVM spells it; write")) << text;
        EXPECT_THAT(say(text), HasSubstr("the device")) << text;
    }
    for (const std::string text : {"120%VG", "120%", "100.01%", "99999999999999999999%"})
        EXPECT_THAT(say(text), HasSubstr("more than 100%")) << text;
    EXPECT_THAT(say("0%"), HasSubstr("zero"));
    EXPECT_THAT(say("%50"), HasSubstr("begin with a number"));
    EXPECT_EQ(parse_size_or_share("50%", "").value, SizeSpec{Percent{5000}});
    EXPECT_EQ(parse_size_or_share("100%", "").value, SizeSpec{Percent{10000}});
    EXPECT_EQ(parse_size_or_share("10G", "").value, SizeSpec{10 * gib});
    EXPECT_THAT(say("10GB"), HasSubstr("ambiguous"));
}

// F05
TEST(APercentage, IsFiniteAndWithinAHundred) {
    EXPECT_EQ(parse_percent("0%").value, Percent{0});
    EXPECT_EQ(parse_percent("40%").value, Percent{4000});
    EXPECT_EQ(parse_percent("12.5%").value, Percent{1250});
    EXPECT_EQ(parse_percent("0.05%").value, Percent{5});
    EXPECT_EQ(parse_percent("100%").value, Percent{10000});
    EXPECT_EQ(parse_percent("100.00%").value, Percent{10000});
    for (const std::string text :
         {".inf%", ".nan", ".nan%", "nan%", "inf%", "-1%",     "+1%", "101%", "1e1%", "0x10%",   "05%",
          "5.%",   ".5%",  "40",    "40 %", "1,5%", "12.345%", "%",   "",     "40%%", "40%FREE", "12345678901234567890%"}) {
        EXPECT_FALSE(parse_percent(text).value) << text;
        EXPECT_FALSE(parse_percent(text).complaint.empty()) << text;
    }
    EXPECT_THAT(parse_percent("40").complaint, HasSubstr("write 40%"));
    EXPECT_THAT(parse_percent("05%").complaint, HasSubstr("write 5%"));
}

TEST(APercentage, RoundTrips) {
    for (std::uint32_t hundredths = 0; hundredths <= 10'000; ++hundredths) {
        EXPECT_EQ(parse_percent(format_percent(Percent{hundredths})).value, Percent{hundredths});
    }
}

// F05
TEST(AWholeNumber, IsDecimalWithoutLeadingZero) {
    EXPECT_EQ(parse_count("7", 1, 10).value, 7U);
    EXPECT_EQ(parse_count("0", 0, 10).value, 0U);
    EXPECT_EQ(parse_count("18446744073709551615", 0, ~std::uint64_t{0}).value, ~std::uint64_t{0});
    for (const std::string text :
         {"010", "08",   "007",   "00", "0x10", "0o17", "0b1",   "+5",          "-1", "5.0", "1e3",
          "1,5", ".inf", "1_000", " 7", "7 ",   "",     "seven", "99999999999", "11", "0",   "99999999999999999999999"}) {
        EXPECT_FALSE(parse_count(text, 1, 10).value) << text;
    }
    EXPECT_THAT(parse_count("010", 1, 100).complaint, HasSubstr("leading zero; write 10"));
    EXPECT_THAT(parse_count("99999999999", 1, 10).complaint, HasSubstr("1 to 10"));
}

// F06
TEST(AFlag, IsTrueOrFalseOnly) {
    EXPECT_EQ(parse_flag("true").value, true);
    EXPECT_EQ(parse_flag("false").value, false);
    for (const std::string text : {"yes", "Yes", "on", "oN", "True", "TRUE", "y", "1"})
        EXPECT_THAT(parse_flag(text).complaint, HasSubstr("write true")) << text;
    for (const std::string text : {"no", "off", "OFF", "False", "n", "0"})
        EXPECT_THAT(parse_flag(text).complaint, HasSubstr("write false")) << text;
    for (const std::string text : {"enabled", "", "2", "t"}) EXPECT_FALSE(parse_flag(text).value) << text;
}

TEST(ASchedule, KnowsItsFormsOnly) {
    using Every = Schedule::Every;
    EXPECT_EQ(parse_schedule("hourly").value, (Schedule{Every::Hour, 0, 0x7f}));
    EXPECT_EQ(parse_schedule("daily").value, (Schedule{Every::Day, 0, 0x7f}));
    EXPECT_EQ(parse_schedule("weekly").value, (Schedule{Every::Week, 0, 0x01}));
    EXPECT_EQ(parse_schedule("monthly").value, (Schedule{Every::Month, 0, 0x7f}));
    EXPECT_EQ(parse_schedule("02:30").value, (Schedule{Every::Day, 150, 0x7f}));
    EXPECT_EQ(parse_schedule("Mon..Fri 02:30").value, (Schedule{Every::Day, 150, 0x1f}));
    EXPECT_EQ(parse_schedule("Sat..Mon 23:59").value, (Schedule{Every::Day, 1439, 0x61}));
    EXPECT_EQ(parse_schedule("Sun 04:00").value, (Schedule{Every::Day, 240, 0x40}));
    for (const std::string text : {"", "2:30", "02:60", "24:00", "02:30:00", "02.30", "Sun", "sun 04:00", "Mon-Fri 02:30", "Mon..Fri",
                                   "Sun  04:00", " 02:30", "yearly", "*:00", "Mon..Fr 02:30"}) {
        EXPECT_FALSE(parse_schedule(text).value) << text;
    }
    EXPECT_THAT(parse_schedule("houly").complaint, HasSubstr("did you mean \"hourly\""));
}

TEST(AWindow, IsTwoTimes) {
    EXPECT_EQ(parse_window("01:00-06:00").value, (DrainWindow{60, 360}));
    EXPECT_EQ(parse_window("22:00-06:00").value, (DrainWindow{1320, 360}));
    for (const std::string text : {"", "01:00", "1:00-6:00", "01:00 - 06:00", "01:00-24:00", "01:00-01:00", "01:00-06:00-07:00", "daily"}) {
        EXPECT_FALSE(parse_window(text).value) << text;
    }
}

}  // namespace tierd::config
