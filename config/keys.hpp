// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/report.hpp"
#include "config/scalars.hpp"
#include "config/words.hpp"
#include "config/yaml.hpp"
#include "daemon/model/policy.hpp"

/// A section of the policy is a table of keys; each key knows how its value is read. The table is also the list of what is allowed,
/// for "did you mean" and for the test that holds the schema against it.
namespace tierd::config {

/// Where the values of the keys that were written stand.
class Spots {
public:
    void note(std::string_view key, Spot spot) { spots_[key] = spot; }
    void fault(std::string_view key) { faulty_.insert(key); }
    /// It was written, and what was written could be read: the others hold what they are without it.
    [[nodiscard]] bool understood(std::string_view key) const { return has(key) && !faulty_.contains(key); }
    /// It was left out, or could be read.
    [[nodiscard]] bool sound(std::string_view key) const { return !faulty_.contains(key); }
    [[nodiscard]] bool has(std::string_view key) const { return spots_.contains(key); }
    /// Of the key's value; otherwise where the entry begins.
    [[nodiscard]] Spot of(std::string_view key, Spot otherwise) const {
        const auto found = spots_.find(key);
        return found == spots_.end() ? otherwise : found->second;
    }

private:
    std::map<std::string_view, Spot> spots_;  // keys are string literals of the tables
    std::set<std::string_view> faulty_;
};

/// What a key's reader gets: the value, never Nothing and never unsound, and whom to tell.
struct Field {
    std::string_view key;
    const YamlNode& node;
    Report& report;

    void error(const std::string& text) const { report.error(node.spot, std::string{key} + ": " + text); }
    /// key: "text" complaint.
    void refuse(const std::string& complaint) const { error(quote(node.text) + ' ' + complaint); }
    /// The text; nullopt and a problem for a list or a map.
    [[nodiscard]] std::optional<std::string> text() const;
    /// The same, and a problem for one in quotes: what is a number or a flag to the schema.
    [[nodiscard]] std::optional<std::string> bare_text() const;
    /// The texts of a list; lone says whether one text without brackets will do. Problems for an empty list and for repeated items.
    [[nodiscard]] std::optional<std::vector<std::string>> texts(bool lone) const;
};

template <typename Rule>
struct Key {
    std::string_view name;
    void (*read)(const Field& field, Rule& rule);
};

/// What read_map calls for each pair: the key's text is a known one of the names and occurs once.
using ReadPair = std::function<void(std::size_t index, const YamlNode& value)>;
/// Unknown and repeated keys, and keys without a value, are reported as being in what.
Spots read_pairs(std::string_view what, const YamlNode& map, const std::vector<std::string_view>& names, Report& report,
                 const ReadPair& read);

template <typename Rule>
std::vector<std::string_view> names_in(std::span<const Key<Rule>> keys) {
    std::vector<std::string_view> names;
    for (const auto& key : keys) names.push_back(key.name);
    return names;
}

template <typename Rule>
Spots read_keys(std::string_view what, const YamlNode& map, std::span<const Key<Rule>> keys, Report& report, Rule& rule) {
    std::vector<std::string_view> faulty;
    auto spots = read_pairs(what, map, names_in(keys), report, [&](std::size_t index, const YamlNode& value) {
        const auto errors = report.errors();
        keys[index].read(Field{keys[index].name, value, report}, rule);
        if (report.errors() != errors) faulty.push_back(keys[index].name);
    });
    for (const auto key : faulty) spots.fault(key);
    return spots;
}

/// Puts a parsed value into place, or refuses the text.
template <typename Value, typename Target>
void take(const Field& field, Parsed<Value> parsed, Target& target) {
    if (parsed.value) {
        target = static_cast<Target>(std::move(*parsed.value));
    } else {
        field.refuse(parsed.complaint);
    }
}

template <typename Target>
void read_size(const Field& field, Target& target) {
    if (const auto text = field.text()) take(field, parse_size(*text), target);
}
template <typename Target>
void read_percent(const Field& field, Target& target) {
    if (const auto text = field.text()) take(field, parse_percent(*text), target);
}
template <typename Target>
void read_count(const Field& field, std::uint64_t least, std::uint64_t most, Target& target) {
    const auto text = field.bare_text();
    if (!text) return;
    const auto parsed = parse_count(*text, least, most);
    if (!parsed.value) return field.refuse(parsed.complaint);
    target = static_cast<unsigned>(*parsed.value);
}
inline void read_flag(const Field& field, bool& target) {
    if (const auto text = field.bare_text()) take(field, parse_flag(*text), target);
}

/// what: "a mode".
template <typename Enum>
void read_enum(const Field& field, std::string_view what, Enum& target) {
    const auto text = field.text();
    if (!text) return;
    if (const auto value = value_of<Enum>(*text)) {
        target = *value;
        return;
    }
    field.refuse("is not " + std::string{what} + "; one of " + list_of(names_of<Enum>()));
}

}  // namespace tierd::config
