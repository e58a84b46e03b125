// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/model/policy.hpp"
#include "daemon/model/units.hpp"

/// What is there now. An std::optional without a value is "unknown", which is not zero, empty or absent.
namespace tierd {

enum class DiskKind { Unknown, Ssd, Hdd };
std::string_view name_of(DiskKind value);

/// Something found on a device by a low-level probe (libblkid).
struct Signature {
    std::string type;   ///< libblkid's TYPE ("ext4", "LVM2_member") or PTTYPE ("gpt", "dos")
    std::string usage;  ///< filesystem, raid, crypto, other, table
    Bytes offset = 0;
    // Of an LVM2_member:
    std::string uuid{};               ///< its PV's
    std::string vg{};                 ///< the VG that the metadata on it speaks of; "": none, or it could not be told
    std::optional<bool> writeback{};  ///< whether that metadata knows a cache that is not write-through; nullopt: it could not be told
    friend bool operator==(const Signature&, const Signature&) = default;
};

/// What the probe of one device, by a file descriptor, said.
struct Probe {
    std::vector<Signature> signatures;
    bool ambivalent = false;  ///< signatures that contradict each other
    bool busy = false;        ///< O_EXCL refused: mounted, a member of something alive, or claimed by another
    friend bool operator==(const Probe&, const Probe&) = default;
};

/// What a disk says of itself (SMART, the NVMe health log).
struct DiskHealth {
    bool failing = false;          ///< it says that it fails, or is about to
    std::string evidence;          ///< in its own terms: "its reliability is degraded (NVMe critical warning 0x04)"
    std::optional<unsigned> wear;  ///< per cent of what it is rated to be written; may be over 100
    friend bool operator==(const DiskHealth&, const DiskHealth&) = default;
};

/// A disk or partition that the kernel shows (one folder of /sys/class/block).
struct BlockDevice {
    std::string node;           ///< "/dev/sdb": for people and argv, never to recognise a disk by
    std::string name;           ///< the kernel's: "sdb"
    std::string dev;            ///< "8:16"
    std::string parent;         ///< of a partition: the whole disk's kernel name; else ""
    std::uint64_t diskseq = 0;  ///< 0: the kernel has none
    Bytes size = 0;
    std::uint32_t logical_block_size = 512;
    std::string serial, wwn, model, transport;  ///< transport: nvme sata sas usb virtio scsi mmc … or ""
    std::string partlabel, partuuid;
    std::string by_path;  ///< ID_PATH
    DiskKind kind = DiskKind::Unknown;
    std::string kind_evidence;  ///< 'rotational 0, rotation rate "solid state"'
    bool removable = false, read_only = false;
    bool virtual_disk = false;         ///< loop, zram, ram, dm, md, nbd, bcache: never taken by kind alone
    bool multipath_path = false;       ///< DM_MULTIPATH_DEVICE_PATH=1 or a holder whose dm UUID begins mpath-
    bool hands_off = false;            ///< SYSTEMD_READY=0, DM_UDEV_DISABLE_OTHER_RULES_FLAG=1, UDISKS_IGNORE or TIERD_IGNORE
    std::string udev_fs_type;          ///< udev's word, which may be old: for showing only
    std::string fs_uuid;               ///< likewise, of a file system that has no other devices
    std::vector<std::string> holders;  ///< kernel names of what stands on it
    std::vector<std::string> mounts;   ///< mount points
    bool swap = false;
    std::optional<Probe> probe;        ///< nullopt: not probed, or the probe failed
    std::optional<DiskHealth> health;  ///< of a whole disk; nullopt: it was not asked, or does not say
    Usec changed = 0;                  ///< when udev last spoke of it; 0: before the daemon started
    friend bool operator==(const BlockDevice&, const BlockDevice&) = default;
};
/// Stable over reboots and renumbering: "wwn:0x…", "serial:…", "partuuid:…"; "" when the device has none of them.
std::string identity_of(const BlockDevice& device);

struct VolumeGroup {
    std::string name, uuid;
    Bytes extent_size = 0;
    std::uint64_t extents = 0, free_extents = 0;
    std::uint64_t missing_pvs = 0;
    std::set<std::string> tags;
    bool exported = false, shared = false, partial = false;
    bool writeable = true;
    bool busy = false;  ///< its lock is held by a command: the values may be about to change
    friend bool operator==(const VolumeGroup&, const VolumeGroup&) = default;
};

struct PhysicalVolume {
    std::string uuid;
    std::string device;                                ///< node as LVM reports it; "" when it is nowhere
    std::string dev;                                   ///< "8:16", to find the BlockDevice; "" when it is nowhere
    std::string vg;                                    ///< VG name; "" for an orphan
    Bytes size = 0;                                    ///< usable, in an orphan of the device
    std::uint64_t extents = 0, allocated_extents = 0;  ///< 0 in an orphan
    bool allocatable = true, duplicate = false, exported = false;
    bool missing = false;  ///< LVM counts it out: it is nowhere, or came back after the VG was changed without it
    std::set<std::string> tags;
    friend bool operator==(const PhysicalVolume&, const PhysicalVolume&) = default;
};

struct LogicalVolume {
    std::string vg, name, uuid;  ///< name without brackets
    bool hidden = false;         ///< LVM reported it in brackets
    Bytes size = 0;
    std::string segtype;  ///< of its first segment: linear striped cache cache-pool raid1 thin thin-pool writecache …
    std::set<std::string> tags;
    std::optional<bool> active, suspended;
    bool partial = false;
    bool merging = false;
    std::string pool;                     ///< cache and thin volumes: their pool's LV name; else ""
    std::string origin;                   ///< cache: the hidden origin (NAME_corig); snapshots: the origin; else ""
    std::string data, metadata;           ///< pools: their sub-LVs
    std::optional<CacheMode> cache_mode;  ///< LVM's own field, which the cleaner does not change; a writecache is writeback
    std::string cache_policy;             ///< of a writecache: "cleaner" while its setting of that name is on, else "writecache"
    std::map<std::string, std::string> cache_settings;
    Bytes chunk_size = 0;
    std::string health;  ///< lv_health_status
    std::string attr;    ///< lv_attr, for what has no field of its own
    std::optional<double> data_percent;
    std::map<std::string, std::uint64_t> extents_on;  ///< PV UUID -> extents of this very LV
    std::string dm_uuid;                              ///< "LVM-" + VG UUID + LV UUID (+ suffix), without dashes
    /// Something stands in front of it: a cache of dm-cache or of dm-writecache.
    [[nodiscard]] bool is_cached() const { return segtype == "cache" || segtype == "writecache"; }
    /// Against changes of its allocation, while it is moved (pvmove): lvs(8), the third bit of lv_attr in capitals.
    [[nodiscard]] bool is_locked() const { return attr.size() > 2 && attr[2] >= 'A' && attr[2] <= 'Z'; }
    /// Of a raid LV: the kernel has given a leg up whose disk is there again.
    [[nodiscard]] bool needs_refresh() const { return health == "refresh needed"; }
    /// The same: the kernel has another kind of table for it than LVM's metadata asks for.
    [[nodiscard]] bool is_mismatched() const { return attr.size() > 4 && attr[4] == 'X'; }
    /// The state in lv_attr: its pool's metadata has to be repaired.
    [[nodiscard]] bool needs_check() const { return attr.size() > 4 && (attr[4] == 'c' || attr[4] == 'C'); }
    friend bool operator==(const LogicalVolume&, const LogicalVolume&) = default;
};

/// Of what serves, or is to serve, as a cache: anything but a pool is a cachevol.
Store store_of(const LogicalVolume& pool);
/// The LVs that hold what a cache keeps: data and metadata of a pool, or the volume itself (a cachevol).
std::vector<std::string> parts_of(const LogicalVolume& pool);

/// What a cache for that volume stands in front of: the data LV of a thin pool, any other volume itself. nullptr: not there.
/// find: of a VG and a name, its LV or nullptr.
template <typename Find>
const LogicalVolume* fronted_by_cache(const VolumeName& name, const Find& find) {
    const LogicalVolume* found = find(name.vg, name.lv);
    return found != nullptr && found->segtype == "thin-pool" ? find(name.vg, found->data) : found;
}

/// The LVs that a raid LV is made of, by the names that LVM gives them: NAME_rimage_0, NAME_rmeta_0 …; none of any other. find: as above.
template <typename Find>
std::vector<const LogicalVolume*> legs_of(const LogicalVolume& volume, const Find& find) {
    std::vector<const LogicalVolume*> legs;
    for (unsigned i = 0; volume.segtype.starts_with("raid"); ++i) {
        const auto before = legs.size();
        for (const char* kind : {"_rimage_", "_rmeta_"}) {
            if (const auto* leg = find(volume.vg, volume.name + kind + std::to_string(i)); leg != nullptr) legs.push_back(leg);
        }
        if (legs.size() == before) break;
    }
    return legs;
}

/// All LVs that a volume consists of, from above to below: what a cache is in front of, its pool's parts, and the legs of each. find: as
/// above.
template <typename Find>
std::vector<const LogicalVolume*> layers_below(const LogicalVolume& volume, const Find& find) {
    auto layers = legs_of(volume, find);
    const auto add = [&](const std::string& name) {
        const LogicalVolume* part = name.empty() ? nullptr : find(volume.vg, name);
        if (part == nullptr) return;
        layers.push_back(part);
        for (const auto* leg : legs_of(*part, find)) layers.push_back(leg);
    };
    if (!volume.is_cached()) return layers;
    add(volume.origin);
    if (const LogicalVolume* pool = find(volume.vg, volume.pool); pool != nullptr) {
        for (const auto& part : parts_of(*pool)) add(part);
    }
    return layers;
}
/// PV UUID -> extents of the LV and of its legs.
template <typename Find>
std::map<std::string, std::uint64_t> extents_below(const LogicalVolume& volume, const Find& find) {
    auto extents = volume.extents_on;
    for (const auto* leg : legs_of(volume, find)) {
        for (const auto& [uuid, count] : leg->extents_on) extents[uuid] += count;
    }
    return extents;
}

struct Lvm {
    std::vector<VolumeGroup> groups;
    std::vector<PhysicalVolume> pvs;
    std::vector<LogicalVolume> lvs;
    friend bool operator==(const Lvm&, const Lvm&) = default;

    [[nodiscard]] const VolumeGroup* group(const std::string& name) const;
    [[nodiscard]] const LogicalVolume* volume(const VolumeName& name) const;
    /// fronted_by_cache
    [[nodiscard]] const LogicalVolume* fronted(const VolumeName& name) const;
    [[nodiscard]] std::map<std::string, std::uint64_t> extents_below(const LogicalVolume& volume) const;
    /// Every part of the pool is raid1, and has a leg that is there: it can be read and written though one is gone.
    [[nodiscard]] bool is_held_by_a_leg(const LogicalVolume& pool) const;
    [[nodiscard]] const PhysicalVolume* pv(const std::string& uuid) const;
    [[nodiscard]] const PhysicalVolume* pv_on(const BlockDevice& device) const;
};

/// What dm-cache says of itself. Source: Documentation/admin-guide/device-mapper/cache.rst
struct CacheStatus {
    enum class Health { Ok, NeedsCheck, ReadOnly, Error, Failed };
    Health health = Health::Ok;
    Bytes block_size = 0;  ///< of the cache: its chunk
    std::uint64_t used_blocks = 0, total_blocks = 0, dirty_blocks = 0;
    std::optional<std::uint64_t> moving_blocks{};  ///< of the dirty ones, those on their way to the disk now; a writecache says so
    Bytes metadata_block_size = 0;
    std::uint64_t metadata_used = 0, metadata_total = 0;
    std::uint32_t read_hits = 0, read_misses = 0, write_hits = 0, write_misses = 0;  ///< wrap, and start anew at each table
    std::uint64_t demotions = 0, promotions = 0;
    std::string mode, policy;
    std::map<std::string, std::string> policy_settings, core_settings;
    friend bool operator==(const CacheStatus&, const CacheStatus&) = default;
};
std::string_view name_of(CacheStatus::Health value);
/// How much may be on its way between the SSD and the disk at once, in bytes (dm-cache counts sectors). Below one chunk nothing moves.
std::optional<Bytes> migration_threshold(const CacheStatus& status);

/// A cache's device in the kernel, by the LV it serves.
struct CacheDevice {
    std::optional<CacheStatus> status;  ///< nullopt: could not be read
    /// Whether the metadata device carries a superblock: until it does, the volume does not activate after a power cut.
    std::optional<bool> metadata_committed;
    std::optional<bool> suspended{};  ///< in the kernel: whoever reads or writes it stands still
    /// It drains, is not clean, and for a while nothing was on its way: told by who watched it, not by one look.
    bool at_rest = false;
    friend bool operator==(const CacheDevice&, const CacheDevice&) = default;
};

/// How LVM is set up on this machine (lvmconfig), where it changes what may be planned.
struct LvmSetup {
    std::string version;  ///< "2.03.16"
    std::uint64_t cache_pool_max_chunks = 1'000'000;
    bool use_devices_file = false;
    bool devices_file_exists = false;
    std::set<std::string> devices_file;  ///< nodes and ids it lists
    unsigned snapshot_autoextend_threshold = 100, thin_pool_autoextend_threshold = 100;
    std::optional<std::string> cache_check;  ///< the program that checks a cache's metadata; "": none is to; nullopt: not known
    std::optional<bool> cache_check_found;   ///< it is installed
    friend bool operator==(const LvmSetup&, const LvmSetup&) = default;
};

/// How the root file system comes up.
struct RootSetup {
    std::string dm_uuid;                    ///< of the LV that it is on, through LUKS or md, too; "": on none
    std::optional<bool> boots_cached;       ///< the initramfs has what a cached volume needs: dm-cache, cache_check; nullopt: not known
    std::optional<bool> boots_writecached;  ///< the same for dm-writecache
    friend bool operator==(const RootSetup&, const RootSetup&) = default;
};

struct Observation {
    Usec time = 0;               ///< CLOCK_REALTIME when it was taken
    unsigned minute_of_day = 0;  ///< of local time then, 0 to 1439: what people mean by hours
    std::string machine;         ///< application-specific machine id: with a disk's identity it makes a PV's UUID
    std::string boot;            ///< boot id
    std::vector<BlockDevice> devices;
    bool devices_known = true;  ///< false: udev or sysfs could not be read
    std::optional<Lvm> lvm;     ///< nullopt: LVM could not be read, and lvm_error says why
    std::string lvm_error;
    std::map<std::string, CacheDevice> caches;  ///< by the UUID of the cached LV
    LvmSetup setup;
    Bytes memory = 0;  ///< of the machine; 0: not known
    RootSetup root;
    bool container = false;  ///< no udevd of its own: observe only
    /// UUIDs of PVs that this daemon itself has emptied, and on which nothing has come to lie since: nobody took anything off them by hand.
    std::set<std::string> emptied;
    friend bool operator==(const Observation&, const Observation&) = default;

    [[nodiscard]] const BlockDevice* device(const std::string& identity) const;
    [[nodiscard]] const BlockDevice* device_of(const PhysicalVolume& pv) const;
    /// The whole disk that a partition is of; the device itself, when it is none.
    [[nodiscard]] const BlockDevice& disk_of(const BlockDevice& device) const;
    /// By name.
    [[nodiscard]] std::vector<const BlockDevice*> partitions_of(const BlockDevice& disk) const;
};

/// JSON, version 1: what Describe and dump-observation write and --simulate reads. Unknown is null or left out.
/// from_json throws Error{InvalidArgs} naming the path of what is wrong.
std::string observation_to_json(const Observation& observation);
Observation observation_from_json(const std::string& text);

}  // namespace tierd
