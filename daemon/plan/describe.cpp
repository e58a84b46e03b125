// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/plan/describe.hpp"

#include "daemon/model/overloaded.hpp"
#include "daemon/model/text.hpp"

namespace tierd {

namespace {

std::string disk_name(const std::string& node) {
    const auto slash = node.rfind('/');
    return slash == std::string::npos ? node : node.substr(slash + 1);
}

/// "wipe" or "wiping" and the rest.
std::string with_verb(Tense tense, const char* imperative, const char* progressive, const std::string& rest) {
    return (tense == Tense::Imperative ? imperative : progressive) + (' ' + rest);
}

struct RiskOf {
    Risk operator()(const WipeSignatures&) const { return Risk::Destructive; }
    Risk operator()(const CreatePv&) const { return Risk::Reversible; }
    Risk operator()(const ExtendVg&) const { return Risk::Reversible; }
    Risk operator()(const FencePv&) const { return Risk::Reversible; }
    Risk operator()(const UnfencePv&) const { return Risk::Reversible; }
    Risk operator()(const CreateCachePool&) const { return Risk::Reversible; }
    Risk operator()(const CreateVolume&) const { return Risk::Reversible; }
    Risk operator()(const MakePool&) const { return Risk::Reversible; }
    Risk operator()(const RepairPart&) const { return Risk::Reversible; }
    Risk operator()(const AttachCache&) const { return Risk::Reversible; }
    Risk operator()(const AttachWritecache&) const { return Risk::Reversible; }
    Risk operator()(const CommitMetadata&) const { return Risk::None; }
    Risk operator()(const SetCachePolicy&) const { return Risk::Reversible; }
    Risk operator()(const SetCacheMode&) const { return Risk::Reversible; }
    Risk operator()(const RemoveCache&) const { return Risk::Disruptive; }
    Risk operator()(const RemovePool&) const { return Risk::Reversible; }
    Risk operator()(const ReduceVg&) const { return Risk::Reversible; }
    Risk operator()(const RemovePv&) const { return Risk::Reversible; }
    Risk operator()(const TagVolume&) const { return Risk::Reversible; }
    Risk operator()(const UncacheLost&) const { return Risk::Disruptive; }
    Risk operator()(const DropCache&) const { return Risk::Destructive; }
    Risk operator()(const RemoveMissing&) const { return Risk::Reversible; }
    Risk operator()(const RestoreMissing&) const { return Risk::Reversible; }
    Risk operator()(const ClearOutdated&) const { return Risk::Destructive; }
    Risk operator()(const RefreshVolume&) const { return Risk::Reversible; }
};

struct MustBeSeen {
    bool operator()(const WipeSignatures&) const { return true; }  // the kernel reads the partitions anew
    bool operator()(const CreatePv&) const { return false; }
    bool operator()(const ExtendVg&) const { return false; }
    bool operator()(const FencePv&) const { return false; }
    bool operator()(const UnfencePv&) const { return false; }
    bool operator()(const CreateCachePool&) const { return true; }  // where it landed is looked at before it fronts anything
    bool operator()(const CreateVolume&) const { return true; }
    bool operator()(const MakePool&) const { return true; }
    bool operator()(const RepairPart&) const { return true; }
    bool operator()(const AttachCache&) const { return false; }
    bool operator()(const AttachWritecache&) const { return true; }
    bool operator()(const CommitMetadata&) const { return false; }
    bool operator()(const SetCachePolicy&) const { return true; }  // a drain goes on by what is seen
    bool operator()(const SetCacheMode&) const { return false; }
    bool operator()(const RemoveCache&) const { return true; }
    bool operator()(const RemovePool&) const { return true; }
    bool operator()(const ReduceVg&) const { return false; }
    bool operator()(const RemovePv&) const { return false; }
    bool operator()(const TagVolume&) const { return true; }  // what is wanted is resolved anew
    bool operator()(const UncacheLost&) const { return true; }
    bool operator()(const DropCache&) const { return true; }
    bool operator()(const RemoveMissing&) const { return true; }
    bool operator()(const RestoreMissing&) const { return true; }
    bool operator()(const ClearOutdated&) const { return true; }
    bool operator()(const RefreshVolume&) const { return true; }
};

}  // namespace

std::string sentence(const Action& action, Tense tense) {
    return std::visit(
        Overloaded{
            [&](const WipeSignatures& wipe) {
                return with_verb(tense, "erase", "erasing",
                                 "what is on " + disk_name(wipe.disk.node) + ", as the policy allows: " + join(wipe.disk.may_wipe));
            },
            [&](const CreatePv& create) {
                return with_verb(tense, "initialise", "initialising", disk_name(create.disk.node) + " as a physical volume");
            },
            [&](const ExtendVg& extend) {
                return with_verb(tense, "extend", "extending", "volume group " + extend.vg + " by " + disk_name(extend.node));
            },
            [&](const FencePv& fence) {
                const std::string disk = disk_name(fence.node);
                if (fence.tag.empty()) return with_verb(tense, "keep", "keeping", "other allocations off " + disk);
                return with_verb(tense, "fence", "fencing", disk + " off from other allocations, tagged as tierd's");
            },
            [&](const UnfencePv& unfence) {
                return with_verb(tense, "allow", "allowing", "tierd's own allocation on " + disk_name(unfence.node));
            },
            [&](const CreateCachePool& create) {
                return with_verb(tense, "create", "creating",
                                 "cache pool " + create.name + ": " + format_size(create.data_extents * create.extent_size) + " data, " +
                                     format_size(create.metadata_extents * create.extent_size) + " metadata, chunks of " +
                                     format_size(create.chunk_size) + ", on " + disk_name(create.node));
            },
            [&](const CreateVolume& create) {
                const std::string layout = create.layout == Layout::Linear ? "" : std::string{name_of(create.layout)} + ' ';
                std::vector<std::string> disks;
                for (const auto& place : create.places) disks.push_back(disk_name(place.node));
                return with_verb(tense, "create", "creating",
                                 "volume " + create.name + " for the cache: " + format_size(create.extents * create.extent_size) + ", " +
                                     layout + "on " + join(disks, " and "));
            },
            [&](const MakePool& make) {
                return with_verb(tense, "make", "making", "a cache pool of " + make.data + " and " + make.metadata);
            },
            [&](const RepairPart& repair) {
                return with_verb(tense, "make", "making",
                                 "the lost leg of " + repair.part.text() + " anew on " + disk_name(repair.place.node));
            },
            [&](const AttachWritecache& attach) {
                return with_verb(tense, "put", "putting", "writecache " + attach.cachevol + " in front of " + attach.volume.text());
            },
            [&](const AttachCache& attach) {
                return with_verb(
                    tense, "put", "putting",
                    "it in front of " + attach.volume.text() + ", " + std::string{name_of(attach.mode)} + "; the volume stays in use");
            },
            [&](const CommitMetadata& commit) {
                return with_verb(tense, "commit", "committing",
                                 "the cache's metadata to the SSD, so that " + commit.volume.text() + " survives a power cut");
            },
            [&](const SetCachePolicy& set) {
                if (set.cache_policy == cleaner_policy)
                    return with_verb(tense, "begin", "beginning", "to write back what is dirty in front of " + set.volume.text());
                std::string text = "cache_policy " + set.cache_policy;
                for (const auto& [key, value] : set.settings) text += ", " + key + ' ' + value;
                return with_verb(tense, "give", "giving", set.volume.text() + " " + text);
            },
            [&](const SetCacheMode& set) {
                return with_verb(tense, "make", "making", "the cache of " + set.volume.text() + ' ' + std::string{name_of(set.mode)});
            },
            [&](const RemoveCache& remove) {
                return with_verb(tense, "take", "taking",
                                 "the cache off " + remove.volume.text() + ", and its pool away; the volume stays in use");
            },
            [&](const RemovePool& remove) {
                return with_verb(tense, "remove", "removing", remove.vg + '/' + remove.name + ", which serves nothing and holds nothing");
            },
            [&](const ReduceVg& reduce) {
                return with_verb(tense, "take", "taking", disk_name(reduce.node) + " out of volume group " + reduce.vg);
            },
            [&](const TagVolume& tag) {
                if (tag.add.empty()) return with_verb(tense, "take", "taking", join(tag.remove) + " off " + tag.volume.text());
                return with_verb(tense, "tag", "tagging", tag.volume.text() + " with " + join(tag.add));
            },
            [&](const RemovePv& remove) { return with_verb(tense, "remove", "removing", "tierd's label from " + disk_name(remove.node)); },
            [&](const UncacheLost& uncache) {
                return with_verb(tense, "take", "taking", "the lost cache off " + uncache.volume.text() + "; the volume stays in use");
            },
            [&](const DropCache& drop) {
                return with_verb(tense, "give", "giving", "up the lost cache of " + drop.volume.text() + ", and what was on its SSD only");
            },
            [&](const RemoveMissing& remove) {
                const std::string pvs = plural(remove.pv_uuids.size(), "missing physical volume", "missing physical volumes");
                return with_verb(tense, "take", "taking", pvs + " out of volume group " + remove.vg);
            },
            [&](const RestoreMissing& restore) {
                return with_verb(tense, "count", "counting", disk_name(restore.node) + " into volume group " + restore.vg + " again");
            },
            [&](const RefreshVolume& refresh) {
                return with_verb(tense, "load", "loading",
                                 "what LVM says of " + refresh.volume.text() + " into the kernel; the volume stays in use");
            },
            [&](const ClearOutdated& clear) {
                return with_verb(tense, "clear", "clearing",
                                 "what " + disk_name(clear.node) + " says of volume group " + clear.vg + ", which has gone on without it");
            },
        },
        action);
}

Risk risk_of(const Action& action) {
    return std::visit(RiskOf{}, action);
}

bool must_be_seen(const Action& action) {
    return std::visit(MustBeSeen{}, action);
}

}  // namespace tierd
