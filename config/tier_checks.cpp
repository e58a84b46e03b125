// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/tier_checks.hpp"

#include <algorithm>
#include <array>

#include "daemon/model/lvm_limits.hpp"

namespace tierd::config {

namespace {

enum class Use { No, May, Must };
struct Applies {
    std::string_view key;
    Use cache, writecache, bcache, journal;
};
constexpr std::array<Applies, 18> table{{
    {"volume", Use::Must, Use::Must, Use::No, Use::No},
    {"backing", Use::No, Use::No, Use::Must, Use::No},
    {"filesystem", Use::No, Use::No, Use::No, Use::Must},
    {"device", Use::Must, Use::Must, Use::Must, Use::Must},
    {"layout", Use::May, Use::No, Use::No, Use::No},
    {"size", Use::May, Use::May, Use::No, Use::May},
    {"metadata_size", Use::May, Use::No, Use::No, Use::No},
    {"chunk_size", Use::May, Use::No, Use::No, Use::No},
    {"mode", Use::May, Use::May, Use::May, Use::No},
    {"cache_policy", Use::May, Use::No, Use::No, Use::No},
    {"settings", Use::May, Use::May, Use::May, Use::No},
    {"store", Use::May, Use::No, Use::No, Use::No},
    {"dirty", Use::May, Use::May, Use::May, Use::No},
    {"drain", Use::May, Use::May, Use::May, Use::No},
    {"on_failing_device", Use::May, Use::May, Use::May, Use::No},
    {"when", Use::No, Use::No, Use::No, Use::May},
    {"state", Use::May, Use::May, Use::May, Use::May},
    {"autonomy", Use::May, Use::May, Use::May, Use::May},
}};

Use use_of(const Applies& row, TierKind kind) {
    switch (kind) {
        case TierKind::Cache: return row.cache;
        case TierKind::Writecache: return row.writecache;
        case TierKind::Bcache: return row.bcache;
        case TierKind::Journal: return row.journal;
    }
    return Use::No;
}

class Check {
public:
    Check(Entry<TierRule>& entry, Report& report) : entry_{entry}, rule_{entry.rule}, report_{report} {}

    void run() {
        if (!entry_.spots.has("kind")) error("", "tier " + rule_.name + ": kind is missing; one of " + list_of(names_of<TierKind>()));
        if (entry_.spots.understood("kind")) of_kind();
        if (entry_.spots.sound("layout")) layout();
        chunks();
        metadata();
        threshold();
        if (entry_.spots.understood("dirty") && rule_.dirty.warn > rule_.dirty.critical) {
            error("dirty", "dirty: warn (" + format_percent(rule_.dirty.warn) + ") is above critical (" +
                               format_percent(rule_.dirty.critical) + ')');
        }
    }

private:
    // key "": at the entry itself.
    void error(std::string_view key, const std::string& text) {
        report_.error(entry_.spots.of(key, {rule_.place.line, rule_.place.column}), text);
    }

    void of_kind() {
        applies();
        name();
        if (entry_.spots.sound("mode")) mode();
        if (rule_.on_stall == OnStall::RaiseThreshold && rule_.kind != TierKind::Cache) {
            error("drain",
                  "drain: on_stall raise_threshold is for kind cache; a " + std::string{name_of(rule_.kind)} + " has no such threshold");
        }
    }

    void applies() {
        const std::string kind{name_of(rule_.kind)};
        const std::string unknown = ": is no key of a tier of kind " + kind;
        const std::string needed = " is missing; kind " + kind + " needs it";
        for (const auto& row : table) {
            const bool written = entry_.spots.has(row.key);
            const auto use = use_of(row, rule_.kind);
            if (written && use == Use::No) error(row.key, std::string{row.key} + unknown);
            if (!written && use == Use::Must) error("", "tier " + rule_.name + ": " + std::string{row.key} + needed);
        }
    }

    // A tier's LV is called like the tier.
    void name() {
        if (rule_.kind == TierKind::Bcache) return;
        auto complaint = reserved_complaint(rule_.name);
        if (complaint.empty())
            complaint =
                length_complaint(rule_.volume.vg, rule_.name, rule_.layout == Layout::Raid1 ? longest_raid_suffix : longest_pool_suffix);
        if (!complaint.empty()) error("", "tier: " + quote(rule_.name) + ' ' + complaint + " (the tier's LV is called like the tier)");
    }

    void mode() {
        if (rule_.kind == TierKind::Writecache) {
            if (entry_.spots.has("mode") && rule_.mode != CacheMode::Writeback) error("mode", "mode: a writecache is always writeback");
            rule_.mode = CacheMode::Writeback;
            rule_.cache_policy = writecache_policy;
            rule_.store = Store::Volume;
        }
        if (rule_.kind == TierKind::Bcache && rule_.mode == CacheMode::Passthrough) {
            error("mode", "mode: bcache has no passthrough; one of writethrough, writeback");
        }
    }

    void layout() {
        if (rule_.layout == Layout::Linear && rule_.devices.size() > 1) {
            error("device", "device: names 2 devices, and the layout is linear; write layout: striped or layout: raid1, or name one");
        }
        if (rule_.layout != Layout::Linear && rule_.kind == TierKind::Cache && rule_.store == Store::Volume) {
            error("layout",
                  "layout: " + std::string{name_of(rule_.layout)} + " is for a pool, whose halves can be repaired; write store: pool");
        }
    }

    void chunks() {
        if (!rule_.chunk_size) return;
        const Bytes chunk = *rule_.chunk_size;
        const std::string said = "chunk_size: " + spell_size(chunk);
        if (chunk < cache_chunk_min || chunk > cache_chunk_max || chunk % cache_chunk_min != 0) {
            return error("chunk_size", said + " is no chunk; from 32KiB to 1GiB, in steps of 32KiB");
        }
        const auto* size = rule_.size ? std::get_if<Bytes>(&*rule_.size) : nullptr;
        if (size == nullptr) return;
        const Bytes count = *size / chunk + (*size % chunk != 0 ? 1 : 0);
        if (count <= cache_chunks_max) return;
        const Bytes least = round_up((*size + cache_chunks_max - 1) / cache_chunks_max, cache_chunk_min);
        const std::string instead = least > cache_chunk_max ? "a size of at most " + spell_size(cache_chunk_max * cache_chunks_max)
                                                            : "at least " + spell_size(least);
        error("chunk_size",
              said + " would be " + std::to_string(count) + " chunks in " + spell_size(*size) + "; LVM allows 1000000: write " + instead);
    }

    void metadata() {
        if (!rule_.metadata_size) return;
        const Bytes said = *rule_.metadata_size;
        if (said > cache_metadata_max)
            return error("metadata_size", "metadata_size: " + spell_size(said) + " is more than the 16GiB that LVM allows");
        const auto* size = rule_.size ? std::get_if<Bytes>(&*rule_.size) : nullptr;
        const Bytes chunks = size != nullptr && rule_.chunk_size ? *size / std::max(*rule_.chunk_size, cache_chunk_min) : 0;
        const Bytes need = round_up(cache_metadata_min + chunks * cache_metadata_a_chunk, mib);
        if (said < need) {
            error("metadata_size", "metadata_size: " + spell_size(said) + " is too small; " +
                                       (chunks == 0 ? "at least " : std::to_string(chunks) + " chunks need ") + spell_size(need));
        }
    }

    void threshold() {
        const auto found = rule_.settings.find("migration_threshold");
        if (found == rule_.settings.end() || !rule_.chunk_size) return;
        const auto sectors = parse_count(found->second, 0, ~std::uint64_t{0}).value.value_or(0);
        const Bytes least = migration_threshold_chunks * *rule_.chunk_size / sector;
        if (sectors >= least) return;
        error("settings", "settings: migration_threshold " + found->second + " is less than 8 chunks of " + spell_size(*rule_.chunk_size) +
                              ", and LVM raises it to that; write at least " + std::to_string(least));
    }

    Entry<TierRule>& entry_;
    TierRule& rule_;
    Report& report_;
};

}  // namespace

void check_tier(Entry<TierRule>& entry, Report& report) {
    Check{entry, report}.run();
}

}  // namespace tierd::config
