// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tierd::client {

/// What comes over the bus or out of JSON, as plain values: null, booleans, numbers, text, lists and dictionaries.
/// A value of another type than asked for reads as unknown: a newer daemon may say what this program does not know.
struct Value {
    using List = std::vector<Value>;
    using Map = std::map<std::string, Value>;
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, List, Map> data;

    // Implicit, so that documents read as documents: Value::Map{{"ok", true}, {"files", std::move(files)}}.
    Value() = default;
    Value(bool yes) : data{yes} {}
    Value(std::int64_t number) : data{number} {}
    Value(std::uint64_t number) : data{number} {}
    Value(double number) : data{number} {}
    Value(std::string text) : data{std::move(text)} {}
    Value(const char* text) : data{std::string{text}} {}
    Value(List list) : data{std::move(list)} {}
    Value(Map map) : data{std::move(map)} {}

    /// The member of that name; null where there is none.
    [[nodiscard]] const Value& operator[](std::string_view key) const;
    [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(data); }

    // The value itself; empty, false or nullopt for another type.
    [[nodiscard]] const std::string& text() const;
    [[nodiscard]] bool flag() const;
    /// nullopt too for UINT64_MAX and negative numbers: the bus's "unknown".
    [[nodiscard]] std::optional<std::uint64_t> count() const;
    /// nullopt too for NaN.
    [[nodiscard]] std::optional<double> real() const;
    [[nodiscard]] const List& list() const;
    [[nodiscard]] const Map& map() const;

    friend bool operator==(const Value&, const Value&) = default;
};

/// For people: 7, text, a b c, key=value key=value; "?" for unknown, "yes" and "no".
std::string to_text(const Value& value);

}  // namespace tierd::client
