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
            [&](const RemoveMissing& remove) {
                const std::string pvs = plural(remove.pv_uuids.size(), "missing physical volume", "missing physical volumes");
                return with_verb(tense, "take", "taking", pvs + " out of volume group " + remove.vg);
            },
            [&](const RestoreMissing& restore) {
                return with_verb(tense, "count", "counting", disk_name(restore.node) + " into volume group " + restore.vg + " again");
            },
            [&](const ClearOutdated& clear) {
                return with_verb(tense, "clear", "clearing",
                                 "what " + disk_name(clear.node) + " says of volume group " + clear.vg + ", which has gone on without it");
            },
        },
        action);
}

Risk risk_of(const Action& action) {
    return std::visit(Overloaded{
                          [](const WipeSignatures&) { return Risk::Destructive; },
                          [](const CreatePv&) { return Risk::Reversible; },
                          [](const ExtendVg&) { return Risk::Reversible; },
                          [](const FencePv&) { return Risk::Reversible; },
                          [](const UnfencePv&) { return Risk::Reversible; },
                          [](const CreateCachePool&) { return Risk::Reversible; },
                          [](const AttachCache&) { return Risk::Reversible; },
                          [](const CommitMetadata&) { return Risk::None; },
                          [](const SetCachePolicy&) { return Risk::Reversible; },
                          [](const SetCacheMode&) { return Risk::Reversible; },
                          [](const RemoveCache&) { return Risk::Disruptive; },
                          [](const RemovePool&) { return Risk::Reversible; },
                          [](const ReduceVg&) { return Risk::Reversible; },
                          [](const RemovePv&) { return Risk::Reversible; },
                          [](const TagVolume&) { return Risk::Reversible; },
                          [](const UncacheLost&) { return Risk::Disruptive; },
                          [](const RemoveMissing&) { return Risk::Reversible; },
                          [](const RestoreMissing&) { return Risk::Reversible; },
                          [](const ClearOutdated&) { return Risk::Destructive; },
                      },
                      action);
}

bool must_be_seen(const Action& action) {
    return std::visit(Overloaded{
                          [](const WipeSignatures&) { return true; },  // the kernel reads the partitions anew
                          [](const CreatePv&) { return false; }, [](const ExtendVg&) { return false; },
                          [](const FencePv&) { return false; }, [](const UnfencePv&) { return false; },
                          [](const CreateCachePool&) { return true; },  // where it landed is looked at before it fronts anything
                          [](const AttachCache&) { return false; }, [](const CommitMetadata&) { return false; },
                          [](const SetCachePolicy&) { return true; },  // a drain goes on by what is seen
                          [](const SetCacheMode&) { return false; }, [](const RemoveCache&) { return true; },
                          [](const RemovePool&) { return true; }, [](const ReduceVg&) { return false; },
                          [](const RemovePv&) { return false; }, [](const TagVolume&) { return true; },  // what is wanted is resolved anew
                          [](const UncacheLost&) { return true; }, [](const RemoveMissing&) { return true; },
                          [](const RestoreMissing&) { return true; }, [](const ClearOutdated&) { return true; },
                      },
                      action);
}

}  // namespace tierd
