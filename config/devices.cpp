// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "config/sections.hpp"

namespace tierd::config {

namespace {

constexpr std::uint64_t most_disks = 64;

// libblkid's names for what people call differently.
struct Alias {
    std::string_view said, meant;
};
constexpr Alias signature_aliases[] = {
    {"mbr", "dos"},
    {"msdos", "dos"},
    {"fat", "vfat"},
    {"fat32", "vfat"},
    {"luks", "crypto_LUKS"},
    {"raid", "linux_raid_member"},
    {"md", "linux_raid_member"},
    {"zfs", "zfs_member"},
};

// libblkid's name, and what people call it.
constexpr std::string_view lvm_members[] = {"LVM2_member", "LVM1_member", "lvm", "lvm2", "pv"};

void read_globs(const Field& field, std::vector<std::string>& globs) {
    auto texts = field.texts(true);
    if (!texts) return;
    if (std::find(texts->begin(), texts->end(), "") != texts->end()) return field.error("an empty text matches nothing");
    globs = std::move(*texts);
}

void read_transport(const Field& field, DeviceMatch& match) {
    auto texts = field.texts(true);
    if (!texts) return;
    for (const auto& text : *texts) {
        if (std::find(transport_names().begin(), transport_names().end(), text) != transport_names().end()) continue;
        field.error(quote(text) + " is not a transport" + suggestion(text, transport_names()));
    }
    match.transport = std::move(*texts);
}

void read_kind(const Field& field, DeviceMatch& match) {
    Kind kind{};
    const auto errors = field.report.errors();
    read_enum(field, "a kind of disk", kind);
    if (field.report.errors() == errors) match.kind = kind;
}

constexpr Key<DeviceMatch> match_keys[] = {
    {"kind", read_kind},
    {"transport", read_transport},
    {"min_size", [](const Field& field, DeviceMatch& match) { read_size(field, match.min_size); }},
    {"serial", [](const Field& field, DeviceMatch& match) { read_globs(field, match.serial); }},
    {"wwn", [](const Field& field, DeviceMatch& match) { read_globs(field, match.wwn); }},
    {"model", [](const Field& field, DeviceMatch& match) { read_globs(field, match.model); }},
    {"path", [](const Field& field, DeviceMatch& match) { read_globs(field, match.path); }},
    {"partlabel", [](const Field& field, DeviceMatch& match) { read_globs(field, match.partlabel); }},
    {"partuuid", [](const Field& field, DeviceMatch& match) { read_globs(field, match.partuuid); }},
};

void read_wipe(const Field& field, DeviceRule& rule) {
    auto texts = field.texts(false);
    if (!texts) return;
    for (const auto& text : *texts) {
        const auto* alias =
            std::find_if(std::begin(signature_aliases), std::end(signature_aliases), [&](const Alias& a) { return a.said == text; });
        if (alias != std::end(signature_aliases))
            field.error(quote(text) + " is not what libblkid calls it; write " + std::string{alias->meant});
        if (std::find(std::begin(lvm_members), std::end(lvm_members), text) != std::end(lvm_members))
            field.error(quote(text) +
                        " is never erased: LVM alone knows what lives on a physical volume; remove one that is not wanted with pvremove");
        const auto allowed = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        };
        if (text.empty() || !std::all_of(text.begin(), text.end(), allowed))
            field.error(quote(text) + " is not a signature's type; write those that `blkid -p` shows");
    }
    rule.wipe = std::move(*texts);
}

constexpr Key<DeviceRule> device_keys[] = {
    {"match", [](const Field& field, DeviceRule& rule) { read_match(field, rule.match); }},
    {"wipe", read_wipe},
    {"volatile", [](const Field& field, DeviceRule& rule) { read_flag(field, rule.volatile_contents); }},
    {"count", [](const Field& field, DeviceRule& rule) { read_count(field, 1, most_disks, rule.count); }},
    {"replace", [](const Field& field, DeviceRule& rule) { read_flag(field, rule.replace); }},
};

// "*" and "??*" name every disk, so they name none.
bool names_something(const std::vector<std::string>& globs) {
    const auto names = [](const std::string& glob) { return glob.find_first_not_of("*?") != std::string::npos; };
    return !globs.empty() && std::all_of(globs.begin(), globs.end(), names);
}

void read_device(const YamlNode& key, const YamlNode& value, Report& report, Entry<DeviceRule>& entry) {
    auto& rule = entry.rule;
    rule.name = key.text;
    entry.spots = read_keys<DeviceRule>("a device", value, device_keys, report, rule);
    if (value.kind != YamlNode::Kind::Map || !value.sound) return;
    if (!entry.spots.has("match")) report.error(key.spot, "device " + rule.name + ": match is missing; say which disks may serve");
    if (entry.spots.sound("match") && !rule.wipe.empty() && !names_something(rule.match.serial) && !names_something(rule.match.wwn)) {
        report.error(entry.spots.of("wipe", key.spot), "wipe: erases only a disk that is named; add its serial or wwn to match");
    }
}

}  // namespace

const std::vector<std::string_view>& transport_names() {
    static const std::vector<std::string_view> names{"nvme", "nvme-tcp", "nvme-rdma", "nvme-fc", "nvme-loop", "sata", "ata", "sas",
                                                     "scsi", "usb",      "virtio",    "mmc",     "iscsi",     "fc",   "xen"};
    return names;
}

void read_match(const Field& field, DeviceMatch& match) {
    const auto errors = field.report.errors();
    const auto spots = read_keys<DeviceMatch>(field.key, field.node, match_keys, field.report, match);
    if (field.report.errors() != errors) return;
    for (const auto key : {"kind", "serial", "wwn", "partlabel", "partuuid"}) {
        if (spots.has(key)) return;
    }
    field.error("fits too much; at least one of kind, serial, wwn, partlabel, partuuid must be in it");
}

void read_devices(const YamlNode& node, Report& report, Draft& draft) {
    read_entries("devices", "device", node, report, entry_name_complaint, draft, draft.devices,
                 [&](const YamlNode& key, const YamlNode& value, Entry<DeviceRule>& entry) { read_device(key, value, report, entry); });
}

std::map<std::string, std::vector<std::string_view>> device_grammar() {
    return {{"devices.*", names_in<DeviceRule>(device_keys)}, {"devices.*.match", names_in<DeviceMatch>(match_keys)}};
}

}  // namespace tierd::config
