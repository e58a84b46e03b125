// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "daemon/model/error.hpp"

namespace tierd::client {
namespace {

constexpr int max_depth = 64;

Value from_json(const nlohmann::json& json, int depth) {
    if (depth > max_depth) throw Error{ErrorCode::Internal, "the daemon's JSON is nested deeper than 64 levels"};
    switch (json.type()) {
        case nlohmann::json::value_t::boolean: return json.get<bool>();
        case nlohmann::json::value_t::number_integer: return json.get<std::int64_t>();
        case nlohmann::json::value_t::number_unsigned: return json.get<std::uint64_t>();
        case nlohmann::json::value_t::number_float: return json.get<double>();
        case nlohmann::json::value_t::string: return json.get<std::string>();
        case nlohmann::json::value_t::array: {
            Value::List list;
            for (const auto& item : json) list.push_back(from_json(item, depth + 1));
            return list;
        }
        case nlohmann::json::value_t::object: {
            Value::Map map;
            for (const auto& [key, item] : json.items()) map.emplace(key, from_json(item, depth + 1));
            return map;
        }
        default: return {};
    }
}

struct Writer {
    nlohmann::json operator()(std::monostate) const { return nullptr; }
    nlohmann::json operator()(double number) const { return std::isfinite(number) ? nlohmann::json(number) : nlohmann::json(nullptr); }
    nlohmann::json operator()(std::uint64_t number) const {
        return number == UINT64_MAX ? nlohmann::json(nullptr) : nlohmann::json(number);
    }
    nlohmann::json operator()(const Value::List& list) const {
        auto json = nlohmann::json::array();
        for (const Value& item : list) json.push_back(std::visit(*this, item.data));
        return json;
    }
    nlohmann::json operator()(const Value::Map& map) const {
        auto json = nlohmann::json::object();
        for (const auto& [key, item] : map) json[key] = std::visit(*this, item.data);
        return json;
    }
    template <typename Plain>
    nlohmann::json operator()(const Plain& plain) const {
        return plain;
    }
};

}  // namespace

Value parse_json(const std::string& text) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded()) throw Error{ErrorCode::Internal, "the daemon's answer is not valid JSON"};
    return from_json(json, 0);
}

std::string to_json(const Value& value, bool pretty) {
    const auto json = std::visit(Writer{}, value.data);
    return json.dump(pretty ? 2 : -1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace tierd::client
