// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/identity.hpp"

#include <array>

namespace tierd {

namespace {

constexpr std::string_view tier_prefix = "tierd.tier=";
constexpr std::string_view device_prefix = "tierd.device=";
constexpr std::string_view part_prefix = "tierd.part=";
constexpr std::string_view lost_prefix = "tierd.lost=";
constexpr std::string_view hex = "0123456789abcdef";

bool plain_in_tag(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '.' || c == '-';
}

std::optional<unsigned> hex_digit(char c) {
    const auto at = hex.find(c);
    if (at == std::string_view::npos) return std::nullopt;
    return static_cast<unsigned>(at);
}

std::optional<std::string> first_tag(const std::set<std::string>& tags, std::string_view prefix) {
    for (const auto& tag : tags) {
        if (tag.compare(0, prefix.size(), prefix) == 0) return decode_tag(std::string_view{tag}.substr(prefix.size()));
    }
    return std::nullopt;
}

}  // namespace

std::string pv_uuid_for(std::string_view machine, std::string_view identity) {
    // FNV-1a, 128 bits: http://www.isthe.com/chongo/tech/comp/fnv/
    using Wide = unsigned __int128;
    constexpr Wide prime = (Wide{1} << 88) + 0x13b;
    Wide hash = (Wide{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
    const auto feed = [&](unsigned char byte) { hash = (hash ^ byte) * prime; };
    for (const char c : machine) feed(static_cast<unsigned char>(c));
    feed(0);
    for (const char c : identity) feed(static_cast<unsigned char>(c));

    std::string digits;
    for (int shift = 124; shift >= 0; shift -= 4) digits += hex.at(static_cast<std::size_t>(hash >> shift & 0xf));
    constexpr std::array<std::size_t, 7> groups{6, 4, 4, 4, 4, 4, 6};
    std::string uuid;
    std::size_t at = 0;
    for (const auto length : groups) {
        uuid += (uuid.empty() ? "" : "-") + digits.substr(at, length);
        at += length;
    }
    return uuid;
}

std::string encode_tag(std::string_view text) {
    std::string tag;
    for (const char c : text) {
        if (plain_in_tag(c)) {
            tag += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        tag += '+';
        tag += hex.at(byte >> 4U);
        tag += hex.at(byte & 0xfU);
    }
    return tag;
}

std::string decode_tag(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+' && i + 2 < text.size()) {
            const auto high = hex_digit(text[i + 1]);
            const auto low = hex_digit(text[i + 2]);
            if (high && low) {
                plain += static_cast<char>(*high * 16 + *low);
                i += 2;
                continue;
            }
        }
        plain += text[i];
    }
    return plain;
}

std::string tier_tag(std::string_view tier) {
    return std::string{tier_prefix} + encode_tag(tier);
}
std::string part_tag(std::string_view tier) {
    return std::string{part_prefix} + encode_tag(tier);
}
std::string device_tag(std::string_view rule) {
    return std::string{device_prefix} + encode_tag(rule);
}
std::string lost_tag(std::string_view rule) {
    return std::string{lost_prefix} + encode_tag(rule);
}
std::set<std::string> lost_tags(const LogicalVolume& volume) {
    std::set<std::string> tags;
    for (const auto& tag : volume.tags) {
        if (tag.rfind(lost_prefix, 0) == 0) tags.insert(tag);
    }
    return tags;
}
std::optional<std::string> tier_of(const LogicalVolume& volume) {
    return first_tag(volume.tags, tier_prefix);
}
std::optional<std::string> tier_of_part(const LogicalVolume& volume) {
    return first_tag(volume.tags, part_prefix);
}
std::optional<std::string> device_rule_of(const PhysicalVolume& pv) {
    return first_tag(pv.tags, device_prefix);
}

bool is_ours(const PhysicalVolume& pv, const Observation& observation) {
    if (device_rule_of(pv)) return true;
    const auto* device = observation.device_of(pv);
    if (device == nullptr) return false;
    const std::string identity = identity_of(*device);
    return !identity.empty() && pv.uuid == pv_uuid_for(observation.machine, identity);
}

const Signature* outdated_label(const BlockDevice& device, const Observation& observation) {
    const std::string identity = identity_of(device);
    const bool may_hide = observation.setup.use_devices_file && observation.setup.devices_file_exists;
    if (!device.probe || identity.empty() || may_hide || !observation.lvm) return nullptr;
    for (const auto& signature : device.probe->signatures) {
        const bool ours =
            signature.type == "LVM2_member" && !signature.vg.empty() && signature.uuid == pv_uuid_for(observation.machine, identity);
        if (ours && observation.lvm->pv(signature.uuid) == nullptr && observation.lvm->pv_on(device) == nullptr) return &signature;
    }
    return nullptr;
}

std::string dm_name(std::string_view vg, std::string_view lv) {
    const auto doubled = [](std::string_view name) {
        std::string text;
        for (const char c : name) text += c == '-' ? "--" : std::string{c};
        return text;
    };
    return doubled(vg) + '-' + doubled(lv);
}

}  // namespace tierd
