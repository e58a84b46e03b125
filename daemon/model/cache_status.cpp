// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/cache_status.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace tierd {

namespace {

/// Takes words from a line. Once something was not there or not a number, it stays failed.
class Words {
public:
    explicit Words(std::string_view line) : rest_{line} {}

    std::string_view word() {
        const auto begin = rest_.find_first_not_of(' ');
        if (begin == std::string_view::npos) {
            failed_ = true;
            return {};
        }
        rest_.remove_prefix(begin);
        const auto end = std::min(rest_.find_first_of(" \n"), rest_.size());
        const auto found = rest_.substr(0, end);
        rest_.remove_prefix(end);
        if (found.empty()) failed_ = true;
        return found;
    }
    template <typename Number = std::uint64_t>
    Number number() {
        return parse<Number>(word());
    }
    /// "8/3200"
    std::pair<std::uint64_t, std::uint64_t> ratio() {
        const auto text = word();
        const auto slash = text.find('/');
        if (slash == std::string_view::npos) {
            failed_ = true;
            return {};
        }
        return {parse<std::uint64_t>(text.substr(0, slash)), parse<std::uint64_t>(text.substr(slash + 1))};
    }
    /// A count of words, and then key and value in turn.
    std::map<std::string, std::string> settings() {
        std::map<std::string, std::string> found;
        const auto count = number();
        for (std::uint64_t i = 0; i + 1 < count && !failed_; i += 2) {
            const std::string key{word()};
            found[key] = word();
        }
        if (count % 2 != 0) failed_ = true;
        return found;
    }
    [[nodiscard]] bool failed() const { return failed_; }

private:
    template <typename Number>
    Number parse(std::string_view text) {
        Number value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || error != std::errc{} || end != text.data() + text.size()) failed_ = true;
        return value;
    }
    std::string_view rest_;
    bool failed_ = false;
};

Bytes in_bytes(std::uint64_t sectors) {
    return sectors > std::numeric_limits<Bytes>::max() / sector ? 0 : sectors * sector;
}

std::optional<CacheStatus> without_numbers(CacheStatus::Health health) {
    CacheStatus status;
    status.health = health;
    return status;
}

}  // namespace

std::optional<CacheStatus> parse_cache_status(std::string_view parameters) {
    const auto first = Words{parameters}.word();
    if (first == "Fail") return without_numbers(CacheStatus::Health::Failed);
    if (first == "Error") return without_numbers(CacheStatus::Health::Error);

    Words words{parameters};
    CacheStatus status;
    status.metadata_block_size = in_bytes(words.number());
    std::tie(status.metadata_used, status.metadata_total) = words.ratio();
    status.block_size = in_bytes(words.number());
    std::tie(status.used_blocks, status.total_blocks) = words.ratio();
    status.read_hits = words.number<std::uint32_t>();
    status.read_misses = words.number<std::uint32_t>();
    status.write_hits = words.number<std::uint32_t>();
    status.write_misses = words.number<std::uint32_t>();
    status.demotions = words.number();
    status.promotions = words.number();
    status.dirty_blocks = words.number();
    const auto features = words.number();
    for (std::uint64_t i = 0; i < features && !words.failed(); ++i) {
        const auto feature = words.word();
        if (feature == "writethrough" || feature == "writeback" || feature == "passthrough") status.mode = feature;
    }
    status.core_settings = words.settings();
    status.policy = words.word();
    status.policy_settings = words.settings();
    const auto access = words.word();
    const auto check = words.word();
    if (words.failed() || (access != "rw" && access != "ro") || (check != "-" && check != "needs_check")) return std::nullopt;
    if (status.used_blocks > status.total_blocks || status.dirty_blocks > status.total_blocks) return std::nullopt;

    if (check == "needs_check") {
        status.health = CacheStatus::Health::NeedsCheck;
    } else if (access == "ro") {
        status.health = CacheStatus::Health::ReadOnly;
    }
    return status;
}

std::optional<CacheStatus> parse_writecache_status(std::string_view line, std::string_view table) {
    // "s|p ORIGIN CACHE BLOCK-SIZE #OPTIONS OPTION…", where the cleaner is an option without a value.
    Words layout{table};
    for (int devices_before = 0; devices_before < 3; ++devices_before) layout.word();
    const auto block_size = layout.number();
    bool cleaner = false;
    for (auto options = layout.number(); options > 0 && !layout.failed(); --options) cleaner = layout.word() == "cleaner" || cleaner;
    if (layout.failed()) return std::nullopt;

    Words words{line};
    const auto error = words.number();
    CacheStatus status;
    status.total_blocks = words.number();
    const auto free = words.number();
    status.moving_blocks = words.number();  // they are not free yet
    if (words.failed() || free > status.total_blocks) return std::nullopt;
    if (error != 0) status.health = CacheStatus::Health::Error;
    status.used_blocks = status.dirty_blocks = status.total_blocks - free;
    status.block_size = block_size;
    status.mode = name_of(CacheMode::Writeback);
    status.policy = cleaner ? cleaner_policy : writecache_policy;

    const auto reads = words.number();
    const auto read_hits = words.number();
    const auto writes = words.number();
    words.number();  // hits of blocks that are not committed
    words.number();  // and of those that are
    const auto around = words.number();
    if (words.failed() || read_hits > reads || around > writes) return status;
    // The counters of dm-cache are of 32 bits and wrap, and who reads them knows.
    status.read_hits = static_cast<std::uint32_t>(read_hits);
    status.read_misses = static_cast<std::uint32_t>(reads - read_hits);
    status.write_hits = static_cast<std::uint32_t>(writes - around);
    status.write_misses = static_cast<std::uint32_t>(around);
    return status;
}

}  // namespace tierd
