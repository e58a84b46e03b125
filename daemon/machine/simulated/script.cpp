// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/simulated/script.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "daemon/model/error.hpp"

namespace tierd {

namespace {

struct Word {
    std::string text;
    std::size_t column = 0;  ///< from 1
};

/// What is wrong with a line, and where in it.
struct Fault {
    std::size_t column = 0;
    std::string text;
};

/// Words of a line; "…" keeps blanks together. A # begins a comment.
std::vector<Word> words_of(const std::string& line) {
    std::vector<Word> words;
    std::string word;
    std::size_t column = 0, at = 0, quote = 0;
    bool quoted = false;
    bool begun = false;
    for (const char c : line) {
        ++at;
        if (c == '#' && !quoted) break;
        if (!begun) column = at;
        if (c == '"' && !quoted) quote = at;
        if (c == '"') {
            quoted = !quoted;
            begun = true;
        } else if ((c == ' ' || c == '\t') && !quoted) {
            if (begun) words.push_back({std::exchange(word, ""), column});
            begun = false;
        } else {
            word += c;
            begun = true;
        }
    }
    if (quoted) throw Fault{quote, "a quote is not closed"};
    if (begun) words.push_back({word, column});
    return words;
}

Usec parse_time(const Word& word) {
    const auto& text = word.text;
    double seconds = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (fault != std::errc{} || end != text.data() + text.size() || !(seconds >= 0 && seconds <= 1e6))
        throw Fault{word.column, '"' + text + "\" is no time in seconds"};
    return static_cast<Usec>(seconds * 1e6);
}

bool is_name(const std::string& text) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '+' ||
               c == '!';
    };
    return !text.empty() && text.front() != '-' && text != "." && text != ".." && std::all_of(text.begin(), text.end(), allowed);
}

void check_node(const Word& word) {
    constexpr std::string_view nodes = "/dev/";
    if (word.text.rfind(nodes, 0) != 0 || !is_name(word.text.substr(nodes.size())))
        throw Fault{word.column, '"' + word.text + "\" is no disk; write /dev/sdb"};
}
void check_volume(const Word& word) {
    const auto slash = word.text.find('/');
    if (slash == std::string::npos || !is_name(word.text.substr(0, slash)) || !is_name(word.text.substr(slash + 1)))
        throw Fault{word.column, '"' + word.text + "\" is no volume; write VG/LV"};
}
void check_health(const Word& word) {
    if (word.text != "ok" && word.text != "failing" && word.text != "unknown")
        throw Fault{word.column, "health is ok, failing or unknown, not \"" + word.text + '"'};
}
void check_lvm(const Word& word) {
    if (word.text != "down" && word.text != "up") throw Fault{word.column, "lvm is down or up, not \"" + word.text + '"'};
}

void check_size(const std::string& text, std::size_t column, bool zero) {
    try {
        if (parse_script_size(text) == 0 && !zero) throw Fault{column, "a disk has a size; write size=200GiB"};
    } catch (const Error& error) {
        throw Fault{column, error.what()};
    }
}

constexpr std::array plug_options{"serial", "wwn", "model", "transport", "size", "kind", "content"};

void add_option(const Word& word, ScriptEvent& event) {
    const auto equals = word.text.find('=');
    if (equals == std::string::npos) throw Fault{word.column, '"' + word.text + "\" is not expected here"};
    const std::string key = word.text.substr(0, equals), value = word.text.substr(equals + 1);
    if (std::find(plug_options.begin(), plug_options.end(), key) == plug_options.end())
        throw Fault{word.column, "plug knows no \"" + key + "\"; it knows serial, wwn, model, transport, size, kind and content"};
    if (key == "size") check_size(value, word.column, false);
    if (key == "kind" && value != "ssd" && value != "hdd" && value != "unknown")
        throw Fault{word.column, "kind is \"" + value + "\"; one of ssd, hdd, unknown"};
    if (!event.options.emplace(key, value).second) throw Fault{word.column, key + " is said twice"};
}

void check_rate(const Word& word) {
    check_size(word.text, word.column, true);
}

struct Verb {
    const char* name;
    void (*check_target)(const Word&);
    const char* value;  ///< what it needs behind its target; nullptr: nothing
    void (*check_value)(const Word&);
    bool has_options;
};
constexpr std::array<Verb, 6> verbs{{{"plug", check_node, nullptr, nullptr, true},
                                     {"pull", check_node, nullptr, nullptr, false},
                                     {"health", check_node, "one of ok, failing, unknown", check_health, false},
                                     {"write", check_volume, "a rate, such as 40MiB a second", check_rate, false},
                                     {"fail", check_volume, nullptr, nullptr, false},
                                     {"lvm", check_lvm, nullptr, nullptr, false}}};

ScriptEvent parse_line(const std::vector<Word>& words) {
    ScriptEvent event;
    event.at = parse_time(words[0]);
    if (words.size() < 3) throw Fault{words.back().column, "expected: SECONDS VERB TARGET …"};
    event.verb = words[1].text;
    event.target = words[2].text;
    const auto* verb = std::find_if(verbs.begin(), verbs.end(), [&](const Verb& each) { return each.name == event.verb; });
    if (verb == verbs.end()) throw Fault{words[1].column, '"' + event.verb + "\" is no verb; one of plug, pull, health, write, fail, lvm"};
    verb->check_target(words[2]);
    std::size_t next = 3;
    if (verb->value != nullptr) {
        if (words.size() < 4) throw Fault{words[2].column, event.verb + " needs " + verb->value};
        verb->check_value(words[next]);
        event.value = words[next++].text;
    }
    for (; next < words.size(); ++next) {
        if (!verb->has_options) throw Fault{words[next].column, '"' + words[next].text + "\" is not expected here"};
        add_option(words[next], event);
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
        } catch (const Fault& fault) {
            throw Error{ErrorCode::InvalidArgs,
                        name + ':' + std::to_string(number) + ':' + std::to_string(fault.column) + ": " + fault.text};
        }
        begin = end + 1;
    }
    std::stable_sort(events.begin(), events.end(), [](const ScriptEvent& a, const ScriptEvent& b) { return a.at < b.at; });
    return events;
}

}  // namespace tierd
