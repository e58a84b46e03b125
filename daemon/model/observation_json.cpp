// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "daemon/model/error.hpp"
#include "daemon/model/observation.hpp"

namespace tierd {

namespace {

using nlohmann::json;

// Each struct lists its fields once; the writer and the reader below walk the same list.
template <typename Walk>
void fields(Walk& walk, Signature& value) {
    walk("type", value.type);
    walk("usage", value.usage);
    walk("offset", value.offset);
    walk("uuid", value.uuid);
    walk("vg", value.vg);
    walk("writeback", value.writeback);
}
template <typename Walk>
void fields(Walk& walk, Probe& value) {
    walk("signatures", value.signatures);
    walk("ambivalent", value.ambivalent);
    walk("busy", value.busy);
}
template <typename Walk>
void fields(Walk& walk, DiskHealth& value) {
    walk("failing", value.failing);
    walk("evidence", value.evidence);
    walk("wear", value.wear);
}
template <typename Walk>
void fields(Walk& walk, BlockDevice& value) {
    walk("node", value.node);
    walk("name", value.name);
    walk("dev", value.dev);
    walk("parent", value.parent);
    walk("diskseq", value.diskseq);
    walk("size", value.size);
    walk("logical_block_size", value.logical_block_size);
    walk("serial", value.serial);
    walk("wwn", value.wwn);
    walk("model", value.model);
    walk("transport", value.transport);
    walk("partlabel", value.partlabel);
    walk("partuuid", value.partuuid);
    walk("by_path", value.by_path);
    walk("kind", value.kind);
    walk("kind_evidence", value.kind_evidence);
    walk("removable", value.removable);
    walk("read_only", value.read_only);
    walk("virtual_disk", value.virtual_disk);
    walk("multipath_path", value.multipath_path);
    walk("hands_off", value.hands_off);
    walk("udev_fs_type", value.udev_fs_type);
    walk("fs_uuid", value.fs_uuid);
    walk("holders", value.holders);
    walk("mounts", value.mounts);
    walk("swap", value.swap);
    walk("probe", value.probe);
    walk("health", value.health);
    walk("changed", value.changed);
}
template <typename Walk>
void fields(Walk& walk, VolumeGroup& value) {
    walk("name", value.name);
    walk("uuid", value.uuid);
    walk("extent_size", value.extent_size);
    walk("extents", value.extents);
    walk("free_extents", value.free_extents);
    walk("missing_pvs", value.missing_pvs);
    walk("tags", value.tags);
    walk("exported", value.exported);
    walk("shared", value.shared);
    walk("partial", value.partial);
    walk("writeable", value.writeable);
    walk("busy", value.busy);
}
template <typename Walk>
void fields(Walk& walk, PhysicalVolume& value) {
    walk("uuid", value.uuid);
    walk("device", value.device);
    walk("dev", value.dev);
    walk("vg", value.vg);
    walk("size", value.size);
    walk("extents", value.extents);
    walk("allocated_extents", value.allocated_extents);
    walk("allocatable", value.allocatable);
    walk("missing", value.missing);
    walk("duplicate", value.duplicate);
    walk("exported", value.exported);
    walk("tags", value.tags);
}
template <typename Walk>
void fields(Walk& walk, LogicalVolume& value) {
    walk("vg", value.vg);
    walk("name", value.name);
    walk("uuid", value.uuid);
    walk("hidden", value.hidden);
    walk("size", value.size);
    walk("segtype", value.segtype);
    walk("tags", value.tags);
    walk("active", value.active);
    walk("suspended", value.suspended);
    walk("partial", value.partial);
    walk("merging", value.merging);
    walk("pool", value.pool);
    walk("origin", value.origin);
    walk("data", value.data);
    walk("metadata", value.metadata);
    walk("cache_mode", value.cache_mode);
    walk("cache_policy", value.cache_policy);
    walk("cache_settings", value.cache_settings);
    walk("chunk_size", value.chunk_size);
    walk("health", value.health);
    walk("attr", value.attr);
    walk("data_percent", value.data_percent);
    walk("extents_on", value.extents_on);
    walk("dm_uuid", value.dm_uuid);
}
template <typename Walk>
void fields(Walk& walk, Lvm& value) {
    walk("groups", value.groups);
    walk("pvs", value.pvs);
    walk("lvs", value.lvs);
}
template <typename Walk>
void fields(Walk& walk, CacheStatus& value) {
    walk("health", value.health);
    walk("block_size", value.block_size);
    walk("used_blocks", value.used_blocks);
    walk("total_blocks", value.total_blocks);
    walk("dirty_blocks", value.dirty_blocks);
    walk("moving_blocks", value.moving_blocks);
    walk("metadata_block_size", value.metadata_block_size);
    walk("metadata_used", value.metadata_used);
    walk("metadata_total", value.metadata_total);
    walk("read_hits", value.read_hits);
    walk("read_misses", value.read_misses);
    walk("write_hits", value.write_hits);
    walk("write_misses", value.write_misses);
    walk("demotions", value.demotions);
    walk("promotions", value.promotions);
    walk("mode", value.mode);
    walk("policy", value.policy);
    walk("policy_settings", value.policy_settings);
    walk("core_settings", value.core_settings);
}
template <typename Walk>
void fields(Walk& walk, CacheDevice& value) {
    walk("status", value.status);
    walk("suspended", value.suspended);
    walk("metadata_committed", value.metadata_committed);
    walk("at_rest", value.at_rest);
}
template <typename Walk>
void fields(Walk& walk, LvmSetup& value) {
    walk("version", value.version);
    walk("cache_pool_max_chunks", value.cache_pool_max_chunks);
    walk("use_devices_file", value.use_devices_file);
    walk("devices_file_exists", value.devices_file_exists);
    walk("devices_file", value.devices_file);
    walk("snapshot_autoextend_threshold", value.snapshot_autoextend_threshold);
    walk("thin_pool_autoextend_threshold", value.thin_pool_autoextend_threshold);
    walk("cache_check", value.cache_check);
    walk("cache_check_found", value.cache_check_found);
}
template <typename Walk>
void fields(Walk& walk, RootSetup& value) {
    walk("dm_uuid", value.dm_uuid);
    walk("boots_cached", value.boots_cached);
    walk("boots_writecached", value.boots_writecached);
}
template <typename Walk>
void fields(Walk& walk, Observation& value) {
    walk("time", value.time);
    walk("minute_of_day", value.minute_of_day);
    walk("machine", value.machine);
    walk("boot", value.boot);
    walk("devices", value.devices);
    walk("devices_known", value.devices_known);
    walk("lvm", value.lvm);
    walk("lvm_error", value.lvm_error);
    walk("caches", value.caches);
    walk("setup", value.setup);
    walk("memory", value.memory);
    walk("root", value.root);
    walk("container", value.container);
}

constexpr std::array disk_kinds{DiskKind::Unknown, DiskKind::Ssd, DiskKind::Hdd};
constexpr std::array healths{CacheStatus::Health::Ok, CacheStatus::Health::NeedsCheck, CacheStatus::Health::ReadOnly,
                             CacheStatus::Health::Error, CacheStatus::Health::Failed};
constexpr std::array cache_modes{CacheMode::Writethrough, CacheMode::Writeback, CacheMode::Passthrough};

template <typename Enum>
constexpr const auto& all_of() {
    if constexpr (std::is_same_v<Enum, DiskKind>) {
        return disk_kinds;
    } else if constexpr (std::is_same_v<Enum, CacheMode>) {
        return cache_modes;
    } else {
        static_assert(std::is_same_v<Enum, CacheStatus::Health>);
        return healths;
    }
}

class Writer {
public:
    explicit Writer(json& out) : out_{out} { out_ = json::object(); }

    template <typename Value>
    void operator()(const char* key, Value& value) {
        out_[key] = write(value);
    }

    template <typename Value>
    static json write(Value& value) {
        if constexpr (std::is_enum_v<Value>) {
            return std::string{name_of(value)};
        } else if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) {
            return value;
        } else {
            json out;
            Writer walk{out};
            fields(walk, value);
            return out;
        }
    }
    template <typename Value>
    static json write(std::optional<Value>& value) {
        return value ? write(*value) : json{};
    }
    template <typename Value>
    static json write(std::vector<Value>& values) {
        json out = json::array();
        for (auto& value : values) out.push_back(write(value));
        return out;
    }
    static json write(std::set<std::string>& values) { return values; }
    template <typename Value>
    static json write(std::map<std::string, Value>& values) {
        json out = json::object();
        for (auto& [key, value] : values) out[key] = write(value);
        return out;
    }

private:
    json& out_;
};

class Reader {
public:
    Reader(const json& in, std::string path) : in_{in}, path_{std::move(path)} {
        if (!in_.is_object()) wrong(path_, "an object", in_);
    }

    template <typename Value>
    void operator()(const char* key, Value& value) {
        const auto found = in_.find(key);
        if (found != in_.end()) read(*found, path_ + '/' + key, value);
    }

    template <typename Value>
    static void read(const json& in, const std::string& path, Value& value) {
        if constexpr (std::is_enum_v<Value>) {
            read_name(in, path, value);
        } else if constexpr (std::is_same_v<Value, bool>) {
            if (!in.is_boolean()) wrong(path, "true or false", in);
            value = in.get<bool>();
        } else if constexpr (std::is_integral_v<Value>) {
            if (!in.is_number_unsigned() || in.get<std::uint64_t>() > std::numeric_limits<Value>::max()) wrong(path, "a whole number", in);
            value = in.get<Value>();
        } else if constexpr (std::is_floating_point_v<Value>) {
            if (!in.is_number()) wrong(path, "a number", in);
            value = in.get<Value>();
        } else if constexpr (std::is_same_v<Value, std::string>) {
            if (!in.is_string()) wrong(path, "a text", in);
            value = in.get<std::string>();
        } else {
            Reader walk{in, path};
            fields(walk, value);
        }
    }
    template <typename Value>
    static void read(const json& in, const std::string& path, std::optional<Value>& value) {
        if (in.is_null()) {
            value.reset();
            return;
        }
        read(in, path, value.emplace());
    }
    template <typename Value>
    static void read(const json& in, const std::string& path, std::vector<Value>& values) {
        if (!in.is_array()) wrong(path, "a list", in);
        values.clear();
        for (std::size_t i = 0; i < in.size(); ++i) read(in.at(i), path + '/' + std::to_string(i), values.emplace_back());
    }
    static void read(const json& in, const std::string& path, std::set<std::string>& values) {
        std::vector<std::string> list;
        read(in, path, list);
        values = {list.begin(), list.end()};
    }
    template <typename Value>
    static void read(const json& in, const std::string& path, std::map<std::string, Value>& values) {
        if (!in.is_object()) wrong(path, "an object", in);
        values.clear();
        for (const auto& [key, value] : in.items()) read(value, path + '/' + key, values[key]);
    }

private:
    [[noreturn]] static void wrong(const std::string& path, const std::string& expected, const json& in) {
        throw Error{ErrorCode::InvalidArgs, "observation" + path + ": expected " + expected + ", found " + in.type_name()};
    }
    template <typename Enum>
    static void read_name(const json& in, const std::string& path, Enum& value) {
        if (!in.is_string()) wrong(path, "a name", in);
        for (const auto each : all_of<Enum>()) {
            if (name_of(each) != in.get<std::string>()) continue;
            value = each;
            return;
        }
        throw Error{ErrorCode::InvalidArgs, "observation" + path + ": \"" + in.get<std::string>() + "\" is not known"};
    }

    const json& in_;
    std::string path_;
};

}  // namespace

std::string observation_to_json(const Observation& observation) {
    auto copy = observation;
    json out = Writer::write(copy);
    out["format_version"] = 1;
    // Names come from disks: what is no UTF-8 is replaced, not a failure.
    return out.dump(2, ' ', false, json::error_handler_t::replace);
}

Observation observation_from_json(const std::string& text) {
    const json in = json::parse(text, nullptr, false);
    if (in.is_discarded()) throw Error{ErrorCode::InvalidArgs, "observation: not well-formed JSON"};
    // What Describe() says holds the observation as one of its keys.
    const json& body = in.is_object() && in.contains("observation") ? in.at("observation") : in;
    if (body.is_object() && body.value("format_version", json{}) != 1) {
        throw Error{ErrorCode::InvalidArgs, "observation/format_version: expected 1"};
    }
    Observation observation;
    Reader::read(body, "", observation);
    return observation;
}

}  // namespace tierd
