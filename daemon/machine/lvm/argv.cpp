// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/lvm/argv.hpp"

#include <algorithm>
#include <string_view>

#include "daemon/model/error.hpp"
#include "daemon/model/overloaded.hpp"

namespace tierd::lvm {

namespace {

/// What a site's lvm.conf could change about the outputs. notify_dbus: a report is nobody's news.
constexpr const char* pinned =
    "global{units=\"b\" suffix=0 notify_dbus=0} log{command_names=0 prefix=\"\" report_command_log=0 silent=0} "
    "report{mark_hidden_devices=1 binary_values_as_numeric=0 list_item_separator=\",\" compact_output=0}";

constexpr const char* vg_fields =
    "vg_name,vg_uuid,vg_extent_size,vg_extent_count,vg_free_count,vg_missing_pv_count,vg_tags,vg_exported,vg_shared,vg_partial,vg_"
    "permissions";
constexpr const char* pv_fields =
    "pv_uuid,pv_name,pv_major,pv_minor,pv_size,pv_pe_count,pv_pe_alloc_count,pv_allocatable,pv_exported,pv_missing,pv_duplicate,pv_tags";
constexpr const char* lv_fields =
    "lv_uuid,lv_name,lv_attr,lv_size,lv_tags,lv_active,lv_suspended,lv_health_status,lv_merging,pool_lv,origin,data_lv,metadata_lv,data_"
    "percent";
constexpr const char* seg_fields = "lv_uuid,seg_start,segtype,chunk_size,cache_mode,cache_policy,cache_settings";
constexpr const char* pvseg_fields = "pv_uuid,pvseg_size,lv_uuid";

constexpr std::string_view alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// The text itself, when it is made of letters, digits and those.
const std::string& checked(const char* what, const std::string& text, std::string_view others) {
    const bool known = std::all_of(text.begin(), text.end(), [&](char c) {
        return alphanumeric.find(c) != std::string_view::npos || others.find(c) != std::string_view::npos;
    });
    if (!known || text.empty() || text.front() == '-')
        throw Error{ErrorCode::InvalidArgs, std::string{what} + " '" + text + "' has characters that are not allowed there"};
    return text;
}
const std::string& name(const std::string& text) {
    return checked("the name", text, "+_.-");
}
const std::string& uuid(const std::string& text) {
    return checked("the UUID", text, "-");
}
const std::string& tag(const std::string& text) {
    return checked("the tag", text, "_+.-/=!:&#");
}
const std::string& word(const std::string& text) {
    return checked("the word", text, "_.+-");
}
const std::string& node(const std::string& text) {
    if (text.compare(0, 5, "/dev/") != 0) throw Error{ErrorCode::InvalidArgs, "'" + text + "' is no device node"};
    return checked("the device node", text, "/_.+-:!#@,=");
}
std::string both(const std::string& vg, const std::string& lv) {
    return name(vg) + '/' + name(lv);
}
std::string bytes(Bytes size) {
    return std::to_string(size) + 'b';
}

void append(std::vector<std::string>& argv, std::vector<std::string> more) {
    argv.insert(argv.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// What is parsed is pinned; a command that changes something runs as the site has set LVM up, and tells whom the site wants told.
std::vector<std::string> change_command(const Tools& tools, const char* verb, std::vector<std::string> more) {
    std::vector<std::string> argv{tools.lvm, verb};
    append(argv, std::move(more));
    return argv;
}
std::vector<std::string> report(const Tools& tools, const char* verb, std::vector<std::string> more) {
    std::vector<std::string> argv{tools.lvm, verb, "--config", pinned};
    append(argv, std::move(more));
    return argv;
}

std::vector<std::string> claim_command(const Tools& tools, const DiskClaim& disk, bool wipe) {
    std::vector<std::string> argv{tools.device, "claim", "--diskseq", std::to_string(disk.diskseq), "--size", std::to_string(disk.size)};
    if (!disk.identity.empty()) append(argv, {"--identity", disk.identity});
    if (wipe) {
        for (const auto& type : disk.may_wipe) append(argv, {"--may-wipe", word(type)});
        argv.emplace_back("--wipe");
    }
    argv.push_back(node(disk.node));
    return argv;
}

/// Under the disk's lock, while its label still says that it is this PV.
std::vector<std::string> as_pv(const Tools& tools, std::uint64_t diskseq, const std::string& pv_uuid, const std::string& disk,
                               std::vector<std::string> command) {
    std::vector<std::string> argv{tools.device, "claim",       "--diskseq", std::to_string(diskseq),
                                  "--pv-uuid",  uuid(pv_uuid), node(disk),  "--"};
    append(argv, std::move(command));
    return argv;
}

/// lvconvert knows the data LV of a thin pool by its pool only, and lvchange by its own name.
std::string whole(const VolumeName& volume) {
    constexpr std::string_view data = "_tdata";
    return both(volume.vg, volume.lv.ends_with(data) ? volume.lv.substr(0, volume.lv.size() - data.size()) : volume.lv);
}

/// With the cache's metadata committed behind it.
std::vector<std::string> committed(const Tools& tools, const std::string& dm_uuid, std::vector<std::string> command) {
    std::vector<std::string> argv{tools.device, "commit", uuid(dm_uuid), "--"};
    append(argv, std::move(command));
    return argv;
}

/// Looked at again right before.
std::vector<std::string> when_clean(const Tools& tools, const std::string& dm_uuid, std::vector<std::string> command) {
    std::vector<std::string> argv{tools.device, "clean", uuid(dm_uuid), "--"};
    append(argv, std::move(command));
    return argv;
}

}  // namespace

std::vector<std::string> argv_of(const Action& action, const Tools& tools) {
    return std::visit(
        Overloaded{
            [&](const WipeSignatures& wipe) { return claim_command(tools, wipe.disk, true); },
            [&](const CreatePv& create) {
                auto argv = claim_command(tools, create.disk, false);
                argv.emplace_back("--");
                append(argv, change_command(tools, "pvcreate", {"--uuid", uuid(create.uuid), "--norestorefile", node(create.disk.node)}));
                return argv;
            },
            [&](const ExtendVg& extend) {
                return as_pv(tools, extend.diskseq, extend.pv_uuid, extend.node,
                             change_command(tools, "vgextend", {name(extend.vg), node(extend.node)}));
            },
            [&](const FencePv& fence) {
                std::vector<std::string> more{"-xn"};
                if (!fence.tag.empty()) append(more, {"--addtag", tag(fence.tag)});
                more.push_back(node(fence.node));
                return change_command(tools, "pvchange", std::move(more));
            },
            [&](const UnfencePv& unfence) {
                return change_command(tools, "pvchange", {"-xy", node(unfence.node)});
            },
            [&](const CreateCachePool& create) {
                return change_command(
                    tools, "lvcreate",
                    {"-y", "--type", "cache-pool", "--poolmetadataspare", "n", "-n", name(create.name), "-l",
                     std::to_string(create.data_extents), "--poolmetadatasize", bytes(create.metadata_extents * create.extent_size), "-c",
                     bytes(create.chunk_size), "--addtag", tag(create.tag), name(create.vg), node(create.node)});
            },
            [&](const CreateVolume& create) {
                std::vector<std::string> more{"-y", "-an", "-Zn", "-Wn"};
                const std::string disks = std::to_string(create.places.size());
                if (create.layout == Layout::Striped) append(more, {"--type", "striped", "-i", disks});
                // Of what was never written nothing is ever read: the halves need not be made equal first.
                if (create.layout == Layout::Raid1)
                    append(more, {"--type", "raid1", "-m", std::to_string(create.places.size() - 1), "--nosync"});
                append(more, {"-n", name(create.name), "-l", std::to_string(create.extents), "--addtag", tag(create.tag), name(create.vg)});
                for (const auto& place : create.places) more.push_back(node(place.node));
                return change_command(tools, "lvcreate", std::move(more));
            },
            [&](const MakePool& make) {
                return change_command(tools, "lvconvert",
                                      {"-y", "--type", "cache-pool", "--poolmetadataspare", "n", "-c", bytes(make.chunk_size),
                                       "--poolmetadata", both(make.vg, make.metadata), both(make.vg, make.data)});
            },
            [&](const RepairPart& repair) {
                return change_command(tools, "lvconvert",
                                      {"-y", "--repair", both(repair.part.vg, repair.part.lv), node(repair.place.node)});
            },
            [&](const AttachCache& attach) {
                std::vector<std::string> more{"-y",
                                              "--type",
                                              "cache",
                                              attach.store == Store::Pool ? "--cachepool" : "--cachevol",
                                              both(attach.volume.vg, attach.pool),
                                              "--cachemode",
                                              std::string{name_of(attach.mode)},
                                              "--cachepolicy",
                                              word(attach.cache_policy)};
                if (attach.store == Store::Volume)
                    append(more, {"--chunksize", bytes(attach.chunk_size), "--poolmetadatasize", bytes(attach.metadata_size)});
                for (const auto& [key, value] : attach.settings) append(more, {"--cachesettings", word(key) + '=' + word(value)});
                more.push_back(whole(attach.volume));
                return change_command(tools, "lvconvert", std::move(more));
            },
            [&](const AttachWritecache& attach) {
                std::vector<std::string> more{"-y", "--type", "writecache", "--cachevol", both(attach.volume.vg, attach.cachevol)};
                for (const auto& [key, value] : attach.settings) append(more, {"--cachesettings", word(key) + '=' + word(value)});
                more.push_back(whole(attach.volume));
                return change_command(tools, "lvconvert", std::move(more));
            },
            [&](const CommitMetadata& commit) {
                return std::vector<std::string>{tools.device, "commit", uuid(commit.dm_uuid)};
            },
            [&](const SetCachePolicy& set) {
                // By its UUID, too: if the name belongs to another LV by now, nothing is selected.
                std::vector<std::string> more{"-y", "-S", "lv_uuid=" + uuid(set.lv_uuid)};
                if (set.kind == TierKind::Writecache) {
                    append(more, {"--cachesettings", std::string{"cleaner="} + (set.cache_policy == cleaner_policy ? '1' : '0')});
                } else {
                    append(more, {"--cachepolicy", word(set.cache_policy)});
                }
                for (const auto& [key, value] : set.settings) append(more, {"--cachesettings", word(key) + '=' + word(value)});
                more.push_back(both(set.volume.vg, set.volume.lv));
                return committed(tools, set.dm_uuid, change_command(tools, "lvchange", std::move(more)));
            },
            [&](const SetCacheMode& set) {
                auto command = change_command(tools, "lvchange",
                                              {"-y", "-S", "lv_uuid=" + uuid(set.lv_uuid), "--cachemode", std::string{name_of(set.mode)},
                                               both(set.volume.vg, set.volume.lv)});
                // What is dirty LVM would flush, for as long as it takes, with the group locked.
                if (set.drained) command = when_clean(tools, set.dm_uuid, std::move(command));
                return committed(tools, set.dm_uuid, std::move(command));
            },
            [&](const RemoveCache& remove) {
                return when_clean(tools, remove.dm_uuid, change_command(tools, "lvconvert", {"-y", "--uncache", whole(remove.volume)}));
            },
            [&](const ReduceVg& reduce) {
                return change_command(tools, "vgreduce", {name(reduce.vg), node(reduce.node)});
            },
            [&](const RemovePv& remove) {
                return as_pv(tools, remove.diskseq, remove.pv_uuid, remove.node, change_command(tools, "pvremove", {node(remove.node)}));
            },
            [&](const TagVolume& change) {
                std::vector<std::string> more{"-y", "-S", "lv_uuid=" + uuid(change.lv_uuid)};
                for (const auto& each : change.remove) append(more, {"--deltag", tag(each)});
                for (const auto& each : change.add) append(more, {"--addtag", tag(each)});
                more.push_back(both(change.volume.vg, change.volume.lv));
                return change_command(tools, "lvchange", std::move(more));
            },
            [&](const UncacheLost& uncache) {
                // lvconvert knows no selection (2.03.16); whatever has the name by now, without force nothing is lost of it.
                return change_command(tools, "lvconvert", {"-y", "--uncache", whole(uncache.volume)});
            },
            // The only force there is. tierd-device looks again that the kernel has given the cache up.
            [&](const DropCache& drop) {
                std::vector<std::string> argv{tools.device, "failed", uuid(drop.dm_uuid), "--"};
                append(argv, change_command(tools, "lvconvert", {"-y", "--uncache", "--force", whole(drop.volume)}));
                return argv;
            },
            [&](const RemoveMissing& remove) {
                return change_command(tools, "vgreduce", {"--removemissing", name(remove.vg)});
            },
            [&](const RestoreMissing& restore) {
                return as_pv(tools, restore.diskseq, restore.pv_uuid, restore.node,
                             change_command(tools, "vgextend", {"--restoremissing", name(restore.vg), node(restore.node)}));
            },
            [&](const RefreshVolume& refresh) {
                return change_command(tools, "lvchange",
                                      {"--refresh", "-S", "lv_uuid=" + uuid(refresh.lv_uuid), both(refresh.volume.vg, refresh.volume.lv)});
            },
            [&](const ClearOutdated& clear) {
                return as_pv(tools, clear.diskseq, clear.pv_uuid, clear.node,
                             change_command(tools, "vgck", {"--updatemetadata", name(clear.vg)}));
            },
            // By its UUID: if the name belongs to another LV by now, nothing is selected.
            [&](const RemovePool& remove) {
                return change_command(tools, "lvremove", {"-y", "-S", "lv_uuid=" + uuid(remove.uuid), both(remove.vg, remove.name)});
            },
        },
        action);
}

std::vector<std::string> report_command(const Tools& tools, bool locking) {
    std::vector<std::string> more;
    if (!locking) more.emplace_back("--nolocking");
    append(more, {"--reportformat",
                  "json",
                  "--units",
                  "b",
                  "--nosuffix",
                  "--configreport",
                  "vg",
                  "-o",
                  vg_fields,
                  "--configreport",
                  "pv",
                  "-o",
                  pv_fields,
                  "--configreport",
                  "lv",
                  "-a",
                  "-o",
                  lv_fields,
                  "--configreport",
                  "seg",
                  "-o",
                  seg_fields,
                  "--configreport",
                  "pvseg",
                  "-o",
                  pvseg_fields});
    return report(tools, "fullreport", std::move(more));
}

std::vector<std::string> duplicates_command(const Tools& tools) {
    return report(tools, "pvs", {"-a", "--nolocking", "--reportformat", "json", "-o", "pv_uuid,pv_name,pv_major,pv_minor,pv_duplicate"});
}

std::vector<std::string> config_command(const Tools& tools) {
    return {tools.lvm,
            "lvmconfig",
            "--typeconfig",
            "full",
            "allocation/cache_pool_max_chunks",
            "devices/use_devicesfile",
            "devices/devicesfile",
            "activation/snapshot_autoextend_threshold",
            "activation/thin_pool_autoextend_threshold",
            "global/cache_check_executable",
            "global/locking_dir"};
}

std::vector<std::string> version_command(const Tools& tools) {
    return {tools.lvm, "version"};
}

}  // namespace tierd::lvm
