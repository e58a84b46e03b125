// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "interface_text.hpp"

#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace tierd::test {
namespace {

using Attributes = std::map<std::string, std::string>;

Attributes attributes_of(const std::string& tag) {
    static const std::regex pattern{R"re(([a-z]+)\s*=\s*"([^"]*)")re"};
    Attributes attributes;
    for (auto each = std::sregex_iterator{tag.begin(), tag.end(), pattern}; each != std::sregex_iterator{}; ++each)
        attributes[(*each)[1]] = (*each)[2];
    return attributes;
}

/// Told of all tags and comments in their order.
struct Reader {
    Introspection result;
    std::string interface, comment;
    Member* member = nullptr;

    void tag(const std::string& text) {
        static const std::regex name_pattern{R"(^[a-z]+)"};
        std::smatch match;
        if (!std::regex_search(text, match, name_pattern)) return;
        const std::string kind = match.str();
        Attributes attributes = attributes_of(text);
        if (kind == "interface") {
            interface = attributes["name"];
            result.interfaces[interface];
        } else if (kind == "node" && attributes.count("name") != 0) {
            result.children.push_back(attributes["name"]);
        } else if (kind == "method" || kind == "signal" || kind == "property") {
            const std::regex documented{R"(^\s*)" + attributes["name"] + ":"};
            auto& members = result.interfaces[interface];
            members.push_back(
                {kind, attributes["name"], attributes["type"], attributes["access"], {}, {}, std::regex_search(comment, documented)});
            member = &members.back();
        } else if (kind == "arg" && member != nullptr) {
            // A signal's arguments have no direction.
            const std::string direction = member->kind == "signal" ? "" : attributes["direction"].empty() ? "in" : attributes["direction"];
            member->arguments.push_back({attributes["name"], attributes["type"], direction});
        } else if (kind == "annotation" && member != nullptr) {
            member->annotations[attributes["name"]] = attributes["value"];
        }
        comment.clear();
    }
};

}  // namespace

std::string Member::signature() const {
    std::string text = kind + ' ' + name;
    for (const Argument& argument : arguments) text += ' ' + argument.direction + ' ' + argument.type + ' ' + argument.name + ',';
    if (kind != "property") return text;
    const auto emits = annotations.find("org.freedesktop.DBus.Property.EmitsChangedSignal");
    return text + ' ' + type + ' ' + access + " emits " + (emits == annotations.end() ? "true" : emits->second);
}

std::set<std::string> Introspection::signatures(const std::string& interface) const {
    std::set<std::string> result;
    for (const Member& member : interfaces.at(interface)) result.insert(member.signature());
    return result;
}

Introspection read_introspection(const std::string& xml) {
    Reader reader;
    for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at)) {
        const bool is_comment = xml.compare(at, 4, "<!--") == 0;
        const std::size_t end = xml.find(is_comment ? "-->" : ">", at);
        if (end == std::string::npos) throw std::runtime_error{"introspection data ends within a tag"};
        if (is_comment) {
            reader.comment = xml.substr(at + 4, end - at - 4);
        } else {
            reader.tag(xml.substr(at + 1, end - at - 1));
        }
        at = end;
    }
    return reader.result;
}

Introspection read_interface_file(const std::string& interface) {
    std::ifstream file{TIERD_SOURCE_DIR "/dbus/" + interface + ".xml"};
    if (!file) throw std::runtime_error{interface + ".xml cannot be read"};
    std::ostringstream text;
    text << file.rdbuf();
    return read_introspection(text.str());
}

}  // namespace tierd::test
