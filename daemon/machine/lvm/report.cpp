// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/lvm/report.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "daemon/machine/lvm/row.hpp"
#include "daemon/model/error.hpp"

namespace tierd::lvm {

namespace {

constexpr std::size_t attr_state = 4, attr_health = 8;

std::string strip_brackets(const std::string& name) {
    if (name.size() > 2 && name.front() == '[' && name.back() == ']') return name.substr(1, name.size() - 2);
    return name;
}

std::string without_dashes(std::string uuid) {
    uuid.erase(std::remove(uuid.begin(), uuid.end(), '-'), uuid.end());
    return uuid;
}

bool ends_with(const std::string& text, std::string_view end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The layer that device-mapper's UUID names after the LV's own (lvm2, lib/activate/dev_manager.c).
std::string layer_of(const std::string& name) {
    static const std::array<std::pair<std::string_view, std::string_view>, 8> layers{{{"_corig", "-real"},
                                                                                      {"_wcorig", "-real"},
                                                                                      {"_cdata", "-cdata"},
                                                                                      {"_cmeta", "-cmeta"},
                                                                                      {"_cvol", "-cvol"},
                                                                                      {"_tdata", "-tdata"},
                                                                                      {"_tmeta", "-tmeta"},
                                                                                      {"_vorigin", "-real"}}};
    for (const auto& [end, layer] : layers) {
        if (ends_with(name, end)) return std::string{layer};
    }
    return "";
}

VolumeGroup read_group(Row row) {
    VolumeGroup group;
    group.name = row.text("vg_name");
    group.uuid = row.text("vg_uuid");
    group.extent_size = row.number("vg_extent_size");
    group.extents = row.number("vg_extent_count");
    group.free_extents = row.number("vg_free_count");
    group.missing_pvs = row.number("vg_missing_pv_count");
    group.tags = row.list("vg_tags");
    group.exported = row.flag("vg_exported").value_or(false);
    group.shared = row.flag("vg_shared").value_or(false);
    group.partial = row.flag("vg_partial").value_or(group.missing_pvs > 0);
    group.writeable = row.optional_text("vg_permissions").value_or("") != "read-only";
    return group;
}

PhysicalVolume read_pv(Row row, const std::string& vg) {
    PhysicalVolume pv;
    pv.uuid = row.text("pv_uuid");
    pv.vg = vg;
    pv.missing = row.flag("pv_missing").value_or(false);
    pv.size = row.number("pv_size");
    if (!vg.empty()) {
        pv.extents = row.number("pv_pe_count");
        pv.allocated_extents = row.number("pv_pe_alloc_count");
    }
    // What cannot be told is not allocatable, and might be a duplicate's twin: only "missing" is sure to be told apart.
    pv.allocatable = row.flag("pv_allocatable").value_or(false);
    pv.exported = row.flag("pv_exported").value_or(false);
    pv.duplicate = row.flag("pv_duplicate").value_or(false);
    pv.tags = row.list("pv_tags");
    // "[unknown]" is nowhere. One that LVM only counts out has its node.
    if (const std::string node = row.text("pv_name"); !node.empty() && node.front() != '[') {
        pv.device = node;
        const auto major = row.optional_text("pv_major"), minor = row.optional_text("pv_minor");
        if (major && minor) pv.dev = *major + ':' + *minor;
    }
    return pv;
}

LogicalVolume read_lv(Row row, const VolumeGroup& group) {
    LogicalVolume lv;
    const std::string name = row.text("lv_name");
    lv.name = strip_brackets(name);
    lv.hidden = lv.name.size() != name.size();
    lv.vg = group.name;
    lv.uuid = row.text("lv_uuid");
    lv.size = row.number("lv_size");
    lv.tags = row.list("lv_tags");
    lv.attr = row.optional_text("lv_attr").value_or("");
    if (const auto active = row.optional_text("lv_active"); active && *active != "unknown" && *active != "-1")
        lv.active = !active->empty() && *active != "0";
    lv.suspended = row.flag("lv_suspended");
    // What is not there cannot be suspended, whatever LVM says of it.
    if (lv.active == false) lv.suspended = false;
    if (lv.attr.size() > attr_state && lv.attr[attr_state] == 'X') {
        lv.active.reset();
        lv.suspended.reset();
    }
    lv.health = row.optional_text("lv_health_status").value_or("");
    lv.partial = lv.health == "partial" || (lv.attr.size() > attr_health && lv.attr[attr_health] == 'p');
    lv.merging = row.flag("lv_merging").value_or(false);
    lv.pool = strip_brackets(row.optional_text("pool_lv").value_or(""));
    lv.origin = strip_brackets(row.optional_text("origin").value_or(""));
    lv.data = strip_brackets(row.optional_text("data_lv").value_or(""));
    lv.metadata = strip_brackets(row.optional_text("metadata_lv").value_or(""));
    lv.data_percent = row.percent("data_percent");
    lv.dm_uuid = "LVM-" + without_dashes(group.uuid) + without_dashes(lv.uuid) + layer_of(lv.name);
    return lv;
}

std::map<std::string, std::string> read_settings(const std::set<std::string>& words) {
    std::map<std::string, std::string> settings;
    for (const auto& word : words) {
        const auto equals = word.find('=');
        if (equals != std::string::npos) settings.emplace(word.substr(0, equals), word.substr(equals + 1));
    }
    return settings;
}

/// A writecache has neither mode nor policy in LVM; its cleaner is a setting.
void name_policy_of_writecache(LogicalVolume& lv) {
    lv.cache_mode = CacheMode::Writeback;
    const auto cleaner = lv.cache_settings.find("cleaner");
    const bool cleans = cleaner != lv.cache_settings.end() && cleaner->second == "1";
    if (cleaner != lv.cache_settings.end()) lv.cache_settings.erase(cleaner);
    lv.cache_policy = cleans ? cleaner_policy : writecache_policy;
}

/// What LVM reports of an LV's first segment.
struct Segment {
    std::uint64_t start = 0;
    std::string type;
    Bytes chunk_size = 0;
    std::optional<CacheMode> mode;
    std::string policy;
    std::map<std::string, std::string> settings;
};

Segment read_segment(Row& row) {
    Segment segment;
    segment.start = row.number("seg_start");
    segment.type = row.text("segtype");
    segment.chunk_size = row.optional_number("chunk_size").value_or(0);
    segment.mode = value_of<CacheMode>(row.optional_text("cache_mode").value_or(""));
    segment.policy = row.optional_text("cache_policy").value_or("");
    segment.settings = read_settings(row.list("cache_settings"));
    return segment;
}

class Reader {
public:
    Report read(std::string_view text) {
        const Document document{text};
        for (std::size_t i = 0; i < document.parts(); ++i) read_part(document, i);
        for (const auto& field : missing_) report_.warnings.push_back("LVM's report lacks " + field + ", taken as unknown");
        return std::move(report_);
    }

private:
    /// One volume group with all that is in it; without a "vg" it holds the orphan PVs.
    void read_part(const Document& document, std::size_t part) {
        VolumeGroup group;
        for (auto& row : document.rows(part, "vg", missing_)) {
            if (!group.name.empty()) throw Error{ErrorCode::StateUnknown, "LVM's report has two volume groups in one part: " + group.name};
            group = read_group(row);
        }
        for (auto& row : document.rows(part, "pv", missing_)) report_.lvm.pvs.push_back(read_pv(row, group.name));
        if (group.name.empty()) return;

        std::map<std::string, Segment> first;
        for (auto& row : document.rows(part, "seg", missing_)) {
            const std::string uuid = row.text("lv_uuid");
            auto segment = read_segment(row);
            const auto found = first.find(uuid);
            if (found == first.end() || segment.start < found->second.start) first[uuid] = std::move(segment);
        }
        std::map<std::string, std::map<std::string, std::uint64_t>> extents;
        for (auto& row : document.rows(part, "pvseg", missing_)) {
            const auto lv = row.optional_text("lv_uuid").value_or("");
            if (!lv.empty()) extents[lv][row.text("pv_uuid")] += row.number("pvseg_size");
        }
        for (auto& row : document.rows(part, "lv", missing_)) {
            auto lv = read_lv(row, group);
            if (const auto found = first.find(lv.uuid); found != first.end()) {
                const auto& segment = found->second;
                std::tie(lv.segtype, lv.chunk_size, lv.cache_mode, lv.cache_policy, lv.cache_settings) =
                    std::tie(segment.type, segment.chunk_size, segment.mode, segment.policy, segment.settings);
                if (lv.segtype == "writecache") name_policy_of_writecache(lv);
            }
            lv.extents_on = extents[lv.uuid];
            report_.lvm.lvs.push_back(std::move(lv));
        }
        report_.lvm.groups.push_back(std::move(group));
    }

    Report report_;
    std::set<std::string> missing_;
};

}  // namespace

Report parse_report(std::string_view json) {
    return Reader{}.read(json);
}

void add_duplicates(Lvm& lvm, std::string_view json) {
    const Document document{json};
    std::set<std::string> missing;
    std::vector<PhysicalVolume> second;
    std::set<std::string> uuids;
    for (std::size_t i = 0; i < document.parts(); ++i) {
        for (auto& row : document.rows(i, "pv", missing)) {
            if (!row.flag("pv_duplicate").value_or(false)) continue;
            PhysicalVolume pv;
            pv.uuid = row.text("pv_uuid");
            pv.device = row.text("pv_name");
            pv.dev = row.text("pv_major") + ':' + row.text("pv_minor");
            pv.duplicate = true;
            pv.allocatable = false;
            uuids.insert(pv.uuid);
            second.push_back(std::move(pv));
        }
    }
    for (auto& pv : lvm.pvs) {
        if (uuids.count(pv.uuid) > 0) pv.duplicate = true;
    }
    for (auto& pv : second) {
        const auto same = std::find_if(lvm.pvs.begin(), lvm.pvs.end(), [&](const PhysicalVolume& each) { return each.dev == pv.dev; });
        if (same == lvm.pvs.end()) lvm.pvs.push_back(std::move(pv));
    }
}

}  // namespace tierd::lvm
