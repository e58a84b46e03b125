// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/simulated/script.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "daemon/model/error.hpp"

namespace tierd {

namespace {

/// Words of a line; "…" keeps blanks together. A # begins a comment.
std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false;
    bool begun = false;
    for (const char c : line) {
        if (c == '#' && !quoted) break;
        if (c == '"') {
            quoted = !quoted;
            begun = true;
        } else if ((c == ' ' || c == '\t') && !quoted) {
            if (begun) words.push_back(std::exchange(word, ""));
            begun = false;
        } else {
            word += c;
            begun = true;
        }
    }
    if (quoted) throw Error{ErrorCode::InvalidArgs, "a quote is not closed"};
    if (begun) words.push_back(word);
    return words;
}

Usec parse_time(const std::string& text) {
    double seconds = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (fault != std::errc{} || end != text.data() + text.size() || !(seconds >= 0 && seconds <= 1e6)) {
        throw Error{ErrorCode::InvalidArgs, "\"" + text + "\" is no time in seconds"};
    }
    return static_cast<Usec>(seconds * 1e6);
}

constexpr std::array plug_options{"serial", "wwn", "model", "transport", "size", "kind", "content"};

void check_option(const std::string& key, const std::string& value) {
    if (std::find(plug_options.begin(), plug_options.end(), key) == plug_options.end()) {
        throw Error{ErrorCode::InvalidArgs,
                    "plug knows no \"" + key + "\"; it knows serial, wwn, model, transport, size, kind and content"};
    }
    if (key == "size") parse_script_size(value);
    if (key == "kind" && value != "ssd" && value != "hdd" && value != "unknown") {
        throw Error{ErrorCode::InvalidArgs, "kind is \"" + value + "\"; one of ssd, hdd, unknown"};
    }
}

struct Verb {
    const char* name;
    bool has_value;
    bool has_options;
};
constexpr std::array<Verb, 5> verbs{
    {{"plug", false, true}, {"pull", false, false}, {"write", true, false}, {"fail", false, false}, {"lvm", false, false}}};

ScriptEvent parse_line(const std::vector<std::string>& words) {
    if (words.size() < 3) throw Error{ErrorCode::InvalidArgs, "expected: SECONDS VERB TARGET …"};
    ScriptEvent event;
    event.at = parse_time(words[0]);
    event.verb = words[1];
    event.target = words[2];
    const auto* verb = std::find_if(verbs.begin(), verbs.end(), [&](const Verb& each) { return each.name == event.verb; });
    if (verb == verbs.end()) throw Error{ErrorCode::InvalidArgs, "\"" + event.verb + "\" is no verb; one of plug, pull, write, fail, lvm"};
    if (event.verb == "lvm" && event.target != "down" && event.target != "up") {
        throw Error{ErrorCode::InvalidArgs, "lvm is down or up, not \"" + event.target + '"'};
    }
    std::size_t next = 3;
    if (verb->has_value) {
        if (words.size() < 4) throw Error{ErrorCode::InvalidArgs, event.verb + " needs a rate, such as 40MiB a second"};
        event.value = words[next++];
        parse_script_size(event.value);
    }
    for (; next < words.size(); ++next) {
        const auto equals = words[next].find('=');
        if (!verb->has_options || equals == std::string::npos) {
            throw Error{ErrorCode::InvalidArgs, "\"" + words[next] + "\" is not expected here"};
        }
        const std::string key = words[next].substr(0, equals), value = words[next].substr(equals + 1);
        check_option(key, value);
        event.options[key] = value;
    }
    return event;
}

}  // namespace

Bytes parse_script_size(const std::string& text) {
    Bytes number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string unit{end, text.data() + text.size()};
    constexpr std::array<std::pair<const char*, Bytes>, 6> units{
        {{"", 1}, {"B", 1}, {"KiB", kib}, {"MiB", mib}, {"GiB", gib}, {"TiB", tib}}};
    for (const auto& [name, size] : units) {
        if (fault == std::errc{} && unit == name && number <= (Bytes{1} << 62U) / size) return number * size;
    }
    throw Error{ErrorCode::InvalidArgs, "\"" + text + "\" is no size; write 200GiB"};
}

std::vector<ScriptEvent> parse_script(const std::string& name, const std::string& text) {
    std::vector<ScriptEvent> events;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        ++number;
        try {
            const auto words = words_of(text.substr(begin, end - begin));
            if (!words.empty()) events.push_back(parse_line(words));
        } catch (const Error& error) {
            throw Error{ErrorCode::InvalidArgs, name + ':' + std::to_string(number) + ": " + error.what()};
        }
        begin = end + 1;
    }
    std::stable_sort(events.begin(), events.end(), [](const ScriptEvent& a, const ScriptEvent& b) { return a.at < b.at; });
    return events;
}

}  // namespace tierd
