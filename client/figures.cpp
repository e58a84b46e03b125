// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include "dbus/names.hpp"

namespace tierd::client {
namespace {

std::string local_text(Usec time, const char* format) {
    const auto seconds = static_cast<std::time_t>(time / usec_per_second);
    std::tm local{};
    ::localtime_r(&seconds, &local);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), format, &local)};
}

}  // namespace

std::string size_text(const Value& bytes) {
    const auto size = bytes.count();
    return size ? format_size(*size) : "?";
}

std::string ratio_text(std::optional<double> ratio) {
    if (!ratio || !std::isfinite(*ratio)) return "?";
    const double percent = std::clamp(*ratio, 0.0, 1000.0) * 100;
    if (percent == 0) return "0%";
    if (percent < 0.1) return "<0.1%";
    const auto tenths = static_cast<unsigned>(std::floor(percent * 10 + 1e-6));
    if (tenths >= 100 || tenths % 10 == 0) return std::to_string(tenths / 10) + '%';
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + '%';
}

std::optional<double> ratio_of(const Value& part, const Value& whole) {
    const auto some = part.count();
    const auto all = whole.count();
    if (!some || !all || *all == 0) return std::nullopt;
    return static_cast<double>(*some) / static_cast<double>(*all);
}

std::string bar_text(std::optional<double> ratio) {
    if (!ratio || !std::isfinite(*ratio)) return "?";
    constexpr int cells = 10;
    const int full = static_cast<int>(std::lround(std::clamp(*ratio, 0.0, 1.0) * cells));
    std::string bar;
    for (int i = 0; i < cells; ++i) bar += i < full ? "█" : "░";
    return bar + ' ' + ratio_text(ratio);
}

std::string count_text(std::size_t number, const std::string& one) {
    return std::to_string(number) + ' ' + one + (number == 1 ? "" : "s");
}

std::string clock_text(Usec time) {
    return local_text(time, "%H:%M:%S");
}

std::string time_text(Usec time) {
    return local_text(time, "%Y-%m-%d %H:%M:%S");
}

std::string short_name(const std::string& text) {
    std::string name = object_name(text);
    for (const std::string_view kind : {"tier", "device", "snapshot", "pool", "job"})
        if (name.size() > kind.size() + 1 && name.starts_with(kind) && (name[kind.size()] == '/' || name[kind.size()] == ' '))
            return name.substr(kind.size() + 1);
    return name;
}

std::string object_name(const std::string& path) {
    const std::string root = std::string{bus::root_path} + '/';
    const std::size_t slash = path.find('/', root.size());
    if (!path.starts_with(root) || slash == std::string::npos) return path;
    const std::string element = path.substr(slash + 1);
    return path.substr(root.size(), slash + 1 - root.size()) + bus::decode_id(element).value_or(element);  // a job's number is not encoded
}

}  // namespace tierd::client
