// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/action.hpp"

#include "daemon/model/overloaded.hpp"

namespace tierd {

std::string_view verb_of(const Action& action) {
    return std::visit(Overloaded{
                          [](const WipeSignatures&) { return "wipe-signatures"; },
                          [](const CreatePv&) { return "create-pv"; },
                          [](const ExtendVg&) { return "extend-vg"; },
                          [](const FencePv&) { return "fence-pv"; },
                          [](const UnfencePv&) { return "unfence-pv"; },
                          [](const CreateCachePool&) { return "create-cache-pool"; },
                          [](const CreateVolume&) { return "create-volume"; },
                          [](const MakePool&) { return "make-pool"; },
                          [](const AttachCache&) { return "attach-cache"; },
                          [](const AttachWritecache&) { return "attach-writecache"; },
                          [](const CommitMetadata&) { return "commit-metadata"; },
                          [](const SetCachePolicy&) { return "set-cache-policy"; },
                          [](const SetCacheMode&) { return "set-cache-mode"; },
                          [](const RemoveCache&) { return "remove-cache"; },
                          [](const RemovePool&) { return "remove-pool"; },
                          [](const ReduceVg&) { return "reduce-vg"; },
                          [](const RemovePv&) { return "remove-pv"; },
                          [](const TagVolume&) { return "tag-volume"; },
                          [](const UncacheLost&) { return "uncache-lost"; },
                          [](const DropCache&) { return "drop-cache"; },
                          [](const RemoveMissing&) { return "remove-missing"; },
                          [](const RestoreMissing&) { return "restore-missing"; },
                          [](const ClearOutdated&) { return "clear-outdated"; },
                          [](const RefreshVolume&) { return "refresh-volume"; },
                          [](const RepairPart&) { return "repair-part"; },
                      },
                      action);
}

std::string vg_of(const Action& action) {
    return std::visit(Overloaded{
                          [](const WipeSignatures&) { return std::string{}; },
                          [](const CreatePv&) { return std::string{}; },
                          [](const AttachCache& attach) { return attach.volume.vg; },
                          [](const AttachWritecache& attach) { return attach.volume.vg; },
                          [](const CommitMetadata& commit) { return commit.volume.vg; },
                          [](const SetCachePolicy& set) { return set.volume.vg; },
                          [](const SetCacheMode& set) { return set.volume.vg; },
                          [](const RemoveCache& remove) { return remove.volume.vg; },
                          [](const RemovePv&) { return std::string{}; },
                          [](const TagVolume& tag) { return tag.volume.vg; },
                          [](const UncacheLost& uncache) { return uncache.volume.vg; },
                          [](const DropCache& drop) { return drop.volume.vg; },
                          [](const RefreshVolume& refresh) { return refresh.volume.vg; },
                          [](const RepairPart& repair) { return repair.part.vg; },
                          [](const auto& other) { return other.vg; },
                      },
                      action);
}

}  // namespace tierd
