// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/disks.hpp"

#include <libudev.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include "daemon/machine/clock.hpp"
#include "daemon/machine/files.hpp"
#include "daemon/machine/udev/disk_kind.hpp"
#include "daemon/machine/udev/nvme.hpp"
#include "daemon/machine/udev/usage.hpp"
#include "daemon/model/error.hpp"

namespace tierd::udev {

namespace {

constexpr int monitor_buffer = 16 * 1024 * 1024;

std::string text_or_empty(const char* text) {
    return text == nullptr ? "" : text;
}

class Properties {
public:
    explicit Properties(udev_device* device) : device_{device} {}
    [[nodiscard]] std::string property(const char* key) const { return text_or_empty(udev_device_get_property_value(device_, key)); }
    [[nodiscard]] bool is(const char* key, std::string_view value) const { return property(key) == value; }
    [[nodiscard]] std::string attribute(const char* key) const {
        auto text = text_or_empty(udev_device_get_sysattr_value(device_, key));
        while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
        return text;
    }
    [[nodiscard]] std::optional<std::uint64_t> number(const char* key) const { return parse(attribute(key)); }
    static std::optional<std::uint64_t> parse(const std::string& text) {
        std::uint64_t value = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
        return value;
    }
    /// The first that has a value.
    [[nodiscard]] std::string first_of(std::initializer_list<const char*> keys) const {
        for (const auto* key : keys) {
            if (auto value = property(key); !value.empty()) return value;
        }
        return "";
    }

private:
    udev_device* device_;
};

bool is_nvme(const std::string& name) {
    return name.rfind("nvme", 0) == 0;
}

/// syspath: of the whole disk.
std::string transport_of(const Properties& properties, const std::string& name, const std::string& syspath) {
    std::string bus = properties.property("ID_BUS");
    const std::string path = properties.property("ID_PATH");
    const auto in_path = [&](const char* part) { return path.find(part) != std::string::npos; };
    if (is_nvme(name)) return nvme_transport(syspath + "/device");
    if (name.rfind("mmcblk", 0) == 0) return "mmc";
    if (name.rfind("xvd", 0) == 0) return "xen";
    if (syspath.find("/virtio") != std::string::npos) return "virtio";
    if (bus == "usb" || in_path("-usb-")) return "usb";
    if (in_path("-iscsi-")) return "iscsi";
    if (in_path("-fc-")) return "fc";
    if (bus == "ata") return properties.is("ID_ATA_SATA", "1") || properties.property("ID_ATA_SATA").empty() ? "sata" : "ata";
    if (bus == "scsi") return in_path("-sas-") ? "sas" : "scsi";
    return bus;
}

std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code fault;
    for (const auto& entry : std::filesystem::directory_iterator{folder, fault}) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

bool held_by_multipath(const std::vector<std::string>& holders) {
    return std::any_of(holders.begin(), holders.end(), [](const std::string& holder) {
        return text_in("/sys/class/block/" + holder + "/dm/uuid").rfind("mpath-", 0) == 0;
    });
}

void set_use(const Mounts& mounts, const std::set<std::string>& swaps, BlockDevice& device) {
    const auto add = [&](const std::map<std::string, std::vector<std::string>>& points, const std::string& key) {
        const auto found = points.find(key);
        if (found == points.end()) return;
        for (const auto& point : found->second) {
            if (std::find(device.mounts.begin(), device.mounts.end(), point) == device.mounts.end()) device.mounts.push_back(point);
        }
    };
    add(mounts.by_number, device.dev);
    add(mounts.by_source, device.node);
    device.swap = swaps.contains(device.node);
}

}  // namespace

Disks::Disks(Loop& loop, std::function<void(const MachineEvent&)> on_event)
    : loop_{loop},
      on_event_{std::move(on_event)},
      udev_{udev_new(), udev_unref},
      monitor_{nullptr, udev_monitor_unref},
      kernel_{nullptr, udev_monitor_unref} {
    if (!udev_) throw Error{ErrorCode::ToolFailed, "libudev does not start"};
    listen(monitor_, "udev", nullptr);
    listen(kernel_, "kernel", "disk");
    watch_ = loop_.on_io(udev_monitor_get_fd(monitor_.get()), EPOLLIN, [this](std::uint32_t) { receive(); });
    kernel_watch_ = loop_.on_io(udev_monitor_get_fd(kernel_.get()), EPOLLIN, [this](std::uint32_t) { receive_from_kernel(); });
}

void Disks::listen(Monitor& monitor, const char* who, const char* type) const {
    monitor.reset(udev_monitor_new_from_netlink(udev_.get(), who));
    if (!monitor) throw Error{ErrorCode::ToolFailed, "udev's events cannot be received"};
    udev_monitor_filter_add_match_subsystem_devtype(monitor.get(), "block", type);
    // Beyond the system's limit it needs CAP_NET_ADMIN. Without, as much as that limit gives: overruns come sooner, and are told.
    if (udev_monitor_set_receive_buffer_size(monitor.get(), monitor_buffer) < 0)
        setsockopt(udev_monitor_get_fd(monitor.get()), SOL_SOCKET, SO_RCVBUF, &monitor_buffer, sizeof monitor_buffer);
    if (udev_monitor_enable_receiving(monitor.get()) < 0) throw Error{ErrorCode::ToolFailed, "udev's events cannot be received"};
}

Disks::~Disks() = default;

void Disks::receive() {
    while (true) {
        errno = 0;
        const std::unique_ptr<udev_device, udev_device* (*)(udev_device*)> device{udev_monitor_receive_device(monitor_.get()),
                                                                                  udev_device_unref};
        if (!device) {
            if (errno == EINTR) continue;
            if (errno != ENOBUFS) return;
            changes_.lost(real_time());
            on_event_({MachineEvent::Kind::Overrun, "", ""});
            continue;
        }
        const std::string name = text_or_empty(udev_device_get_sysname(device.get()));
        const std::string action = text_or_empty(udev_device_get_action(device.get()));
        if (action == "remove") {
            changes_.removed(name);
        } else {
            changes_.spoke_of(name, real_time());
        }
        on_event_({MachineEvent::Kind::Devices, text_or_empty(udev_device_get_devnode(device.get())), action});
    }
}

void Disks::receive_from_kernel() {
    while (true) {
        errno = 0;
        const std::unique_ptr<udev_device, udev_device* (*)(udev_device*)> device{udev_monitor_receive_device(kernel_.get()),
                                                                                  udev_device_unref};
        if (!device) {
            // What was lost here comes again from udev.
            if (errno == EINTR || errno == ENOBUFS) continue;
            return;
        }
        if (text_or_empty(udev_device_get_action(device.get())) == "remove")
            on_event_({MachineEvent::Kind::Devices, text_or_empty(udev_device_get_devnode(device.get())), "remove"});
    }
}

std::optional<std::vector<BlockDevice>> Disks::list() {
    const std::unique_ptr<udev_enumerate, udev_enumerate* (*)(udev_enumerate*)> enumerate{udev_enumerate_new(udev_.get()),
                                                                                          udev_enumerate_unref};
    if (!enumerate || udev_enumerate_add_match_subsystem(enumerate.get(), "block") < 0 || udev_enumerate_scan_devices(enumerate.get()) < 0)
        return std::nullopt;
    const auto mounts = parse_mountinfo(text_in("/proc/self/mountinfo"));
    const auto swaps = parse_swaps(text_in("/proc/swaps"));
    std::vector<BlockDevice> devices;
    for (auto* entry = udev_enumerate_get_list_entry(enumerate.get()); entry != nullptr; entry = udev_list_entry_get_next(entry)) {
        const std::unique_ptr<udev_device, udev_device* (*)(udev_device*)> device{
            udev_device_new_from_syspath(udev_.get(), udev_list_entry_get_name(entry)), udev_device_unref};
        // Gone meanwhile, or not through its rules yet: its event is on the way.
        if (!device || udev_device_get_is_initialized(device.get()) == 0 || udev_device_get_devnode(device.get()) == nullptr) continue;
        auto read_device = read(device.get());
        set_use(mounts, swaps, read_device);
        devices.push_back(std::move(read_device));
    }
    return devices;
}

BlockDevice Disks::read(udev_device* handle) const {
    const Properties properties{handle};
    const std::string syspath = text_or_empty(udev_device_get_syspath(handle));
    BlockDevice device;
    device.node = text_or_empty(udev_device_get_devnode(handle));
    device.name = text_or_empty(udev_device_get_sysname(handle));
    device.dev = properties.attribute("dev");
    device.size = properties.number("size").value_or(0) * sector;
    device.read_only = properties.attribute("ro") == "1";

    auto* disk = handle;
    if (text_or_empty(udev_device_get_devtype(handle)) == "partition") {
        disk = udev_device_get_parent_with_subsystem_devtype(handle, "block", "disk");
        if (disk != nullptr) device.parent = text_or_empty(udev_device_get_sysname(disk));
    }
    const Properties whole{disk == nullptr ? handle : disk};
    device.diskseq = whole.number("diskseq").value_or(0);
    device.logical_block_size = static_cast<std::uint32_t>(whole.number("queue/logical_block_size").value_or(512));
    device.removable = whole.attribute("removable") == "1";
    device.virtual_disk = syspath.find("/devices/virtual/block/") != std::string::npos || device.name.rfind("nbd", 0) == 0;
    device.transport = transport_of(whole, device.name, disk == nullptr ? syspath : text_or_empty(udev_device_get_syspath(disk)));
    device.serial = whole.first_of({"ID_SCSI_SERIAL", "ID_SERIAL_SHORT", "ID_SERIAL"});
    device.wwn = whole.first_of({"ID_WWN_WITH_EXTENSION", "ID_WWN"});
    // One NVMe serial stands for several namespaces; the kernel's own id does not.
    if (is_nvme(device.name) && device.wwn.empty()) device.wwn = whole.attribute("wwid");
    device.model = whole.first_of({"ID_MODEL"});
    device.by_path = properties.property("ID_PATH");
    device.partlabel = decode(properties.property("ID_PART_ENTRY_NAME"));
    device.partuuid = properties.property("ID_PART_ENTRY_UUID");
    device.udev_fs_type = properties.property("ID_FS_TYPE");
    // One of btrfs may be on several disks, which have its UUID.
    if (properties.is("ID_FS_USAGE", "filesystem") && device.udev_fs_type != "btrfs") device.fs_uuid = properties.property("ID_FS_UUID");
    device.changed = changes_.of(device.name);
    device.hands_off = properties.is("SYSTEMD_READY", "0") || properties.is("DM_UDEV_DISABLE_OTHER_RULES_FLAG", "1") ||
                       properties.is("UDISKS_IGNORE", "1") || properties.is("TIERD_IGNORE", "1");
    if (device.virtual_disk) {
        // None is ever taken, and there may be hundreds: they are listed for those who look up what LVM names.
        device.kind_evidence = "a virtual device";
        return device;
    }

    const auto rotational = whole.attribute("queue/rotational");
    KindEvidence evidence{device.transport, std::nullopt, std::nullopt, device.virtual_disk};
    if (!rotational.empty()) evidence.rotational = rotational == "1";
    if (const auto rpm = Properties::parse(whole.property("ID_ATA_ROTATION_RATE_RPM"))) evidence.rpm = static_cast<unsigned>(*rpm);
    if (!evidence.rpm && disk != nullptr)
        evidence.rpm = rotation_rate(text_in(text_or_empty(udev_device_get_syspath(disk)) + "/device/vpd_pgb1"));
    std::tie(device.kind, device.kind_evidence) = classify(evidence);

    device.holders = names_in(syspath + "/holders");
    device.multipath_path =
        properties.is("DM_MULTIPATH_DEVICE_PATH", "1") || device.udev_fs_type == "mpath_member" || held_by_multipath(device.holders);
    return device;
}

}  // namespace tierd::udev
