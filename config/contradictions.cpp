// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/contradictions.hpp"

#include <algorithm>
#include <set>

namespace tierd::config {

namespace {

constexpr std::uint32_t all_of_it = 10'000;  // in hundredths of a percent

// One side of a contradiction: "tier media", and where it says so.
struct Side {
    std::string title;
    Place place;
};

/// Those that put a cache in front of an LV.
std::map<VolumeName, const Entry<TierRule>*> tiers_by_volume(const Draft& draft) {
    std::map<VolumeName, const Entry<TierRule>*> tiers;
    for (const auto& tier : draft.tiers) {
        const bool is_cache = tier.rule.kind == TierKind::Cache || tier.rule.kind == TierKind::Writecache;
        if (is_cache && tier.rule.state == Presence::Present) tiers.emplace(tier.rule.volume, &tier);
    }
    return tiers;
}

class Finder {
public:
    Finder(const Draft& draft, std::vector<Problem>& problems) : draft_{draft}, problems_{problems} {}

    std::map<std::string, std::string> run() {
        names(draft_.devices, "device");
        names(draft_.tiers, "tier");
        names(draft_.snapshots, "snapshot");
        names(draft_.pools, "pool");
        volumes();
        const auto users_of = users();
        for (const auto& device : draft_.devices) {
            if (const auto found = users_of.find(device.rule.name); found != users_of.end() && found->second.size() > 1)
                sharing(device, found->second);
        }
        snapshots();
        freeze_users();
        return std::move(frozen_);
    }

private:
    using Tiers = std::vector<const Entry<TierRule>*>;

    static std::string title(const DeviceRule& rule) { return "device " + rule.name; }
    static std::string title(const TierRule& rule) { return "tier " + rule.name; }
    static std::string title(const SnapshotRule& rule) { return "snapshot " + rule.name; }
    static std::string title(const PoolRule& rule) { return "pool " + rule.pool.text(); }

    /// Said once, at the later of the two places, as of everything that is there twice.
    void contradict(const Side& a, const Side& b, const std::string& why) {
        const bool in_order = a.place < b.place;
        const Side& first = in_order ? a : b;
        const Side& second = in_order ? b : a;
        problems_.push_back({Severity::Error, second.place,
                             second.title + ": contradicts " + called(first, second) + ": " + why + "; nothing is done about either"});
        const std::string way_out = "; edit " + short_place(first.place) + " or " + short_place(second.place) + ", then reload";
        frozen_.emplace(a.title, "contradicts " + called(b, a) + ": " + why + way_out);
        frozen_.emplace(b.title, "contradicts " + called(a, b) + ": " + why + way_out);
    }
    static std::string called(const Side& side, const Side& other) {
        return (side.title == other.title ? "" : side.title + " in ") + short_place(side.place);
    }

    // The entries are sorted by name: equal ones stand side by side.
    template <typename Rule>
    void names(const std::vector<Entry<Rule>>& entries, const std::string& word) {
        for (std::size_t i = 1; i < entries.size(); ++i) {
            const auto& a = entries[i - 1].rule;
            const auto& b = entries[i].rule;
            if (title(a) == title(b))
                contradict({title(a), a.place}, {title(b), b.place}, "there are two entries of this " + word + "'s name");
        }
    }

    static std::string fronted(const TierRule& rule) {
        if (!rule.volume.lv.empty()) return rule.volume.text();
        if (!rule.filesystem.empty()) return rule.filesystem;
        return "the backing disk " + describe(rule.backing.value_or(DeviceMatch{}));
    }

    // Exact, so that two texts are equal when the matches are.
    static std::string describe(const DeviceMatch& match) {
        std::string text = match.kind ? "kind " + std::string{name_of(*match.kind)} : "";
        const auto add = [&](std::string_view key, const std::vector<std::string>& globs) {
            if (!globs.empty()) text += (text.empty() ? "" : ", ") + std::string{key};
            for (const auto& glob : globs) text += ' ' + quote(glob);
        };
        add("transport", match.transport);
        add("serial", match.serial);
        add("wwn", match.wwn);
        add("model", match.model);
        add("path", match.path);
        add("partlabel", match.partlabel);
        add("partuuid", match.partuuid);
        return match.min_size ? text + ", min_size " + spell_size(*match.min_size) : text;
    }

    void volumes() {
        std::map<std::string, const TierRule*> first;
        for (const auto& entry : draft_.tiers) {
            const auto& rule = entry.rule;
            const auto [other, fresh] = first.emplace(fronted(rule), &rule);
            if (fresh || other->second->name == rule.name) continue;
            contradict({title(*other->second), other->second->place}, {title(rule), rule.place}, "both are tiers for " + other->first);
        }
    }

    // Of tiers that contradict each other already one speaks for all: only one of them can be meant.
    [[nodiscard]] std::map<std::string, Tiers> users() const {
        std::map<std::string, Tiers> users;
        std::set<std::string> names, volumes;
        for (const auto& entry : draft_.tiers) {
            if (entry.rule.state == Presence::Absent) continue;
            const bool new_name = names.insert(entry.rule.name).second;
            const bool new_volume = volumes.insert(fronted(entry.rule)).second;
            if (!new_name || !new_volume) continue;
            for (const auto& name : entry.rule.devices) users[name].push_back(&entry);
        }
        return users;
    }

    // Each named at its device key, all against the first.
    void all_contradict(const Tiers& tiers, const std::string& why) {
        const auto side = [](const Entry<TierRule>& entry) { return Side{title(entry.rule), entry.place("device")}; };
        for (std::size_t i = 1; i < tiers.size(); ++i) contradict(side(*tiers[0]), side(*tiers[i]), why);
    }

    void sharing(const Entry<DeviceRule>& device, const Tiers& users) {
        const auto& name = device.rule.name;
        Tiers whole, unsized, shared;
        std::set<std::string> groups;
        std::uint64_t shares = 0;
        for (const auto* user : users) {
            const auto& rule = user->rule;
            if (rule.kind == TierKind::Bcache) {
                whole.push_back(user);
                continue;
            }
            if (!rule.volume.vg.empty()) groups.insert(rule.volume.vg);
            const auto* share = rule.size ? std::get_if<Percent>(&*rule.size) : nullptr;
            if (!rule.size) unsized.push_back(user);
            if (share != nullptr) shared.push_back(user), shares += share->hundredths;
        }
        const std::uint64_t disks = device.rule.count;
        if (!whole.empty() && whole.size() != users.size()) {
            all_contradict(users, "bcache takes all of device " + name + ", which others want too");
        } else if (groups.size() > disks) {
            all_contradict(users, "device " + name + " cannot serve " + std::to_string(groups.size()) + " volume groups");
        } else if (unsized.size() > disks) {
            all_contradict(unsized, "each wants all that fits on device " + name + "; give them sizes");
        } else if (shares > all_of_it * disks) {
            all_contradict(shared, "together they want " +
                                       format_percent(Percent{static_cast<std::uint32_t>(std::min<std::uint64_t>(shares, ~0U))}) +
                                       " of device " + name);
        } else if (shares == all_of_it * disks && shared.size() != users.size()) {
            all_contradict(users, "nothing is left of device " + name + " for all of them");
        }
    }

    // LVM puts no cache in front of a thin volume, or (from 2.03.23 on) takes no snapshot of it then.
    void snapshots() {
        const auto tiers = tiers_by_volume(draft_);
        for (const auto& snapshot : draft_.snapshots) {
            if (snapshot.rule.state == Presence::Absent || snapshot.rule.kind != SnapshotKind::Thin) continue;
            for (const auto& volume : snapshot.rule.volumes) {
                const auto found = tiers.find(volume);
                if (found == tiers.end()) continue;
                const auto& tier = *found->second;
                contradict({title(snapshot.rule), snapshot.place("volumes")}, {title(tier.rule), tier.place("volume")},
                           "a volume with a cache has no thin snapshots (" + volume.text() + ')');
            }
        }
    }

    // A tier does not know which disk it may take while its device's entries contradict each other.
    void freeze_users() {
        for (const auto& tier : draft_.tiers) {
            for (const auto& name : tier.rule.devices) {
                if (frozen_.contains("device " + name)) frozen_.emplace(title(tier.rule), "its device " + name + " is frozen");
            }
        }
    }

    const Draft& draft_;
    std::vector<Problem>& problems_;
    std::map<std::string, std::string> frozen_;
};

}  // namespace

std::map<std::string, std::string> find_contradictions(const Draft& draft, std::vector<Problem>& problems) {
    return Finder{draft, problems}.run();
}

void warn_of_crowds(const Draft& draft, std::vector<Problem>& problems) {
    std::map<VolumeName, std::vector<const Entry<SnapshotRule>*>> rules;
    for (const auto& entry : draft.snapshots) {
        if (entry.rule.kind != SnapshotKind::Thick || entry.rule.state == Presence::Absent) continue;
        for (const auto& volume : entry.rule.volumes) rules[volume].push_back(&entry);
    }
    for (const auto& [volume, entries] : rules) {
        unsigned sum = 0;
        unsigned allowed = 0;
        for (const auto* entry : entries) {
            sum += most_at_once(entry->rule.keep);
            allowed = std::max(allowed, entry->rule.max_active);
        }
        if (entries.size() < 2 || sum <= allowed) continue;
        for (const auto* entry : entries) {
            problems.push_back({Severity::Warning, entry->place("keep"),
                                "keep: " + std::to_string(entries.size()) + " rules ask for " + std::to_string(sum) +
                                    " thick snapshots of " + volume.text() + " together; each one costs every write to the origin"});
        }
    }
}

void warn_of_copies(const Draft& draft, std::vector<Problem>& problems) {
    const auto tiers = tiers_by_volume(draft);
    for (const auto& snapshot : draft.snapshots) {
        if (snapshot.rule.kind != SnapshotKind::Thick || snapshot.rule.state == Presence::Absent) continue;
        for (const auto& volume : snapshot.rule.volumes) {
            const auto found = tiers.find(volume);
            if (found == tiers.end() || found->second->rule.kind != TierKind::Writecache) continue;
            const auto& tier = *found->second;
            problems.push_back({Severity::Warning, snapshot.place("volumes"),
                                "volumes: while there is a thick snapshot of " + volume.text() +
                                    ", the first write to each chunk waits for a " +
                                    "copy on the slow disk, which the writecache of tier " + tier.rule.name + " (" +
                                    short_place(tier.rule.place) + ") is to spare"});
        }
    }
}

}  // namespace tierd::config
