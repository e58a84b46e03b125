// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
//
// fuzz_config [--seconds N] [--seed N] [FILE…]
//
// Mutates the example policies and a few texts that YAML misreads, and holds what the loader makes of each against what must always be
// so. A text that breaks it is printed, and written to fuzz-config-failure.yaml; a FILE is tried as it is. Same seed, same texts.
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "config/loader.hpp"
#include "config/words.hpp"

namespace tierd {

namespace {

std::string read(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::vector<std::string> corpus() {
    std::vector<std::string> texts{
        "devices: {d: {match: {kind: ssd}}}\ntiers: {t: {kind: cache, volume: vg/lv, device: d, chunk_size: 64KiB, size: 1GiB}}\n",
        R"(
devices: {d: {match: {serial: X}}}
tiers:
  a: {kind: writecache, volume: vg/a, device: d}
  b: {kind: cache, volume: vg/a, device: d}
snapshots: {s: {volumes: [vg/a], kind: thin}}
)",
        R"(
tiers:
  a: {kind: bcache, backing: {serial: X}, device: d, settings: {writeback_percent: 10}}
devices:
  d: {match: {wwn: [a, "b*"]}, count: 2}
)",
        "mode: 'writeback\nkeep: 7\n",
        "%FREE: 100\n",
        "!\n: |\nb\n>\n|\n  !\n>",
        "a: &x 1\nb: *x\n<<: {c: d}\n",
        "---\na: |\n  x\n...\n---\n? [b]\n: \"\\u0041\\x00\"\n",
        "- - - [{a: b, c}, 'it''s', \"q\\\"\"]\n",
    };
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{TIERD_SOURCE_DIR "/config/examples"}) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) texts.push_back(read(file));
    return texts;
}

// What YAML, the loader or UTF-8 give a meaning of their own.
constexpr std::array<std::string_view, 84> tokens{": ",
                                                  ":",
                                                  "- ",
                                                  "? ",
                                                  "[",
                                                  "]",
                                                  "{",
                                                  "}",
                                                  ",",
                                                  "\n",
                                                  "\n  ",
                                                  "\n    ",
                                                  "\n\n",
                                                  "\r\n",
                                                  "\r",
                                                  "\t",
                                                  " ",
                                                  "#",
                                                  " # ",
                                                  "'",
                                                  "\"",
                                                  "\\",
                                                  "\\\n",
                                                  "|",
                                                  ">",
                                                  "|-\n  ",
                                                  "&a ",
                                                  "*a",
                                                  "!",
                                                  "!!str ",
                                                  "<<: ",
                                                  "%",
                                                  "\n%",
                                                  "@",
                                                  "`",
                                                  "~",
                                                  "null",
                                                  "true",
                                                  "off",
                                                  "---\n",
                                                  "...\n",
                                                  "\xef\xbb\xbf",
                                                  "\xff\xfe",
                                                  "\xe2\x80\x8b",
                                                  "\xc2\xa0",
                                                  "\xff",
                                                  "\xed\xa0\x80",
                                                  "\x01",
                                                  "0",
                                                  "010",
                                                  "1e999",
                                                  ".inf",
                                                  "-1",
                                                  "99999999999999999999",
                                                  "8193PiB",
                                                  "0.000000001PiB",
                                                  "220GB",
                                                  "100%FREE",
                                                  "50%",
                                                  "100%",
                                                  "0%",
                                                  "vg/lv",
                                                  "vg/x_cdata",
                                                  "devices:",
                                                  "tiers:",
                                                  "snapshots:",
                                                  "pools:",
                                                  "defaults: {autonomy: full}",
                                                  "kind: ",
                                                  "volume: ",
                                                  "device: ",
                                                  "match: ",
                                                  "settings: ",
                                                  "size: ",
                                                  "keep: ",
                                                  "volumes: ",
                                                  "schedule: ",
                                                  "state: absent",
                                                  "writecache",
                                                  "bcache",
                                                  "journal",
                                                  "thick",
                                                  "layout: raid1",
                                                  "count: 2"};

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : random_{seed}, corpus_{corpus()} {}

    std::string next() {
        std::string text = corpus_[below(corpus_.size())];
        for (std::size_t rounds = 1 + below(8); rounds > 0; --rounds) mutate(text);
        if (text.size() > 2 * config::max_file_size) text.resize(2 * config::max_file_size);
        return text;
    }

private:
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : static_cast<std::size_t>(random_() % limit); }

    void mutate(std::string& text) {
        const auto at = below(text.size() + 1);
        const auto length = below(std::min<std::size_t>(text.size() - at, 40) + 1);
        switch (below(10)) {
            case 0: text.erase(at, length); break;
            case 1: text.insert(at, tokens[below(tokens.size())]); break;
            case 2: text.replace(at, length, tokens[below(tokens.size())]); break;
            case 3: text.insert(at, text.substr(at, length)); break;
            case 4:
                if (at < text.size()) text[at] = static_cast<char>(below(256));
                break;
            case 5: text.insert(at, std::string(1 + below(30), ' ')); break;
            case 6: repeat(text, at); break;
            case 7: swap_lines(text); break;
            case 8: splice(text, at); break;
            default: text.resize(at); break;
        }
    }

    void repeat(std::string& text, std::size_t at) {
        const auto token = tokens[below(tokens.size())];
        std::string many;
        for (std::size_t count = below(below(20) == 0 ? 20'000 : 60); count > 0; --count) many += token;
        text.insert(at, many);
    }

    void swap_lines(std::string& text) {
        std::vector<std::string> lines;
        for (std::size_t from = 0; from < text.size();) {
            const auto end = std::min(text.find('\n', from), text.size() - 1) + 1;
            lines.push_back(text.substr(from, end - from));
            from = end;
        }
        if (lines.size() < 2) return;
        std::swap(lines[below(lines.size())], lines[below(lines.size())]);
        text.clear();
        for (const auto& line : lines) text += line;
    }

    void splice(std::string& text, std::size_t at) {
        const auto& other = corpus_[below(corpus_.size())];
        const auto from = below(other.size());
        text.insert(at, other.substr(from, below(other.size() - from + 1)));
    }

    std::mt19937_64 random_;
    std::vector<std::string> corpus_;
};

struct Tally {
    std::size_t texts = 0, accepted = 0, entries = 0, frozen = 0, problems = 0;
};

std::string check_problem(const Problem& problem, std::size_t lines) {
    if (problem.text.empty()) return "a problem says nothing";
    if (!config::hidden_character(problem.text).empty()) return "a problem's text is no line of UTF-8: " + config::escape(problem.text);
    if (problem.place.file != "fuzz.yaml") return "a problem is in no file";
    if (problem.place.line > lines + 1) return "a problem is in line " + std::to_string(problem.place.line) + ", beyond the end";
    if ((problem.place.line == 0) != (problem.place.column == 0)) return "a problem has half a place";
    return "";
}

// "" when all that must always be so is so.
std::string check(const std::string& text, Tally& tally) {
    const auto result = config::load_text("fuzz.yaml", text);
    const auto lines = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; })) + 1;
    for (const auto& problem : result.problems) {
        if (auto wrong = check_problem(problem, lines); !wrong.empty()) return wrong;
    }
    const auto in_order = [](const Problem& a, const Problem& b) { return a.place < b.place; };
    if (!std::is_sorted(result.problems.begin(), result.problems.end(), in_order)) return "the problems are not sorted by place";
    const auto& policy = result.policy;
    if (result.ok() && !policy.frozen.empty()) return "something is frozen, and nobody is told";
    for (const auto& tier : policy.tiers) {
        for (const auto& device : tier.devices) {
            if (policy.device(device) == nullptr) return "tier " + tier.name + " has a device that is not there";
        }
        if (!config::hidden_character(tier.name + tier.volume.text()).empty()) return "a name holds what cannot be seen";
    }
    for (const auto& device : policy.devices) {
        if (!device.wipe.empty() && device.match.serial.empty() && device.match.wwn.empty())
            return "device " + device.name + " wipes what is not named";
    }
    // What follows is read: nothing in a text that is well may make the reader stop silently.
    if (result.ok() && config::load_text("fuzz.yaml", text + "\nzz-probe: 1\n").ok()) return "what follows is not read";

    ++tally.texts;
    tally.accepted += result.ok() ? 1U : 0U;
    tally.entries += policy.devices.size() + policy.tiers.size() + policy.snapshots.size() + policy.pools.size();
    tally.frozen += policy.frozen.size();
    tally.problems += result.problems.size();
    return "";
}

bool holds(const std::string& text, Tally& tally) {
    std::string wrong;
    try {
        wrong = check(text, tally);
    } catch (const std::exception& exception) {
        wrong = std::string{"an exception: "} + exception.what();
    }
    if (wrong.empty()) return true;
    std::ofstream{"fuzz-config-failure.yaml", std::ios::binary} << text;
    std::cerr << "FAILED: " << wrong << "\n--- the text, also in fuzz-config-failure.yaml\n" << config::escape(text) << '\n';
    return false;
}

std::uint64_t number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) return value;
    std::cerr << "not a number: " << text << '\n';
    std::exit(64);
}

int run(int argc, char** argv) {
    std::uint64_t seconds = 5;
    std::uint64_t seed = 1;
    Tally tally;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument{argv[i]};
        if (argument == "--seconds" && i + 1 < argc) {
            seconds = number(argv[++i]);
        } else if (argument == "--seed" && i + 1 < argc) {
            seed = number(argv[++i]);
        } else {
            if (!holds(read(argument), tally)) return 1;
            seconds = 0;
        }
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{seconds};
    auto slowest = std::chrono::steady_clock::duration::zero();
    for (Mutator mutator{seed}; std::chrono::steady_clock::now() < end;) {
        const auto text = mutator.next();
        const auto began = std::chrono::steady_clock::now();
        if (!holds(text, tally)) return 1;
        slowest = std::max(slowest, std::chrono::steady_clock::now() - began);
    }
    std::cout << "seed " << seed << ": " << tally.texts << " texts, " << tally.accepted << " without an error, " << tally.entries
              << " entries, " << tally.frozen << " frozen, " << tally.problems << " problems; the slowest took "
              << std::chrono::duration_cast<std::chrono::milliseconds>(slowest).count() << " ms\n";
    // A run that never gets past the reader tries nothing of what stands behind it.
    if (seconds >= 5 && (tally.accepted == 0 || tally.entries == 0 || tally.frozen == 0)) {
        std::cerr << "FAILED: the texts reach too little\n";
        return 1;
    }
    return 0;
}

}  // namespace

}  // namespace tierd

int main(int argc, char** argv) {
    return tierd::run(argc, argv);
}
