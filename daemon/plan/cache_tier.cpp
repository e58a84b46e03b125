// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/cache_tier.hpp"

#include <algorithm>
#include <array>

#include "daemon/model/identity.hpp"
#include "daemon/plan/describe.hpp"
#include "daemon/plan/pool_name.hpp"
#include "daemon/plan/sizing.hpp"

namespace tierd {

namespace {

std::string join(const std::vector<std::string>& parts, const std::string& between) {
    std::string text;
    for (const auto& part : parts) text += (text.empty() ? "" : between) + part;
    return text;
}

std::string plural(std::uint64_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

class CacheTier {
public:
    CacheTier(const Policy& policy, const TierRule& rule, const Scene& scene) : policy_{policy}, rule_{rule}, scene_{scene} {}

    std::optional<Step> next() {
        if (auto step = check_entry()) return step;
        if (rule_.state == Presence::Absent) return when_unwanted();
        if (auto step = check_group()) return step;
        if (auto step = check_volume()) return step;
        if (volume_->segtype == "cache") return when_cached();
        const auto tagged = scene_.tagged(rule_.volume.vg, rule_.name);
        if (!tagged.empty()) return when_pool_stands(*tagged.front());
        if (const auto* pv = serving_pv()) return when_pv_serves(*pv);
        return when_disk_is_wanted();
    }

private:
    // --- forms of a step ---

    [[nodiscard]] Step form(StepState state, std::string verb, std::string text, std::string reason) const {
        Step step;
        step.state = state;
        step.verb = std::move(verb);
        step.target = rule_.volume.lv.empty() ? rule_.name : rule_.volume.text();
        step.entry = "tier " + rule_.name;
        step.group = rule_.volume.vg;
        step.sentence = std::move(text);
        step.reason = std::move(reason);
        step.rule = rule_.place;
        return step;
    }
    [[nodiscard]] Step wait(std::string text, std::string reason, std::optional<Usec> until = std::nullopt) const {
        auto step = form(StepState::Waiting, "wait", std::move(text), std::move(reason));
        step.until = until;
        return step;
    }
    /// What ends without an event is looked at again.
    [[nodiscard]] Usec soon() const { return scene_.now().time + 2 * usec_per_second; }
    [[nodiscard]] Usec later() const { return scene_.now().time + 10 * usec_per_second; }
    [[nodiscard]] Step refuse(std::string reason) const {
        return form(StepState::Refused, "refuse", rule_.volume.text() + " is not made fast", std::move(reason));
    }
    [[nodiscard]] Step unsupported(std::string reason) const {
        return form(StepState::Unsupported, "unsupported", "this version of tierd cannot do it yet", std::move(reason));
    }
    [[nodiscard]] Step act(Action action, std::string reason, Bytes bytes = 0) const {
        auto step = form(StepState::Ready, std::string{verb_of(action)}, sentence(action, Tense::Imperative), std::move(reason));
        step.risk = risk_of(action);
        step.bytes = bytes;
        step.needs_person = rule_.autonomy == Autonomy::Observe;
        step.action = std::move(action);
        return step;
    }

    // --- what must hold before anything ---

    std::optional<Step> check_entry() {
        if (const auto frozen = policy_.frozen.find("tier " + rule_.name); frozen != policy_.frozen.end()) return refuse(frozen->second);
        for (const auto& name : rule_.devices) {
            if (const auto frozen = policy_.frozen.find("device " + name); frozen != policy_.frozen.end()) return refuse(frozen->second);
        }
        if (rule_.kind != TierKind::Cache) return unsupported("tiers of kind " + std::string{name_of(rule_.kind)});
        if (rule_.store != Store::Pool) return unsupported("store: " + std::string{name_of(rule_.store)});
        if (rule_.layout != Layout::Linear || rule_.devices.size() != 1)
            return unsupported("pools over several disks (layout: " + std::string{name_of(rule_.layout)} + ')');
        device_rule_ = policy_.device(rule_.devices.front());
        if (device_rule_ == nullptr) return refuse("there is no device rule " + rule_.devices.front());
        if (device_rule_->count != 1)
            return unsupported("device rule " + device_rule_->name + " with count: " + std::to_string(device_rule_->count));
        if (!scene_.lvm_known()) return wait("wait until LVM can be read", scene_.now().lvm_error, soon());
        if (scene_.now().machine.empty())
            return wait("wait until this machine's id is known", "without it a disk of tierd's is not recognised again", soon());
        if (!scene_.now().devices_known) return wait("wait until the disks can be read", "udev or sysfs could not be read", soon());
        return std::nullopt;
    }

    std::optional<Step> check_group() {
        const std::string& name = rule_.volume.vg;
        group_ = scene_.group(name);
        if (group_ == nullptr) return wait("waits for volume group " + name, "it is not there");
        if (scene_.is_ambiguous(name)) return refuse("LVM finds two volume groups called " + name);
        if (group_->busy) return wait("wait until volume group " + name + " is free", "another command holds its lock", soon());
        if (group_->shared) return refuse("volume group " + name + " is shared with other hosts: tierd only watches it");
        if (group_->exported) return refuse("volume group " + name + " is exported");
        if (!group_->writeable) return refuse("volume group " + name + " is read-only");
        if (group_->extent_size == 0) return wait("waits for volume group " + name, "its extent size is not known");
        for (const auto* pv : scene_.pvs_of(name)) {
            if (pv->duplicate) return refuse("LVM finds physical volume " + pv->uuid + " on more than one device (" + pv->device + ")");
        }
        const auto pvs = scene_.pvs_of(name);
        const auto missing = std::count_if(pvs.begin(), pvs.end(), [](const PhysicalVolume* pv) { return pv->missing; });
        if (group_->missing_pvs > 0 || missing > 0 || group_->partial) {
            return wait(
                "waits for volume group " + name + " to be whole",
                plural(std::max(group_->missing_pvs, static_cast<std::uint64_t>(missing)), "physical volume is", "physical volumes are") +
                    " missing");
        }
        return std::nullopt;
    }

    std::optional<Step> check_volume() {
        volume_ = scene_.volume(rule_.volume.vg, rule_.volume.lv);
        if (volume_ == nullptr) return wait("waits for volume " + rule_.volume.text(), "it is not there");
        return check_kind_of_volume();
    }

    std::optional<Step> check_kind_of_volume() {
        constexpr std::array can_be_cached{"linear", "striped", "cache", "raid0", "raid1", "raid10", "raid4", "raid5", "raid6"};
        if (volume_->hidden) return refuse("it is a part of another volume");
        if (std::any_of(volume_->tags.begin(), volume_->tags.end(), [](const std::string& tag) { return tag.rfind("ceph.", 0) == 0; })) {
            return refuse("it belongs to Ceph (tags ceph.*)");
        }
        if (!volume_->origin.empty() && volume_->segtype != "cache") return refuse("it is a snapshot of " + volume_->origin);
        const bool known = std::any_of(can_be_cached.begin(), can_be_cached.end(), [&](const std::string& segtype) {
            return volume_->segtype == segtype || (segtype.rfind("raid", 0) == 0 && volume_->segtype.rfind(segtype + '_', 0) == 0);
        });
        if (volume_->segtype == "thin-pool") return unsupported("a cache in front of a thin pool");
        if (!known)
            return refuse("a volume of type " + (volume_->segtype.empty() ? "unknown" : volume_->segtype) + " cannot be cached by LVM");
        if (volume_->merging) return wait("wait until the merge into " + rule_.volume.text() + " has ended", "a snapshot is being merged");
        if (volume_->partial) return wait("waits for " + rule_.volume.text() + " to be whole", "a part of it is missing");
        const bool known_state = volume_->active && (volume_->suspended || !*volume_->active);
        if (!known_state)
            return wait("wait until the state of " + rule_.volume.text() + " is known",
                        "LVM does not say whether it is active or suspended", soon());
        if (volume_->suspended.value_or(false))
            return wait("wait until " + rule_.volume.text() + " is resumed", "it is suspended in the kernel", soon());
        return std::nullopt;
    }

    std::optional<Step> when_unwanted() {
        volume_ = scene_.volume(rule_.volume.vg, rule_.volume.lv);
        if (volume_ == nullptr || volume_->segtype != "cache" || our_pool() == nullptr) return std::nullopt;
        return unsupported("state: absent (drain and detach)");
    }

    // --- it is cached ---

    [[nodiscard]] const LogicalVolume* our_pool() const {
        const auto* pool = scene_.volume(rule_.volume.vg, volume_->pool);
        return pool != nullptr && tier_of(*pool) ? pool : nullptr;
    }

    /// Unknown is no fault: what follows asks again.
    [[nodiscard]] CacheStatus::Health health_of(const LogicalVolume& volume) const {
        const auto device = scene_.now().caches.find(volume.uuid);
        return device == scene_.now().caches.end() || !device->second.status ? CacheStatus::Health::Ok : device->second.status->health;
    }

    std::optional<Step> when_cached() {
        const auto* pool = our_pool();
        if (pool == nullptr) return refuse("it has a cache that tierd did not make (" + volume_->pool + "): left alone");
        if (const auto health = health_of(*volume_); health != CacheStatus::Health::Ok) {
            return refuse("its cache is " + std::string{name_of(health)} +
                          ": what was not written back is on the SSD only, so keep it; when it is back, unmount the volume and run "
                          "lvchange -an and -ay on it");
        }
        if (auto step = fence_below(*pool)) return step;
        if (volume_->active == true) {
            const auto device = scene_.now().caches.find(volume_->uuid);
            const auto committed = device == scene_.now().caches.end() ? std::nullopt : device->second.metadata_committed;
            if (!committed)
                return wait("wait until it is known whether the cache's metadata reached the SSD", "it could not be read there", later());
            if (!*committed) return act(CommitMetadata{rule_.volume, volume_->uuid, volume_->dm_uuid}, uncommitted_reason);
        }
        return compare_fields();
    }

    /// The PV below the pool is tagged and keeps other allocations off.
    std::optional<Step> fence_below(const LogicalVolume& pool) {
        for (const auto& part : {pool.data, pool.metadata}) {
            for (const auto* pv : pvs_below(part)) {
                if (pv == nullptr || !is_ours(*pv, scene_.now())) continue;
                if (auto step = fence(*pv)) return step;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Step> fence(const PhysicalVolume& pv) const {
        if (!pv.allocatable && device_rule_of(pv)) return std::nullopt;
        return act(
            FencePv{rule_.volume.vg, pv.device, pv.uuid, device_tag(device_rule_of(pv).value_or(device_rule_->name)), diskseq_of(pv)},
            "a later lvextend or snapshot without a list of disks could land on the SSD");
    }

    std::optional<Step> compare_fields() {
        std::vector<std::string> changes;
        const auto note = [&](const std::string& what, const std::string& is, const std::string& asked) {
            if (is != asked) changes.push_back(what + " from " + is + " to " + asked);
        };
        if (volume_->cache_mode) note("mode", std::string{name_of(*volume_->cache_mode)}, std::string{name_of(rule_.mode)});
        if (!volume_->cache_policy.empty()) note("cache_policy", volume_->cache_policy, rule_.cache_policy);
        for (const auto& [key, value] : rule_.settings) {
            const auto found = volume_->cache_settings.find(key);
            note("setting " + key, found == volume_->cache_settings.end() ? "the default" : found->second, value);
        }
        if (rule_.chunk_size && volume_->chunk_size != 0)
            note("chunk_size", format_size(volume_->chunk_size), format_size(*rule_.chunk_size));
        compare_size(changes);
        if (changes.empty()) return std::nullopt;
        return unsupported("to change " + join(changes, ", ") + " of a cache that is there");
    }

    void compare_size(std::vector<std::string>& changes) const {
        const auto* pool = our_pool();
        if (!rule_.size || pool == nullptr || !std::holds_alternative<Bytes>(*rule_.size)) return;
        const Bytes asked = round_up(std::get<Bytes>(*rule_.size), group_->extent_size);
        if (pool->size != asked) changes.push_back("size from " + format_size(pool->size) + " to " + format_size(asked));
    }

    // --- a pool of ours stands there, in front of nothing ---

    std::optional<Step> when_pool_stands(const LogicalVolume& pool) {
        if (pool.hidden) return refuse("its pool " + pool.name + " is in use by another volume");
        if (auto step = check_parts(pool)) return step;
        if (pool.cache_mode) return when_split(pool);
        if (const std::string fault = fault_of(pool); !fault.empty()) return remove(pool, fault);
        if (auto step = fence_below(pool)) return step;
        return act(AttachCache{rule_.volume, pool.name, rule_.mode, rule_.cache_policy, rule_.settings},
                   "the policy asks for a " + std::string{name_of(rule_.mode)} + " cache", pool.size);
    }

    [[nodiscard]] Step remove(const LogicalVolume& pool, const std::string& fault) const {
        const VolumeName name{rule_.volume.vg, pool.name};
        const auto wants_it = [&](const TierRule& rule) { return rule.volume == name; };
        if (std::any_of(policy_.tiers.begin(), policy_.tiers.end(), wants_it))
            return refuse("the policy itself calls its half-made pool " + name.text() + " a volume");
        return act(RemoveHalfMade{name.vg, name.lv, pool.uuid}, fault);
    }

    /// A pool that was in front of a volume keeps its mode, one that was just made has none: somebody took it off, and will know why.
    /// It is put back by a person's word only, and never removed.
    std::optional<Step> when_split(const LogicalVolume& pool) {
        if (auto step = fence_below(pool)) return step;
        auto step = act(AttachCache{rule_.volume, pool.name, rule_.mode, rule_.cache_policy, rule_.settings},
                        "its pool " + pool.name + " was taken off by hand; 'tierctl apply' puts it back", pool.size);
        step.needs_person = true;
        step.risk = Risk::Disruptive;
        return step;
    }

    /// What carries the tag is removed only when it is known where it lies, and it cannot be anybody's data.
    std::optional<Step> check_parts(const LogicalVolume& pool) const {
        const std::string name = rule_.volume.vg + '/' + pool.name;
        const bool is_pool = pool.segtype == "cache-pool";
        for (const auto& part : is_pool ? std::vector{pool.data, pool.metadata} : std::vector{pool.name}) {
            const auto* volume = scene_.volume(rule_.volume.vg, part);
            bool known = volume != nullptr && !volume->extents_on.empty();
            for (const auto* pv : pvs_below(part)) {
                known = known && pv != nullptr;
                if (is_pool || (pv != nullptr && is_ours(*pv, scene_.now()))) continue;
                return refuse(name +
                              " carries the tag of this tier, and is no cache pool: look at it, and take the tag off if it is not tierd's");
            }
            if (!known) return wait("wait until the parts of " + name + " can be read", "where it lies is not known", soon());
        }
        return std::nullopt;
    }

    /// nullptr for one that LVM did not report.
    [[nodiscard]] std::vector<const PhysicalVolume*> pvs_below(const std::string& part) const {
        std::vector<const PhysicalVolume*> pvs;
        const auto* volume = scene_.volume(rule_.volume.vg, part);
        if (volume == nullptr) return pvs;
        for (const auto& [uuid, extents] : volume->extents_on) pvs.push_back(scene_.now().lvm->pv(uuid));
        return pvs;
    }

    [[nodiscard]] std::string fault_of(const LogicalVolume& pool) const {
        if (pool.segtype != "cache-pool") return "it was to become a cache pool and is none";
        for (const auto& part : {pool.data, pool.metadata}) {
            for (const auto* pv : pvs_below(part)) {
                if (!is_ours(*pv, scene_.now())) return part + " landed on " + pv->device + ", which is no fast disk of tierd's";
            }
        }
        const bool size_asked = rule_.size && std::holds_alternative<Bytes>(*rule_.size);
        const Bytes asked = size_asked ? round_up(std::get<Bytes>(*rule_.size), group_->extent_size) : pool.size;
        if (pool.size != asked) return "it has " + format_size(pool.size) + ", and " + format_size(asked) + " are asked for";
        return "";
    }

    // --- a PV of ours is in the group, without a pool ---

    [[nodiscard]] const PhysicalVolume* serving_pv() const {
        for (const auto* pv : scene_.pvs_of(rule_.volume.vg)) {
            if (pv->missing || !is_ours(*pv, scene_.now())) continue;
            const auto tagged = device_rule_of(*pv);
            if (tagged) {
                if (*tagged == device_rule_->name) return pv;
                continue;
            }
            const auto* device = scene_.device_of(*pv);
            if (device != nullptr && judge(*device_rule_, *device, scene_.now()).matches) return pv;
        }
        return nullptr;
    }

    [[nodiscard]] std::uint64_t diskseq_of(const PhysicalVolume& pv) const {
        const auto* device = scene_.device_of(pv);
        return device != nullptr ? device->diskseq : 0;
    }

    [[nodiscard]] PoolSize size_on(std::uint64_t device_extents, std::uint64_t free_extents) const {
        const auto* spare = scene_.volume(rule_.volume.vg, "lvol0_pmspare");
        const auto present = spare != nullptr ? spare->size / group_->extent_size : 0;
        return size_pool(rule_, group_->extent_size, device_extents, free_extents, present, scene_.now().setup.cache_pool_max_chunks);
    }

    std::optional<Step> when_pv_serves(const PhysicalVolume& pv) {
        const auto size = size_on(pv.extents, pv.extents - std::min(pv.extents, pv.allocated_extents));
        if (!size.problem.empty()) {
            if (auto step = fence(pv)) return step;
            return refuse(pv.device + ": " + size.problem);
        }
        if (!pv.allocatable)
            return act(UnfencePv{rule_.volume.vg, pv.device, pv.uuid, diskseq_of(pv)}, "it is fenced, and the pool is to be made on it");
        CreateCachePool create;
        create.vg = rule_.volume.vg;
        create.name = pool_name(rule_, scene_);
        create.node = pv.device;
        create.pv_uuid = pv.uuid;
        create.data_extents = size.data_extents;
        create.metadata_extents = size.metadata_extents;
        create.extent_size = group_->extent_size;
        create.chunk_size = size.chunk_size;
        create.tag = tier_tag(rule_.name);
        create.diskseq = diskseq_of(pv);
        const Bytes bytes = size.data_extents * group_->extent_size;
        return act(
            std::move(create),
            size.note.empty() ? "data and metadata are kept on the SSD, and the room for a spare metadata volume with them" : size.note,
            bytes);
    }

    // --- no disk serves yet ---

    std::optional<Step> when_disk_is_wanted() {
        std::vector<const Scene::Candidate*> takable;
        std::vector<const Scene::Candidate*> begun;
        std::vector<std::string> others;
        const BlockDevice* unknown = nullptr;
        std::optional<Usec> until;
        for (const auto& candidate : scene_.candidates(*device_rule_)) {
            const auto& verdict = candidate.verdict;
            if (verdict.answer == Verdict::Answer::Eligible) {
                takable.push_back(&candidate);
                if (scene_.now().lvm->pv_on(*candidate.device) != nullptr) begun.push_back(&candidate);
            } else if (verdict.answer == Verdict::Answer::Settling) {
                takable.push_back(&candidate);
                until = std::max(until.value_or(0), verdict.until);
            } else if (verdict.answer == Verdict::Answer::Serving) {
                others.push_back(candidate.device->node + " serves volume group " + scene_.now().lvm->pv_on(*candidate.device)->vg);
            } else {
                if (verdict.answer == Verdict::Answer::Unknown) unknown = candidate.device;
                others.push_back(candidate.device->node + ": " + join(verdict.reasons, "; "));
            }
        }
        if (begun.size() == 1) takable = begun;
        if (takable.size() > 1) return refuse_ambiguous(takable);
        if (takable.empty())
            return wait("waits for a disk: " + describe_rule(*device_rule_),
                        others.empty() ? "none is there" : "not taken: " + join(others, "; "),
                        unknown != nullptr ? std::optional{later()} : std::nullopt);
        // It may be the disk that is meant: then two match, and none is taken.
        if (unknown != nullptr && begun.empty())
            return wait("wait until " + unknown->node + " is known", "it matches too: " + join(others, "; "), later());
        if (until) return wait("wait until " + takable.front()->device->node + " has settled", "udev spoke of it a moment ago", until);
        return take(*takable.front());
    }

    [[nodiscard]] Step refuse_ambiguous(const std::vector<const Scene::Candidate*>& takable) const {
        std::vector<std::string> nodes;
        for (const auto* candidate : takable) nodes.push_back(candidate->device->node + " (" + identity_of(*candidate->device) + ')');
        auto step = refuse("device rule " + device_rule_->name + " asks for one disk and " + std::to_string(nodes.size()) +
                           " match, so none is taken: " + join(nodes, ", ") + "; name one by serial or wwn");
        step.verb = "device-ambiguous";
        return step;
    }

    std::optional<Step> take(const Scene::Candidate& candidate) {
        const auto& device = *candidate.device;
        const auto* pv = scene_.now().lvm->pv_on(device);
        if (auto step = check_fit(device)) return step;
        const std::string why =
            device.node + " is the disk that rule " + device_rule_->name + " asks for (" + short_place(device_rule_->place) + ')';
        DiskClaim claim{device.node, identity_of(device), device.diskseq, device.size, {}};
        if (pv != nullptr) return act(ExtendVg{rule_.volume.vg, device.node, pv->uuid, device.diskseq}, why);
        const std::string uuid = pv_uuid_for(scene_.now().machine, claim.identity);
        const auto& pvs = scene_.now().lvm->pvs;
        if (std::any_of(pvs.begin(), pvs.end(), [&](const PhysicalVolume& each) { return each.uuid == uuid; })) {
            return refuse(device.node + ": LVM knows another physical volume of the UUID that it is to get (" + uuid +
                          "): a copy of this disk, or one that is missing");
        }
        if (candidate.verdict.needs_wipe) {
            claim.may_wipe = device_rule_->wipe;
            auto step = act(WipeSignatures{std::move(claim)}, why);
            step.target = device.node;
            return step;
        }
        auto step = act(CreatePv{claim, uuid}, why);
        step.target = device.node;
        return step;
    }

    /// Before the disk is touched: everything that could only fail later.
    std::optional<Step> check_fit(const BlockDevice& device) {
        const auto extents = device.size > pv_data_offset ? (device.size - pv_data_offset) / group_->extent_size : 0;
        if (const auto size = size_on(extents, extents); !size.problem.empty()) return refuse(device.node + ": " + size.problem);
        for (const auto* pv : scene_.pvs_of(rule_.volume.vg)) {
            const auto* other = scene_.device_of(*pv);
            if (other == nullptr || other->logical_block_size == device.logical_block_size) continue;
            return refuse(device.node + " has logical blocks of " + format_size(device.logical_block_size) + " and " + other->node +
                          " of " + format_size(other->logical_block_size) + ": LVM does not mix them in one volume group");
        }
        return std::nullopt;
    }

    const Policy& policy_;
    const TierRule& rule_;
    const Scene& scene_;
    const DeviceRule* device_rule_ = nullptr;
    const VolumeGroup* group_ = nullptr;
    const LogicalVolume* volume_ = nullptr;
};

}  // namespace

std::optional<Step> next_step(const Policy& policy, const TierRule& rule, const Scene& scene) {
    return CacheTier{policy, rule, scene}.next();
}

std::string describe_rule(const DeviceRule& rule) {
    std::vector<std::string> parts;
    const auto& match = rule.match;
    if (match.kind) parts.emplace_back(name_of(*match.kind));
    if (!match.transport.empty()) parts.push_back(join(match.transport, " or "));
    if (match.min_size) parts.push_back(format_size(*match.min_size) + " or more");
    if (!match.serial.empty()) parts.push_back("serial " + join(match.serial, " or "));
    if (!match.wwn.empty()) parts.push_back("WWN " + join(match.wwn, " or "));
    if (!match.model.empty()) parts.push_back("model " + join(match.model, " or "));
    if (!match.path.empty()) parts.push_back("at " + join(match.path, " or "));
    if (!match.partlabel.empty()) parts.push_back("partition label " + join(match.partlabel, " or "));
    if (!match.partuuid.empty()) parts.push_back("partition UUID " + join(match.partuuid, " or "));
    return rule.name + " (" + join(parts, ", ") + ')';
}

}  // namespace tierd
