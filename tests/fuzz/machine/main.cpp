// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
//
// fuzz_machine [--seconds N] [--seed N] [FILE…]
//
// Mutates recorded reports, status lines, probes, mount tables and scripts, and holds what the readers make of each against what must
// always be so: they answer or throw Error, and an answer makes no command of odd words, counts nothing beyond its whole, and is the same
// twice. A text that breaks it is printed and written to fuzz-machine-failure; a FILE is tried by every reader. Same seed, same texts.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/machine/lvm/argv.hpp"
#include "daemon/machine/lvm/report.hpp"
#include "daemon/machine/lvm/setup.hpp"
#include "daemon/machine/simulated/script.hpp"
#include "daemon/machine/udev/disk_kind.hpp"
#include "daemon/machine/udev/health.hpp"
#include "daemon/machine/udev/probes.hpp"
#include "daemon/machine/udev/usage.hpp"
#include "daemon/model/cache_status.hpp"
#include "daemon/model/error.hpp"

namespace {

using namespace tierd;

struct Broken : std::runtime_error {
    using std::runtime_error::runtime_error;
};
void must(bool holds, const char* what) {
    if (!holds) throw Broken{what};
}

/// Whatever a report calls a volume: it reaches a command as one plain word, or not at all.
void check_words(const Action& action) {
    try {
        for (const auto& word : lvm::argv_of(action, {"lvm", "tierd-device"})) {
            must(word.find_first_of("[]\"'\n\r\t ") == std::string::npos, "a command is made of plain words");
        }
    } catch (const Error&) {
        return;
    }
}

void try_report(const std::string& text) {
    const auto report = lvm::parse_report(text);
    must(report == lvm::parse_report(text), "a report reads the same twice");
    for (const auto& lv : report.lvm.lvs) {
        must(!lv.name.empty() && !lv.uuid.empty(), "a volume has a name and a UUID");
        must(report.lvm.group(lv.vg) != nullptr, "a volume is in a group of the report");
        must(!lv.data_percent || *lv.data_percent >= 0, "a fill is not negative");
        check_words(RemovePool{lv.vg, lv.name, lv.uuid});
    }
    auto copy = report.lvm;
    lvm::add_duplicates(copy, text);
    must(copy.pvs.size() >= report.lvm.pvs.size(), "duplicates hide nothing");
}

void try_status(const std::string& text) {
    for (const auto& status :
         {parse_cache_status(text), parse_writecache_status(text, text), parse_writecache_status(text, "s 8:1 8:2 512 0")}) {
        if (!status) continue;
        must(status->used_blocks <= status->total_blocks && status->dirty_blocks <= status->total_blocks, "no part is more than the whole");
    }
    must(parse_cache_status(text) == parse_cache_status(text), "a status reads the same twice");
}

void try_script(const std::string& text) {
    const auto events = parse_script("script", text);
    must(std::is_sorted(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.at < b.at; }), "a script is in order");
}

struct Reader {
    const char* name;
    std::function<void(const std::string&)> run;
    std::vector<std::string> corpus;
};

std::string read(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::vector<std::string> recorded(const std::string& extension) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{TIERD_SOURCE_DIR "/tests/unit/machine/data"}) {
        if (entry.path().extension() == extension) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<std::string> texts;
    for (const auto& file : files) texts.push_back(read(file));
    return texts;
}

std::vector<Reader> readers() {
    const std::string folder = TIERD_SOURCE_DIR "/tests/unit/machine/data/";
    auto reports = recorded(".json");
    reports.push_back(read(folder + "duplicate.pvs"));
    reports.emplace_back(
        R"({"report":[{"vg":[{"vg_name":"v","vg_uuid":"1","vg_extent_size":4194304,"vg_extent_count":1,"vg_free_count":0,"vg_missing_pv_count":0}],"lv":[{"lv_uuid":"2","lv_name":"[x]","lv_size":1,"lv_tags":["a"],"data_percent":null}]}]})");
    return {
        {"report", try_report, reports},
        {"status",
         try_status,
         {"8 17/2048 128 21/2560 47 65 3 4 5 6 7 3 metadata2 writethrough no_discard_passdown 2 migration_threshold 2048 smq 0 rw - ",
          "Fail", "Error",
          "8 70/1024 512 10/4096 1 2 3 4 0 10 0 1 writethrough 2 migration_threshold 4096 mq 10 a 1 b 2 c 3 d 4 e 5 ro needs_check "}},
        {"script",
         try_script,
         {"0.5 plug /dev/sdb serial=S21 size=200GiB kind=ssd model=\"Some SSD\" content=gpt,vfat # x\n6 write lvm_hdd/hdd 40MiB\n9 fail "
          "a/b\n12 lvm down\n"}},
        {"setup",
         [](const std::string& text) {
             lvm::parse_setup(text, text);
             lvm::parse_devices_file(text);
         },
         {read(folder + "lvmconfig"), read(folder + "version"), "IDTYPE=sys_wwid IDNAME=naa.5 DEVNAME=/dev/sda2 PVID=abc\n"}},
        {"probe",
         [](const std::string& text) { udev::parse_probe(text); },
         {R"({"busy":true,"ambivalent":false,"signatures":[{"type":"gpt","usage":"table","offset":512}]})"}},
        {"health",
         [](const std::string& text) { must(udev::parse_health(text) == udev::parse_health(text), "a health reads the same twice"); },
         {R"({"smart_status":{"passed":false,"scsi":{"asc":93,"ascq":255,"ie_string":"FAILURE PREDICTION"}}})",
          R"({"smart_status":{"passed":true},"nvme_smart_health_information_log":{"critical_warning":4,"percentage_used":3}})",
          R"({"smart_status":{"passed":true},"ata_device_statistics":{"pages":[{"number":7,"table":[{"offset":8,"value":3,"flags":{"valid":true}}]}]}})"}},
        {"usage",
         [](const std::string& text) {
             udev::parse_mountinfo(text);
             udev::parse_swaps(text);
             must(udev::decode(text).size() <= text.size(), "decoding makes nothing longer");
             udev::rotation_rate(text);
         },
         {"22 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n40 22 8:17 / /srv/a\\040b rw - xfs /dev/sdb1 rw\n",
          "Filename Type\n/dev/sda2 partition 1 0 -2\n", "a\\x20b\\x2f", std::string("\x00\xb1\x00\x3c\x00\x01", 6)}},
    };
}

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : random_{seed} {}
    std::string mutate(std::string text, const std::string& other) {
        for (auto count = below(6) + 1; count > 0; --count) once(text, other);
        return text;
    }
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : std::uniform_int_distribution<std::size_t>{0, limit - 1}(random_); }

private:
    void once(std::string& text, const std::string& other) {
        static const std::vector<std::string> tokens{"\"",
                                                     "[",
                                                     "]",
                                                     "{",
                                                     "}",
                                                     ":",
                                                     ",",
                                                     " ",
                                                     "\n",
                                                     "\\",
                                                     "/",
                                                     "-",
                                                     "<",
                                                     "0",
                                                     "-1",
                                                     "18446744073709551615",
                                                     "18446744073709551616",
                                                     "4294967296",
                                                     "1e9",
                                                     "nan",
                                                     "null",
                                                     "true",
                                                     "[]",
                                                     "{}",
                                                     "\"\"",
                                                     "[[a]]",
                                                     "unknown",
                                                     "X",
                                                     std::string(1, '\0'),
                                                     "\xff\xfe",
                                                     "\\u0000",
                                                     "lv_name",
                                                     "vg_name",
                                                     "100.00",
                                                     "12,33"};
        const auto at = below(text.size() + 1);
        switch (below(6)) {
            case 0: text.insert(at, tokens[below(tokens.size())]); break;
            case 1: text.erase(at, below(20)); break;
            case 2: text.resize(at); break;
            case 3:
                if (at < text.size()) text[at] = static_cast<char>(below(256));
                break;
            case 4: text.insert(at, other.substr(below(other.size() + 1), below(200))); break;
            default: text.insert(at, text.substr(below(text.size() + 1), below(400))); break;
        }
        if (text.size() > 100'000) text.resize(100'000);
    }
    std::mt19937_64 random_;
};

/// False when the text broke something.
bool holds(const Reader& reader, const std::string& text) {
    try {
        reader.run(text);
        return true;
    } catch (const Error&) {
        return true;
    } catch (const std::exception& fault) {
        std::cerr << "fuzz_machine: " << reader.name << ": " << fault.what() << "\n--- the text, also in fuzz-machine-failure:\n"
                  << text << '\n';
        std::ofstream{"fuzz-machine-failure", std::ios::binary} << text;
        return false;
    }
}

}  // namespace

int main(int argc, char** argv) {
    unsigned seconds = 10;
    std::uint64_t seed = 1;
    const auto all = readers();
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if ((word == "--seconds" || word == "--seed") && i + 1 < argc) {
            const std::string_view value = argv[++i];
            std::uint64_t number = 0;
            std::from_chars(value.data(), value.data() + value.size(), number);
            if (word == "--seed") seed = number;
            if (word == "--seconds") seconds = static_cast<unsigned>(number);
        } else {
            files.emplace_back(word);
        }
    }
    for (const auto& file : files) {
        for (const auto& reader : all) {
            if (!holds(reader, read(file))) return 1;
        }
    }
    if (!files.empty()) return 0;

    Mutator mutator{seed};
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{seconds};
    std::uint64_t tried = 0;
    for (const auto& reader : all) {
        for (const auto& text : reader.corpus) {
            if (!holds(reader, text)) return 1;
        }
    }
    while (std::chrono::steady_clock::now() < end) {
        const auto& reader = all[mutator.below(all.size())];
        const auto& text = reader.corpus[mutator.below(reader.corpus.size())];
        const auto& other = reader.corpus[mutator.below(reader.corpus.size())];
        if (!holds(reader, mutator.mutate(text, other))) return 1;
        ++tried;
    }
    std::cout << "fuzz_machine: " << tried << " texts with seed " << seed << '\n';
    return 0;
}
