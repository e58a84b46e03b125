// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>

#include "daemon/core/controller.hpp"
#include "systemd/journal.hpp"

namespace tierd {

/// Tells the journal of alerts, jobs, commands and notes: MESSAGE for people, TIERD_* fields for machines.
class JournalSink : public Listener {
public:
    explicit JournalSink(std::function<void(const JournalEntry&)> write = write_journal) : write_{std::move(write)} {}

    void on_changed() override {}
    void on_job_new(const JobView& job) override;
    void on_job_removed(const JobView& job) override;
    void on_alert(const AlertView& alert) override;
    void on_alert_cleared(const AlertView& alert) override;
    void on_command(const CommandRecord& record) override;
    void on_policy(const std::vector<Problem>& problems) override;
    void on_note(const std::string& text) override;

private:
    std::function<void(const JournalEntry&)> write_;
};

}  // namespace tierd
