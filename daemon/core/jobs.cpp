// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/jobs.hpp"

#include <algorithm>

namespace tierd {

std::uint32_t JobBook::open(std::string operation, std::string about, std::vector<std::string> tiers, std::uint32_t uid) {
    const std::uint32_t id = ++last_;
    auto& job = jobs_[id].view;
    job.id = id;
    job.operation = std::move(operation);
    job.about = std::move(about);
    job.tiers = std::move(tiers);
    job.started_by = uid;
    job.state = "queued";
    job.cancelable = true;
    on_new(job);
    return id;
}

void JobBook::stage(std::uint32_t id, std::string stage, std::optional<double> progress) {
    const auto found = jobs_.find(id);
    if (found == jobs_.end() || found->second.view.state == "finished") return;
    auto& job = found->second.view;
    if (job.state == "running" && job.stage == stage && (!progress || job.progress == progress)) return;
    job.state = "running";
    job.stage = std::move(stage);
    if (progress) job.progress = progress;
    on_changed();
}

void JobBook::bytes(std::uint32_t id, Bytes done, Bytes total, std::optional<Usec> expected_end) {
    const auto found = jobs_.find(id);
    if (found == jobs_.end() || found->second.view.state == "finished") return;
    auto& view = found->second.view;
    view.bytes_done = done;
    view.bytes_total = total;
    view.expected_end = expected_end;
}

void JobBook::finish(std::uint32_t id, std::string result) {
    end(id, result, "", "");
}

void JobBook::fail(std::uint32_t id, ErrorCode code, const std::string& message) {
    end(id, "failed", std::string{error_name(code)}, message);
}

void JobBook::end(std::uint32_t id, const std::string& result, const std::string& error, const std::string& message) {
    const auto found = jobs_.find(id);
    if (found == jobs_.end() || found->second.view.state == "finished") return;
    auto& job = found->second.view;
    job.state = "finished";
    job.result = result;
    job.error_name = error;
    job.error_message = message;
    job.cancelable = false;
    job.stage.clear();
    if (result == "done") job.progress = 1;
    found->second.ended = clock();
    on_removed(job);
}

void JobBook::expire(Usec now) {
    const auto gone =
        std::erase_if(jobs_, [&](const auto& each) { return each.second.view.state == "finished" && each.second.ended + kept <= now; });
    if (gone > 0) on_changed();
}

std::vector<JobView> JobBook::list() const {
    std::vector<JobView> views;
    for (const auto& [id, entry] : jobs_) views.push_back(entry.view);
    return views;
}

const JobView& JobBook::get(std::uint32_t id) const {
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) throw Error{ErrorCode::NoSuchTarget, "there is no job " + std::to_string(id)};
    return found->second.view;
}

bool JobBook::running(std::uint32_t id) const {
    const auto found = jobs_.find(id);
    return found != jobs_.end() && found->second.view.state != "finished";
}

}  // namespace tierd
