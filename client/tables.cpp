// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/tables.hpp"

#include "client/figures.hpp"

namespace tierd::client {
namespace {

std::string joined(const Value::List& list, const char* between = ", ") {
    std::string line;
    for (const Value& item : list) line += (line.empty() ? "" : between) + to_text(item);
    return line;
}

std::string or_dash(const std::string& text) {
    return text.empty() ? "-" : text;
}

Style style_of_state(const std::string& state) {
    if (state == "failing" || state == "gone" || state == "lost" || state == "degraded" || state == "full" || state == "invalid")
        return Style::Bad;
    if (state == "stalled" || state == "detaching" || state == "draining") return Style::Warning;
    if (state == "serving" || state == "active") return Style::Good;
    return Style::Plain;
}

/// "active on sdb, healthy"; "waiting"; "foreign, active": not tierd's.
Span condition_of(const Value& state, const Value& tier) {
    std::string devices;
    for (const Value& id : tier["devices"].list()) devices += (devices.empty() ? "" : ", ") + device_name(state, id.text());
    const std::string& phase = tier["phase"].text();
    const std::string& health = tier["health"].text();
    std::string text = (tier["foreign"].flag() ? "foreign, " : "") + or_dash(phase) + (devices.empty() ? "" : " on " + devices);
    Style style = style_of_state(phase);
    if (tier["assumed_dirty"].flag()) text += ", assumed dirty (" + ratio_text(tier["assumed_written_back"].real()) + " written back)";
    if (tier["full"].flag()) {
        text += ", full: writes go to the disk";
        style = Style::Warning;
    }
    if (health == "ok") {
        text += ", healthy";
    } else if (!health.empty() && phase != "waiting" && phase != "absent") {
        text += ", health " + health;
        style = health == "unknown" ? Style::Warning : Style::Bad;
    }
    return {text, style};
}

/// "ok, 3% worn".
Span health_of(const Value& device) {
    const std::string& health = device["health"].text();
    if (health.empty() || health == "unknown") return {"?"};
    const auto wear = device["wear"].real();
    return {health + (wear ? ", " + ratio_text(wear) + " worn" : ""), health == "failing" ? Style::Bad : Style::Plain};
}

Span dirty_of(const Value& tier) {
    const auto dirty = tier["dirty"].count();
    if (!dirty) return {"?", Style::Warning};
    if (*dirty == 0) return {"none"};
    return {size_text(tier["dirty"]) + "  " + ratio_text(ratio_of(tier["dirty"], tier["size"]))};
}

/// "detach", "flush", "mode writethrough": what a person asked for, and how it ends.
std::string asked_remark(const std::string& asked, const std::string& volume) {
    const std::string verb = asked.starts_with("mode ") ? "set-mode" : asked;
    return asked + " is asked for by a person; `tierctl " + verb + " --cancel " + volume + "` ends that";
}

std::string hits_of(const Value& tier, const char* window) {
    const auto ratio = tier["hit_ratios"][window].real();
    return ratio ? ratio_text(ratio) : "-";
}

}  // namespace

std::string device_name(const Value& state, const std::string& id) {
    for (const Value& device : state["devices"].list()) {
        if (device["id"].text() != id) continue;
        const std::string& path = device["path"].text();
        if (!path.empty()) return path.starts_with("/dev/") ? path.substr(5) : path;
        const std::string& serial = device["serial"].text();
        return serial.empty() ? id : "a disk that is gone (serial " + serial + ")";
    }
    return id;
}

std::string entry_name(const Value& object) {
    const std::string& policy = object["policy"].text();
    return policy.empty() ? object["id"].text() : policy;
}

Table device_table(const Value& state) {
    Table table{{{"DEVICE"},
                 {"SIZE", true},
                 {"KIND"},
                 {"BUS"},
                 {"HEALTH", false, When::Dropped},
                 {"MODEL", false, When::Shrunk},
                 {"SERIAL", false, When::Shrunk},
                 {"STATE"},
                 {"RULE"},
                 {"WHY", false, When::Below}}};
    for (const Value& device : state["devices"].list()) {
        const std::string& kind = device["kind"].text();
        const std::string& condition = device["state"].text();
        table.row({{device_name(state, device["id"].text())},
                   {size_text(device["size"])},
                   {kind.empty() || kind == "unknown" ? "?" : kind},
                   {or_dash(device["transport"].text())},
                   health_of(device),
                   {or_dash(device["model"].text())},
                   {or_dash(device["serial"].text())},
                   {condition.empty() ? "?" : condition, style_of_state(condition)},
                   {or_dash(device["policy"].text())},
                   {joined(device["reasons"].list(), "; ")}});
    }
    return table;
}

Table tier_table(const Value& state, bool detailed, std::size_t indent) {
    std::vector<Column> columns{{"TIER", false, When::Shrunk}, {"VOLUME", false, When::Shrunk}};
    if (detailed) columns.insert(columns.end(), {{"KIND"}, {"POLICY"}, {"CHUNK", true}});
    columns.insert(columns.end(),
                   {{"SIZE", true}, {"MODE"}, {"USED"}, {"DIRTY"}, {"HITS 5m", true, When::Dropped}, {"1d", true, When::Dropped}});
    if (detailed) columns.push_back({"METADATA", true});
    columns.push_back({"STATE", false, When::Below});
    Table table{columns, indent};
    for (const Value& tier : state["tiers"].list()) {
        const bool there = tier["phase"].text() != "waiting" && tier["phase"].text() != "absent";
        const auto if_there = [&](Span span) { return there ? std::move(span) : Span{"-"}; };
        std::vector<Span> cells{{entry_name(tier)}, {or_dash(tier["volume"].text())}};
        if (detailed) {
            cells.push_back({or_dash(tier["kind"].text())});
            cells.push_back(if_there({or_dash(tier["cache_policy"].text())}));
            cells.push_back(if_there({size_text(tier["chunk_size"])}));
        }
        cells.push_back(if_there({size_text(tier["size"])}));
        cells.push_back(if_there({tier["mode"].text().empty() ? "?" : tier["mode"].text()}));
        cells.push_back(if_there({bar_text(ratio_of(tier["used"], tier["size"]))}));
        cells.push_back(if_there(dirty_of(tier)));
        cells.push_back(if_there({hits_of(tier, "read-5m")}));
        cells.push_back(if_there({hits_of(tier, "read-1d")}));
        if (detailed) cells.push_back(if_there({ratio_text(tier["metadata_ratio"].real())}));
        cells.push_back(condition_of(state, tier));
        table.row(std::move(cells));
        if (const std::string& waits_for = tier["waits_for"].text(); !waits_for.empty()) table.remark(waits_for);
        for (const Value& asked : tier["asked"].list()) table.remark(asked_remark(asked.text(), tier["volume"].text()));
    }
    return table;
}

Table snapshot_table(const Value& state, std::size_t indent) {
    Table table{{{"SNAPSHOT", false, When::Shrunk}, {"OF", false, When::Shrunk}, {"KIND"}, {"SIZE", true}, {"FILL"}, {"STATE"}, {"RULE"}},
                indent};
    for (const Value& snapshot : state["snapshots"].list()) {
        const auto fill = snapshot["fill_ratio"].real();
        const std::string& condition = snapshot["state"].text();
        table.row({{or_dash(snapshot["volume"].text())},
                   {or_dash(snapshot["origin"].text())},
                   {or_dash(snapshot["kind"].text())},
                   {size_text(snapshot["size"])},
                   {!fill && snapshot["kind"].text() == "thin" ? "-" : bar_text(fill)},
                   {condition.empty() ? "?" : condition, condition == "unknown" ? Style::Warning : style_of_state(condition)},
                   {or_dash(snapshot["policy"].text())}});
    }
    return table;
}

Table job_table(const Value& state) {
    Table table{{{"JOB", true}, {"OPERATION"}, {"STATE"}, {"DONE", true}, {"WHAT", false, When::Shrunk}, {"NOW", false, When::Below}}};
    for (const Value& job : state["jobs"].list()) {
        const std::string& result = job["result"].text();
        const std::string& message = job["error_message"].text();
        const auto progress = job["progress"].real();
        const Style style = result == "failed" ? Style::Bad : result == "done" ? Style::Good : Style::Plain;
        table.row({{to_text(job["id"])},
                   {or_dash(job["operation"].text())},
                   {result.empty() ? job["state"].text() : result, style},
                   {progress ? ratio_text(progress) : "-"},
                   {or_dash(job["about"].text())},
                   {!message.empty() ? message
                    : result.empty() ? job["stage"].text()
                                     : "",
                    message.empty() ? Style::Plain : Style::Bad}});
    }
    return table;
}

}  // namespace tierd::client
