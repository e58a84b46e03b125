// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/plan.hpp"

#include <array>

namespace tierd {

std::string_view name_of(Risk value) {
    constexpr std::array<std::string_view, 4> names{"none", "reversible", "disruptive", "destructive"};
    return names.at(static_cast<std::size_t>(value));
}

std::string_view name_of(StepState value) {
    constexpr std::array<std::string_view, 4> names{"ready", "waiting", "unsupported", "refused"};
    return names.at(static_cast<std::size_t>(value));
}

std::string_view name_of(Convergence value) {
    constexpr std::array<std::string_view, 5> names{"unknown", "converged", "waiting", "drift", "blocked"};
    return names.at(static_cast<std::size_t>(value));
}

std::string_view name_of(Finding::Verdict value) {
    constexpr std::array<std::string_view, 4> names{"yes", "no", "unknown", "note"};
    return names.at(static_cast<std::size_t>(value));
}

std::string Plan::id() const {
    std::string text;
    for (const auto& step : steps) {
        // Under a writer a cache is dirty in one moment and clean in the next: whether that is waited for makes no other plan.
        if (!step.drains.empty()) continue;
        text += std::string{name_of(step.state)} + '\x1f' + step.verb + '\x1f' + step.target + '\x1f' + step.sentence + '\x1e';
    }
    // FNV-1a, 64 bits: the id tells plans apart, it protects nothing.
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    constexpr std::string_view hex = "0123456789abcdef";
    std::string id;
    for (int shift = 60; shift >= 0; shift -= 4) id += hex.at(hash >> shift & 0xfU);
    return id;
}

}  // namespace tierd
