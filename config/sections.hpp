// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/keys.hpp"
#include "config/names.hpp"

/// From YAML to typed entries, one .cpp a section. What one entry says is checked here; what several say together in check.hpp.
namespace tierd::config {

template <typename Rule>
struct Entry {
    Rule rule;
    Spots spots;
    [[nodiscard]] Place place(std::string_view key) const {
        const auto spot = spots.of(key, {rule.place.line, rule.place.column});
        return {rule.place.file, spot.line, spot.column};
    }
};

/// All that the files said, before it is held against each other.
struct Draft {
    std::vector<Entry<DeviceRule>> devices;
    std::vector<Entry<TierRule>> tiers;
    std::vector<Entry<SnapshotRule>> snapshots;
    std::vector<Entry<PoolRule>> pools;
    struct Said {
        Autonomy value = Autonomy::Observe;
        Place place;
    };
    std::vector<Said> autonomy;
    bool autonomy_unclear = false;              ///< somebody said one that could not be read
    std::vector<Entry<TierRule>> faulty_tiers;  ///< left out, and what they say of others is held against those all the same
    std::map<std::string, Place> faulty;        ///< "device fast": was there, and left out because of its own problems
};

/// One file's document. An entry with a problem is left out; the others are read all the same.
void read_document(const YamlNode& root, Report& report, Draft& draft);

void read_devices(const YamlNode& node, Report& report, Draft& draft);
void read_tiers(const YamlNode& node, Report& report, Draft& draft);
void read_snapshots(const YamlNode& node, Report& report, Draft& draft);
void read_pools(const YamlNode& node, Report& report, Draft& draft);

void read_match(const Field& field, DeviceMatch& match);
/// whole: what a share in max is of; "" where it must be a size.
void read_extend(const Field& field, ExtendRule& rule, std::string_view whole);

/// The most snapshots of one volume that can stand at a time: each may be kept for a reason of its own.
unsigned most_at_once(const Keep& keep);

/// How a disk may be attached: BlockDevice::transport.
const std::vector<std::string_view>& transport_names();

/// The keys that each map of a policy knows, by the path to it ("tiers.*.dirty"). For the test of the schema.
std::map<std::string, std::vector<std::string_view>> grammar();
std::map<std::string, std::vector<std::string_view>> device_grammar();
std::map<std::string, std::vector<std::string_view>> tier_grammar();
std::map<std::string, std::vector<std::string_view>> snapshot_grammar();
std::map<std::string, std::vector<std::string_view>> pool_grammar();

/// Calls read for each entry of a section whose name is well; keeps the entry if that reported nothing.
template <typename Rule, typename Read>
void read_entries(std::string_view section, std::string_view word, const YamlNode& node, Report& report,
                  std::string (*name_complaint)(std::string_view), Draft& draft, std::vector<Entry<Rule>>& entries, Read read) {
    if (node.kind != YamlNode::Kind::Map) {
        report.error(node.spot,
                     std::string{section} + ": a map is expected: the name of a " + std::string{word} + ", and its keys below it");
        return;
    }
    for (const auto& [key, value] : node.pairs) {
        const std::string title = std::string{word} + ' ' + key.text;
        const auto errors = report.errors();
        Entry<Rule> entry;
        entry.rule.place = report.place(key.spot);
        if (!key.sound) continue;
        if (const auto complaint = name_complaint(key.text); !complaint.empty())
            report.error(key.spot, std::string{word} + ": " + quote(key.text) + ' ' + complaint);
        if (value.sound && value.kind == YamlNode::Kind::Nothing) {
            report.error(key.spot, title + ": has no keys; write them below it, indented further");
        } else if (value.sound || value.kind == YamlNode::Kind::Map) {
            read(key, value, entry);
        }
        if (value.sound && report.errors() == errors) {
            entries.push_back(std::move(entry));
        } else {
            draft.faulty.emplace(title, report.place(key.spot));
        }
    }
}

}  // namespace tierd::config
