// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/keys.hpp"

#include <algorithm>
#include <set>

namespace tierd::config {

namespace {

const char* kind_of(const YamlNode& node) {
    switch (node.kind) {
        case YamlNode::Kind::Nothing: return "nothing";
        case YamlNode::Kind::Text: return "text";
        case YamlNode::Kind::List: return "a list";
        case YamlNode::Kind::Map: return "a map";
    }
    return "";
}

}  // namespace

std::optional<std::string> Field::text() const {
    if (node.kind == YamlNode::Kind::Text) return node.text;
    error(std::string{"is "} + kind_of(node) + "; one value is expected (one that begins with [ or { needs quotes)");
    return std::nullopt;
}

std::optional<std::string> Field::bare_text() const {
    if (node.kind == YamlNode::Kind::Text && node.quoted) {
        error(quote(node.text) + " is text, being in quotes; write it without them");
        return std::nullopt;
    }
    return text();
}

std::optional<std::vector<std::string>> Field::texts(bool lone) const {
    if (lone && node.kind == YamlNode::Kind::Text) return std::vector{node.text};
    if (node.kind != YamlNode::Kind::List) {
        const std::string hint = node.kind == YamlNode::Kind::Text ? "; write [" + escape(node.text) + ']' : "";
        error(std::string{"is "} + kind_of(node) + "; a list is expected" + hint);
        return std::nullopt;
    }
    if (node.items.empty()) {
        error("is an empty list; leave the key out");
        return std::nullopt;
    }
    std::vector<std::string> all;
    std::set<std::string> seen;
    const auto errors = report.errors();
    for (const auto& item : node.items) {
        const Field one{key, item, report};
        if (item.kind == YamlNode::Kind::Nothing) {
            one.error("an empty place in the list");
        } else if (const auto value = one.text(); value && !seen.insert(*value).second) {
            one.refuse("is in the list twice");
        } else if (value) {
            all.push_back(*value);
        }
    }
    if (report.errors() != errors) return std::nullopt;
    return all;
}

Spots read_pairs(std::string_view what, const YamlNode& map, const std::vector<std::string_view>& names, Report& report,
                 const ReadPair& read) {
    Spots spots;
    if (map.kind != YamlNode::Kind::Map) {
        report.error(map.spot,
                     std::string{what} + ": is " + kind_of(map) + "; a map is expected: lines of \"key: value\", indented below it");
        return spots;
    }
    std::map<std::string_view, Spot> first;
    for (const auto& [key, value] : map.pairs) {
        if (!key.sound) continue;
        const auto found = std::find(names.begin(), names.end(), key.text);
        if (found == names.end()) {
            report.error(key.spot, quote(key.text) + " is not a key of " + std::string{what} + suggestion(key.text, names));
            continue;
        }
        if (const auto [at, fresh] = first.emplace(*found, key.spot); !fresh) {
            report.error(key.spot, key.text + ": is written twice in " + std::string{what} + "; the first is in line " +
                                       std::to_string(at->second.line));
            continue;
        }
        spots.note(*found, value.spot);
        if (!value.sound && value.kind != YamlNode::Kind::Map) continue;  // reported already; a map still has sound keys to look at
        if (value.kind == YamlNode::Kind::Nothing) {
            report.error(key.spot, key.text + ": has no value");
            continue;
        }
        read(static_cast<std::size_t>(found - names.begin()), value);
    }
    return spots;
}

}  // namespace tierd::config
