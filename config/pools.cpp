// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/sections.hpp"

namespace tierd::config {

namespace {

void read_trigger(const Field& field, Percent& at) {
    const auto errors = field.report.errors();
    read_percent(field, at);
    if (field.report.errors() != errors) return;
    if (at.hundredths == 0 || at.hundredths == 10'000)
        field.refuse("is no threshold; more than 0%, and less than 100%, where it is too late");
}

void read_step(const Field& field, Percent& by) {
    const auto errors = field.report.errors();
    read_percent(field, by);
    if (field.report.errors() == errors && by.hundredths == 0) field.refuse("would extend by nothing");
}

struct Extend {
    ExtendRule& rule;
    std::string_view whole;
};

void read_max(const Field& field, Extend& extend) {
    const auto text = field.text();
    if (!text) return;
    if (!extend.whole.empty()) return take(field, parse_size_or_share(*text, extend.whole), extend.rule.max);
    take(field, parse_size(*text), extend.rule.max);
}

constexpr Key<Extend> extend_keys[] = {
    {"at", [](const Field& field, Extend& extend) { read_trigger(field, extend.rule.at); }},
    {"by", [](const Field& field, Extend& extend) { read_step(field, extend.rule.by); }},
    {"max", read_max},
    {"reserve", [](const Field& field, Extend& extend) { read_size(field, extend.rule.reserve); }},
};

struct Pressure {
    Percent at;
};

void read_drop(const Field& field, Pressure& /*pressure*/) {
    const auto text = field.text();
    if (text && *text != "expendable") field.refuse("is nothing to drop; expendable: the oldest snapshots beyond what keep asks for");
}

constexpr Key<Pressure> pressure_keys[] = {
    {"at", [](const Field& field, Pressure& pressure) { read_trigger(field, pressure.at); }},
    {"drop", read_drop},
};

void read_pressure(const Field& field, PoolRule& rule) {
    Pressure pressure;
    const auto spots = read_keys<Pressure>("pressure", field.node, pressure_keys, field.report, pressure);
    if (field.node.kind != YamlNode::Kind::Map) return;
    if (!spots.has("at")) field.error("at is missing; say from which fill on: 90%");
    if (!spots.has("drop")) field.error("drop is missing; say what: expendable");
    rule.pressure_at = pressure.at;
}

constexpr Key<PoolRule> pool_keys[] = {
    {"extend", [](const Field& field, PoolRule& rule) { read_extend(field, rule.extend.emplace(), ""); }},
    {"metadata", [](const Field& field, PoolRule& rule) { read_extend(field, rule.metadata.emplace(), ""); }},
    {"pressure", read_pressure},
    {"autonomy", [](const Field& field, PoolRule& rule) { read_enum(field, "an autonomy", rule.autonomy); }},
};

void read_pool(const YamlNode& key, const YamlNode& value, Report& report, Entry<PoolRule>& entry) {
    entry.rule.pool = split_volume(key.text);
    entry.spots = read_keys<PoolRule>("a pool", value, pool_keys, report, entry.rule);
}

}  // namespace

void read_extend(const Field& field, ExtendRule& rule, std::string_view whole) {
    Extend extend{rule, whole};
    read_keys<Extend>(field.key, field.node, extend_keys, field.report, extend);
}

void read_pools(const YamlNode& node, Report& report, Draft& draft) {
    read_entries("pools", "pool", node, report, volume_name_complaint, draft, draft.pools,
                 [&](const YamlNode& key, const YamlNode& value, Entry<PoolRule>& entry) { read_pool(key, value, report, entry); });
}

std::map<std::string, std::vector<std::string_view>> pool_grammar() {
    return {{"pools.*", names_in<PoolRule>(pool_keys)},
            {"pools.*.pressure", names_in<Pressure>(pressure_keys)},
            {"pools.*.extend", names_in<Extend>(extend_keys)},
            {"pools.*.metadata", names_in<Extend>(extend_keys)},
            {"snapshots.*.extend", names_in<Extend>(extend_keys)}};
}

}  // namespace tierd::config
