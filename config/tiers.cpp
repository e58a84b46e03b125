// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "config/settings.hpp"
#include "config/tier_checks.hpp"

namespace tierd::config {

namespace {

// What one file says of a tier; the settings wait until the kind is known.
struct TierDraft {
    TierRule& rule;
    const YamlNode* settings = nullptr;
};

void read_volume(const Field& field, TierDraft& tier) {
    const auto text = field.text();
    if (!text) return;
    if (const auto complaint = volume_name_complaint(*text); !complaint.empty()) return field.refuse(complaint);
    tier.rule.volume = split_volume(*text);
}

bool is_uuid(std::string_view text) {
    const auto allowed = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '-'; };
    return text.size() == 36 && std::all_of(text.begin(), text.end(), allowed);
}

void read_filesystem(const Field& field, TierDraft& tier) {
    const auto text = field.text();
    if (!text) return;
    const bool clean = text->find("//") == std::string::npos && text->find("/./") == std::string::npos &&
                       (*text + '/').find("/../") == std::string::npos && (text->size() == 1 || !text->ends_with('/'));
    const bool path = text->starts_with('/') && !text->starts_with("/dev/") && clean;
    const bool uuid = text->starts_with("UUID=") && is_uuid(std::string_view{*text}.substr(5));
    if (!path && !uuid)
        return field.refuse(
            "is not a file system; write its mount point, like /srv/iscsi, or UUID= and the 36 characters that `blkid` shows");
    tier.rule.filesystem = *text;
}

void read_device_names(const Field& field, TierDraft& tier) {
    const auto texts = field.texts(true);
    if (!texts) return;
    for (const auto& text : *texts) {
        if (const auto complaint = entry_name_complaint(text); !complaint.empty()) field.error(quote(text) + ' ' + complaint);
    }
    if (texts->size() > 2)
        field.error("names " + std::to_string(texts->size()) + " devices; a tier has one, or two with layout striped or raid1");
    tier.rule.devices = *texts;
}

// The kernel knows more words, none of which serves: mq is smq by another name, cleaner only drains.
void read_cache_policy(const Field& field, TierDraft& tier) {
    const auto text = field.text();
    if (!text) return;
    if (*text == "mq") return field.refuse("is an alias of smq; write smq");
    if (*text == "cleaner") return field.refuse("only drains a cache; smq is the one policy that serves");
    if (*text != "smq") return field.refuse("is not a cache policy; smq is the one there is");
    tier.rule.cache_policy = *text;
}

struct Drain {
    std::optional<DrainWindow>& window;
    OnStall& on_stall;
};
constexpr Key<Drain> drain_keys[] = {
    {"window",
     [](const Field& field, Drain& drain) {
         if (const auto text = field.text()) take(field, parse_window(*text), drain.window);
     }},
    {"on_stall", [](const Field& field, Drain& drain) { read_enum(field, "what to do", drain.on_stall); }},
};
constexpr Key<DirtyLimits> dirty_keys[] = {
    {"warn", [](const Field& field, DirtyLimits& dirty) { read_percent(field, dirty.warn); }},
    {"critical", [](const Field& field, DirtyLimits& dirty) { read_percent(field, dirty.critical); }},
};

constexpr Key<TierDraft> tier_keys[] = {
    {"volume", read_volume},
    {"kind", [](const Field& field, TierDraft& tier) { read_enum(field, "a kind of tier", tier.rule.kind); }},
    {"backing", [](const Field& field, TierDraft& tier) { read_match(field, tier.rule.backing.emplace()); }},
    {"filesystem", read_filesystem},
    {"device", read_device_names},
    {"layout", [](const Field& field, TierDraft& tier) { read_enum(field, "a layout", tier.rule.layout); }},
    {"size",
     [](const Field& field, TierDraft& tier) {
         if (const auto text = field.text()) take(field, parse_size_or_share(*text, "the device"), tier.rule.size);
     }},
    {"metadata_size", [](const Field& field, TierDraft& tier) { read_size(field, tier.rule.metadata_size); }},
    {"chunk_size", [](const Field& field, TierDraft& tier) { read_size(field, tier.rule.chunk_size); }},
    {"mode", [](const Field& field, TierDraft& tier) { read_enum(field, "a mode", tier.rule.mode); }},
    {"cache_policy", read_cache_policy},
    {"settings", [](const Field& field, TierDraft& tier) { tier.settings = &field.node; }},
    {"store", [](const Field& field, TierDraft& tier) { read_enum(field, "a store", tier.rule.store); }},
    {"dirty",
     [](const Field& field, TierDraft& tier) { read_keys<DirtyLimits>("dirty", field.node, dirty_keys, field.report, tier.rule.dirty); }},
    {"drain",
     [](const Field& field, TierDraft& tier) {
         Drain drain{tier.rule.drain_window, tier.rule.on_stall};
         read_keys<Drain>("drain", field.node, drain_keys, field.report, drain);
     }},
    {"on_failing_device", [](const Field& field, TierDraft& tier) { read_enum(field, "what to do", tier.rule.on_failing_device); }},
    {"when", [](const Field& field, TierDraft& tier) { read_enum(field, "a time", tier.rule.when); }},
    {"state", [](const Field& field, TierDraft& tier) { read_enum(field, "a state", tier.rule.state); }},
    {"autonomy", [](const Field& field, TierDraft& tier) { read_enum(field, "an autonomy", tier.rule.autonomy); }},
};

void read_tier(const YamlNode& key, const YamlNode& value, Report& report, Entry<TierRule>& entry) {
    auto& rule = entry.rule;
    rule.name = key.text;
    TierDraft tier{rule};
    entry.spots = read_keys<TierDraft>("a tier", value, tier_keys, report, tier);
    if (value.kind != YamlNode::Kind::Map || !value.sound) return;
    if (tier.settings != nullptr && entry.spots.understood("kind")) read_settings(*tier.settings, rule.kind, report, rule.settings);
    check_tier(entry, report);
}

}  // namespace

void read_tiers(const YamlNode& node, Report& report, Draft& draft) {
    read_entries("tiers", "tier", node, report, entry_name_complaint, draft, draft.tiers,
                 [&](const YamlNode& key, const YamlNode& value, Entry<TierRule>& entry) {
                     const auto errors = report.errors();
                     read_tier(key, value, report, entry);
                     if (report.errors() != errors) draft.faulty_tiers.push_back(entry);
                 });
}

std::map<std::string, std::vector<std::string_view>> tier_grammar() {
    return {{"tiers.*", names_in<TierDraft>(tier_keys)},
            {"tiers.*.dirty", names_in<DirtyLimits>(dirty_keys)},
            {"tiers.*.drain", names_in<Drain>(drain_keys)},
            {"tiers.*.settings", setting_names()},
            {"tiers.*.backing", device_grammar().at("devices.*.match")}};
}

}  // namespace tierd::config
