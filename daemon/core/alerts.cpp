// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/alerts.hpp"

namespace tierd {

void AlertBook::settle(std::vector<AlertView> facts, Usec now) {
    std::map<std::pair<std::string, std::string>, AlertView> next;
    for (auto& fact : facts) {
        const auto key = std::pair{fact.object, fact.code};
        const auto known = alerts_.find(key);
        fact.since = known == alerts_.end() ? now : known->second.since;
        next.emplace(key, std::move(fact));
    }
    std::swap(alerts_, next);
    for (const auto& [key, alert] : next) {
        if (!alerts_.contains(key)) on_cleared(alert);
    }
    for (const auto& [key, alert] : alerts_) {
        const auto before = next.find(key);
        if (before == next.end() || before->second.severity != alert.severity) on_raised(alert);
    }
}

std::vector<AlertView> AlertBook::list() const {
    std::vector<AlertView> views;
    for (const auto& [key, alert] : alerts_) views.push_back(alert);
    return views;
}

}  // namespace tierd
