// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/device/lvm_label.hpp"

#include <endian.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace tierd::device {

namespace {

constexpr std::size_t label_scan_sectors = 4;
constexpr std::size_t header_offset_at = 20, uuid_length = 32;
constexpr std::size_t areas_limit = 64;

template <std::size_t Size>
bool read_at(const Area& area, Bytes offset, std::array<char, Size>& buffer) {
    return pread(area.fd, buffer.data(), Size, static_cast<off_t>(area.offset + offset)) == static_cast<ssize_t>(Size);
}

template <std::size_t Size>
std::uint64_t word(const std::array<char, Size>& buffer, std::size_t at) {
    std::uint64_t value = 0;
    if (at + sizeof value <= Size) std::memcpy(&value, &buffer[at], sizeof value);
    return le64toh(value);
}

constexpr std::string_view area_magic{" LVM2 x[5A%r0N*>"};
constexpr std::size_t magic_at = 4, area_size_at = 32, first_location_at = 40;
constexpr std::uint64_t text_limit = 16 * mib;

/// An empty metadata area has no text yet: the first of its locations is zero.
bool has_metadata(const Area& area, Bytes metadata_area) {
    std::array<char, sector> header{};
    if (!read_at(area, metadata_area, header)) return true;
    if (std::string_view{&header[magic_at], area_magic.size()} != area_magic) return true;
    return word(header, first_location_at) != 0;
}

/// What the area's first location leads to; the area is a ring behind its header.
std::string text_in(const Area& area, Bytes metadata_area) {
    std::array<char, sector> header{};
    if (!read_at(area, metadata_area, header) || std::string_view{&header[magic_at], area_magic.size()} != area_magic) return "";
    const auto size = word(header, area_size_at);
    const auto offset = word(header, first_location_at), length = word(header, first_location_at + sizeof(std::uint64_t));
    if (offset < sector || offset >= size || length == 0 || length > size - sector || length > text_limit) return "";
    std::string text(length, '\0');
    const auto read = [&](std::size_t at, Bytes from, std::uint64_t count) {
        return pread(area.fd, &text[at], count, static_cast<off_t>(area.offset + metadata_area + from)) == static_cast<ssize_t>(count);
    };
    const auto before_end = std::min(length, size - offset);
    if (!read(0, offset, before_end)) return "";
    if (before_end < length && !read(before_end, sector, length - before_end)) return "";
    return text;
}

using Start = std::array<char, label_scan_sectors * sector>;

/// Where the labels' physical volume headers begin.
std::vector<std::size_t> pv_headers(const Start& start) {
    std::vector<std::size_t> headers;
    for (std::size_t label = 0; label < start.size(); label += sector) {
        if (std::string_view{&start[label], 8} != "LABELONE") continue;
        std::uint32_t header = 0;
        std::memcpy(&header, &start[label + header_offset_at], sizeof header);
        headers.push_back(label + le32toh(header));
    }
    return headers;
}

}  // namespace

std::string pv_uuid_in(const Area& area) {
    Start start{};
    if (!read_at(area, 0, start)) return "";
    for (const auto header : pv_headers(start)) {
        if (header + uuid_length > start.size()) continue;
        std::string uuid{&start[header], uuid_length};
        for (const std::size_t dash : {6U, 11U, 16U, 21U, 26U, 31U}) uuid.insert(dash, 1, '-');
        return uuid;
    }
    return "";
}

namespace {

/// Where the metadata areas of the first label are; nullopt: that cannot be told.
std::optional<std::vector<Bytes>> metadata_areas(const Area& area) {
    Start start{};
    if (!read_at(area, 0, start)) return std::nullopt;
    for (const auto header : pv_headers(start)) {
        // After the UUID and the device's size: a list of data areas, one of metadata areas, each ended by a zero pair.
        std::size_t at = header + uuid_length + sizeof(std::uint64_t);
        std::vector<Bytes> areas;
        for (std::size_t list = 0, count = 0; list < 2; at += 16) {
            if (at + 16 > start.size() || ++count > areas_limit) return std::nullopt;
            const auto offset = word(start, at);
            if (offset == 0) {
                ++list;
            } else if (list == 1) {
                areas.push_back(offset);
            }
        }
        return areas;
    }
    return std::nullopt;
}

}  // namespace

std::string metadata_in(const Area& area) {
    const auto areas = metadata_areas(area);
    return areas && !areas->empty() ? text_in(area, areas->front()) : "";
}

bool in_volume_group(const Area& area) {
    const auto areas = metadata_areas(area);
    if (!areas || areas->empty()) return true;
    return std::any_of(areas->begin(), areas->end(), [&](Bytes offset) { return has_metadata(area, offset); });
}

/// Each cache has its "cache_mode"; a writecache has none, since it is nothing but write-back. (Behind
/// the type LVM may write flags.)
bool knows_writeback(std::string_view text) {
    if (text.find("type = \"writecache") != std::string_view::npos) return true;
    constexpr std::string_view key{"cache_mode = \""};
    for (auto at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        const auto mode = text.substr(at + key.size());
        if (!mode.starts_with("writethrough\"") && !mode.starts_with("passthrough\"")) return true;
    }
    return false;
}

}  // namespace tierd::device
