// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>
#include <set>
#include <sstream>

#include "config/sections.hpp"
#include "config/source.hpp"
#include "schema_validator.hpp"
#include "support.hpp"

namespace tierd::config {

using nlohmann::json;
using nlohmann::literals::operator""_json_pointer;
using ::testing::IsEmpty;

namespace {

const SchemaValidator& schema() {
    static const SchemaValidator validator(json::parse(read(TIERD_SOURCE_DIR "/config/tierd.schema.json")));
    return validator;
}

std::vector<std::string> examples() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator{TIERD_SOURCE_DIR "/config/examples"})
        files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

// As an editor reads it, by YAML's core schema.
json to_json(const YamlNode& node) {
    switch (node.kind) {
        case YamlNode::Kind::Nothing: return nullptr;
        case YamlNode::Kind::List: {
            json list = json::array();
            for (const auto& item : node.items) list.push_back(to_json(item));
            return list;
        }
        case YamlNode::Kind::Map: {
            json map = json::object();
            for (const auto& [key, value] : node.pairs) map[key.text] = to_json(value);
            return map;
        }
        case YamlNode::Kind::Text: break;
    }
    if (node.quoted) return node.text;
    if (node.text == "true" || node.text == "false") return node.text == "true";
    if (std::regex_match(node.text, std::regex{"-?(0|[1-9][0-9]*)"})) return json::parse(node.text);
    return node.text;
}

json document(const std::string& yaml) {
    Report report{"x"};
    const auto root = read_yaml(*normalise(yaml, report), report);
    EXPECT_EQ(report.errors(), 0U);
    return root ? to_json(*root) : json();
}

// JSON is YAML: both sides read the same text.
bool parser_accepts(const json& policy) {
    return check(policy.dump()).ok();
}

// What several keys or entries say together, and arithmetic, are beyond a schema: there the parser alone refuses.
bool beyond_a_schema(const std::string& problems) {
    static const std::regex beyond{
        "is not a name under devices|max_active is|less than 8 chunks|is too small|would be [0-9]+ chunks|from 32KiB to 1GiB|is above "
        "critical|max is less than|"
        "the settings of a|the layout is linear|needs two disks|8 EiB|is volatile|more than the 16GiB|wipe: erases|begins when it "
        "ends|raise_threshold is for"};
    std::istringstream lines{problems};
    for (std::string line; std::getline(lines, line);) {
        if (!std::regex_search(line, beyond)) return false;
    }
    return !problems.empty();
}

void expect_same_verdict(const json& policy) {
    const auto problems = told(check(policy.dump()));
    const bool accepted = schema().accepts(policy);
    EXPECT_TRUE(accepted == problems.empty() || (accepted && beyond_a_schema(problems))) << policy.dump() << '\n' << problems;
}

/// One whole policy for each kind of entry, with every key that the kind knows.
const std::map<std::string, json>& whole_policies() {
    static const std::map<std::string, json> all{
        {"device",
         json::parse(
             R"({"devices": {"d": {"match": {"kind": "ssd", "transport": ["nvme"], "min_size": "1GiB", "serial": "A", "wwn": "B", "model": "C", "path": "D",
            "partlabel": "E", "partuuid": "F"}, "wipe": ["vfat"], "volatile": false, "count": 1, "replace": true}}})")},
        {"cache",
         json::parse(
             R"({"devices": {"d": {"match": {"kind": "ssd"}}}, "tiers": {"t": {"kind": "cache", "volume": "vg/lv", "device": "d", "layout": "linear", "size": "1GiB",
            "metadata_size": "8MiB", "chunk_size": "64KiB", "mode": "writeback", "cache_policy": "smq", "settings": {"migration_threshold": 2048}, "store": "pool",
            "dirty": {"warn": "40%", "critical": "80%"}, "drain": {"window": "01:00-06:00", "on_stall": "alert"}, "on_failing_device": "demote", "state": "present", "autonomy": "act"}}})")},
        {"writecache",
         json::parse(
             R"({"devices": {"d": {"match": {"kind": "ssd"}}}, "tiers": {"t": {"kind": "writecache", "volume": "vg/lv", "device": "d", "size": "1GiB", "mode": "writeback",
            "settings": {"low_watermark": 1, "high_watermark": 2, "writeback_jobs": 3, "autocommit_blocks": 4, "autocommit_time": 5, "block_size": 4096, "pause_writeback": 7, "max_age": 8},
            "dirty": {}, "drain": {}, "on_failing_device": "alert", "state": "absent", "autonomy": "full"}}})")},
        {"bcache",
         json::parse(
             R"({"devices": {"d": {"match": {"kind": "ssd"}}}, "tiers": {"t": {"kind": "bcache", "backing": {"kind": "hdd", "transport": "sata", "min_size": "1GiB",
            "serial": "A", "wwn": "B", "model": "C", "path": "D", "partlabel": "E", "partuuid": "F"}, "device": "d", "mode": "writethrough",
            "settings": {"sequential_cutoff": 0, "writeback_percent": 1, "writeback_delay": 2, "writeback_rate_minimum": 3, "writeback_rate_update_seconds": 4,
            "congested_read_threshold_us": 5, "congested_write_threshold_us": 6, "journal_delay_ms": 7}, "dirty": {}, "drain": {}, "on_failing_device": "alert"}}})")},
        {"journal",
         json::parse(
             R"({"devices": {"d": {"match": {"kind": "ssd"}}}, "tiers": {"t": {"kind": "journal", "filesystem": "/srv", "device": "d", "size": "50%", "when": "boot"}}})")},
        {"thick",
         json::parse(
             R"({"snapshots": {"s": {"volumes": ["vg/lv"], "kind": "thick", "size": "20%", "schedule": "daily", "keep": {"last": 1, "hourly": 1, "daily": 1, "weekly": 1, "monthly": 1},
            "max_active": 5, "extend": {"at": "70%", "by": "20%", "max": "100%", "reserve": "1GiB"}, "when_full": "alert", "state": "present", "autonomy": "act"}}})")},
        {"thin",
         json::parse(R"({"snapshots": {"s": {"volumes": ["vg/lv"], "kind": "thin", "schedule": "hourly", "keep": {"hourly": 24}}}})")},
        {"pool",
         json::parse(
             R"({"pools": {"vg/p": {"extend": {"at": "70%", "by": "20%", "max": "2TiB", "reserve": "1GiB"}, "metadata": {"at": "70%", "by": "50%", "max": "1GiB", "reserve": "1GiB"},
            "pressure": {"at": "90%", "drop": "expendable"}, "autonomy": "act"}}})")},
        {"defaults", json::parse(R"({"defaults": {"autonomy": "observe"}})")},
    };
    return all;
}

// "tiers.t.dirty" -> "tiers.*.dirty": names of entries are anybody's.
std::string pattern_of(const json::json_pointer& pointer) {
    const std::string text = pointer.to_string();
    std::vector<std::string> parts;
    for (std::size_t at = 1; at <= text.size() && !text.empty(); at = std::min(text.find('/', at), text.size()) + 1)
        parts.push_back(text.substr(at, std::min(text.find('/', at), text.size()) - at));
    std::string pattern;
    for (std::size_t i = 0; i < parts.size(); ++i) pattern += (i == 0 ? "" : ".") + (i == 1 && parts[0] != "defaults" ? "*" : parts[i]);
    return pattern;
}

void maps_below(const json& node, const json::json_pointer& at, std::vector<json::json_pointer>& found) {
    if (!node.is_object()) return;
    found.push_back(at);
    for (const auto& [key, value] : node.items()) maps_below(value, at / key, found);
}

std::set<std::string> sorted(const std::vector<std::string_view>& names) {
    return {names.begin(), names.end()};
}

// The schema's map for a path of the grammar: "tiers.*.dirty".
const json& schema_at(const std::string& path) {
    const auto* at = &schema().root();
    for (std::size_t begin = 0; begin < path.size();) {
        const auto end = std::min(path.find('.', begin), path.size());
        const auto part = path.substr(begin, end - begin);
        at = &schema().resolve(part == "*" ? at->at("additionalProperties") : at->at("properties").at(part));
        begin = end + 1;
    }
    return *at;
}

template <typename Enum>
void expect_enum(const std::string& path, const std::string& key) {
    std::vector<std::string> names;
    for (const auto name : names_of<Enum>()) names.emplace_back(name);
    EXPECT_EQ(schema().resolve(schema_at(path).at("properties").at(key)).at("enum"), json(names)) << path << ' ' << key;
}

}  // namespace

TEST(TheSchema, HasTheKeysOfTheParserAndNoOthers) {
    for (const auto& [path, keys] : grammar()) {
        const auto& map = schema_at(path);
        std::set<std::string> in_schema;
        for (const auto& [key, value] : map.at("properties").items()) in_schema.insert(key);
        EXPECT_EQ(in_schema, sorted(keys)) << path;
        EXPECT_EQ(map.at("additionalProperties"), json(false)) << path;
    }
}

TEST(TheSchema, HasTheNamesOfTheEnumerations) {
    expect_enum<Kind>("devices.*.match", "kind");
    expect_enum<Kind>("tiers.*.backing", "kind");
    expect_enum<TierKind>("tiers.*", "kind");
    expect_enum<CacheMode>("tiers.*", "mode");
    expect_enum<Layout>("tiers.*", "layout");
    expect_enum<Store>("tiers.*", "store");
    expect_enum<OnStall>("tiers.*.drain", "on_stall");
    expect_enum<OnFailingDevice>("tiers.*", "on_failing_device");
    expect_enum<JournalWhen>("tiers.*", "when");
    expect_enum<Presence>("tiers.*", "state");
    expect_enum<Presence>("snapshots.*", "state");
    expect_enum<SnapshotKind>("snapshots.*", "kind");
    expect_enum<WhenFull>("snapshots.*", "when_full");
    EXPECT_EQ(schema().root().at("/$defs/transport/enum"_json_pointer), json(transport_names()));
    for (const std::string path : {"tiers.*", "snapshots.*", "pools.*", "defaults"}) expect_enum<Autonomy>(path, "autonomy");
}

TEST(TheSchema, AcceptsEveryExampleAsTheParserDoes) {
    for (const auto& file : examples()) {
        EXPECT_TRUE(schema().accepts(document(read(file)))) << file;
        EXPECT_THAT(formatted(load_files({file})), IsEmpty()) << file;
    }
}

// The whole policies must name each key of the grammar, or this test would look at nothing.
TEST(TheSchema, IsTriedWithEveryKeyOfTheGrammar) {
    std::map<std::string, std::set<std::string>> used;
    for (const auto& [name, policy] : whole_policies()) {
        EXPECT_TRUE(schema().accepts(policy)) << name;
        EXPECT_THAT(told(check(policy.dump())), IsEmpty()) << name;
        std::vector<json::json_pointer> maps;
        maps_below(policy, json::json_pointer{}, maps);
        for (const auto& map : maps) {
            for (const auto& [key, value] : policy.at(map).items()) used[pattern_of(map)].insert(key);
        }
    }
    for (const auto& [path, keys] : grammar()) EXPECT_EQ(used[path], sorted(keys)) << path;
}

// Schema and parser agree about what is left out, what is added, and what any value is replaced by.
TEST(TheSchema, GivesTheSameVerdictAsTheParser) {
    const std::vector<json> values{nullptr,
                                   true,
                                   false,
                                   0,
                                   1,
                                   2,
                                   64,
                                   65,
                                   4096,
                                   10'000,
                                   10'001,
                                   -1,
                                   1.5,
                                   "",
                                   " ",
                                   "true",
                                   "yes",
                                   "7",
                                   "07",
                                   "1GiB",
                                   "1 GiB",
                                   "1G",
                                   "1g",
                                   "1GB",
                                   "1Gib",
                                   "0G",
                                   "0.5G",
                                   "1.G",
                                   "01G",
                                   "1",
                                   "512B",
                                   "512 B",
                                   "1.5B",
                                   "64KiB",
                                   "8MiB",
                                   "16384PiB",
                                   "50%",
                                   "0%",
                                   "100%",
                                   "100.01%",
                                   "99.99%",
                                   "50.125%",
                                   "05%",
                                   "50 %",
                                   "50%FREE",
                                   "%",
                                   "ssd",
                                   "hdd",
                                   "SSD",
                                   "nvme",
                                   "sata",
                                   "linear",
                                   "raid1",
                                   "smq",
                                   "mq",
                                   "pool",
                                   "volume",
                                   "alert",
                                   "drop",
                                   "demote",
                                   "raise_threshold",
                                   "present",
                                   "absent",
                                   "unmounted",
                                   "boot",
                                   "observe",
                                   "act",
                                   "full",
                                   "thick",
                                   "thin",
                                   "cache",
                                   "journal",
                                   "writeback",
                                   "writethrough",
                                   "passthrough",
                                   "expendable",
                                   "vfat",
                                   "mbr",
                                   "hourly",
                                   "none",
                                   "02:30",
                                   "2:30",
                                   "Sun 04:00",
                                   "Mon..Fri 02:30",
                                   "mon 02:30",
                                   "01:00-06:00",
                                   "22:00-25:00",
                                   "vg/lv",
                                   "vg",
                                   "vg/snapshot1",
                                   "vg/x/y",
                                   "-vg/lv",
                                   "vg/-lv",
                                   "d",
                                   "a b",
                                   "-a",
                                   "/srv",
                                   "/srv/",
                                   "/dev/sda",
                                   "//",
                                   "/",
                                   "/a/../b",
                                   "UUID=6f1c3f2e-0a4d-4b7e-9d4c-3d2b1a0f9e8d",
                                   json::array(),
                                   json::array({"d"}),
                                   json::array({"vg/lv"}),
                                   json::array({"vg/lv", "vg/lv"}),
                                   json::array({"vg/a", "vg/b"}),
                                   json::array({"nvme", "sata"}),
                                   json::array({"vfat", "gpt"}),
                                   json::array({nullptr}),
                                   json::array({1}),
                                   json::object(),
                                   json::object({{"kind", "ssd"}}),
                                   json::object({{"unknown", 1}})};
    std::size_t tried = 0;
    for (const auto& [name, whole] : whole_policies()) {
        std::vector<json::json_pointer> maps;
        maps_below(whole, json::json_pointer{}, maps);
        for (const auto& map : maps) {
            auto with_more = whole;
            with_more[map]["unknown"] = 1;
            EXPECT_FALSE(schema().accepts(with_more) || parser_accepts(with_more)) << name << ' ' << map;
            for (const auto& [key, value] : whole.at(map).items()) {
                auto policy = whole;
                for (const auto& other : values) {
                    policy[map][key] = other;
                    expect_same_verdict(policy);
                    ++tried;
                }
                policy[map].erase(key);
                expect_same_verdict(policy);
            }
        }
    }
    EXPECT_GT(tried, 10'000U);
}

TEST(TheManPage, NamesEveryKeyAndEveryWord) {
    const std::string page = read(TIERD_SOURCE_DIR "/config/tierd.yaml.5.scd");
    std::string plain;
    std::copy_if(page.begin(), page.end(), std::back_inserter(plain), [](char c) { return c != '\\'; });
    for (const auto& [path, keys] : grammar()) {
        for (const auto key : keys)
            EXPECT_TRUE(std::regex_search(plain, std::regex{"\\*" + std::string{key} + "[:*]"})) << path << ' ' << key;
    }
    for (const auto& words : {names_of<TierKind>(), names_of<CacheMode>(), names_of<Layout>(), names_of<Store>(), names_of<OnStall>(),
                              names_of<OnFailingDevice>(), names_of<Presence>(), names_of<JournalWhen>(), names_of<SnapshotKind>(),
                              names_of<WhenFull>(), names_of<Autonomy>(), names_of<Kind>()}) {
        for (const auto word : words)
            EXPECT_TRUE(std::regex_search(plain, std::regex{"\\*(state: |when_full: )?" + std::string{word} + "[*:]"})) << word;
    }
}

TEST(TheExamples, AreOnePolicyForEachStory) {
    EXPECT_EQ(examples().size(), 5U);
    const auto all = load_files(examples());
    EXPECT_THAT(formatted(all), IsEmpty());
    EXPECT_THAT(all.policy.frozen, IsEmpty());

    const auto* media = all.policy.tier("media");
    ASSERT_NE(media, nullptr);
    EXPECT_EQ(media->volume.text(), "lvm_hdd/hdd");
    EXPECT_EQ(media->size, SizeSpec{220 * gib});
    EXPECT_EQ(media->metadata_size, 3 * gib);
    EXPECT_EQ(media->chunk_size, 256 * kib);
    EXPECT_EQ(media->mode, CacheMode::Writeback);
    EXPECT_THAT(all.policy.device(media->devices.at(0))->wipe, ::testing::ElementsAre("vfat", "gpt"));
    EXPECT_EQ(all.policy.tier("database")->mode, CacheMode::Writethrough);
    EXPECT_TRUE(all.policy.device("local")->volatile_contents);
    EXPECT_EQ(all.policy.tier("iscsi")->kind, TierKind::Journal);
    EXPECT_EQ(all.policy.tier("osd-a")->devices, all.policy.tier("osd-b")->devices);
    EXPECT_EQ(all.policy.snapshots.size(), 2U);
    EXPECT_EQ(all.policy.pools.size(), 1U);
}

}  // namespace tierd::config
