// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/differences.hpp"

namespace tierd {

namespace {

class Comparer {
public:
    Comparer(const Observation& foretold, const Observation& observed, const std::string& vg, const std::set<std::string>& nodes)
        : foretold_{foretold}, observed_{observed}, vg_{vg}, nodes_{nodes} {}

    std::vector<std::string> run() {
        if (!observed_.lvm || !foretold_.lvm) return {"LVM could not be read"};
        for (const auto& group : foretold_.lvm->groups) {
            if (in_scope(group.name)) compare(group);
        }
        for (const auto& pv : foretold_.lvm->pvs) {
            if (in_scope(pv.vg) || nodes_.contains(pv.device)) compare(pv);
        }
        for (const auto& volume : foretold_.lvm->lvs) {
            if (in_scope(volume.vg)) compare(volume);
        }
        for (const auto& volume : observed_.lvm->lvs) {
            if (in_scope(volume.vg) && foretold_.lvm->volume({volume.vg, volume.name}) == nullptr)
                found_.push_back(volume.vg + '/' + volume.name + ": not foretold");
        }
        for (const auto& device : foretold_.devices) {
            if (vg_.empty() || nodes_.contains(device.node)) compare(device);
        }
        return std::move(found_);
    }

private:
    [[nodiscard]] bool in_scope(const std::string& vg) const { return vg_.empty() || vg == vg_; }

    template <typename Value>
    void expect(const std::string& object, const std::string& what, const Value& foretold, const Value& observed) {
        if (foretold != observed) found_.push_back(object + ": " + what + " foretold " + text(foretold) + ", found " + text(observed));
    }
    static std::string text(const std::string& value) { return '"' + value + '"'; }
    static std::string text(std::uint64_t value) { return std::to_string(value); }
    static std::string text(bool value) { return value ? "yes" : "no"; }
    static std::string text(const std::optional<bool>& value) { return value ? text(*value) : "unknown"; }
    static std::string text(const std::optional<CacheMode>& value) { return value ? std::string{name_of(*value)} : "none"; }
    static std::string text(const std::set<std::string>& values) {
        std::string all;
        for (const auto& value : values) all += (all.empty() ? "" : ",") + value;
        return '{' + all + '}';
    }
    static std::string text(const std::map<std::string, std::string>& values) {
        std::string all;
        for (const auto& [key, value] : values) all += (all.empty() ? "" : ",") + key + '=' + value;
        return '{' + all + '}';
    }
    static std::string text(const std::map<std::string, std::uint64_t>& values) {
        std::string all;
        for (const auto& [key, value] : values) all += (all.empty() ? "" : ",") + key + '=' + std::to_string(value);
        return '{' + all + '}';
    }

    void compare(const VolumeGroup& foretold) {
        const auto* observed = observed_.lvm->group(foretold.name);
        if (observed == nullptr) {
            found_.push_back("volume group " + foretold.name + ": gone");
            return;
        }
        expect(foretold.name, "extents", foretold.extents, observed->extents);
        expect(foretold.name, "free extents", foretold.free_extents, observed->free_extents);
        expect(foretold.name, "tags", foretold.tags, observed->tags);
    }

    void compare(const PhysicalVolume& foretold) {
        const auto* observed = observed_.lvm->pv(foretold.uuid);
        if (observed == nullptr) {
            found_.push_back("physical volume " + foretold.uuid + ": gone");
            return;
        }
        expect(foretold.device, "volume group", foretold.vg, observed->vg);
        expect(foretold.device, "tags", foretold.tags, observed->tags);
        if (foretold.vg.empty()) return;
        expect(foretold.device, "allocatable", foretold.allocatable, observed->allocatable);
        expect(foretold.device, "extents", foretold.extents, observed->extents);
        expect(foretold.device, "allocated extents", foretold.allocated_extents, observed->allocated_extents);
    }

    void compare(const LogicalVolume& foretold) {
        const std::string name = foretold.vg + '/' + foretold.name;
        const auto* observed = observed_.lvm->volume({foretold.vg, foretold.name});
        if (observed == nullptr) {
            found_.push_back(name + ": gone");
            return;
        }
        if (foretold.uuid.compare(0, 4, "new:") != 0) expect(name, "UUID", foretold.uuid, observed->uuid);
        expect(name, "segment type", foretold.segtype, observed->segtype);
        expect(name, "size", foretold.size, observed->size);
        expect(name, "tags", foretold.tags, observed->tags);
        expect(name, "hidden", foretold.hidden, observed->hidden);
        expect(name, "pool", foretold.pool, observed->pool);
        expect(name, "origin", foretold.origin, observed->origin);
        expect(name, "data", foretold.data, observed->data);
        expect(name, "metadata", foretold.metadata, observed->metadata);
        expect(name, "extents on physical volumes", foretold.extents_on, observed->extents_on);
        if (!foretold.is_cached()) return;
        expect(name, "mode", foretold.cache_mode, observed->cache_mode);
        expect(name, "cache policy", foretold.cache_policy, observed->cache_policy);
        expect(name, "settings", foretold.cache_settings, observed->cache_settings);
        expect(name, "chunk size", foretold.chunk_size, observed->chunk_size);
        const auto told = foretold_.caches.find(foretold.uuid);
        const auto seen = observed_.caches.find(observed->uuid);
        if (told != foretold_.caches.end() && told->second.metadata_committed == true) {
            expect(name, "metadata committed", told->second.metadata_committed,
                   seen == observed_.caches.end() ? std::nullopt : seen->second.metadata_committed);
        }
    }

    void compare(const BlockDevice& foretold) {
        const auto* observed = observed_.device(identity_of(foretold));
        if (observed == nullptr || !foretold.probe || !observed->probe) return;
        std::set<std::string> told;
        std::set<std::string> seen;
        for (const auto& signature : foretold.probe->signatures) told.insert(signature.type);
        for (const auto& signature : observed->probe->signatures) seen.insert(signature.type);
        expect(foretold.node, "signatures", told, seen);
    }

    const Observation& foretold_;
    const Observation& observed_;
    std::string vg_;
    std::set<std::string> nodes_;
    std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> differences(const Observation& foretold, const Observation& observed, const std::string& vg,
                                     const std::set<std::string>& nodes) {
    return Comparer{foretold, observed, vg, nodes}.run();
}

}  // namespace tierd
