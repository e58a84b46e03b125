// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "daemon/core/controller_impl.hpp"
#include "daemon/model/text.hpp"
#include "daemon/plan/recoveries.hpp"
#include "daemon/plan/writeback_gate.hpp"

namespace tierd {

const LogicalVolume* Controller::Impl::volume_of(const std::string& entry) const {
    const auto* rule = policy.tier(tier_name(entry));
    return rule == nullptr || !observed || !observed->lvm ? nullptr : observed->lvm->fronted(rule->volume);
}

std::uint32_t Controller::Impl::detach(const std::string& tier, bool called_off, std::uint32_t uid) {
    if (called_off)
        return ask(tier, {"attach", "bring the cache back to ", "its detach is called off", RequestKind::Detach, std::nullopt}, uid);
    return ask(tier, {"detach", "take the cache off ", "somebody asks for it", RequestKind::Detach, ""}, uid);
}

std::uint32_t Controller::Impl::flush(const std::string& tier, Usec limit, bool called_off, std::uint32_t uid) {
    if (called_off) return ask(tier, {"change", "end the flush of ", "its flush is called off", RequestKind::Flush, std::nullopt}, uid);
    const Usec now = observed ? observed->time : 0;
    return ask(tier,
               {"flush", "write back what is dirty in front of ", "somebody asks for it", RequestKind::Flush,
                std::to_string((now + limit) / usec_per_second)},
               uid);
}

std::uint32_t Controller::Impl::set_mode(const std::string& tier, std::optional<CacheMode> mode, std::uint32_t uid) {
    const auto* rule = policy.tier(tier);
    // What the policy says anyway needs no word of its own.
    const bool as_policy = !mode || (rule != nullptr && rule->mode == *mode);
    if (as_policy) {
        const std::string name = rule == nullptr ? "" : std::string{name_of(rule->mode)};
        return ask(tier,
                   {"set-mode", "make it " + name + " again, the cache of ", "the mode of the policy is asked for", RequestKind::Mode,
                    std::nullopt},
                   uid);
    }
    if (rule != nullptr && observed) {
        auto asked = *rule;
        asked.mode = *mode;
        const auto allowed = allowed_mode(policy, asked, Scene{*observed});
        if (!allowed.why.empty()) throw Error{ErrorCode::Ineligible, rule->volume.text() + " must not be writeback: " + allowed.why};
    }
    const std::string name{name_of(*mode)};
    return ask(tier, {"set-mode", "make it " + name + ", the cache of ", "somebody asks for mode " + name, RequestKind::Mode, name}, uid);
}

std::optional<std::pair<Bytes, Usec>> Controller::Impl::last_dirty(const TierRule& rule) const {
    const auto* volume = observed && observed->lvm ? observed->lvm->fronted(rule.volume) : nullptr;
    const auto seen = volume == nullptr ? memory.all().end() : memory.all().find(volume->uuid);
    return seen == memory.all().end() ? std::nullopt : std::optional{std::pair{seen->second.dirty, seen->second.time}};
}

std::uint32_t Controller::Impl::recover(const std::string& volume, const std::string& choice, const std::string& confirm,
                                        std::uint32_t uid) {
    if (!observed || !observed->lvm) throw Error{ErrorCode::StateUnknown, "LVM has not been read: try again in a moment"};
    const Target target{volume};
    const auto rule = std::find_if(policy.tiers.begin(), policy.tiers.end(), [&](const TierRule& each) {
        return target.means(tier_kind, {each.name}) || target.means(volume_kind, names_of_volume(each.volume.vg, each.volume.lv));
    });
    if (rule == policy.tiers.end()) throw Error{ErrorCode::NoSuchTarget, "the policy has no tier for \"" + volume + '"'};
    const auto choices = recoveries(*rule, *observed, last_dirty(*rule));
    if (choices.empty())
        throw Error{ErrorCode::NoSuchTarget, rule->volume.text() + " has lost no write-back cache: there is nothing to recover"};
    const auto chosen = std::find_if(choices.begin(), choices.end(), [&](const Recovery& each) { return each.choice == choice; });
    if (chosen == choices.end()) {
        std::vector<std::string> names;
        for (const auto& each : choices) names.push_back(each.choice);
        throw Error{ErrorCode::InvalidArgs, '"' + choice + "\" is no choice; there are " + join(names)};
    }
    if (!chosen->possible) throw Error{ErrorCode::Unsupported, chosen->how};
    if (!chosen->lossy) throw Error{ErrorCode::InvalidArgs, '"' + choice + "\" is nothing that tierd does: " + chosen->how};
    if (confirm != rule->volume.text())
        throw Error{ErrorCode::InvalidArgs,
                    chosen->price + "; it is done only when the name of the volume is given: confirm is not " + rule->volume.text()};
    return ask(rule->name, {"recover", "give up what only the SSD had of ", "somebody chose " + choice, RequestKind::Recover, choice}, uid);
}

std::uint32_t Controller::Impl::ask(const std::string& tier, const Asked& asked, std::uint32_t uid) {
    const std::string entry = "tier " + tier;
    if (!observed || !observed->lvm) throw Error{ErrorCode::StateUnknown, "LVM has not been read: try again in a moment"};
    if (observes_only()) throw Error{ErrorCode::Unsupported, "tierd observes only (--dry-run, or a container): nothing is changed"};
    const auto* rule = policy.tier(tier);
    if (rule == nullptr)
        throw Error{ErrorCode::NoSuchTarget,
                    "the policy has no tier \"" + tier + "\"; an entry with 'state: absent' takes a cache off that it does not name"};
    const bool is_cache = rule->kind == TierKind::Cache || (rule->kind == TierKind::Writecache && asked.kind != RequestKind::Mode);
    if (!is_cache) throw Error{ErrorCode::Unsupported, "not for a tier of kind " + std::string{name_of(rule->kind)}};
    const std::string& group = rule->volume.vg;
    for (const auto& [what, why] : in_force().frozen) {
        if (what == entry || what == group) throw Error{ErrorCode::Frozen, what + " is frozen: " + why};
    }
    if (paused.contains(group)) throw Error{ErrorCode::Paused, pause_of(group)};
    const auto* volume = volume_of(entry);
    if (volume == nullptr) throw Error{ErrorCode::NoSuchTarget, rule->volume.text() + " is not there"};

    if (asked.kind == RequestKind::Flush && asked.value && !volume->is_cached())
        throw Error{ErrorCode::NoSuchTarget, rule->volume.text() + " has no cache"};

    RequestToTag request{entry, {{volume->vg, volume->name}, volume->uuid, {}, request_tags(*volume, asked.kind)}, asked.why};
    if (asked.value) {
        const auto tag = request_tag(asked.kind, *asked.value);
        if (request.tag.remove.erase(tag) == 0) request.tag.add.insert(tag);
    }
    const auto open = entry_jobs.find(entry);
    const bool nothing_to_note = request.tag.add.empty() && request.tag.remove.empty();
    if (open != entry_jobs.end()) {
        // The same once more is the same job.
        if (nothing_to_note && open->second.operation == asked.operation) return open->second.id;
        jobs.finish(open->second.id, "canceled");
    }
    // What a person asks for again is no step that does not stay done.
    patience.forget(group);
    EntryJob job;
    job.operation = asked.operation;
    job.state = asked.kind == RequestKind::Detach && asked.value ? Presence::Absent
                : asked.kind == RequestKind::Detach              ? rule->state
                                                                 : wanted.tier(tier)->state;
    if (asked.kind == RequestKind::Flush && asked.value) job.until = std::stoull(*asked.value) * usec_per_second;
    job.id = jobs.open(asked.operation, tier + ": " + asked.about + rule->volume.text(), {tier}, uid);
    const auto id = job.id;
    entry_jobs[entry] = std::move(job);
    if (!nothing_to_note) asking[entry] = std::move(request);
    schedule_pass(0);
    say_changed();
    return id;
}

std::vector<RequestToTag> Controller::Impl::to_be_tagged() const {
    std::vector<RequestToTag> requests;
    for (const auto& [entry, request] : asking) requests.push_back(request);
    return requests;
}

void Controller::Impl::settle_requests() {
    if (!observed->lvm) return;
    for (auto each = asking.begin(); each != asking.end();) {
        const auto& tag = each->second.tag;
        if (runs.contains(tag.volume.vg)) {
            ++each;
            continue;
        }
        const auto* volume = observed->lvm->volume(tag.volume);
        if (volume == nullptr || volume->uuid != tag.lv_uuid) {
            if (const auto job = entry_jobs.extract(each->first))
                jobs.fail(job.mapped().id, ErrorCode::NoSuchTarget, tag.volume.text() + " is not there any more");
            each = asking.erase(each);
            continue;
        }
        const auto has = [&](const std::string& text) { return volume->tags.contains(text); };
        const bool stands = std::all_of(tag.add.begin(), tag.add.end(), has) && std::none_of(tag.remove.begin(), tag.remove.end(), has);
        each = stands ? asking.erase(each) : std::next(each);
    }
}

bool Controller::Impl::call_off(const std::string& entry, const std::string& operation) {
    const auto pending = asking.extract(entry);
    const auto* volume = volume_of(entry);
    const auto* rule = policy.tier(tier_name(entry));
    if (volume == nullptr || rule == nullptr) return !pending.empty();
    const auto kind = operation == "detach"     ? RequestKind::Detach
                      : operation == "flush"    ? RequestKind::Flush
                      : operation == "set-mode" ? RequestKind::Mode
                      : operation == "recover"  ? RequestKind::Recover
                                                : RequestKind::Remake;
    auto tags = request_tags(*volume, kind);
    // The command that puts it there may be under way.
    if (pending && runs.contains(rule->volume.vg)) tags.insert(pending.mapped().tag.add.begin(), pending.mapped().tag.add.end());
    if (tags.empty()) return !pending.empty();
    asking[entry] = {entry, {{volume->vg, volume->name}, volume->uuid, {}, std::move(tags)}, "it is called off"};
    // Under autonomy: full nobody was asked, and it would begin anew.
    return kind != RequestKind::Remake || rule->autonomy != Autonomy::Full;
}

}  // namespace tierd
