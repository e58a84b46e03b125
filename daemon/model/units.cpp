// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/units.hpp"

#include <array>
#include <charconv>
#include <ctime>
#include <limits>

namespace tierd {

namespace {

struct Unit {
    const char* spelled;
    Bytes size;
};
constexpr std::array<Unit, 5> units{{{"PiB", pib}, {"TiB", tib}, {"GiB", gib}, {"MiB", mib}, {"KiB", kib}}};

std::string two_digits(unsigned value) {
    return (value < 10 ? "0" : "") + std::to_string(value);
}

}  // namespace

Bytes share_of(Percent part, Bytes whole) {
    // whole * hundredths may need 78 bits: the quotient and the remainder are multiplied apart.
    constexpr Bytes all = 10'000;
    return whole / all * part.hundredths + whole % all * part.hundredths / all;
}

Bytes round_down(Bytes value, Bytes step) {
    return value - value % step;
}

Bytes round_up(Bytes value, Bytes step) {
    const Bytes rest = value % step;
    if (rest == 0) return value;
    const Bytes missing = step - rest;
    return value > std::numeric_limits<Bytes>::max() - missing ? round_down(value, step) : value + missing;
}

std::string format_size(Bytes size) {
    for (std::size_t i = 0; i < units.size(); ++i) {
        const auto& unit = units.at(i);
        if (size < unit.size) continue;
        // Tenths, rounded half up; 1023.95 KiB and more is 1 MiB.
        const Bytes whole = size / unit.size;
        const Bytes tenths = whole * 10 + (size % unit.size * 10 + unit.size / 2) / unit.size;
        if (tenths >= 10'240 && i > 0) return "1 " + std::string{units.at(i - 1).spelled};
        if (tenths % 10 == 0 || tenths >= 10'000) return std::to_string(tenths / 10) + ' ' + unit.spelled;
        return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + ' ' + unit.spelled;
    }
    return std::to_string(size) + " B";
}

std::string spell_size(Bytes size) {
    for (const auto& unit : units) {
        if (size >= unit.size && size % unit.size == 0) return std::to_string(size / unit.size) + unit.spelled;
    }
    return std::to_string(size) + "B";
}

std::string spell_size_within(Bytes size) {
    for (const auto& unit : units) {
        if (size < unit.size) continue;
        const Bytes whole = size / unit.size;
        const Bytes tenth = whole < 1000 ? size % unit.size * 10 / unit.size : 0;
        return std::to_string(whole) + (tenth > 0 ? '.' + std::to_string(tenth) : "") + unit.spelled;
    }
    return spell_size(size);
}

std::string format_percent(Percent percent) {
    std::string text = std::to_string(percent.hundredths / 100);
    if (const auto rest = percent.hundredths % 100; rest != 0) {
        text += '.' + (rest % 10 == 0 ? std::to_string(rest / 10) : two_digits(rest));
    }
    return text + '%';
}

std::string format_span(Usec span) {
    const Usec seconds = span / usec_per_second;
    if (seconds < 60) {
        const Usec tenths = (span + 50'000) / 100'000;
        return std::to_string(tenths / 10) + (tenths % 10 != 0 ? '.' + std::to_string(tenths % 10) : "") + " s";
    }
    const Usec minutes = seconds / 60;
    if (minutes < 60) return std::to_string(minutes) + " min";
    const Usec hours = minutes / 60;
    if (hours < 48) return std::to_string(hours) + " h" + (minutes % 60 != 0 ? ' ' + std::to_string(minutes % 60) + " min" : "");
    return std::to_string(hours / 24) + " d";
}

std::optional<Usec> parse_span(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, Usec>, 4> known{{{"s", 1}, {"min", 60}, {"h", 3'600}, {"d", 86'400}}};
    constexpr Usec longest = 1'000'000'000;  // seconds
    Usec number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc{} || number == 0 || number > longest) return std::nullopt;
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    for (const auto& [name, seconds] : known) {
        if (name == unit) return number * seconds * usec_per_second;
    }
    return std::nullopt;
}

std::string format_time(Usec time) {
    const auto seconds = static_cast<std::time_t>(time / usec_per_second);
    std::tm parts{};
    if (gmtime_r(&seconds, &parts) == nullptr) return "?";
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts)};
}

}  // namespace tierd
