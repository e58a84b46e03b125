// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/disk_kind.hpp"

#include <algorithm>
#include <array>

namespace tierd::udev {

std::pair<DiskKind, std::string> classify(const KindEvidence& evidence) {
    constexpr std::array trusted{"nvme", "sata", "ata", "sas", "scsi"};
    std::string said = evidence.rotational ? std::string{"rotational "} + (*evidence.rotational ? '1' : '0') : "no rotational flag";
    if (evidence.rpm) said += *evidence.rpm == 0 ? ", rotation rate \"solid state\"" : ", " + std::to_string(*evidence.rpm) + " rpm";

    if (evidence.virtual_disk) return {DiskKind::Unknown, said + ": a virtual device"};
    if (std::find(trusted.begin(), trusted.end(), evidence.transport) == trusted.end()) {
        return {DiskKind::Unknown,
                said + ": not to be trusted over " + (evidence.transport.empty() ? "an unknown transport" : evidence.transport)};
    }
    if (!evidence.rotational) return {DiskKind::Unknown, said};
    if (evidence.transport == "nvme")
        return *evidence.rotational ? std::pair{DiskKind::Unknown, said + ": a contradiction for nvme"}
                                    : std::pair{DiskKind::Ssd, "nvme, " + said};
    const bool ata = evidence.transport == "sata" || evidence.transport == "ata";
    if (!*evidence.rotational) {
        if (evidence.rpm.value_or(0) != 0) return {DiskKind::Unknown, said + ": a contradiction"};
        return {DiskKind::Ssd, said};
    }
    if (evidence.rpm == 0U) return {DiskKind::Unknown, said + ": a contradiction"};
    // Some bridges and firmwares leave the flag at its default of 1; a hard disk on ATA says its rate.
    if (ata && !evidence.rpm) return {DiskKind::Unknown, said + ", and the disk says no rotation rate"};
    return {DiskKind::Hdd, said};
}

std::optional<unsigned> rotation_rate(std::string_view vpd_page) {
    constexpr std::size_t rate_at = 4;
    constexpr unsigned solid_state = 1, slowest = 0x401, reserved = 0xffff;  // 0: not reported
    if (vpd_page.size() < rate_at + 2 || static_cast<unsigned char>(vpd_page[1]) != 0xb1) return std::nullopt;
    const unsigned rate = static_cast<unsigned char>(vpd_page[rate_at]) * 256U + static_cast<unsigned char>(vpd_page[rate_at + 1]);
    if (rate == solid_state) return 0;
    if (rate < slowest || rate == reserved) return std::nullopt;
    return rate;
}

}  // namespace tierd::udev
