// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/doctor.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "daemon/model/identity.hpp"
#include "daemon/model/text.hpp"
#include "daemon/plan/eligibility.hpp"
#include "daemon/plan/recoveries.hpp"
#include "daemon/plan/root_volume.hpp"

namespace tierd {

namespace {

using Is = Finding::Verdict;

/// What LVM does with a group that lacks a disk. Source: lvmautoactivation(7), vgchange(8) --activationmode.
constexpr const char* at_boot = "at boot LVM activates nothing of an incomplete group by itself";

class Doctor {
public:
    Doctor(const Policy& policy, const Observation& observation) : policy_{policy}, now_{observation} {}

    std::vector<Finding> run() {
        look_at_disks();
        look_at_filesystems();
        if (!now_.lvm) {
            say("LVM", "can be read", Is::Unknown, now_.lvm_error);
            return std::move(findings_);
        }
        look_at_groups();
        look_for_hidden();
        look_at_caches();
        look_at_root();
        look_at_check();
        look_at_dmeventd();
        return std::move(findings_);
    }

private:
    void say(const std::string& subject, std::string question, Is verdict, std::string evidence, std::string advice = "", Place rule = {}) {
        findings_.push_back({subject, std::move(question), verdict, std::move(evidence), std::move(advice), std::move(rule)});
    }
    [[nodiscard]] const LogicalVolume* pool_of(const LogicalVolume& volume) const { return now_.lvm->volume({volume.vg, volume.pool}); }
    [[nodiscard]] bool is_incomplete(const std::string& vg) const {
        const auto* group = now_.lvm->group(vg);
        return group == nullptr || group->missing_pvs > 0 || group->partial;
    }

    // --- disks ---

    void look_at_disks() {
        for (const auto& device : now_.devices) {
            if (device.health && device.health->failing)
                say(device.node, "is well", Is::No, "it says of itself that it is " + describe_health(device.health), "replace it");
        }
    }

    /// Whichever comes first is mounted where a UUID is asked for: a snapshot in the place of its origin, say.
    void look_at_filesystems() {
        std::map<std::string, std::vector<std::string>> nodes;
        for (const auto& device : now_.devices) {
            if (!device.fs_uuid.empty()) nodes[device.fs_uuid].push_back(device.node);
        }
        for (auto& [uuid, same] : nodes) {
            std::sort(same.begin(), same.end());
            if (same.size() > 1)
                say(join(same), "have a file system UUID each of their own", Is::No,
                    "all have " + uuid + ", as a snapshot has its origin's: what is mounted by UUID may be any of them",
                    "mount them by /dev/VG/LV, in /etc/fstab too; a snapshot's UUID is not to be changed, a merge would bring it back");
        }
    }

    // --- groups that lack a disk ---

    void look_at_groups() {
        for (const auto& pv : now_.lvm->pvs) {
            if (!pv.missing || pv.vg.empty()) continue;
            const std::string what = "its physical volume " + pv.uuid + (pv.device.empty() ? " is missing" : " came back as " + pv.device);
            const auto device_rule = device_rule_of(pv);
            if (pv.allocated_extents == 0) {
                say(pv.vg, "is whole", Is::No, what + ", and nothing lies on it: " + at_boot + ", and allocates nothing in it",
                    device_rule ? "tierd takes it out by itself where all that is missing is tierd's and empty (tierctl plan)"
                                : "'vgreduce --removemissing " + pv.vg + "' takes it out; nothing is lost with it");
            } else if (!tell_caches(pv, what)) {
                say(pv.vg, "is whole", Is::No,
                    what + ", and " + join(volumes_on(pv)) + " lie on it: " + at_boot + ", and those cannot be activated",
                    "find the disk; what does not lie on it is activated by 'vgchange -ay " + pv.vg + '\'');
            }
        }
    }

    /// Of an SSD: whose cache was on it, and what becomes of that volume. False where no cache was.
    bool tell_caches(const PhysicalVolume& pv, const std::string& what) {
        bool any = false;
        for (const auto& volume : now_.lvm->lvs) {
            const auto* pool = volume.vg == pv.vg && volume.is_cached() ? pool_of(volume) : nullptr;
            const auto parts = pool == nullptr ? std::vector<std::string>{} : parts_of(*pool);
            if (std::none_of(parts.begin(), parts.end(), [&](const auto& part) { return lies_on(part, pv); })) continue;
            any = true;
            const std::string name = volume.vg + '/' + volume.name;
            const auto tier = tier_of(*pool);
            if (now_.lvm->is_held_by_a_leg(*pool)) {
                say(pv.vg, "is whole", Is::No,
                    what + ": it is one leg of the cache of " + name + (tier ? " (tier " + *tier + ')' : "") + ", and the other goes on",
                    tier ? "plug in a disk that takes its place: tierd makes the leg anew there (tierctl plan)"
                         : "'lvconvert --repair' of " + pool->data + " and " + pool->metadata + " makes it anew on another disk");
                continue;
            }
            const std::string mode = volume.cache_mode ? std::string{name_of(*volume.cache_mode)} + ' ' : "";
            say(pv.vg, "is whole", Is::No,
                what + ": it is the SSD with the " + mode + "cache of " + name + (tier ? " (tier " + *tier + ')' : "") +
                    (volume.active == true ? "; it is active still" : "") + "; " + at_boot + ", and " + name +
                    " cannot be activated without it",
                way_out(name, pv, volume, tier.has_value()));
        }
        return any;
    }
    [[nodiscard]] bool lies_on(const std::string& part, const PhysicalVolume& pv) const {
        const auto* found = now_.lvm->volume({pv.vg, part});
        return found != nullptr && now_.lvm->extents_below(*found).contains(pv.uuid);
    }
    [[nodiscard]] static std::string way_out(const std::string& name, const PhysicalVolume& pv, const LogicalVolume& volume, bool ours) {
        const std::string others = "; meanwhile what does not lie on it is activated by 'vgchange -ay " + pv.vg + '\'';
        if (volume.cache_mode && *volume.cache_mode != CacheMode::Writeback)
            return (ours ? "tierd takes the cache off by itself (tierctl plan)"
                         : "'lvconvert --uncache " + name + "' takes the cache off") +
                   std::string{"; nothing is lost with it"} + others;
        return "keep the SSD: what was not written back is on it only. Plug it in again" +
               (pv.device.empty() ? "" : ": 'vgextend --restoremissing " + pv.vg + ' ' + pv.device + "' counts it again") +
               ", then 'lvchange -an " + name + "' and 'lvchange -ay " + name + '\'' + others;
    }
    [[nodiscard]] std::set<std::string> volumes_on(const PhysicalVolume& pv) const {
        std::set<std::string> names;
        for (const auto& volume : now_.lvm->lvs) {
            if (volume.extents_on.contains(pv.uuid)) names.insert(volume.name);
        }
        return names;
    }

    // --- what LVM does not see ---

    void look_for_hidden() {
        for (const auto& device : now_.devices) {
            const bool labelled = device.probe ? std::any_of(device.probe->signatures.begin(), device.probe->signatures.end(),
                                                             [](const Signature& each) { return each.type == "LVM2_member"; })
                                               : device.udev_fs_type == "LVM2_member";
            if (!labelled || device.virtual_disk || device.multipath_path || !device.holders.empty()) continue;
            if (now_.lvm->pv_on(device) != nullptr || outdated_label(device, now_) != nullptr) continue;
            const bool by_file = now_.setup.use_devices_file && now_.setup.devices_file_exists;
            say(device.node, "is seen by LVM", Is::No,
                std::string{"it carries an LVM label, and LVM does not list it: "} +
                    (by_file ? "its devices file (/etc/lvm/devices) leaves it out"
                             : "a filter in lvm.conf hides it, or the label is damaged"),
                by_file ? "'lvmdevices --adddev " + device.node + "' lists it"
                        : "see 'lvmconfig devices/filter devices/global_filter', and 'pvck " + device.node + '\'');
        }
    }

    // --- caches at activation ---

    void look_at_caches() {
        for (const auto& volume : now_.lvm->lvs) {
            if (volume.segtype != "cache" || is_incomplete(volume.vg)) continue;
            const std::string name = volume.vg + '/' + volume.name;
            const auto* pool = pool_of(volume);
            const auto user = called(volume);
            const std::string repair = repair_way(user, *now_.lvm) + "; tierd repairs nothing by itself";
            if (volume.needs_check() || (pool != nullptr && pool->needs_check())) {
                say(name, "comes up at boot", Is::No, "the metadata of its cache needs a check (needs_check)", repair);
            } else if (volume.active == false && !skips_activation(volume)) {
                say(name, "comes up at boot", Is::Unknown, "it is cached, its group is whole, and it is not active",
                    "'lvchange -ay " + user.text() + "' says why. Where it says \"Check of pool … failed\": " + repair);
            }
        }
    }
    /// What its user calls it: LVM hides the data of a thin pool.
    [[nodiscard]] VolumeName called(const LogicalVolume& volume) const {
        const auto& lvs = now_.lvm->lvs;
        const auto pool = std::find_if(lvs.begin(), lvs.end(), [&](const LogicalVolume& each) {
            return each.vg == volume.vg && each.segtype == "thin-pool" && each.data == volume.name;
        });
        return {volume.vg, pool == lvs.end() ? volume.name : pool->name};
    }
    /// lvs(8): the last bit of lv_attr.
    [[nodiscard]] static bool skips_activation(const LogicalVolume& volume) { return volume.attr.size() > 9 && volume.attr[9] == 'k'; }

    void look_at_root() {
        const auto* volume = below_root(now_);
        if (volume == nullptr || !volume->is_cached()) return;
        const auto risk = boot_risk(now_.root, volume->segtype == "writecache" ? TierKind::Writecache : TierKind::Cache);
        if (!risk) return;
        say(volume->vg + '/' + volume->name, "comes up at boot", risk->known ? Is::No : Is::Unknown,
            "the root file system is on it, and it is cached; " + risk->evidence, risk->advice);
    }

    void look_at_check() {
        const auto is_cache = [](const auto& each) { return each.segtype == "cache"; };
        const auto asked_for = std::any_of(policy_.tiers.begin(), policy_.tiers.end(), [](const TierRule& rule) {
            return rule.kind == TierKind::Cache && rule.state == Presence::Present;
        });
        if (!asked_for && std::none_of(now_.lvm->lvs.begin(), now_.lvm->lvs.end(), is_cache)) return;
        if (now_.setup.cache_check == std::optional<std::string>{""}) {
            say("LVM", "checks caches", Is::No, "lvm.conf switches it off (global/cache_check_executable): damaged metadata is found late",
                "leave that setting out");
        } else if (now_.setup.cache_check_found == false) {
            say("LVM", "checks caches", Is::No,
                *now_.setup.cache_check + " is not installed: the metadata of a cache is activated unchecked, and cannot be repaired",
                "install thin-provisioning-tools");
        }
    }

    void look_at_dmeventd() {
        constexpr unsigned off = 100;
        const auto both = [&](const std::string& name, unsigned threshold, const Place& rule) {
            if (threshold < off)
                say(name, "is extended by one alone", Is::No,
                    "dmeventd extends from " + std::to_string(threshold) + "% on (lvm.conf), and the policy asks tierd to do so too",
                    "leave `extend` out of the policy, or set the threshold in lvm.conf to 100", rule);
        };
        for (const auto& rule : policy_.snapshots) {
            if (rule.extend && rule.kind == SnapshotKind::Thick)
                both("snapshot " + rule.name, now_.setup.snapshot_autoextend_threshold, rule.place);
        }
        for (const auto& rule : policy_.pools) {
            if (rule.extend) both("pool " + rule.pool.text(), now_.setup.thin_pool_autoextend_threshold, rule.place);
        }
    }

    const Policy& policy_;
    const Observation& now_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> diagnose(const Policy& policy, const Observation& observation) {
    return Doctor{policy, observation}.run();
}

}  // namespace tierd
