// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "generator.hpp"
#include "world.hpp"

namespace tierd::property {

namespace {

const std::vector<std::string> group_names{"vg", "my-vg", "a--b", "vg0"};
const std::vector<std::string> volume_names{"data", "home", "var-log", "db", "x-", "srv.1"};

class Maker {
public:
    explicit Maker(Random& random) : random_{random} {}

    Observation run() {
        now_.time = world::noon;
        now_.machine = world::machine_id;
        now_.boot = "boot";
        now_.setup.version = "2.03.16";
        now_.lvm.emplace();
        if (random_.chance(10)) now_.setup.cache_pool_max_chunks = 1'000 + random_.below(100'000);
        if (random_.chance(20)) now_.setup.use_devices_file = now_.setup.devices_file_exists = true;
        const auto groups = 1 + random_.below(3);
        for (std::uint64_t i = 0; i < groups; ++i) add_group(group_names[i]);
        const auto disks = random_.below(5);
        for (std::uint64_t i = 0; i < disks; ++i) add_fast_disk();
        return std::move(now_);
    }

private:
    BlockDevice new_disk(DiskKind kind, Bytes size) {
        const auto number = next_disk_++;
        auto device = world::disk(std::string{"sd"} + static_cast<char>('a' + number), kind, size, "S" + std::to_string(1'000 + number));
        device.transport = random_.pick<std::string>({"sata", "nvme", "usb"});
        return device;
    }

    // --- volume groups on slow disks ---

    void add_group(const std::string& name) {
        VolumeGroup group;
        group.name = name;
        group.uuid = "vg-" + name;
        group.extent_size = random_.pick<Bytes>({4 * mib, 4 * mib, mib, 32 * mib});
        if (random_.chance(20)) group.tags = {"backup"};
        now_.lvm->groups.push_back(group);
        const auto disks = 1 + random_.below(2);
        for (std::uint64_t i = 0; i < disks; ++i) add_slow_disk(now_.lvm->groups.back());
        const auto volumes = 1 + random_.below(4);
        for (std::uint64_t i = 0; i < volumes; ++i) add_volume(now_.lvm->groups.back(), volume_names[i]);
    }

    void add_slow_disk(VolumeGroup& group) {
        auto device = new_disk(DiskKind::Hdd, (1 + random_.below(8)) * 500 * gib);
        device.probe = Probe{{{"LVM2_member", "raid", 512}}, false, true};
        device.holders = {"dm-0"};
        add_pv(device, group, "pv-" + device.name);
        now_.devices.push_back(std::move(device));
    }

    PhysicalVolume& add_pv(const BlockDevice& device, VolumeGroup& group, const std::string& uuid) {
        PhysicalVolume pv;
        pv.uuid = uuid;
        pv.device = device.node;
        pv.dev = device.dev;
        pv.vg = group.name;
        pv.extents = (device.size - mib) / group.extent_size;
        pv.size = pv.extents * group.extent_size;
        group.extents += pv.extents;
        group.free_extents += pv.extents;
        now_.lvm->pvs.push_back(pv);
        return now_.lvm->pvs.back();
    }

    LogicalVolume& add_lv(VolumeGroup& group, const std::string& name, std::uint64_t extents, const std::string& segtype,
                          bool hidden = false) {
        LogicalVolume volume;
        volume.vg = group.name;
        volume.name = name;
        volume.uuid = "lv-" + group.name + '-' + name;
        volume.dm_uuid = "LVM-" + volume.uuid;
        volume.segtype = segtype;
        volume.hidden = hidden;
        volume.active = true;
        volume.suspended = false;
        volume.size = extents * group.extent_size;
        for (auto& pv : now_.lvm->pvs) {
            if (extents == 0 || pv.vg != group.name || pv.extents - pv.allocated_extents < extents) continue;
            pv.allocated_extents += extents;
            group.free_extents -= extents;
            volume.extents_on[pv.uuid] = extents;
            break;
        }
        now_.lvm->lvs.push_back(std::move(volume));
        return now_.lvm->lvs.back();
    }

    void add_volume(VolumeGroup& group, const std::string& name) {
        const std::uint64_t extents = 100 + random_.below(5'000);
        switch (random_.below(20)) {
            case 0: add_foreign_cache(group, name, extents); return;
            case 1: add_thin(group, name, extents); return;
            case 2:
                add_lv(group, name, extents, random_.pick<std::string>({"snapshot", "mirror", "vdo", "writecache", "error", ""}));
                return;
            case 3: add_snapshot(group, name, extents); return;
            case 4: add_raid(group, name, extents); return;
            default: break;
        }
        auto& volume = add_lv(group, name, extents, random_.pick<std::string>({"linear", "linear", "striped"}));
        if (random_.chance(10)) volume.active = false;
        if (random_.chance(8)) volume.tags = {random_.pick<std::string>({"ceph.type=block", "owner=x", "tierd", "tierd.tier", "@other"})};
        if (random_.chance(5)) volume.merging = true;
        if (random_.chance(4)) volume.tags.insert(tier_tag(random_.pick<std::string>({"t0", "t1"})));  // somebody's tag on somebody's data
    }

    void add_foreign_cache(VolumeGroup& group, const std::string& name, std::uint64_t extents) {
        add_lv(group, name + "_corig", extents, "linear", true);
        add_lv(group, "p" + name + "_cpool_cdata", 50, "linear", true);
        add_lv(group, "p" + name + "_cpool_cmeta", 3, "linear", true);
        auto& pool = add_lv(group, "p" + name + "_cpool", 0, "cache-pool", true);
        pool.data = "p" + name + "_cpool_cdata";
        pool.metadata = "p" + name + "_cpool_cmeta";
        pool.size = 50 * group.extent_size;
        pool.chunk_size = 64 * kib;
        auto& volume = add_lv(group, name, 0, "cache");
        volume.size = extents * group.extent_size;
        volume.origin = name + "_corig";
        volume.pool = "p" + name + "_cpool";
        volume.cache_mode = random_.pick<CacheMode>({CacheMode::Writeback, CacheMode::Writethrough});
        volume.cache_policy = "smq";
        CacheStatus status;
        status.block_size = 64 * kib;
        status.dirty_blocks = random_.below(100);
        now_.caches[volume.uuid] = {random_.chance(80) ? std::optional{status} : std::nullopt,
                                    random_.chance(50) ? std::optional{random_.chance(50)} : std::nullopt};
    }

    void add_thin(VolumeGroup& group, const std::string& name, std::uint64_t extents) {
        add_lv(group, name + "_tdata", extents, "linear", true);
        add_lv(group, name + "_tmeta", 5, "linear", true);
        auto& pool = add_lv(group, name, 0, "thin-pool");
        pool.data = name + "_tdata";
        pool.metadata = name + "_tmeta";
        pool.size = extents * group.extent_size;
        pool.data_percent = 53.81;
        auto& thin = add_lv(group, name + "-thin", 0, "thin");
        thin.pool = name;
        thin.size = extents * group.extent_size;
    }

    void add_snapshot(VolumeGroup& group, const std::string& name, std::uint64_t extents) {
        add_lv(group, name + "-origin", extents, "linear").attr = "owi-aos---";
        auto& snapshot = add_lv(group, name, extents / 5 + 1, "linear");
        snapshot.origin = name + "-origin";
        snapshot.attr = "swi-aos---";
        snapshot.data_percent = 31.2;
    }

    void add_raid(VolumeGroup& group, const std::string& name, std::uint64_t extents) {
        add_lv(group, name + "_rimage_0", extents, "linear", true);
        add_lv(group, name + "_rmeta_0", 1, "linear", true);
        add_lv(group, name, 0, random_.pick<std::string>({"raid1", "raid5_ls", "raid10"})).size = extents * group.extent_size;
    }

    // --- disks that could be fast ---

    void add_fast_disk() {
        auto device = new_disk(random_.chance(85) ? DiskKind::Ssd : random_.pick<DiskKind>({DiskKind::Unknown, DiskKind::Hdd}),
                               (100 + random_.below(900)) * gib);
        if (random_.chance(5)) device.size = random_.pick<Bytes>({0, mib, 10 * mib, 2 * gib});
        if (random_.chance(4)) device.logical_block_size = 4096;
        if (random_.chance(5)) device.removable = true;
        if (random_.chance(5)) device.virtual_disk = true;
        if (random_.chance(4)) device.serial = device.wwn = "";
        if (random_.chance(20)) device.wwn = "";
        if (random_.chance(2)) device.multipath_path = true;
        if (random_.chance(2)) device.hands_off = true;
        if (random_.chance(2)) device.read_only = true;
        if (random_.chance(6)) device.changed = now_.time - random_.below(2 * 250'000);
        if (random_.chance(40)) fill(device);
        if (random_.chance(4)) device.probe.reset();
        now_.devices.push_back(device);
        if (random_.chance(5)) {  // another path to it
            auto path = device;
            const auto second = new_disk(DiskKind::Ssd, 0);
            path.name = second.name;
            path.node = second.node;
            path.dev = second.dev;
            now_.devices.push_back(std::move(path));
        }
    }

    Signature signature() {
        static const std::vector<Signature> list{
            {"ext4", "filesystem", 1080}, {"xfs", "filesystem", 0},           {"vfat", "filesystem", 54},
            {"swap", "other", 4086},      {"crypto_LUKS", "crypto", 0},       {"linux_raid_member", "raid", 4096},
            {"bcache", "other", 4120},    {"zfs_member", "filesystem", 1024}, {"jbd", "other", 1080}};
        return random_.pick(list);
    }

    void fill(BlockDevice& device) {
        switch (random_.below(8)) {
            case 0: device.probe->signatures = {signature()}; break;
            case 1:
                device.probe->signatures = {signature(), signature()};
                device.probe->ambivalent = random_.chance(50);
                break;
            case 2:
                device.probe->signatures = {signature()};
                use(device);
                break;
            case 3: fill_as_pv(device, random_.chance(50) ? "" : now_.lvm->groups.back().name); break;
            case 4: device.probe->signatures = {{"LVM2_member", "raid", 512}}; break;  // LVM does not list it
            case 5: device.probe->busy = true; break;
            default: divide(device);
        }
    }

    void fill_as_pv(BlockDevice& device, const std::string& vg) {
        if (device.size < 10 * gib) return;
        device.probe->signatures = {{"LVM2_member", "raid", 512}};
        const std::string uuid = "pv-" + device.name;
        if (vg.empty()) {
            PhysicalVolume pv;
            pv.uuid = uuid;
            pv.device = device.node;
            pv.dev = device.dev;
            pv.size = device.size;
            now_.lvm->pvs.push_back(pv);
        } else {
            add_pv(device, now_.lvm->groups.back(), uuid);
        }
    }

    void use(BlockDevice& device) {
        switch (random_.below(4)) {
            case 0: device.mounts = {"/mnt"}; break;
            case 1: device.swap = true; break;
            case 2: device.holders = {"dm-9"}; break;
            default: device.probe->busy = true;
        }
    }

    void divide(BlockDevice& device) {
        device.probe->signatures = {{random_.pick<std::string>({"gpt", "gpt", "dos"}), "table", 512}};
        const auto count = random_.below(3);
        for (unsigned i = 1; i <= count; ++i) {
            auto part = world::partition(device, i, random_.chance(10) ? 0 : device.size / 3,
                                         random_.chance(90) ? device.name + "-p" + std::to_string(i) : "");
            part.partlabel = random_.pick<std::string>({"EFI", "cache", ""});
            if (random_.chance(60)) part.probe->signatures = {signature()};
            if (random_.chance(10)) part.probe->signatures = {{"LVM2_member", "raid", 512}};
            if (random_.chance(10)) part.probe.reset();
            if (part.probe && random_.chance(15)) use(part);
            now_.devices.push_back(std::move(part));
        }
        if (random_.chance(10)) device.probe->signatures.push_back({"isw_raid_member", "raid", 1024});
        if (random_.chance(5)) device.holders = {"md127"};
    }

    Random& random_;
    Observation now_;
    unsigned next_disk_ = 0;
};

}  // namespace

Observation generate_machine(Random& random) {
    return Maker{random}.run();
}

}  // namespace tierd::property
