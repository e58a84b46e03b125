// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "systemd/journal.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tierd {
namespace {

std::string written(const JournalEntry& entry) {
    testing::internal::CaptureStderr();
    write_journal(entry);
    return testing::internal::GetCapturedStderr();
}

class AJournalLine : public testing::Test {
protected:
    void SetUp() override { unsetenv("JOURNAL_STREAM"); }
};

TEST_F(AJournalLine, CarriesItsPriorityForTheServiceManager) {
    EXPECT_EQ(written({"", 4, "snapshot vg/s is 91 % full", {{"TIERD_VG", "vg"}}}), "<4>snapshot vg/s is 91 % full\n");
}

TEST_F(AJournalLine, CannotBeForgedByWhatADiskSays) {
    EXPECT_EQ(written({"", 6, "disk S4\n<0>forged\x1b[2J\x7f", {}}), "<6>disk S4\\x0a<0>forged\\x1b[2J\\x7f\n");
}

TEST_F(AJournalLine, KeepsTextThatIsNotAscii) {
    EXPECT_EQ(written({"", 6, "/srv/größe", {}}), "<6>/srv/größe\n");
}

TEST_F(AJournalLine, GoesToStandardErrorWhenThatIsNotTheStreamOfTheJournal) {
    setenv("JOURNAL_STREAM", "1:1", 1);
    EXPECT_EQ(written({"", 5, "hello", {}}), "<5>hello\n");
    unsetenv("JOURNAL_STREAM");
}

}  // namespace
}  // namespace tierd
