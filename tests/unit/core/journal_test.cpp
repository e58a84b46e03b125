// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "daemon/core/journal_events.hpp"
#include "daemon/core/journal_sink.hpp"

namespace tierd {
namespace {

std::string catalog() {
    std::ifstream file{TIERD_SOURCE_DIR "/systemd/tierd.catalog"};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string field(const JournalEntry& entry, const std::string& name) {
    for (const auto& [key, value] : entry.fields) {
        if (key == name) return value;
    }
    return "-";
}

/// What the sink writes, kept.
struct Written {
    std::vector<JournalEntry> entries;
    JournalSink sink{[this](const JournalEntry& entry) { entries.push_back(entry); }};
    [[nodiscard]] const JournalEntry& last() const { return entries.at(entries.size() - 1); }
};

TEST(TheCatalog, ExplainsEachEventAndNoOther) {
    std::set<std::string> ids, explained;
    for (const EventId& event : event_ids) ids.emplace(event.message_id);
    const std::string text = catalog();
    const std::regex heading{R"((?:^|\n)-- ([0-9a-f]{32})\nSubject: [^\n]+\nDefined-By: tierd\n)"};
    for (auto each = std::sregex_iterator{text.begin(), text.end(), heading}; each != std::sregex_iterator{}; ++each)
        explained.insert((*each)[1]);
    EXPECT_EQ(explained, ids);
    EXPECT_EQ(ids.size(), event_ids.size()) << "two events have one id";
}

TEST(TheCatalog, UsesOnlyFieldsThatTheSinksWrite) {
    const std::set<std::string> written{"TIERD_OBJECT", "TIERD_ALERT", "TIERD_JOB_ID", "TIERD_ACTOR_UID", "TIERD_VERB", "TIERD_TARGET"};
    const std::string text = catalog();
    const std::regex use{R"(@([A-Z_]+)@)"};
    for (auto each = std::sregex_iterator{text.begin(), text.end(), use}; each != std::sregex_iterator{}; ++each)
        EXPECT_EQ(written.count((*each)[1]), 1U) << (*each)[1];
}

TEST(TheJournalSink, WritesAnAlertWithItsDetailsAsFields) {
    Written written;
    written.sink.on_alert({"tier/media", "dirty-high", 4, {{"message", "media: 41 % dirty"}, {"dirty-bytes", "12"}}, 0});
    const JournalEntry& entry = written.last();
    EXPECT_EQ(entry.message, "media: 41 % dirty");
    EXPECT_EQ(entry.priority, 4);
    EXPECT_EQ(entry.message_id, journal_event("dirty-high", 0, "", {}).message_id);
    EXPECT_EQ(field(entry, "TIERD_EVENT"), "dirty-high");
    EXPECT_EQ(field(entry, "TIERD_OBJECT"), "tier/media");
    EXPECT_EQ(field(entry, "TIERD_DIRTY_BYTES"), "12");
    written.sink.on_alert_cleared({"tier/media", "dirty-high", 4, {{"message", "media: 41 % dirty"}}, 0});
    EXPECT_EQ(field(written.last(), "TIERD_EVENT"), "alert-cleared");
    EXPECT_EQ(field(written.last(), "TIERD_ALERT"), "dirty-high");
}

TEST(TheJournalSink, WritesEachEndOfAJobUnderItsOwnId) {
    std::map<std::string, std::string> messages;
    for (const char* result : {"done", "canceled", "failed"}) {
        Written written;
        JobView job;
        job.id = 7;
        job.about = "media: attach cache";
        job.result = result;
        job.error_message = "lvcreate failed";
        job.error_name = "ToolFailed";
        written.sink.on_job_removed(job);
        ASSERT_FALSE(written.last().message_id.empty()) << result;
        messages[written.last().message_id] = written.last().message;
        EXPECT_EQ(field(written.last(), "TIERD_JOB_ID"), "7");
    }
    EXPECT_EQ(messages.size(), 3U);
    EXPECT_EQ(messages[journal_event("job-failed", 0, "", {}).message_id], "job 7: media: attach cache: lvcreate failed");
}

TEST(TheJournalSink, WritesACommandsExactWords) {
    Written written;
    written.sink.on_command({{"/usr/sbin/lvm", "pvcreate", "/dev/sd b"}, 5, 1500, "no such device"});
    EXPECT_EQ(written.last().message, "/usr/sbin/lvm pvcreate /dev/sd b: exit status 5");
    EXPECT_EQ(field(written.last(), "TIERD_COMMAND"), "/usr/sbin/lvm\npvcreate\n/dev/sd b");
    EXPECT_EQ(field(written.last(), "TIERD_EXIT_STATUS"), "5");
    EXPECT_EQ(field(written.last(), "TIERD_STDERR"), "no such device");
    written.sink.on_command({{"lvm"}, -9, 0, ""});
    EXPECT_EQ(written.last().message, "lvm: killed by signal 9");
}

TEST(TheJournalSink, TellsOfAProblemOfThePolicyOnce) {
    Written written;
    const Problem fault{Severity::Error, {"/etc/tierd/a.yaml", 3, 5}, "size: no"};
    written.sink.on_policy({fault, {Severity::Warning, {"/etc/tierd/a.yml"}, "is not read"}});
    written.sink.on_alert({"", "policy-invalid", 3, {{"message", "/etc/tierd/a.yaml:3:5: size: no"}}, 0});
    ASSERT_EQ(written.entries.size(), 2U);
    EXPECT_EQ(written.entries[0].message, "/etc/tierd/a.yaml:3:5: size: no");
    EXPECT_EQ(field(written.entries[0], "TIERD_EVENT"), "policy-invalid");
    EXPECT_EQ(written.entries[1].message, "/etc/tierd/a.yml: warning: is not read");
    written.sink.on_policy(std::vector<Problem>(500, fault));
    EXPECT_EQ(written.entries.size(), 2U + 20 + 1);
    EXPECT_EQ(written.last().message, "and 480 problems more: `tierctl policy` lists them");
}

}  // namespace
}  // namespace tierd
