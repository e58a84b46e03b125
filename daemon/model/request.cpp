// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/request.hpp"

#include <charconv>

namespace tierd {

namespace {

/// Those with a value end with "=".
std::string_view prefix_of(RequestKind kind) {
    switch (kind) {
        case RequestKind::Detach: return "tierd.detach";
        case RequestKind::Flush: return "tierd.flush=";
        case RequestKind::Mode: return "tierd.mode=";
        case RequestKind::Remake: return "tierd.remake";
        case RequestKind::Recover: return "tierd.recover=";
    }
    return "";
}

bool is_of(const std::string& tag, std::string_view prefix) {
    return prefix.ends_with('=') ? tag.starts_with(prefix) : tag == prefix;
}

std::optional<Usec> time_in(std::string_view text) {
    // Beyond that the microseconds do not fit; 9999-12-31 is well below.
    constexpr std::uint64_t latest = 253'402'300'799;
    std::uint64_t seconds = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (fault != std::errc{} || end != text.data() + text.size() || seconds > latest) return std::nullopt;
    return seconds * usec_per_second;
}

}  // namespace

Requests requests_of(const LogicalVolume& volume) {
    Requests requests;
    for (const auto& tag : volume.tags) {
        const auto value_of_kind = [&](RequestKind kind) { return std::string_view{tag}.substr(prefix_of(kind).size()); };
        if (is_of(tag, prefix_of(RequestKind::Detach))) requests.detach = true;
        if (is_of(tag, prefix_of(RequestKind::Remake))) requests.remake = true;
        if (tag == request_tag(RequestKind::Recover, drop_choice)) requests.drop_cache = true;
        if (is_of(tag, prefix_of(RequestKind::Flush))) requests.flush = time_in(value_of_kind(RequestKind::Flush));
        if (is_of(tag, prefix_of(RequestKind::Mode))) requests.mode = value_of<CacheMode>(value_of_kind(RequestKind::Mode));
    }
    return requests;
}

std::string request_tag(RequestKind kind, const std::string& value) {
    return std::string{prefix_of(kind)} + value;
}

std::set<std::string> request_tags(const LogicalVolume& volume, RequestKind kind) {
    std::set<std::string> tags;
    for (const auto& tag : volume.tags) {
        if (is_of(tag, prefix_of(kind))) tags.insert(tag);
    }
    return tags;
}

}  // namespace tierd
