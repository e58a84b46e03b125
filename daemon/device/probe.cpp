// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/device/probe.hpp"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <string_view>

#include "daemon/device/lvm_label.hpp"
#include "daemon/model/error.hpp"

namespace tierd::device {

namespace {

/// More signatures than that are no disk of anybody's: a loop over what cannot be erased ends here. ZFS alone has 1,024 copies.
constexpr int signatures_limit = 4096;
constexpr int ambivalent_result = -2;
/// Nearly all signatures are in there or as near to the end. Asked for at once, they are a few requests to the disk instead of dozens.
constexpr off_t prefetched = 512 * 1024;

struct FreeProbe {
    void operator()(blkid_probe probe) const { blkid_free_probe(probe); }
};
using ProbeHandle = std::unique_ptr<std::remove_pointer_t<blkid_probe>, FreeProbe>;

[[noreturn]] void unreadable() {
    throw Error{ErrorCode::ToolFailed, std::string{"it cannot be read: "} + std::strerror(errno != 0 ? errno : EIO)};
}

ProbeHandle open_probe(const Area& area) {
    ProbeHandle probe{blkid_new_probe()};
    errno = 0;
    if (!probe ||
        blkid_probe_set_device(probe.get(), area.fd, static_cast<blkid_loff_t>(area.offset), static_cast<blkid_loff_t>(area.size)) != 0) {
        unreadable();
    }
    const auto offset = static_cast<off_t>(area.offset);
    const auto end = offset + static_cast<off_t>(blkid_probe_get_size(probe.get()));
    posix_fadvise(area.fd, offset, prefetched, POSIX_FADV_WILLNEED);
    posix_fadvise(area.fd, std::max(offset, end - prefetched), prefetched, POSIX_FADV_WILLNEED);
    blkid_probe_enable_superblocks(probe.get(), 1);
    blkid_probe_set_superblocks_flags(probe.get(), BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_BADCSUM);
    blkid_probe_enable_partitions(probe.get(), 1);
    blkid_probe_set_partitions_flags(probe.get(), BLKID_PARTS_FORCE_GPT | BLKID_PARTS_MAGIC);
    return probe;
}

std::string_view value_of(blkid_probe probe, const char* name) {
    const char* data = nullptr;
    if (blkid_probe_lookup_value(probe, name, &data, nullptr) != 0 || data == nullptr) return {};
    return data;
}

Bytes offset_of(blkid_probe probe, const char* name) {
    const auto text = value_of(probe, name);
    Bytes offset = 0;
    std::from_chars(text.data(), text.data() + text.size(), offset);
    return offset;
}

Signature current(blkid_probe probe) {
    const auto type = value_of(probe, "TYPE");
    if (!type.empty()) {
        const auto usage = value_of(probe, "USAGE");
        return {std::string{type}, std::string{usage.empty() ? "other" : usage}, offset_of(probe, "SBMAGIC_OFFSET")};
    }
    const auto table = value_of(probe, "PTTYPE");
    return {std::string{table == "PMBR" ? "gpt" : table}, "table", offset_of(probe, "PTMAGIC_OFFSET")};
}

/// What a label says that LVM may not list any more. The text is the VG's name, then a brace.
void tell_pv(const Area& area, Signature& signature) {
    signature.uuid = pv_uuid_in(area);
    const std::string text = metadata_in(area);
    const auto name_end = text.find(" {");
    if (name_end == std::string::npos) return;
    signature.vg = text.substr(0, name_end);
    signature.writeback = knows_writeback(text);
}

std::vector<TableEntry> entries(blkid_probe probe) {
    std::vector<TableEntry> found;
    blkid_reset_probe(probe);
    errno = 0;
    blkid_partlist list = blkid_probe_get_partitions(probe);
    if (list == nullptr) return found;
    for (int i = 0; i < blkid_partlist_numof_partitions(list); ++i) {
        blkid_partition entry = blkid_partlist_get_partition(list, i);
        const auto start = static_cast<Bytes>(blkid_partition_get_start(entry)) * sector;
        const auto size = static_cast<Bytes>(blkid_partition_get_size(entry)) * sector;
        if (size > 0) found.push_back({start, size});
    }
    return found;
}

}  // namespace

Content look(const Area& area) {
    const auto probe = open_probe(area);
    Content content;
    errno = 0;
    int result = 0;
    while ((result = blkid_do_probe(probe.get())) == 0) {
        auto signature = current(probe.get());
        if (signature.type == "LVM2_member") tell_pv(area, signature);
        if (!signature.type.empty()) content.signatures.push_back(std::move(signature));
        if (content.signatures.size() > static_cast<std::size_t>(signatures_limit))
            throw Error{ErrorCode::ToolFailed, "it carries too many signatures"};
    }
    if (result < 0) unreadable();

    const auto superblocks =
        std::count_if(content.signatures.begin(), content.signatures.end(), [](const Signature& each) { return each.usage != "table"; });
    if (superblocks > 1) {
        blkid_reset_probe(probe.get());
        content.ambivalent = blkid_do_safeprobe(probe.get()) == ambivalent_result;
    }
    if (static_cast<std::size_t>(superblocks) < content.signatures.size()) content.partitions = entries(probe.get());
    return content;
}

void erase(const Area& area) {
    const auto probe = open_probe(area);
    errno = 0;
    int result = 0;
    // After a wipe libblkid steps back by itself, so that a backup or a second copy is found by the same prober.
    for (int count = 0; (result = blkid_do_probe(probe.get())) == 0; ++count) {
        if (count > signatures_limit) throw Error{ErrorCode::ToolFailed, "a signature stays however often it is erased"};
        if (blkid_do_wipe(probe.get(), 0) != 0)
            throw Error{ErrorCode::ToolFailed, std::string{"it cannot be written: "} + std::strerror(errno != 0 ? errno : EIO)};
    }
    if (result < 0) unreadable();
    if (fsync(area.fd) != 0) throw Error{ErrorCode::ToolFailed, std::string{"it cannot be written: "} + std::strerror(errno)};
}

}  // namespace tierd::device
