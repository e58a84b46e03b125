// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/lvm/setup.hpp"

#include <charconv>

namespace tierd::lvm {

namespace {

/// Calls with each line.
template <typename Function>
void for_lines(std::string_view text, Function&& function) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        function(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string unquoted(std::string_view text) {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    return std::string{text};
}

template <typename Number>
void read_number(std::string_view text, Number& into) {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) into = value;
}

}  // namespace

Setup parse_setup(std::string_view config, std::string_view version) {
    Setup found;
    for_lines(config, [&](std::string_view line) {
        const auto equals = line.find('=');
        if (equals == std::string_view::npos) return;
        const auto key = line.substr(0, equals);
        const auto value = line.substr(equals + 1);
        if (key == "cache_pool_max_chunks") read_number(value, found.setup.cache_pool_max_chunks);
        if (key == "use_devicesfile") found.setup.use_devices_file = value != "0";
        if (key == "snapshot_autoextend_threshold") read_number(value, found.setup.snapshot_autoextend_threshold);
        if (key == "thin_pool_autoextend_threshold") read_number(value, found.setup.thin_pool_autoextend_threshold);
        if (key == "cache_check_executable") found.setup.cache_check = unquoted(value);
        if (key == "devicesfile") found.devices_file = "/etc/lvm/devices/" + unquoted(value);
        if (key == "locking_dir") found.locking_dir = unquoted(value);
    });
    for_lines(version, [&](std::string_view line) {
        // "  LVM version:     2.03.16(2) (2022-05-18)"
        constexpr std::string_view label = "LVM version:";
        const auto at = line.find(label);
        if (at == std::string_view::npos) return;
        line.remove_prefix(at + label.size());
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        found.setup.version = std::string{line.substr(0, line.find_first_of("( "))};
    });
    return found;
}

std::set<std::string> parse_devices_file(std::string_view text) {
    std::set<std::string> listed;
    for_lines(text, [&](std::string_view line) {
        if (line.empty() || line.front() == '#') return;
        while (!line.empty()) {
            const auto end = std::min(line.find(' '), line.size());
            const auto word = line.substr(0, end);
            for (const std::string_view key : {"IDNAME=", "DEVNAME="}) {
                const bool named = word.size() > key.size() && word.substr(0, key.size()) == key;
                if (named && word.substr(key.size()) != ".") listed.emplace(word.substr(key.size()));
            }
            line.remove_prefix(std::min(end + 1, line.size()));
        }
    });
    return listed;
}

}  // namespace tierd::lvm
