// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/assemble.hpp"

#include <algorithm>
#include <tuple>

#include "config/contradictions.hpp"
#include "daemon/model/support.hpp"

namespace tierd::config {

namespace {

using Problems = std::vector<Problem>;

// The devices are sorted by name.
const Entry<DeviceRule>* find(const std::vector<Entry<DeviceRule>>& devices, const std::string& name) {
    const auto found =
        std::lower_bound(devices.begin(), devices.end(), name, [](const auto& entry, const auto& text) { return entry.rule.name < text; });
    return found == devices.end() || found->rule.name != name ? nullptr : &*found;
}

std::string missing_device(const std::string& name, const Draft& draft) {
    constexpr std::size_t most = 64;  // names that are looked at for what was meant, for each tier anew
    constexpr std::string_view device_word = "device ";
    const std::string said = "device: " + quote(name);
    if (const auto faulty = draft.faulty.find(std::string{device_word} + name); faulty != draft.faulty.end()) {
        return said + " is left out because of its own problems (" + short_place(faulty->second) + ')';
    }
    if (draft.devices.size() > most) return said + " is not a name under devices; there are " + std::to_string(draft.devices.size());
    std::vector<std::string_view> names;
    for (const auto& entry : draft.devices) names.push_back(entry.rule.name);
    for (const auto& [title, place] : draft.faulty) {
        if (title.starts_with(device_word)) names.push_back(std::string_view{title}.substr(device_word.size()));
    }
    return said + " is not a name under devices" + (names.empty() ? "; there is none" : suggestion(name, names));
}

// striped and raid1 put one half on each of two disks.
bool two_disks(const TierRule& rule, const Draft& draft) {
    if (rule.devices.size() == 2) return true;
    const auto* device = find(draft.devices, rule.devices.front());
    return device != nullptr && device->rule.count == 2;
}

std::string loss(const TierRule& rule) {
    if (rule.kind == TierKind::Journal) return "a journal cannot stand on it";
    if (rule.kind == TierKind::Writecache) return "a writecache cannot stand on it; kind cache in mode writethrough can";
    return "writeback would lose what is dirty; write mode: writethrough";
}

bool needs_lasting(const TierRule& rule) {
    return rule.kind == TierKind::Journal || rule.mode == CacheMode::Writeback;
}

// The problems of one tier with the devices that it names.
Problems check_devices(const Entry<TierRule>& entry, const Draft& draft) {
    Problems found;
    const auto& rule = entry.rule;
    const auto error = [&](std::string_view key, const std::string& text) { found.push_back({Severity::Error, entry.place(key), text}); };
    for (const auto& name : rule.devices) {
        const auto* device = find(draft.devices, name);
        if (device == nullptr) {
            error("device", missing_device(name, draft));
        } else if (device->rule.volatile_contents && needs_lasting(rule)) {
            error(entry.spots.has("mode") ? "mode" : "kind", "tier " + rule.name + ": device " + name + " is volatile (" +
                                                                 short_place(device->place("volatile")) + "), and " + loss(rule));
        }
    }
    if (found.empty() && rule.layout != Layout::Linear && !two_disks(rule, draft)) {
        error("layout", "layout: " + std::string{name_of(rule.layout)} + " needs two disks; give device " + rule.devices.front() +
                            " a count of 2, or name two devices: [one, other]");
    }
    return found;
}

/// All problems are told at once: also a name that is nobody's in an entry with another fault.
void check_names_of_faulty(const Draft& draft, Problems& problems) {
    for (const auto& entry : draft.faulty_tiers) {
        if (!entry.spots.understood("device")) continue;
        for (const auto& name : entry.rule.devices) {
            if (find(draft.devices, name) == nullptr)
                problems.push_back({Severity::Error, entry.place("device"), missing_device(name, draft)});
        }
    }
}

void drop_tiers_without_device(Draft& draft, Problems& problems) {
    std::vector<Entry<TierRule>> kept;
    for (auto& entry : draft.tiers) {
        auto found = check_devices(entry, draft);
        if (found.empty()) kept.push_back(std::move(entry));
        problems.insert(problems.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    }
    draft.tiers = std::move(kept);
}

// Of several words the most cautious holds, whatever the order of the files.
Autonomy merge_autonomy(const Draft& draft, Problems& problems) {
    if (draft.autonomy_unclear) return Autonomy::Observe;
    if (draft.autonomy.empty()) return Autonomy::Act;
    const auto least =
        std::min_element(draft.autonomy.begin(), draft.autonomy.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    for (const auto& said : draft.autonomy) {
        if (said.value == least->value) continue;
        problems.push_back({Severity::Error, said.place,
                            "autonomy: " + std::string{name_of(said.value)} + " here and " + std::string{name_of(least->value)} + " in " +
                                short_place(least->place) + "; until they agree the more cautious one holds"});
    }
    return least->value;
}

const std::string& sort_name(const DeviceRule& rule) {
    return rule.name;
}
const std::string& sort_name(const TierRule& rule) {
    return rule.name;
}
const std::string& sort_name(const SnapshotRule& rule) {
    return rule.name;
}
std::string sort_name(const PoolRule& rule) {
    return rule.pool.text();
}

template <typename Rule>
void sort_entries(std::vector<Entry<Rule>>& entries) {
    std::sort(entries.begin(), entries.end(), [](const Entry<Rule>& a, const Entry<Rule>& b) {
        return std::tuple{sort_name(a.rule), a.rule.place} < std::tuple{sort_name(b.rule), b.rule.place};
    });
}

template <typename Rule>
std::vector<Rule> rules_of(std::vector<Entry<Rule>>& entries) {
    std::vector<Rule> rules;
    rules.reserve(entries.size());
    for (auto& entry : entries) rules.push_back(std::move(entry.rule));
    return rules;
}

template <typename Rule>
void inherit(std::vector<Entry<Rule>>& entries, Autonomy autonomy) {
    for (auto& entry : entries) {
        if (!entry.spots.has("autonomy")) entry.rule.autonomy = autonomy;
    }
}

/// Read and checked now, so that a policy may be written for a later version: no fault, and not what it looks like either.
template <typename Rule>
void note_unsupported(const std::vector<Entry<Rule>>& entries, const std::string& word, Problems& problems) {
    for (const auto& entry : entries) {
        const auto unsupported = unsupported_part(entry.rule);
        if (unsupported.what.empty()) continue;
        problems.push_back({Severity::Info, unsupported.key.empty() ? entry.rule.place : entry.place(unsupported.key),
                            word + sort_name(entry.rule) + ": " + unsupported.what + (unsupported.key.empty() ? " are" : " is") +
                                " read and checked, and not acted on by this version"});
    }
}

}  // namespace

Policy assemble(Draft draft, Problems& problems) {
    sort_entries(draft.devices);
    sort_entries(draft.tiers);
    sort_entries(draft.snapshots);
    sort_entries(draft.pools);
    check_names_of_faulty(draft, problems);
    drop_tiers_without_device(draft, problems);

    Policy policy;
    policy.autonomy = merge_autonomy(draft, problems);
    inherit(draft.tiers, policy.autonomy);
    inherit(draft.snapshots, policy.autonomy);
    inherit(draft.pools, policy.autonomy);
    policy.frozen = find_contradictions(draft, problems);
    warn_of_crowds(draft, problems);
    warn_of_copies(draft, problems);
    note_unsupported(draft.devices, "device ", problems);
    note_unsupported(draft.tiers, "tier ", problems);
    note_unsupported(draft.snapshots, "snapshot ", problems);
    note_unsupported(draft.pools, "pool ", problems);
    policy.devices = rules_of(draft.devices);
    policy.tiers = rules_of(draft.tiers);
    policy.snapshots = rules_of(draft.snapshots);
    policy.pools = rules_of(draft.pools);
    return policy;
}

}  // namespace tierd::config
