// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/report.hpp"

namespace tierd::config {

struct Pair;

/// A piece of YAML, as written: text is never interpreted here ("no", "010" and "null" stay text; a missing value is Nothing).
struct YamlNode {
    enum class Kind { Nothing, Text, List, Map };
    Kind kind = Kind::Nothing;
    Spot spot;
    std::string text;
    bool quoted = false;
    bool sound = true;  ///< false: something in it was reported already
    std::vector<YamlNode> items;
    std::vector<Pair> pairs;  ///< in the order written; duplicates are for the reader to find
};
struct Pair {
    YamlNode key, value;
};

/// One document of normalised text. Refused, each with its place: a second document, tags, anchors, aliases, merge keys, keys that
/// are no text, text over several lines, hidden characters, more levels than max_depth. An empty document is Nothing.
/// nullopt after a problem that leaves nothing to go on with; lesser ones mark their node as not sound.
std::optional<YamlNode> read_yaml(const std::string& text, Report& report);

inline constexpr std::size_t max_depth = 12;

}  // namespace tierd::config
