// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/dm/cache_status.hpp"

#include <charconv>
#include <limits>
#include <string>
#include <tuple>

namespace tierd::dm {

namespace {

/// Takes words off the line; once one is missing or wrong, everything after is wrong too.
class Words {
public:
    explicit Words(std::string_view line) : rest_{line} {}

    std::string_view word() {
        const auto begin = rest_.find_first_not_of(" \n");
        if (begin == std::string_view::npos) {
            ok_ = false;
            return {};
        }
        const auto end = std::min(rest_.find_first_of(" \n", begin), rest_.size());
        const auto found = rest_.substr(begin, end - begin);
        rest_.remove_prefix(end);
        return found;
    }
    std::uint64_t number() { return parse(word()); }
    /// "used/total"
    std::pair<std::uint64_t, std::uint64_t> pair() {
        const auto text = word();
        const auto slash = text.find('/');
        if (slash == std::string_view::npos) {
            ok_ = false;
            return {};
        }
        return {parse(text.substr(0, slash)), parse(text.substr(slash + 1))};
    }
    std::uint32_t counter() {
        const auto value = number();
        if (value > std::numeric_limits<std::uint32_t>::max()) ok_ = false;
        return static_cast<std::uint32_t>(value);
    }
    /// A count of words that follow: never more than a line can hold.
    std::uint64_t count() {
        const auto value = number();
        if (value > 256) ok_ = false;
        return ok_ ? value : 0;
    }
    [[nodiscard]] bool ok() const { return ok_; }

private:
    std::uint64_t parse(std::string_view text) {
        std::uint64_t value = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || fault != std::errc{} || end != text.data() + text.size()) ok_ = false;
        return value;
    }
    std::string_view rest_;
    bool ok_ = true;
};

std::map<std::string, std::string> settings(Words& words) {
    std::map<std::string, std::string> all;
    const auto count = words.count();
    for (std::uint64_t i = 0; i + 1 < count && words.ok(); i += 2) {
        const auto key = words.word();
        all[std::string{key}] = std::string{words.word()};
    }
    if (count % 2 != 0) words.word();
    return all;
}

}  // namespace

std::optional<CacheStatus> parse_cache_status(std::string_view line) {
    CacheStatus status;
    const auto first = Words{line}.word();
    if (first == "Fail" || first == "Error") {
        status.health = first == "Fail" ? CacheStatus::Health::Failed : CacheStatus::Health::Error;
        return status;
    }
    Words words{line};
    status.metadata_block_size = words.number() * sector;
    std::tie(status.metadata_used, status.metadata_total) = words.pair();
    status.block_size = words.number() * sector;
    std::tie(status.used_blocks, status.total_blocks) = words.pair();
    status.read_hits = words.counter();
    status.read_misses = words.counter();
    status.write_hits = words.counter();
    status.write_misses = words.counter();
    status.demotions = words.number();
    status.promotions = words.number();
    status.dirty_blocks = words.number();
    const auto features = words.count();
    for (std::uint64_t i = 0; i < features && words.ok(); ++i) {
        const auto feature = words.word();
        if (value_of<CacheMode>(feature)) status.mode = std::string{feature};
    }
    status.core_settings = settings(words);
    status.policy = std::string{words.word()};
    status.policy_settings = settings(words);
    const auto access = words.word();
    // Older kernels end here.
    const bool complete = words.ok();
    const auto check = words.word();
    if (!complete || (access != "rw" && access != "ro")) return std::nullopt;
    if (access == "ro") status.health = CacheStatus::Health::ReadOnly;
    if (check == "needs_check") status.health = CacheStatus::Health::NeedsCheck;
    if (status.used_blocks > status.total_blocks || status.dirty_blocks > status.total_blocks) return std::nullopt;
    return status;
}

}  // namespace tierd::dm
