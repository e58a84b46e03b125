// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/names.hpp"

#include <algorithm>
#include <cctype>

#include "config/words.hpp"
#include "daemon/model/lvm_limits.hpp"

namespace tierd::config {

namespace {

constexpr std::size_t longest_entry_name = 64;
constexpr std::string_view sample_time = "20260201T023000Z";

bool is_letter_or_digit(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80;
}

std::string half_complaint(std::string_view what, std::string_view name) {
    const auto allowed = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '.' || c == '-' || c == '+'; };
    if (name.empty()) return "has no " + std::string{what} + "; write VG/LV";
    if (const auto bad = std::find_if_not(name.begin(), name.end(), allowed); bad != name.end()) {
        return "holds " + quote({&*bad, 1}) + "; LVM names consist of A-Z a-z 0-9 + _ . -";
    }
    if (name[0] == '-') return "begins with a hyphen behind or before the /; LVM allows none there";
    if (name == "." || name == "..") return "is no name to LVM";
    return "";
}

}  // namespace

std::string entry_name_complaint(std::string_view name) {
    const auto allowed = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '.' || c == '-'; };
    if (name.empty()) return "is empty; give it a name";
    if (!std::all_of(name.begin(), name.end(), allowed)) return "is not a name: A-Z a-z 0-9 _ . - only";
    if (name[0] == '-') return "begins with a hyphen; no name does";
    if (name == "." || name == "..") return "is not a name";
    if (name.size() > longest_entry_name) return "has " + std::to_string(name.size()) + " characters; a name has at most 64";
    return "";
}

std::string volume_name_complaint(std::string_view name) {
    if (name.starts_with("/dev/")) return "is a path; write VG/LV, without /dev/";
    const auto slash = name.find('/');
    if (slash == std::string_view::npos) return "is not a volume; write VG/LV";
    const auto vg = name.substr(0, slash);
    const auto lv = name.substr(slash + 1);
    if (lv.find('/') != std::string_view::npos) return "has more than one /; write VG/LV";
    if (auto complaint = half_complaint("VG", vg); !complaint.empty()) return complaint;
    if (auto complaint = half_complaint("LV", lv); !complaint.empty()) return complaint;
    if (auto complaint = reserved_complaint(lv); !complaint.empty()) return complaint;
    return length_complaint(vg, lv, "");
}

VolumeName split_volume(std::string_view name) {
    const auto slash = name.find('/');
    return {std::string{name.substr(0, slash)}, std::string{name.substr(slash + 1)}};
}

std::string reserved_complaint(std::string_view lv) {
    if (const auto reserved = reserved_by_lvm(lv))
        return std::string{"cannot be: LVM keeps LV names that "} + (reserved->prefix ? "begin with " : "hold ") + quote(reserved->word) +
               " for itself";
    return "";
}

std::string length_complaint(std::string_view vg, std::string_view lv, std::string_view suffix) {
    // device-mapper joins both by a hyphen, and doubles those within.
    const auto hyphens = [](std::string_view text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '-')); };
    const auto length = vg.size() + hyphens(vg) + 1 + lv.size() + hyphens(lv) + suffix.size();
    if (length <= longest_dm_name) return "";
    return "is too long: " + std::to_string(length) + " characters to device-mapper" +
           (suffix.empty() ? "" : ", with LVM's own " + quote(suffix)) + "; at most 127, each hyphen counted twice";
}

std::string snapshot_name(std::string_view lv, std::string_view rule) {
    return std::string{lv} + '-' + std::string{rule} + '-' + std::string{sample_time};
}

}  // namespace tierd::config
