// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/journal_sink.hpp"

#include <syslog.h>

#include "daemon/core/journal_events.hpp"

namespace tierd {
namespace {

constexpr const char* policy_invalid = "policy-invalid";

using Fields = std::vector<std::pair<std::string, std::string>>;

/// "fill-ratio" -> "TIERD_FILL_RATIO": the journal takes A-Z, 0-9 and _ only.
std::string field_name(const std::string& key) {
    std::string name = "TIERD_";
    for (const char c : key) {
        const bool lower = c >= 'a' && c <= 'z';
        const bool plain = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        name += lower ? static_cast<char>(c - 'a' + 'A') : plain ? c : '_';
    }
    return name;
}

std::string joined(const std::vector<std::string>& words, char separator) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : std::string{separator}) + word;
    return text;
}

Fields fields_of(const JobView& job) {
    return {{"TIERD_JOB_ID", std::to_string(job.id)},
            {"TIERD_OPERATION", job.operation},
            {"TIERD_TIER", joined(job.tiers, ' ')},
            {"TIERD_DEVICE", joined(job.devices, ' ')},
            {"TIERD_ACTOR_UID", std::to_string(job.started_by)}};
}

std::string message_of(const AlertView& alert) {
    const auto message = alert.details.find("message");
    return message == alert.details.end() ? alert.object + ": " + alert.code : message->second;
}

}  // namespace

void JournalSink::on_job_new(const JobView& job) {
    write_(journal_event("job-new", LOG_INFO, "job " + std::to_string(job.id) + ": " + job.about, fields_of(job)));
}

void JournalSink::on_job_removed(const JobView& job) {
    const std::string begin = "job " + std::to_string(job.id) + ": " + job.about;
    if (job.result != "failed") return write_(journal_event("job-" + job.result, LOG_INFO, begin + ": " + job.result, fields_of(job)));
    Fields fields = fields_of(job);
    fields.emplace_back("TIERD_ERROR", job.error_name);
    write_(journal_event("job-failed", LOG_ERR, begin + ": " + job.error_message, std::move(fields)));
}

void JournalSink::on_policy(const std::vector<Problem>& problems) {
    constexpr std::size_t most = 20;  // a policy that is no policy shall not fill the journal
    for (std::size_t i = 0; i < problems.size() && i < most; ++i) {
        const Problem& problem = problems[i];
        const bool error = problem.severity == Severity::Error;
        const std::string place = full_place(problem.place);
        const std::string text =
            (place.empty() ? "" : place + ": ") + (error ? "" : std::string{name_of(problem.severity)} + ": ") + problem.text;
        write_(error ? journal_event(policy_invalid, LOG_ERR, text, {{"TIERD_OBJECT", ""}})
                     : JournalEntry{"", problem.severity == Severity::Warning ? LOG_WARNING : LOG_INFO, text, {}});
    }
    if (problems.size() > most)
        write_({"", LOG_WARNING, "and " + std::to_string(problems.size() - most) + " problems more: `tierctl policy` lists them", {}});
}

void JournalSink::on_alert(const AlertView& alert) {
    if (alert.code == policy_invalid) return;  // on_policy told of each problem
    Fields fields{{"TIERD_OBJECT", alert.object}};
    for (const auto& [key, value] : alert.details) {
        if (key != "message") fields.emplace_back(field_name(key), value);
    }
    write_(journal_event(alert.code, static_cast<int>(alert.severity), message_of(alert), std::move(fields)));
}

void JournalSink::on_alert_cleared(const AlertView& alert) {
    write_(journal_event("alert-cleared", LOG_INFO, "no longer: " + message_of(alert),
                         {{"TIERD_OBJECT", alert.object}, {"TIERD_ALERT", alert.code}}));
}

void JournalSink::on_command(const CommandRecord& record) {
    const bool failed = record.exit_status != 0;
    std::string message = joined(record.argv, ' ');
    if (failed)
        message += record.exit_status < 0 ? ": killed by signal " + std::to_string(-record.exit_status)
                                          : ": exit status " + std::to_string(record.exit_status);
    Fields fields{{"TIERD_COMMAND", joined(record.argv, '\n')},
                  {"TIERD_EXIT_STATUS", std::to_string(record.exit_status)},
                  {"TIERD_USEC", std::to_string(record.took)}};
    if (failed) fields.emplace_back("TIERD_STDERR", record.error_output);
    write_(journal_event("command", failed ? LOG_WARNING : LOG_INFO, std::move(message), std::move(fields)));
}

void JournalSink::on_note(const std::string& text) {
    write_({"", LOG_INFO, text, {}});
}

}  // namespace tierd
