// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/value.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace tierd::client {
namespace {

template <typename Type>
const Type& as(const Value& value) {
    static const Type none{};
    const auto* found = std::get_if<Type>(&value.data);
    return found != nullptr ? *found : none;
}

std::string spell(double number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
    return {text.data(), end.ptr};
}

}  // namespace

const Value& Value::operator[](std::string_view key) const {
    static const Value none;
    const Map& members = map();
    const auto found = members.find(std::string{key});
    return found != members.end() ? found->second : none;
}

const std::string& Value::text() const {
    return as<std::string>(*this);
}
bool Value::flag() const {
    return as<bool>(*this);
}
const Value::List& Value::list() const {
    return as<List>(*this);
}
const Value::Map& Value::map() const {
    return as<Map>(*this);
}

std::optional<std::uint64_t> Value::count() const {
    if (const auto* number = std::get_if<std::uint64_t>(&data)) return *number != UINT64_MAX ? std::optional{*number} : std::nullopt;
    if (const auto* number = std::get_if<std::int64_t>(&data); number != nullptr && *number >= 0)
        return static_cast<std::uint64_t>(*number);
    return std::nullopt;
}

std::optional<double> Value::real() const {
    if (const auto* number = std::get_if<double>(&data)) return std::isnan(*number) ? std::nullopt : std::optional{*number};
    if (const auto whole = count()) return static_cast<double>(*whole);
    return std::nullopt;
}

std::string to_text(const Value& value) {
    struct Speller {
        std::string operator()(std::monostate) const { return "?"; }
        std::string operator()(bool yes) const { return yes ? "yes" : "no"; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(std::uint64_t number) const { return number == UINT64_MAX ? "?" : std::to_string(number); }
        std::string operator()(double number) const { return std::isnan(number) ? "?" : spell(number); }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(const Value::List& list) const {
            std::string line;
            for (const Value& item : list) line += (line.empty() ? "" : " ") + to_text(item);
            return line;
        }
        std::string operator()(const Value::Map& map) const {
            std::string line;
            for (const auto& [key, item] : map) line += (line.empty() ? "" : " ") + key + '=' + to_text(item);
            return line;
        }
    };
    return std::visit(Speller{}, value.data);
}

}  // namespace tierd::client
