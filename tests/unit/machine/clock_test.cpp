// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/clock.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace tierd {
namespace {

/// A policy's hours are those of the machine's time zone, and it may be changed while the daemon runs.
TEST(AMinuteOfTheDay, IsOfTheTimeZoneOfNow) {
    const char* zone = std::getenv("TZ");
    const std::string before = zone == nullptr ? "" : zone;
    const Usec noon_utc = (20'000ULL * 86'400 + 12ULL * 3'600 + 34ULL * 60) * usec_per_second;
    setenv("TZ", "UTC0", 1);
    EXPECT_EQ(minute_of_day(noon_utc), 12U * 60 + 34);
    setenv("TZ", "EAST-5:30", 1);
    EXPECT_EQ(minute_of_day(noon_utc), 18U * 60 + 4);
    setenv("TZ", "WEST13", 1);
    EXPECT_EQ(minute_of_day(noon_utc), 23U * 60 + 34);
    if (zone == nullptr) {
        unsetenv("TZ");
    } else {
        setenv("TZ", before.c_str(), 1);
    }
}

}  // namespace
}  // namespace tierd
