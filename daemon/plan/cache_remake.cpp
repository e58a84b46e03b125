// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "daemon/model/identity.hpp"
#include "daemon/model/request.hpp"
#include "daemon/plan/cache_parts.hpp"
#include "daemon/plan/eligibility.hpp"
#include "daemon/plan/writeback_gate.hpp"

/// A cache of another shape than the policy asks for by now. LVM (2.03.16, and later ones) resizes no cache pool, so it is drained, taken
/// off and made anew. Under autonomy: act a person agrees to that first; that it was agreed to stands on the volume (model/request).
namespace tierd {

namespace {

struct Shape {
    std::vector<std::string> changes;  ///< "size from 1 GiB to 2 GiB"
    std::string problem;               ///< why it cannot be made so
    std::string other_disk;            ///< the rule by which the disk below was taken, where it is not to be that one any more
};

/// The rule by which a disk below was taken, where none of the tier's asks for that disk; "" where one does, or that is not known.
std::string other_rule_below(const TierCase& tier, const LogicalVolume& pool) {
    const auto rules = tier.device_rules();
    for (const auto* pv : tier.pvs_below(parts_of(pool).front())) {
        const auto tag = pv == nullptr ? std::nullopt : device_rule_of(*pv);
        const auto* device = pv == nullptr ? nullptr : tier.scene.device_of(*pv);
        if (!tag || device == nullptr) continue;
        const bool is_asked = std::any_of(rules.begin(), rules.end(), [&](const DeviceRule* rule) {
            return *tag == rule->name || judge(*rule, *device, tier.scene.now()).matches;
        });
        if (!is_asked) return *tag;
    }
    return "";
}

std::string names_of_rules(const TierCase& tier) {
    return join(tier.rule.devices, " and ");
}

/// Known before the cache that stands is taken off for it.
std::string why_not_a_writecache(const TierCase& tier) {
    auto why = why_never_writeback(tier.policy, tier.rule, tier.scene);
    for (const auto* pv : tier.serving_pvs()) {
        const auto* device = tier.scene.device_of(*pv);
        if (why.empty() && device != nullptr) why = why_not_on(*device);
    }
    return why;
}

Shape compare_shape(const TierCase& tier, const LogicalVolume& pool) {
    const auto& rule = tier.rule;
    const Bytes extent = tier.group->extent_size;
    Shape shape;
    const auto note = [&](const std::string& what, Bytes is, Bytes asked, Bytes tolerance) {
        if (std::max(is, asked) - std::min(is, asked) > tolerance)
            shape.changes.push_back(what + " from " + format_size(is) + " to " + format_size(asked));
    };
    const Store store = store_of(pool);
    if (tier.volume->segtype != name_of(rule.kind)) {
        shape.changes.push_back("kind from " + tier.volume->segtype + " to " + std::string{name_of(rule.kind)});
    } else if (store != rule.store) {
        shape.changes.push_back("store from " + std::string{name_of(store)} + " to " + std::string{name_of(rule.store)});
    }
    if (const auto layout = tier.layout_of(pool); !layout.empty() && layout != name_of(rule.layout))
        shape.changes.push_back("layout from " + layout + " to " + std::string{name_of(rule.layout)});
    if (const auto asked = rule.settings.find("block_size"); asked != rule.settings.end() && tier.is_of_kind()) {
        const auto device = tier.scene.now().caches.find(tier.volume->uuid);
        if (device != tier.scene.now().caches.end() && device->second.status)
            note("block_size", device->second.status->block_size, std::stoull(asked->second), 0);
    }
    if (rule.chunk_size && tier.volume->chunk_size != 0) note("chunk_size", tier.volume->chunk_size, *rule.chunk_size, 0);
    shape.other_disk = other_rule_below(tier, pool);
    if (!shape.other_disk.empty()) shape.changes.push_back("device from " + shape.other_disk + " to " + names_of_rules(tier));
    shape.problem = boot_problem(tier);
    if (rule.kind == TierKind::Writecache && shape.problem.empty()) {
        if (const auto why = why_not_a_writecache(tier); !why.empty()) shape.problem = no_writecache + why;
    }
    const auto size = size_of(tier, pool);
    if (!size) return shape;
    if (rule.size && tier.is_of_kind()) {
        const bool fits = size->problem.empty() || std::holds_alternative<Percent>(*rule.size);
        note("size", pool.size, fits ? whole_size(tier, *size) : round_up(std::get<Bytes>(*rule.size), extent), extent);
    }
    const auto* metadata = tier.lv(pool.metadata);
    if (rule.metadata_size && metadata != nullptr) note("metadata_size", metadata->size, round_up(*rule.metadata_size, extent), extent);
    if (!shape.problem.empty()) return shape;
    shape.problem = size->problem;
    for (const auto* pv : tier.serving_pvs()) {
        const auto failure = shape.other_disk.empty() ? tier.scene.failure_of(*pv) : "";
        if (!failure.empty()) shape.problem = failure + no_new_cache;
    }
    return shape;
}

Step untag(const TierCase& tier, std::set<std::string> tags, const std::string& why) {
    auto step = tier.act(TagVolume{tier.fronted(), tier.volume->uuid, {}, std::move(tags)}, why);
    step.risk = Risk::None;
    return step;
}

/// What was moved away from another disk leaves that one to whoever wants it, or to nobody.
std::optional<Step> give_back_others(const TierCase& tier) {
    const auto& own = tier.rule.devices;
    const auto is_own = [&](const std::string& rule) { return std::find(own.begin(), own.end(), rule) != own.end(); };
    for (const auto* pv : tier.scene.pvs_of(tier.rule.volume.vg)) {
        const auto rule = device_rule_of(*pv);
        if (!rule || is_own(*rule)) continue;
        if (auto step = give_back(tier, *rule)) return step;
    }
    for (const auto& rule : tier.policy.devices) {
        if (is_own(rule.name)) continue;
        if (auto step = give_back(tier, rule.name)) return step;
    }
    return std::nullopt;
}

std::string why_of(const Shape& shape) {
    return "the policy asks for " + join(shape.changes, ", ") + ", and LVM changes that of no cache that stands";
}

/// What comes before the cache is taken off.
std::optional<Step> prepare(const TierCase& tier, const Shape& shape) {
    if (!shape.problem.empty()) return tier.refuse(shape.problem);
    const auto serving = tier.serving_pvs();
    if (serving.size() < tier.width()) return take_disk(tier);
    // A new one may stand there for hours, until the cache is drained.
    for (const auto* pv : serving) {
        if (auto step = tier.fence(*pv)) return step;
    }
    if (auto step = wait_for_window(tier)) return step;
    return drain(tier, why_of(shape));
}

}  // namespace

std::optional<Step> drop_request(const TierCase& tier, RequestKind kind, const std::string& why) {
    auto tags = tier.volume == nullptr ? std::set<std::string>{} : request_tags(*tier.volume, kind);
    if (tags.empty()) return std::nullopt;
    return untag(tier, std::move(tags), why);
}

bool is_taken_off_next(const TierCase& tier, const LogicalVolume& pool) {
    if (!requests_of(*tier.volume).remake) return false;
    const auto shape = compare_shape(tier, pool);
    return !shape.changes.empty() && !prepare(tier, shape);
}

std::optional<Step> remake(const TierCase& tier, const LogicalVolume& pool) {
    if (!requests_of(*tier.volume).remake) return std::nullopt;
    const auto shape = compare_shape(tier, pool);
    if (shape.changes.empty()) {
        if (auto step = give_back_others(tier)) return step;
        return drop_request(tier, RequestKind::Remake, "it is as the policy asks");
    }
    if (auto step = prepare(tier, shape)) return step;
    if (!shape.other_disk.empty()) {
        if (auto step = open_for_others(tier, pool, shape.other_disk)) return step;
    }
    return tier.act(RemoveCache{tier.fronted(), tier.volume->dm_uuid}, why_of(shape));
}

std::optional<Step> ask_to_remake(const TierCase& tier, const LogicalVolume& pool) {
    const auto shape = compare_shape(tier, pool);
    if (shape.changes.empty()) return std::nullopt;
    if (!shape.problem.empty()) return tier.refuse(why_of(shape) + ": " + shape.problem);
    if (tier.serving_pvs().size() < tier.width()) {
        auto step = take_disk(tier);
        if (step && step->state != StepState::Ready) return step;
    }
    const TagVolume agreed{tier.fronted(), tier.volume->uuid, {request_tag(RequestKind::Remake)}, {}};
    auto step = tier.act(agreed, why_of(shape) + ": it is drained, taken off, and made anew");
    step.needs_person = step.needs_person || tier.rule.autonomy != Autonomy::Full;
    step.risk = Risk::Disruptive;
    return step;
}

}  // namespace tierd
