// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/settings.hpp"

#include <array>
#include <limits>

namespace tierd::config {

namespace {

struct Setting {
    TierKind kind;
    std::string_view name;
    std::uint64_t least, most;
};
constexpr std::uint64_t any = std::numeric_limits<std::uint32_t>::max();

// smq has no tunable of its own; migration_threshold belongs to dm-cache, in sectors.
constexpr std::array<Setting, 17> table{{
    {TierKind::Cache, "migration_threshold", 1, any},
    {TierKind::Writecache, "low_watermark", 0, 100},
    {TierKind::Writecache, "high_watermark", 0, 100},
    {TierKind::Writecache, "writeback_jobs", 1, any},
    {TierKind::Writecache, "autocommit_blocks", 1, any},
    {TierKind::Writecache, "autocommit_time", 1, any},
    {TierKind::Writecache, "block_size", 512, 65536},
    {TierKind::Writecache, "pause_writeback", 0, any},
    {TierKind::Writecache, "max_age", 1, any},
    {TierKind::Bcache, "sequential_cutoff", 0, any},
    {TierKind::Bcache, "writeback_percent", 0, 40},
    {TierKind::Bcache, "writeback_delay", 0, any},
    {TierKind::Bcache, "writeback_rate_minimum", 1, any},
    {TierKind::Bcache, "writeback_rate_update_seconds", 1, 60},
    {TierKind::Bcache, "congested_read_threshold_us", 0, any},
    {TierKind::Bcache, "congested_write_threshold_us", 0, any},
    {TierKind::Bcache, "journal_delay_ms", 1, any},
}};

}  // namespace

void read_settings(const YamlNode& node, TierKind kind, Report& report, std::map<std::string, std::string>& settings) {
    std::vector<Setting> known;
    std::vector<std::string_view> names;
    for (const auto& setting : table) {
        if (setting.kind != kind) continue;
        known.push_back(setting);
        names.push_back(setting.name);
    }
    read_pairs("the settings of a " + std::string{name_of(kind)}, node, names, report, [&](std::size_t index, const YamlNode& value) {
        const Field field{names[index], value, report};
        const auto text = field.bare_text();
        if (!text) return;
        const auto parsed = parse_count(*text, known[index].least, known[index].most);
        if (!parsed.value) return field.refuse(parsed.complaint);
        settings[std::string{names[index]}] = *text;
    });
}

std::vector<std::string_view> setting_names() {
    std::vector<std::string_view> names;
    for (const auto& setting : table) names.push_back(setting.name);
    return names;
}

}  // namespace tierd::config
