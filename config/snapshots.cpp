// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/sections.hpp"

namespace tierd::config {

namespace {

constexpr std::uint64_t most_kept = 10'000;
constexpr std::uint64_t most_active = 64;

constexpr Key<Keep> keep_keys[] = {
    {"last", [](const Field& field, Keep& keep) { read_count(field, 1, most_kept, keep.last); }},
    {"hourly", [](const Field& field, Keep& keep) { read_count(field, 1, most_kept, keep.hourly); }},
    {"daily", [](const Field& field, Keep& keep) { read_count(field, 1, most_kept, keep.daily); }},
    {"weekly", [](const Field& field, Keep& keep) { read_count(field, 1, most_kept, keep.weekly); }},
    {"monthly", [](const Field& field, Keep& keep) { read_count(field, 1, most_kept, keep.monthly); }},
};

void read_volumes(const Field& field, SnapshotRule& rule) {
    const auto texts = field.texts(false);
    if (!texts) return;
    for (const auto& text : *texts) {
        if (const auto complaint = volume_name_complaint(text); !complaint.empty()) {
            field.error(quote(text) + ' ' + complaint);
        } else {
            rule.volumes.push_back(split_volume(text));
        }
    }
}

void read_snapshot_schedule(const Field& field, SnapshotRule& rule) {
    const auto text = field.text();
    if (text && *text != "none") take(field, parse_schedule(*text), rule.schedule);
}

constexpr Key<SnapshotRule> snapshot_keys[] = {
    {"volumes", read_volumes},
    {"kind", [](const Field& field, SnapshotRule& rule) { read_enum(field, "a kind of snapshot", rule.kind); }},
    {"size",
     [](const Field& field, SnapshotRule& rule) {
         if (const auto text = field.text()) take(field, parse_size_or_share(*text, "the origin"), rule.size);
     }},
    {"schedule", read_snapshot_schedule},
    {"keep", [](const Field& field, SnapshotRule& rule) { read_keys<Keep>("keep", field.node, keep_keys, field.report, rule.keep); }},
    {"max_active", [](const Field& field, SnapshotRule& rule) { read_count(field, 1, most_active, rule.max_active); }},
    {"extend", [](const Field& field, SnapshotRule& rule) { read_extend(field, rule.extend.emplace(), "the origin"); }},
    {"when_full", [](const Field& field, SnapshotRule& rule) { read_enum(field, "what to do", rule.when_full); }},
    {"state", [](const Field& field, SnapshotRule& rule) { read_enum(field, "a state", rule.state); }},
    {"autonomy", [](const Field& field, SnapshotRule& rule) { read_enum(field, "an autonomy", rule.autonomy); }},
};

void check_thick(const Entry<SnapshotRule>& entry, Spot own, Report& report) {
    const auto& rule = entry.rule;
    const auto& spots = entry.spots;
    if (!spots.has("size"))
        report.error(own, "snapshot " + rule.name + ": size is missing; a thick one needs it, as a size or as a share of the origin: 20%");
    if (const auto most = most_at_once(rule.keep); spots.sound("keep") && spots.sound("max_active") && most > rule.max_active) {
        report.error(entry.spots.of("keep", own),
                     "keep: asks for " + std::to_string(most) + " thick snapshots of each volume, and max_active is " +
                         std::to_string(rule.max_active) + "; each one costs every write to the origin: keep fewer, or raise max_active");
    }
    const bool comparable =
        spots.sound("extend") && rule.extend && rule.extend->max && rule.size && rule.size->index() == rule.extend->max->index();
    if (comparable && *rule.extend->max < *rule.size) {
        report.error(entry.spots.of("extend", own), "extend: max is less than the size that the snapshot begins with");
    }
}

void check_thin(const Entry<SnapshotRule>& entry, Report& report) {
    struct ThickOnly {
        std::string_view key, why;
    };
    constexpr ThickOnly thick_only[] = {
        {"size", "it takes its space from the pool"},
        {"max_active", "thin ones do not slow their origin down"},
        {"extend", "what fills is the pool: give it an entry under pools"},
        {"when_full", "what fills is the pool: give it an entry under pools"},
    };
    for (const auto& [key, why] : thick_only) {
        if (entry.spots.has(key))
            report.error(entry.spots.of(key, {}), std::string{key} + ": is for thick snapshots, and these are thin; " + std::string{why});
    }
}

// Found now, not when the first of a set has been made and the second cannot be.
void check_names(const SnapshotRule& rule, Spot own, Report& report) {
    for (const auto& volume : rule.volumes) {
        const auto name = snapshot_name(volume.lv, rule.name);
        auto complaint = reserved_complaint(name);
        if (complaint.empty()) complaint = length_complaint(volume.vg, name, snapshot_suffix);
        if (!complaint.empty())
            report.error(own,
                         "snapshot " + rule.name + ": of " + volume.text() + " would be called " + quote(name) + ", which " + complaint);
    }
}

void read_snapshot(const YamlNode& key, const YamlNode& value, Report& report, Entry<SnapshotRule>& entry) {
    auto& rule = entry.rule;
    rule.name = key.text;
    entry.spots = read_keys<SnapshotRule>("a snapshot rule", value, snapshot_keys, report, rule);
    if (value.kind != YamlNode::Kind::Map || !value.sound) return;
    const std::string title = "snapshot " + rule.name + ": ";
    if (!entry.spots.has("volumes")) report.error(key.spot, title + "volumes is missing; say of what: [VG/LV]");
    if (!entry.spots.has("kind")) report.error(key.spot, title + "kind is missing; one of " + list_of(names_of<SnapshotKind>()));
    if (rule.schedule && entry.spots.sound("keep") && most_at_once(rule.keep) == 0) {
        report.error(key.spot, title + "keep is missing; a schedule without it would fill the volume group");
    }
    if (!entry.spots.understood("kind")) return;
    rule.kind == SnapshotKind::Thick ? check_thick(entry, key.spot, report) : check_thin(entry, report);
    check_names(rule, key.spot, report);
}

}  // namespace

unsigned most_at_once(const Keep& keep) {
    unsigned sum = 0;
    for (const auto& count : {keep.last, keep.hourly, keep.daily, keep.weekly, keep.monthly}) sum += count.value_or(0);
    return sum;
}

void read_snapshots(const YamlNode& node, Report& report, Draft& draft) {
    read_entries("snapshots", "snapshot", node, report, entry_name_complaint, draft, draft.snapshots,
                 [&](const YamlNode& key, const YamlNode& value, Entry<SnapshotRule>& entry) { read_snapshot(key, value, report, entry); });
}

std::map<std::string, std::vector<std::string_view>> snapshot_grammar() {
    return {{"snapshots.*", names_in<SnapshotRule>(snapshot_keys)}, {"snapshots.*.keep", names_in<Keep>(keep_keys)}};
}

}  // namespace tierd::config
