// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/sections.hpp"

namespace tierd::config {

namespace {

constexpr std::string_view defaults_key = "defaults";
using ReadSection = void (*)(const YamlNode&, Report&, Draft&);

struct Defaults {
    Autonomy autonomy = Autonomy::Act;
};
constexpr Key<Defaults> default_keys[] = {
    {"autonomy", [](const Field& field, Defaults& defaults) { read_enum(field, "an autonomy", defaults.autonomy); }},
};

// What could not be read might have been "observe": until it can, nothing is done.
void read_defaults(const YamlNode& node, Report& report, Draft& draft) {
    const auto errors = report.errors();
    Defaults defaults;
    const auto spots = read_keys<Defaults>(defaults_key, node, default_keys, report, defaults);
    if (report.errors() != errors || !node.sound) {
        draft.autonomy_unclear = true;
    } else if (spots.has("autonomy")) {
        draft.autonomy.push_back({defaults.autonomy, report.place(spots.of("autonomy", node.spot))});
    }
}

struct Section {
    std::string_view name;
    ReadSection read;
};
constexpr Section sections[] = {
    {"devices", read_devices}, {"tiers", read_tiers}, {"snapshots", read_snapshots}, {"pools", read_pools}, {defaults_key, read_defaults},
};

std::vector<std::string_view> section_names() {
    std::vector<std::string_view> names;
    for (const auto& section : sections) names.push_back(section.name);
    return names;
}

}  // namespace

void read_document(const YamlNode& root, Report& report, Draft& draft) {
    if (root.kind == YamlNode::Kind::Nothing) return;
    if (root.kind != YamlNode::Kind::Map) {
        report.error(root.spot,
                     "a map is expected: a policy begins with one of the keys " + list_of(section_names()) + ", each followed by \": \"");
        return;
    }
    read_pairs("a policy", root, section_names(), report,
               [&](std::size_t index, const YamlNode& value) { sections[index].read(value, report, draft); });
}

std::map<std::string, std::vector<std::string_view>> grammar() {
    std::map<std::string, std::vector<std::string_view>> all{{"", section_names()}, {"defaults", names_in<Defaults>(default_keys)}};
    for (auto part : {device_grammar(), tier_grammar(), snapshot_grammar(), pool_grammar()}) all.merge(part);
    return all;
}

}  // namespace tierd::config
