// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/service/values.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include "daemon/model/error.hpp"
#include "dbus/names.hpp"

namespace tierd::bus {
namespace {

using sdbus::Variant;

/// How many bytes the character at the beginning has; 0 when the bus refuses it: malformed, overlong, a surrogate, a noncharacter, NUL.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const std::uint32_t first = byte(0);
    if (first < 0x80) return first == 0 ? 0 : 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
    std::uint32_t point = first & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return 0;
        point = (point << 6) | (byte(i) & 0x3fU);
    }
    constexpr std::array<std::uint32_t, 5> lowest{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = (point & 0xfffff800U) == 0xd800U;
    const bool noncharacter = (point >= 0xfdd0 && point <= 0xfdef) || (point & 0xfffeU) == 0xfffeU;
    return point < lowest[length] || point > 0x10ffff || surrogate || noncharacter ? 0 : length;
}

template <typename Value>
void put(Dictionary& dictionary, const char* key, const std::optional<Value>& value) {
    if (value) dictionary.emplace(key, Variant{*value});
}

Dictionary step_value(const ShownStep& shown) {
    const Step& step = shown.step;
    return {
        {"id", Variant{step.id}},
        {"verb", Variant{bus_text(step.verb)}},
        {"target", Variant{bus_text(step.target)}},
        {"entry", Variant{bus_text(step.entry)}},
        {"sentence", Variant{bus_text(step.sentence)}},
        {"reason", Variant{bus_text(step.reason)}},
        {"rule", Variant{bus_text(short_place(step.rule))}},
        {"command", Variant{bus_value(shown.command)}},
        {"risk", Variant{std::string{name_of(step.risk)}}},
        {"state", Variant{std::string{name_of(step.state)}}},
        {"assumed", Variant{step.assumed}},
        {"needs-person", Variant{step.needs_person}},
        {"bytes", Variant{step.bytes}},
        {"after", Variant{step.after}},
    };
}

}  // namespace

std::string bus_text(const std::string& text) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string result;
    result.reserve(text.size());
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t length = character_length(rest);
        if (length == 0) {
            const auto byte = static_cast<unsigned char>(rest.front());
            result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        } else {
            result.append(rest.substr(0, length));
        }
        rest.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

std::vector<std::string> bus_value(const std::vector<std::string>& value) {
    std::vector<std::string> result;
    for (const std::string& text : value) result.push_back(bus_text(text));
    return result;
}

std::map<std::string, std::string> bus_value(const std::map<std::string, std::string>& value) {
    std::map<std::string, std::string> result;
    for (const auto& [key, text] : value) result.emplace(bus_text(key), bus_text(text));
    return result;
}

std::vector<BusProblem> bus_value(const std::vector<Problem>& problems) {
    std::vector<BusProblem> result;
    for (const Problem& problem : problems) {
        const Place& place = problem.place;
        result.emplace_back(std::string{name_of(problem.severity)}, bus_text(place.file), place.line, place.column, bus_text(problem.text));
    }
    return result;
}

Dictionary settings_value(const std::map<std::string, std::string>& settings) {
    Dictionary result;
    for (const auto& [key, text] : settings) {
        std::uint64_t number = 0;
        const char* const end = text.data() + text.size();
        const auto parsed = std::from_chars(text.data(), end, number);
        const bool is_number = parsed.ec == std::errc{} && parsed.ptr == end && !text.empty();
        result.emplace(bus_text(key), is_number ? Variant{number} : Variant{bus_text(text)});
    }
    return result;
}

Dictionary text_dictionary(const std::map<std::string, std::string>& texts) {
    Dictionary result;
    for (const auto& [key, text] : texts) result.emplace(bus_text(key), Variant{bus_text(text)});
    return result;
}

std::vector<sdbus::ObjectPath> paths_value(const std::string& kind, const std::vector<std::string>& ids) {
    std::vector<sdbus::ObjectPath> result;
    for (const std::string& id : ids) result.push_back(sdbus::ObjectPath{object_path(kind, id)});
    return result;
}

std::vector<Dictionary> steps_value(const ShownPlan& plan) {
    std::vector<Dictionary> result;
    for (const ShownStep& step : plan.steps) result.push_back(step_value(step));
    return result;
}

std::vector<Dictionary> findings_value(const std::vector<Finding>& findings) {
    std::vector<Dictionary> result;
    for (const Finding& finding : findings) {
        result.push_back({
            {"subject", Variant{bus_text(finding.subject)}},
            {"question", Variant{bus_text(finding.question)}},
            {"verdict", Variant{std::string{name_of(finding.verdict)}}},
            {"evidence", Variant{bus_text(finding.evidence)}},
            {"advice", Variant{bus_text(finding.advice)}},
            {"rule", Variant{bus_text(short_place(finding.rule))}},
        });
    }
    return result;
}

Dictionary statistics_of(const TierView& tier) {
    Dictionary result;
    put(result, "SizeBytes", tier.size);
    put(result, "UsedBytes", tier.used);
    put(result, "DirtyBytes", tier.dirty);
    put(result, "MetadataRatio", tier.metadata_ratio);
    result.emplace("HitRatios", Variant{tier.hit_ratios});
    put(result, "PromotionRate", tier.promotion_rate);
    put(result, "DemotionRate", tier.demotion_rate);
    result.emplace("ServiceTimes", Variant{tier.service_times});
    result.emplace("Full", Variant{tier.full});
    return result;
}

Dictionary statistics_of(const SnapshotView& snapshot) {
    Dictionary result;
    put(result, "SizeBytes", snapshot.size);
    put(result, "FillRatio", snapshot.fill_ratio);
    return result;
}

void refuse_options(const Dictionary& options) {
    if (options.empty()) return;
    throw Error{ErrorCode::InvalidArgs, "option \"" + options.begin()->first + "\" is not known here"};
}

}  // namespace tierd::bus
