// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/units.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tierd {
namespace {

constexpr Bytes largest = std::numeric_limits<Bytes>::max();

TEST(AShare, IsExactForEverySize) {
    EXPECT_EQ(share_of(Percent{9500}, 1000), 950u);
    EXPECT_EQ(share_of(Percent{0}, largest), 0u);
    EXPECT_EQ(share_of(Percent{10'000}, largest), largest);
    EXPECT_EQ(share_of(Percent{1}, largest), largest / 10'000);
    EXPECT_EQ(share_of(Percent{5000}, largest), largest / 2);
    EXPECT_EQ(share_of(Percent{3333}, 3), 0u) << "rounded down";
}

TEST(AShare, GrowsWithThePart) {
    for (const Bytes whole : {Bytes{1}, Bytes{9'999}, 220 * gib, largest}) {
        Bytes before = 0;
        for (std::uint32_t part = 0; part <= 10'000; part += 7) {
            const Bytes now = share_of(Percent{part}, whole);
            EXPECT_GE(now, before);
            EXPECT_LE(now, whole);
            before = now;
        }
    }
}

TEST(ARounding, GoesToTheMultiple) {
    EXPECT_EQ(round_down(4 * mib + 1, 4 * mib), 4 * mib);
    EXPECT_EQ(round_up(4 * mib + 1, 4 * mib), 8 * mib);
    EXPECT_EQ(round_up(8 * mib, 4 * mib), 8 * mib);
    EXPECT_EQ(round_up(0, 4 * mib), 0u);
}

TEST(ARounding, SaturatesAtTheLargestMultiple) {
    const Bytes top = round_down(largest, 4 * mib);
    EXPECT_EQ(round_up(largest, 4 * mib), top);
    EXPECT_EQ(round_up(top + 1, 4 * mib), top);
    EXPECT_EQ(round_up(top, 4 * mib), top);
}

TEST(ASize, IsShownWithAtMostOneDecimal) {
    EXPECT_EQ(format_size(0), "0 B");
    EXPECT_EQ(format_size(512), "512 B");
    EXPECT_EQ(format_size(1023), "1023 B");
    EXPECT_EQ(format_size(kib), "1 KiB");
    EXPECT_EQ(format_size(256 * kib), "256 KiB");
    EXPECT_EQ(format_size(220 * gib), "220 GiB");
    EXPECT_EQ(format_size(tib + tib / 2), "1.5 TiB");
    EXPECT_EQ(format_size(240'057'409'536), "223.6 GiB");
    EXPECT_EQ(format_size(largest), "16384 PiB");
}

TEST(ASize, IsNeverShownAs1024OfItsUnit) {
    EXPECT_EQ(format_size(mib - 1), "1 MiB");
    EXPECT_EQ(format_size(gib - 1), "1 GiB");
    EXPECT_EQ(format_size(1000 * kib), "1000 KiB");
}

TEST(ASize, IsSpelledExactlyForThePolicy) {
    EXPECT_EQ(spell_size(220 * gib), "220GiB");
    EXPECT_EQ(spell_size(256 * kib), "256KiB");
    EXPECT_EQ(spell_size(4 * mib + 512), "4194816B");
    EXPECT_EQ(spell_size(0), "0B");
    EXPECT_EQ(spell_size(largest), "18446744073709551615B");
}

TEST(APercentage, IsShownWithoutNeedlessZeros) {
    EXPECT_EQ(format_percent(Percent{7000}), "70%");
    EXPECT_EQ(format_percent(Percent{1250}), "12.5%");
    EXPECT_EQ(format_percent(Percent{1205}), "12.05%");
    EXPECT_EQ(format_percent(Percent{0}), "0%");
    EXPECT_EQ(format_percent(Percent{10'000}), "100%");
}

TEST(ASpan, IsShownForPeople) {
    EXPECT_EQ(format_span(0), "0 s");
    EXPECT_EQ(format_span(4'100'000), "4.1 s");
    EXPECT_EQ(format_span(4 * usec_per_second), "4 s");
    EXPECT_EQ(format_span(61 * usec_per_second), "1 min");
    EXPECT_EQ(format_span(3 * 3600 * usec_per_second), "3 h");
    EXPECT_EQ(format_span((3 * 3600 + 600) * usec_per_second), "3 h 10 min");
    EXPECT_EQ(format_span(Usec{5} * 86'400 * usec_per_second), "5 d");
}

TEST(ATime, IsShownInUtcAndSortsAsText) {
    EXPECT_EQ(format_time(1'769'913'000 * usec_per_second), "20260201T023000Z");
    EXPECT_EQ(format_time(0), "19700101T000000Z");
}

TEST(ASizeThatIsAdvised, IsShortAndFits) {
    EXPECT_EQ(spell_size_within(262'092 * mib), "255.9GiB");
    EXPECT_EQ(spell_size_within(220 * gib), "220GiB");
    EXPECT_EQ(spell_size_within(gib - 1), "1023MiB");
    EXPECT_EQ(spell_size_within(gib), "1GiB");
    EXPECT_EQ(spell_size_within(1536 * mib), "1.5GiB");
    EXPECT_EQ(spell_size_within(511), "511B");
}

}  // namespace
}  // namespace tierd
