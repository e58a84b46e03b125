// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/explain.hpp"

#include <algorithm>

#include "daemon/model/error.hpp"
#include "daemon/model/identity.hpp"
#include "daemon/model/target.hpp"
#include "daemon/model/text.hpp"
#include "daemon/plan/eligibility.hpp"
#include "daemon/plan/scene.hpp"
#include "daemon/plan/writeback_gate.hpp"

namespace tierd {

namespace {

using Answer = Verdict::Answer;

bool is_whole_disk(const BlockDevice& device) {
    return !device.virtual_disk && device.parent.empty();
}

/// All that explains one target; each kind of thing adds what it has to say.
class Explainer {
public:
    Explainer(const Policy& policy, const Observation& observation, const Plan& plan, const std::string& target)
        : policy_{policy}, now_{observation}, plan_{plan}, target_{target} {}

    std::vector<Finding> run() {
        for (const auto& device : now_.devices) {
            if (target_.means(device_kind, names_of_disk(device))) disk(device);
        }
        if (now_.lvm) {
            for (const auto& each : now_.lvm->groups) {
                if (target_.means(group_kind, names_of_group(each.name))) group(each);
            }
            for (const auto& each : now_.lvm->lvs) {
                if (target_.means(volume_kind, names_of_volume(each.vg, each.name))) volume(each);
            }
        }
        for (const auto& rule : policy_.devices) {
            if (target_.means(device_kind, {rule.name})) device_rule(rule);
        }
        for (const auto& rule : policy_.tiers) {
            if (target_.means(tier_kind, {rule.name}) || target_.means(volume_kind, names_of_volume(rule.volume.vg, rule.volume.lv)))
                tier(rule);
        }
        for (const auto& rule : policy_.snapshots) {
            if (target_.means(snapshot_kind, {rule.name})) snapshot(rule);
        }
        for (const auto& rule : policy_.pools) {
            if (target_.means(pool_kind, names_of_volume(rule.pool.vg, rule.pool.lv)) ||
                target_.means(volume_kind, names_of_volume(rule.pool.vg, rule.pool.lv)))
                pool(rule);
        }
        if (findings_.empty()) throw Error{ErrorCode::NoSuchTarget, "nothing here is called \"" + target_.text() + "\"; " + understood()};
        return std::move(findings_);
    }

private:
    using Is = Finding::Verdict;
    void say(const std::string& subject, std::string question, Is verdict, std::string evidence, std::string advice = "", Place rule = {}) {
        findings_.push_back({subject, std::move(question), verdict, std::move(evidence), std::move(advice), std::move(rule)});
    }

    // --- what is there ---

    void disk(const BlockDevice& device) {
        const auto about = describe_device(device, now_);
        findings_.insert(findings_.end(), about.begin(), about.end());
        if (policy_.devices.empty()) say(device.node, "is asked for", Is::No, "the policy has no device rules", "add one below devices:");
        for (const auto& rule : policy_.devices) {
            const auto verdict = judge(rule, device, now_);
            findings_.insert(findings_.end(), verdict.findings.begin(), verdict.findings.end());
            say(device.node, "taken by rule " + rule.name, verdict_on(verdict, rule), evidence_on(verdict, rule), "", rule.place);
        }
        // What speaks against it for one volume only: its sectors, its size.
        for (const auto& step : plan_.steps) {
            const bool about_it = step.reason.rfind(device.node + ' ', 0) == 0 || step.reason.rfind(device.node + ':', 0) == 0;
            if (step.state == StepState::Refused && about_it) say(device.node, "serves " + step.target, Is::No, step.reason, "", step.rule);
        }
    }

    [[nodiscard]] Is verdict_on(const Verdict& verdict, const DeviceRule& rule) const {
        if (!verdict.matches || verdict.answer == Answer::Ineligible) return Is::No;
        if (verdict.answer == Answer::Serving) return Is::Yes;
        if (verdict.answer == Answer::Eligible) return served_already(rule, now_).empty() ? Is::Yes : Is::No;
        return Is::Unknown;
    }
    [[nodiscard]] std::string evidence_on(const Verdict& verdict, const DeviceRule& rule) const {
        if (!verdict.matches) return "the rule does not ask for it";
        if (verdict.answer == Answer::Serving) return "it serves";
        if (verdict.answer != Answer::Eligible) return join(verdict.reasons, "; ");
        const auto served = served_already(rule, now_);
        return served.empty() ? "it may be taken" : served;
    }

    void group(const VolumeGroup& group) {
        say(group.name, "is", Is::Note,
            "a volume group of " + format_size(group.extents * group.extent_size) + ", " +
                format_size(group.free_extents * group.extent_size) + " free");
        if (group.missing_pvs > 0)
            say(group.name, "is whole", Is::No, "physical volumes are missing: " + std::to_string(group.missing_pvs));
        if (const auto frozen = policy_.frozen.find(group.name); frozen != policy_.frozen.end())
            say(group.name, "is worked on", Is::No, frozen->second, "tierctl thaw " + group.name);
        for (const auto& rule : policy_.tiers) {
            if (rule.volume.vg == group.name) tier(rule);
        }
    }

    void volume(const LogicalVolume& volume) {
        const std::string name = volume.vg + '/' + volume.name;
        say(name, "is", Is::Note, volume.segtype + ", " + format_size(volume.size));
        if (volume.is_cached()) {
            const auto* pool = now_.lvm->volume({volume.vg, volume.pool});
            const auto owner = pool != nullptr ? tier_of(*pool) : std::nullopt;
            say(name, "its cache is tierd's", owner ? Is::Yes : Is::No,
                owner ? "pool " + volume.pool + " carries the tag of tier " + *owner
                      : "pool " + volume.pool + " carries no tag of tierd's: it is left alone");
        }
        const bool asked_for = std::any_of(policy_.tiers.begin(), policy_.tiers.end(), [&](const TierRule& rule) {
            return rule.volume == VolumeName{volume.vg, volume.name};
        });
        if (!asked_for) say(name, "is asked for", Is::No, "no tier of the policy names it", "add one below tiers:");
    }

    // --- what is asked for ---

    void device_rule(const DeviceRule& rule) {
        const std::string name = "device " + rule.name;
        std::vector<std::string> users;
        for (const auto& each : policy_.tiers) {
            if (std::find(each.devices.begin(), each.devices.end(), rule.name) != each.devices.end()) users.push_back("tier " + each.name);
        }
        say(name, "is asked for", users.empty() ? Is::No : Is::Yes, users.empty() ? "no tier names it" : "by " + join(users, ", "), "",
            rule.place);
        frozen(name, rule.place);
        bool any = false;
        for (const auto& device : now_.devices) {
            const auto verdict = can_match(rule, device) ? judge(rule, device, now_) : Verdict{};
            if (!verdict.matches) {
                if (is_whole_disk(device)) say(name, "takes " + device.node, Is::No, first_refusal(rule, device), "", rule.place);
                continue;
            }
            any = true;
            say(name, "takes " + device.node, verdict_on(verdict, rule), evidence_on(verdict, rule), "", rule.place);
        }
        if (!any) say(name, "finds a disk", Is::No, "no disk is there that it asks for", "", rule.place);
    }
    [[nodiscard]] std::string first_refusal(const DeviceRule& rule, const BlockDevice& device) const {
        for (const auto& finding : judge(rule, device, now_).findings) {
            if (finding.verdict == Is::No) return finding.question + ": " + finding.evidence;
        }
        return "the rule does not ask for it";
    }

    void tier(const TierRule& rule) {
        const bool of_volume = rule.kind == TierKind::Cache || rule.kind == TierKind::Writecache;
        const std::string about = of_volume ? rule.volume.text() : rule.name;
        if (rule.state == Presence::Absent) {
            say(about, "is asked for", Is::No, "tier " + rule.name + " says state: absent", "", rule.place);
            if (!steps_of("tier " + rule.name, about, rule.place))
                say(about, "is as asked", Is::Yes, "nothing of it is there", "", rule.place);
            return;
        }
        say(about, "is asked for", Is::Yes,
            "tier " + rule.name + ": " + std::string{name_of(rule.kind)} + ", " + std::string{name_of(rule.mode)} + ", device " +
                (rule.devices.empty() ? "-" : rule.devices.front()),
            "", rule.place);
        if (const auto allowed = allowed_mode(policy_, rule, Scene{now_}); rule.kind == TierKind::Cache && !allowed.why.empty())
            say(about, "is served as writeback", Is::No, allowed.why + ": it is served as " + std::string{name_of(allowed.mode)}, "",
                rule.place);
        if (!steps_of("tier " + rule.name, about, rule.place)) say(about, "is as asked", Is::Yes, "nothing is to be done", "", rule.place);
    }

    void snapshot(const SnapshotRule& rule) {
        const std::string name = "snapshot " + rule.name;
        std::vector<std::string> volumes;
        for (const auto& volume : rule.volumes) volumes.push_back(volume.text());
        say(name, "is asked for", Is::Yes, std::string{name_of(rule.kind)} + " snapshots of " + join(volumes, ", "), "", rule.place);
        for (const auto& volume : rule.volumes) {
            if (now_.lvm && now_.lvm->volume(volume) == nullptr)
                say(name, volume.text() + " is there", Is::No, "it is not", "", rule.place);
        }
        steps_of(name, name, rule.place);
    }

    void pool(const PoolRule& rule) {
        const std::string name = "pool " + rule.pool.text();
        say(name, "is asked for", Is::Yes, "it is to be kept from filling", "", rule.place);
        if (now_.lvm && now_.lvm->volume(rule.pool) == nullptr) say(name, "is there", Is::No, "it is not", "", rule.place);
        steps_of(name, name, rule.place);
    }

    void frozen(const std::string& entry, const Place& place) {
        if (const auto why = policy_.frozen.find(entry); why != policy_.frozen.end())
            say(entry, "is worked on", Is::No, why->second, "", place);
    }

    /// What the plan says of an entry; false when it says nothing.
    bool steps_of(const std::string& entry, const std::string& about, const Place& place) {
        bool any = false;
        for (const auto& step : plan_.steps) {
            if (step.entry != entry) continue;
            any = true;
            const bool ready = step.state == StepState::Ready;
            const auto verdict = step.state == StepState::Waiting ? Is::Unknown : ready ? Is::Note : Is::No;
            say(about, ready ? "will be done" : std::string{name_of(step.state)}, verdict, step.sentence + ": " + step.reason, "",
                step.rule.file.empty() ? place : step.rule);
        }
        return any;
    }

    // --- for a target that is not there ---

    /// A handful of each kind of thing that there is.
    [[nodiscard]] std::string understood() const {
        std::string text;
        const auto list = [&](const char* kind, const std::vector<std::string>& names) {
            constexpr std::size_t most = 4;
            if (names.empty()) return;
            const std::vector<std::string> some{names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size()))};
            text += (text.empty() ? "there are " : "; ") + std::string{kind} + ' ' + join(some, ", ") + (names.size() > most ? ", …" : "");
        };
        const auto named = [](const auto& rules) {
            std::vector<std::string> names;
            for (const auto& rule : rules) names.push_back(rule.name);
            return names;
        };
        std::vector<std::string> pools, disks, volumes;
        for (const auto& rule : policy_.pools) pools.push_back(rule.pool.text());
        for (const auto& device : now_.devices) {
            if (is_whole_disk(device)) disks.push_back(device.node);
        }
        if (now_.lvm) {
            for (const auto& volume : now_.lvm->lvs) {
                if (!volume.hidden) volumes.push_back(volume.vg + '/' + volume.name);
            }
        }
        list("tier", named(policy_.tiers));
        list("device rule", named(policy_.devices));
        list("snapshot rule", named(policy_.snapshots));
        list("pool", pools);
        list("disk", disks);
        list("volume", volumes);
        if (now_.lvm) list("volume group", named(now_.lvm->groups));
        return text.empty() ? "there is nothing" : text;
    }

    const Policy& policy_;
    const Observation& now_;
    const Plan& plan_;
    const Target target_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> explain(const Policy& policy, const Observation& observation, const Plan& plan, const std::string& target) {
    return Explainer{policy, observation, plan, target}.run();
}

std::string served_already(const DeviceRule& rule, const Observation& observation) {
    if (!observation.lvm) return "";
    std::vector<std::string> serving;
    for (const auto& pv : observation.lvm->pvs) {
        if (!pv.vg.empty() && !pv.missing && device_rule_of(pv) == rule.name) serving.push_back(pv.device);
    }
    std::sort(serving.begin(), serving.end());
    return serving.size() < rule.count || serving.empty() ? "" : "rule " + rule.name + " is served already by " + join(serving, ", ");
}

}  // namespace tierd
