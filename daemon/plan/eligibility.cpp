// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/eligibility.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "daemon/model/identity.hpp"
#include "daemon/model/text.hpp"

namespace tierd {

namespace {

const BlockDevice* parent_of(const BlockDevice& device, const Observation& observation) {
    if (device.parent.empty()) return nullptr;
    for (const auto& each : observation.devices) {
        if (each.name == device.parent) return &each;
    }
    return nullptr;
}

bool pinned(const DeviceMatch& match) {
    return !match.serial.empty() || !match.wwn.empty() || !match.partlabel.empty() || !match.partuuid.empty();
}

/// Collects lines; the first No or Unknown of each question becomes a reason.
class Judge {
public:
    Judge(const DeviceRule& rule, const BlockDevice& device, const Observation& observation)
        : rule_{rule}, device_{device}, observation_{observation}, parent_{parent_of(device, observation)} {}

    Verdict run() {
        match();
        if (!verdict_.matches) return std::move(verdict_);
        check_ownership();
        if (serving_) {
            verdict_.answer = Verdict::Answer::Serving;
            return std::move(verdict_);
        }
        check_identity();
        check_udev();
        check_health();
        check_use();
        check_content();
        check_settled();
        conclude();
        return std::move(verdict_);
    }

private:
    void say(Finding::Verdict verdict, std::string question, std::string evidence, std::string advice = "") {
        verdict_.findings.push_back({device_.node, std::move(question), verdict, std::move(evidence), std::move(advice), rule_.place});
    }
    void refuse(const std::string& question, const std::string& reason, const std::string& advice = "") {
        say(Finding::Verdict::No, question, reason, advice);
        verdict_.reasons.push_back(reason);
        refused_ = true;
    }
    void unknown(const std::string& question, const std::string& reason) {
        say(Finding::Verdict::Unknown, question, reason);
        verdict_.reasons.push_back(reason);
        unknown_ = true;
    }

    // --- the rule's lines ---

    void line(const std::string& key, bool holds, const std::string& found, const std::string& asked) {
        say(holds ? Finding::Verdict::Yes : Finding::Verdict::No, "rule " + rule_.name + ": " + key + ' ' + asked,
            found.empty() ? "it has none" : found);
        if (!holds) verdict_.matches = false;
    }
    void globs(const std::string& key, const std::vector<std::string>& patterns, const std::string& value) {
        if (patterns.empty()) return;
        const bool holds = !value.empty() && std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
            return fnmatch(pattern.c_str(), value.c_str(), 0) == 0;
        });
        line(key, holds, value, join(patterns, " or "));
    }
    /// A partition has its disk's serial, WWN, model and kind.
    [[nodiscard]] const BlockDevice& whole() const { return parent_ != nullptr ? *parent_ : device_; }

    void match() {
        const auto& asked = rule_.match;
        verdict_.matches = true;
        const bool wants_partition = !asked.partlabel.empty() || !asked.partuuid.empty();
        if (wants_partition != !device_.parent.empty()) {
            line("asks for", false, device_.parent.empty() ? "a whole disk" : "a partition",
                 wants_partition ? "a partition" : "a whole disk");
        }
        if (asked.kind) match_kind(*asked.kind);
        if (!asked.transport.empty()) {
            const bool holds = std::find(asked.transport.begin(), asked.transport.end(), whole().transport) != asked.transport.end();
            line("transport", holds, whole().transport, join(asked.transport, " or "));
        }
        if (asked.min_size) line("min_size", device_.size >= *asked.min_size, format_size(device_.size), format_size(*asked.min_size));
        globs("serial", asked.serial, whole().serial);
        globs("wwn", asked.wwn, whole().wwn);
        globs("model", asked.model, whole().model);
        globs("path", asked.path, whole().by_path);
        globs("partlabel", asked.partlabel, device_.partlabel);
        globs("partuuid", asked.partuuid, device_.partuuid);
    }
    void match_kind(Kind kind) {
        const auto& disk = whole();
        const bool same = (kind == Kind::Ssd && disk.kind == DiskKind::Ssd) || (kind == Kind::Hdd && disk.kind == DiskKind::Hdd);
        std::string evidence =
            std::string{name_of(disk.kind)} + " (" + (disk.kind_evidence.empty() ? "no evidence" : disk.kind_evidence) + ')';
        const bool by_kind_alone = !pinned(rule_.match) && (disk.virtual_disk || disk.removable);
        if (by_kind_alone)
            evidence +=
                disk.removable ? "; a removable disk is never taken by kind alone" : "; a virtual device is never taken by kind alone";
        line("kind", same && !by_kind_alone, evidence, std::string{name_of(kind)});
    }

    // --- may it be taken? ---

    void check_ownership() {
        if (!observation_.lvm) {
            unknown("is no physical volume of another", "LVM could not be read");
            return;
        }
        const auto* pv = observation_.lvm->pv_on(device_);
        if (pv == nullptr) return;
        const auto& pvs = observation_.lvm->pvs;
        if (std::any_of(pvs.begin(), pvs.end(), [&](const PhysicalVolume& each) { return each.duplicate && each.uuid == pv->uuid; })) {
            refuse("is no physical volume of another", "LVM finds its physical volume " + pv->uuid + " on two devices");
            return;
        }
        ours_ = is_ours(*pv, observation_);
        if (!ours_) {
            refuse("is no physical volume of another",
                   pv->vg.empty() ? "a physical volume that tierd did not make" : "a physical volume of volume group " + pv->vg);
            return;
        }
        const auto tagged = device_rule_of(*pv);
        if (tagged && *tagged != rule_.name) {
            refuse("is no physical volume of another", "serves device rule " + *tagged);
            return;
        }
        serving_ = !pv->vg.empty();
        say(Finding::Verdict::Yes, "is tierd's own",
            serving_ ? "physical volume of " + pv->vg + ", made by tierd" : "physical volume made by tierd, in no volume group yet");
    }

    void check_identity() {
        const std::string identity = identity_of(device_);
        if (identity.empty()) {
            refuse("can be recognised again", device_.parent.empty() ? "it has neither WWN nor serial" : "its partition has no UUID");
            return;
        }
        std::vector<std::string> same;
        for (const auto& each : observation_.devices) {
            if (&each != &device_ && identity_of(each) == identity) same.push_back(each.node);
        }
        std::sort(same.begin(), same.end());
        if (same.empty()) {
            say(Finding::Verdict::Yes, "can be recognised again", identity);
        } else {
            refuse("can be recognised again",
                   join(same) + (same.size() == 1 ? " has" : " have") + " the same identity " + identity + ": another path to this disk?");
        }
    }

    void check_udev() {
        const auto& disk = whole();
        if (disk.multipath_path || device_.multipath_path) refuse("is free of multipath", "it is a path of a multipath device");
        if (disk.hands_off || device_.hands_off)
            refuse("is not kept from others", "udev's rules say that it is not to be touched (SYSTEMD_READY=0 or an IGNORE flag)");
        if (device_.read_only || disk.read_only) refuse("can be written", "it is read-only");
        if (device_.size == 0) unknown("has a size", "its size is not known");
    }

    void check_health() {
        const auto& health = whole().health;
        if (!health) return;
        if (health->failing) {
            refuse("is well", "it is failing: " + health->evidence);
        } else {
            say(Finding::Verdict::Yes, "is well", describe_health(health));
        }
    }

    void check_use() {
        std::vector<std::string> uses;
        collect_use(device_, uses);
        for (const auto* partition : observation_.partitions_of(device_)) collect_use(*partition, uses);
        if (parent_ != nullptr) collect_holders(*parent_, uses);
        if (uses.empty()) {
            say(Finding::Verdict::Yes, "is not in use", "no holder, mount or swap");
        } else {
            refuse("is not in use", "it is in use: " + join(uses));
        }
    }
    static void collect_use(const BlockDevice& device, std::vector<std::string>& uses) {
        const auto before = uses.size();
        collect_holders(device, uses);
        if (uses.size() == before && device.probe && device.probe->busy)
            uses.push_back(device.node + " is claimed by something in the kernel");
    }
    /// Not what the probe says: a whole disk is busy while any partition of it is in use.
    static void collect_holders(const BlockDevice& device, std::vector<std::string>& uses) {
        for (const auto& mount : device.mounts) uses.push_back(device.node + " mounted on " + mount);
        if (device.swap) uses.push_back(device.node + " is swap");
        for (const auto& holder : device.holders) uses.push_back(device.node + " is held by " + holder);
    }

    void check_content() {
        if (const auto* label = outdated_label(device_, observation_)) {
            refuse("holds no data", "outdated: tierd's own disk, which volume group " + label->vg + " went on without",
                   "what it says of the group is cleared by `vgck --updatemetadata " + label->vg + "`; " +
                       (label->writeback == false ? "nothing on it is missed"
                                                  : "its cache may have been write-back, and what it did not write back is on it alone"));
            return;
        }
        std::vector<std::string> found;
        std::vector<std::string> unlisted;
        collect_content(device_, found, unlisted, true);
        const auto partitions = observation_.partitions_of(device_);
        for (const auto* partition : partitions) collect_content(*partition, found, unlisted, false);
        if (parent_ != nullptr) collect_membership(*parent_, found);
        if (unknown_content_ && !refused_content_) {
            unknown("holds no data", "what is on it is not known yet");
            return;
        }
        if (found.empty()) {
            say(Finding::Verdict::Yes, "holds no data", ours_ ? "nothing but tierd's own label" : "no signature, no partition table");
            return;
        }
        const std::string what = "it holds data: " + join(found);
        if (refused_content_ || !unlisted.empty() || rule_.wipe.empty()) {
            refuse("holds no data", what, content_advice(unlisted));
            return;
        }
        verdict_.needs_wipe = true;
        say(Finding::Verdict::Yes, "may be erased", what + "; the rule's wipe allows " + join(rule_.wipe));
    }
    void collect_content(const BlockDevice& device, std::vector<std::string>& found, std::vector<std::string>& unlisted,
                         bool whole_target) {
        const auto* pv = observation_.lvm ? observation_.lvm->pv_on(device) : nullptr;
        if (!whole_target && pv != nullptr) {
            refused_content_ = true;
            found.push_back(device.node + " is a physical volume" + (pv->vg.empty() ? "" : " of " + pv->vg));
            return;
        }
        if (!device.probe) {
            unknown_content_ = true;
            return;
        }
        if (device.probe->ambivalent) {
            refused_content_ = true;
            found.push_back(device.node + " carries signatures that contradict each other");
        }
        for (const auto& signature : device.probe->signatures) {
            if (whole_target && ours_ && signature.type == "LVM2_member") continue;
            describe_signature(device, signature, whole_target, found);
            // LVM alone knows whether something lives on a physical volume: holders show active volumes only.
            if (signature.type == "LVM2_member") refused_content_ = true;
            const bool listed = std::find(rule_.wipe.begin(), rule_.wipe.end(), signature.type) != rule_.wipe.end();
            if (!listed && std::find(unlisted.begin(), unlisted.end(), signature.type) == unlisted.end())
                unlisted.push_back(signature.type);
        }
        if (!whole_target && device.probe->signatures.empty() && !device.probe->ambivalent) {
            refused_content_ = true;
            found.push_back("partition " + device.node + " without a known signature");
        }
    }
    /// A partition of a disk that is a part of something as a whole (firmware RAID, say) is no partition of its own.
    void collect_membership(const BlockDevice& disk, std::vector<std::string>& found) {
        if (!disk.probe) {
            unknown_content_ = true;
            return;
        }
        for (const auto& signature : disk.probe->signatures) {
            if (signature.usage == "table") continue;
            refused_content_ = true;
            found.push_back("its disk " + disk.node + " is " + signature.type + " as a whole");
        }
    }
    void describe_signature(const BlockDevice& device, const Signature& signature, bool whole_target,
                            std::vector<std::string>& found) const {
        std::string text =
            signature.usage == "table" ? "partition table " + signature.type : (whole_target ? "" : device.node + ' ') + signature.type;
        text += " at " + std::to_string(signature.offset);
        if (!whole_target && !device.partlabel.empty()) text += " \"" + device.partlabel + "\" " + format_size(device.size);
        if (signature.type == "LVM2_member" && observation_.lvm && observation_.lvm->pv_on(device) == nullptr) {
            text += observation_.setup.use_devices_file && observation_.setup.devices_file_exists
                        ? " (hidden-by-devices-file: LVM's devices file does not list it)"
                        : " (LVM does not list it)";
        }
        found.push_back(text);
    }
    [[nodiscard]] std::string content_advice(const std::vector<std::string>& unlisted) const {
        if (refused_content_) return "look at it, and empty it with wipefs if nothing on it is wanted";
        std::vector<std::string> all = rule_.wipe;
        all.insert(all.end(), unlisted.begin(), unlisted.end());
        std::string advice = "to use it all the same, add `wipe: [" + join(all) + "]`";
        if (rule_.match.serial.empty() && rule_.match.wwn.empty()) {
            const auto& disk = whole();
            advice += disk.serial.empty() ? " and `wwn: \"" + disk.wwn + "\"`" : " and `serial: \"" + disk.serial + "\"`";
        }
        return advice + " to rule " + rule_.name + ", or empty it with wipefs";
    }

    void check_settled() {
        const Usec changed = std::max(device_.changed, whole().changed);
        if (changed == 0 || changed + settle_span <= observation_.time) return;
        // Far in the future: the clock was set back since.
        if (changed > observation_.time + 60 * usec_per_second) return;
        verdict_.until = changed + settle_span;
        settling_ = true;
    }

    void conclude() {
        if (refused_) {
            verdict_.answer = Verdict::Answer::Ineligible;
        } else if (unknown_) {
            verdict_.answer = Verdict::Answer::Unknown;
        } else if (settling_) {
            verdict_.answer = Verdict::Answer::Settling;
            verdict_.reasons.emplace_back("udev spoke of it a moment ago");
        } else {
            verdict_.answer = Verdict::Answer::Eligible;
        }
    }

    const DeviceRule& rule_;
    const BlockDevice& device_;
    const Observation& observation_;
    const BlockDevice* parent_;
    Verdict verdict_;
    bool ours_ = false, serving_ = false;
    bool refused_ = false, unknown_ = false, settling_ = false;
    bool unknown_content_ = false, refused_content_ = false;
};

}  // namespace

bool can_match(const DeviceRule& rule, const BlockDevice& device) {
    const auto& asked = rule.match;
    if (!device.parent.empty()) return !asked.partlabel.empty() || !asked.partuuid.empty();
    const bool other_kind = asked.kind && device.kind != (*asked.kind == Kind::Ssd ? DiskKind::Ssd : DiskKind::Hdd);
    return !other_kind && (asked.serial.empty() || !device.serial.empty()) && (asked.wwn.empty() || !device.wwn.empty());
}

Verdict judge(const DeviceRule& rule, const BlockDevice& device, const Observation& observation) {
    return Judge{rule, device, observation}.run();
}

std::string describe_health(const std::optional<DiskHealth>& health) {
    if (!health) return "not known: the disk was not asked, or does not say";
    std::string text = health->failing ? "failing" : "ok";
    if (!health->evidence.empty()) text += ": " + health->evidence;
    if (health->wear) text += ", " + std::to_string(*health->wear) + "% of what it is rated to be written";
    return text;
}

std::vector<Finding> describe_device(const BlockDevice& device, const Observation& observation) {
    std::vector<Finding> findings;
    const auto note = [&](std::string question, std::string evidence) {
        findings.push_back({device.node, std::move(question), Finding::Verdict::Note, std::move(evidence), "", {}});
    };
    note("is", join(std::vector<std::string>{device.model.empty() ? "a disk without a model name" : device.model,
                                             device.serial.empty() ? "no serial" : "serial " + device.serial, format_size(device.size),
                                             device.transport.empty() ? "transport unknown" : device.transport}));
    note("kind", std::string{name_of(device.kind)} + ": " + (device.kind_evidence.empty() ? "no evidence" : device.kind_evidence));
    const std::string identity = identity_of(device);
    note("identity", identity.empty() ? "none that survives a reboot" : identity);
    note("health", describe_health(observation.disk_of(device).health));
    const auto* pv = observation.lvm ? observation.lvm->pv_on(device) : nullptr;
    if (!device.probe)
        note("content", pv != nullptr && !pv->vg.empty()                                  ? "not read: it is a physical volume of " + pv->vg
                        : device.holders.empty() && device.mounts.empty() && !device.swap ? "not known"
                                                                                          : "not read: it is in use");
    const auto list = [&](const BlockDevice& each) {
        if (!each.probe) return;
        for (const auto& signature : each.probe->signatures) {
            note("content", each.node + ": " + (signature.usage == "table" ? "partition table " : "") + signature.type + " at " +
                                std::to_string(signature.offset));
        }
    };
    list(device);
    for (const auto* partition : observation.partitions_of(device)) list(*partition);
    if (device.probe && device.probe->signatures.empty()) note("content", "blank: no signature, no partition table");
    return findings;
}

}  // namespace tierd
