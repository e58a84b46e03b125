// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "daemon/model/observation.hpp"

/// Everything that tierd can do to a machine. An action is a plain value; what it says (plan/describe), what it spells
/// (machine/lvm/argv) and what must follow from it (plan/foretell) are functions over the variant: a kind that lacks one does not compile.
namespace tierd {

/// A disk as the plan knew it: checked again through the descriptor that holds its lock, right before the first write.
struct DiskClaim {
    std::string node;
    std::string identity;
    std::uint64_t diskseq = 0;
    Bytes size = 0;
    std::vector<std::string> may_wipe;  ///< every signature found, on the disk and its partitions, must be in here
    friend bool operator==(const DiskClaim&, const DiskClaim&) = default;
};

/// Erases the signatures and the partition table of a disk that the policy names.
struct WipeSignatures {
    DiskClaim disk;
    friend bool operator==(const WipeSignatures&, const WipeSignatures&) = default;
};
struct CreatePv {
    DiskClaim disk;
    std::string uuid;
    friend bool operator==(const CreatePv&, const CreatePv&) = default;
};
/// The PV, as the plan saw it. diskseq: of its disk, since LVM goes by the node, and the node may be another disk's by now; 0: not known.
struct ExtendVg {
    std::string vg;
    std::string node, pv_uuid;
    std::uint64_t diskseq = 0;
    friend bool operator==(const ExtendVg&, const ExtendVg&) = default;
};
/// Keeps every other allocation off the PV, and tags it as tierd's; without a tag it only keeps them off.
struct FencePv {
    std::string vg;
    std::string node, pv_uuid;
    std::string tag;
    std::uint64_t diskseq = 0;
    friend bool operator==(const FencePv&, const FencePv&) = default;
};
/// Allows allocation again, for tierd's own next command.
struct UnfencePv {
    std::string vg;
    std::string node, pv_uuid;
    std::uint64_t diskseq = 0;
    friend bool operator==(const UnfencePv&, const UnfencePv&) = default;
};
/// Without LVM's spare metadata LV, whose room the plan keeps back: lvcreate would make it in a commit of its own, before anything is
/// tagged, and a power cut there would leave an LV that nobody owns. LVM makes the spare itself when a pool is repaired.
struct CreateCachePool {
    std::string vg, name;
    std::string node, pv_uuid;  ///< data and metadata are put here
    std::uint64_t data_extents = 0, metadata_extents = 0;
    Bytes extent_size = 0, chunk_size = 0;
    std::string tag;
    std::uint64_t diskseq = 0;
    friend bool operator==(const CreateCachePool&, const CreateCachePool&) = default;
};
/// A PV that something is put on, as the plan saw it.
struct PvPlace {
    std::string node, pv_uuid;
    std::uint64_t diskseq = 0;
    friend bool operator==(const PvPlace&, const PvPlace&) = default;
};
/// An LV that a cache is made of: a cachevol, or the data or the metadata of a pool over several disks (which lvcreate makes at once of
/// linear ones only). Inactive, and neither zeroed nor looked at for signatures: LVM wipes it when it becomes what it is for.
struct CreateVolume {
    std::string vg, name;
    Layout layout = Layout::Linear;
    std::vector<PvPlace> places;  ///< one; two where it is striped or raid1
    std::uint64_t extents = 0;
    Bytes extent_size = 0;
    std::string tag;
    friend bool operator==(const CreateVolume&, const CreateVolume&) = default;
};
/// Makes a cache pool, of the data's name, of two such LVs. Their tags stay on them.
struct MakePool {
    std::string vg, data, metadata;
    Bytes chunk_size = 0;
    friend bool operator==(const MakePool&, const MakePool&) = default;
};
struct AttachCache {
    VolumeName volume;
    std::string pool;
    CacheMode mode = CacheMode::Writethrough;
    std::string cache_policy;
    std::map<std::string, std::string> settings;
    Store store = Store::Pool;
    Bytes chunk_size = 0, metadata_size = 0;  ///< of a cachevol, which has none before; a pool has its own
    friend bool operator==(const AttachCache&, const AttachCache&) = default;
};
/// Of dm-writecache, which needs no metadata committed behind it: the kernel writes its superblock before it takes anything.
struct AttachWritecache {
    VolumeName volume;
    std::string cachevol;
    std::map<std::string, std::string> settings;  ///< without block_size LVM chooses by the filesystem
    friend bool operator==(const AttachWritecache&, const AttachWritecache&) = default;
};
/// A status that flushes: the cache's metadata reaches the SSD, so that the volume activates after a power cut.
struct CommitMetadata {
    VolumeName volume;
    std::string lv_uuid, dm_uuid;
    friend bool operator==(const CommitMetadata&, const CommitMetadata&) = default;
};
/// Of a cache that is in use. With the cleaner as its policy it writes its dirty blocks back and makes no new ones, whatever its mode. The
/// command flushes nothing, and the metadata is committed behind it.
struct SetCachePolicy {
    VolumeName volume;
    std::string lv_uuid, dm_uuid;
    std::string cache_policy;
    std::map<std::string, std::string> settings;  ///< those to be set; others stay as they are
    TierKind kind = TierKind::Cache;              ///< of a writecache the policy is a setting, "cleaner"
    friend bool operator==(const SetCachePolicy&, const SetCachePolicy&) = default;
};
/// Away from writeback only when the cache is clean: LVM would flush it with the group locked, for as long as that takes.
struct SetCacheMode {
    VolumeName volume;
    std::string lv_uuid, dm_uuid;
    CacheMode mode = CacheMode::Writethrough;
    bool drained = false;  ///< it stays clean, which is looked at again right before; of a cachevol nothing can say that
    friend bool operator==(const SetCacheMode&, const SetCacheMode&) = default;
};
/// Splits the cache off and removes its pool. Only when the device of that dm UUID, which holds the LV's, is clean and stays so.
struct RemoveCache {
    VolumeName volume;
    std::string dm_uuid;
    friend bool operator==(const RemoveCache&, const RemoveCache&) = default;
};
/// Loads what LVM's metadata says of a volume, and takes out of the kernel what it does not say any more: behind an `lvconvert --uncache`
/// that was killed after its commit. The volume stays in use.
struct RefreshVolume {
    VolumeName volume;
    std::string lv_uuid;
    friend bool operator==(const RefreshVolume&, const RefreshVolume&) = default;
};
/// Takes a PV on which nothing lies out of its VG.
struct ReduceVg {
    std::string vg;
    std::string node, pv_uuid;
    std::uint64_t diskseq = 0;
    friend bool operator==(const ReduceVg&, const ReduceVg&) = default;
};
/// Removes the label of a PV that tierd made and that is in no VG.
struct RemovePv {
    std::string node, pv_uuid;
    std::uint64_t diskseq = 0;
    friend bool operator==(const RemovePv&, const RemovePv&) = default;
};
/// Removes an LV that carries tierd's tag, serves nothing and holds nothing: what a power cut left of a pool's making, or a pool that was
/// split off.
struct RemovePool {
    std::string vg, name, uuid;
    friend bool operator==(const RemovePool&, const RemovePool&) = default;
};

/// Of a volume: what a person asked for (model/request) is put on it, or taken off.
struct TagVolume {
    VolumeName volume;
    std::string lv_uuid;
    std::set<std::string> add, remove;
    friend bool operator==(const TagVolume&, const TagVolume&) = default;
};

/// Takes off the cache whose SSD is gone or has failed, with nothing on it that the volume lacks; LVM forgets the pool. Never forced: LVM
/// itself refuses in front of write-back.
struct UncacheLost {
    VolumeName volume;
    std::string lv_uuid, dm_uuid;
    friend bool operator==(const UncacheLost&, const UncacheLost&) = default;
};
/// The same by force, with what was not written back: never but by a person's word for that very volume (model/request). Only while the
/// device of that dm UUID has failed in the kernel.
struct DropCache {
    VolumeName volume;
    std::string lv_uuid, dm_uuid;
    friend bool operator==(const DropCache&, const DropCache&) = default;
};
/// Takes the PVs that are missing out of their VG: those on which nothing lies, the others LVM leaves.
struct RemoveMissing {
    std::string vg;
    std::set<std::string> pv_uuids;
    friend bool operator==(const RemoveMissing&, const RemoveMissing&) = default;
};
/// A PV that is there, and that LVM holds to be missing since the VG was changed without it, is counted again.
struct RestoreMissing {
    std::string vg;
    std::string node, pv_uuid;
    std::uint64_t diskseq = 0;
    friend bool operator==(const RestoreMissing&, const RestoreMissing&) = default;
};
/// Clears what a disk says of a VG that has gone on without it; it is a PV in no VG then, of the same UUID.
struct ClearOutdated {
    std::string vg;
    std::string node, pv_uuid;
    std::uint64_t diskseq = 0;
    friend bool operator==(const ClearOutdated&, const ClearOutdated&) = default;
};

/// Of a raid1 part of a pool, which goes on with one leg: what it had on the disk that is gone is made anew on another PV of its group.
struct RepairPart {
    VolumeName part;
    std::string lv_uuid;
    PvPlace place;
    friend bool operator==(const RepairPart&, const RepairPart&) = default;
};

using Action = std::variant<WipeSignatures, CreatePv, ExtendVg, FencePv, UnfencePv, CreateCachePool, CreateVolume, MakePool, AttachCache,
                            AttachWritecache, CommitMetadata, SetCachePolicy, SetCacheMode, RemoveCache, RemovePool, ReduceVg, RemovePv,
                            TagVolume, UncacheLost, RemoveMissing, RestoreMissing, ClearOutdated, RefreshVolume, DropCache, RepairPart>;

/// Kebab-case, stable: "wipe-signatures", "create-pv", … ("verb" of a step on the bus).
std::string_view verb_of(const Action& action);
/// The VG that the action locks; for those before there is one, the VG it is for is known to the Step only, and this is "".
std::string vg_of(const Action& action);

}  // namespace tierd
