// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>

namespace tierd::config {

/// As much of JSON Schema 2020-12 as tierd.schema.json uses. Throws std::runtime_error for a keyword that it does not know, so that the
/// schema cannot say something that is not tested.
class SchemaValidator {
public:
    using Json = nlohmann::json;
    explicit SchemaValidator(Json schema) : root_(std::move(schema)) {}

    [[nodiscard]] bool accepts(const Json& document) const { return valid(root_, document); }
    [[nodiscard]] const Json& root() const { return root_; }
    /// Follows $ref, however often.
    [[nodiscard]] const Json& resolve(const Json& schema) const {
        const auto* at = &schema;
        while (at->is_object() && at->contains("$ref")) at = &root_.at(Json::json_pointer{at->at("$ref").get<std::string>().substr(1)});
        return *at;
    }

private:
    [[nodiscard]] bool valid(const Json& schema, const Json& value) const {
        if (schema.is_boolean()) return schema.get<bool>();
        for (const auto& [keyword, argument] : schema.items()) {
            if (!keyword_holds(keyword, argument, schema, value)) return false;
        }
        return true;
    }

    [[nodiscard]] bool keyword_holds(const std::string& keyword, const Json& argument, const Json& schema, const Json& value) const {
        static const std::set<std::string> silent{"$schema", "$id", "$defs", "title", "description", "default", "examples", "then"};
        if (silent.contains(keyword)) return true;
        if (keyword == "$ref") return valid(root_.at(Json::json_pointer{argument.get<std::string>().substr(1)}), value);
        if (keyword == "type") return has_type(argument, value);
        if (keyword == "enum") return std::find(argument.begin(), argument.end(), value) != argument.end();
        if (keyword == "const") return argument == value;
        if (keyword == "anyOf") return std::any_of(argument.begin(), argument.end(), [&](const Json& one) { return valid(one, value); });
        if (keyword == "allOf") return std::all_of(argument.begin(), argument.end(), [&](const Json& one) { return valid(one, value); });
        if (keyword == "not") return !valid(argument, value);
        if (keyword == "if") return !valid(argument, value) || valid(schema.value("then", Json(true)), value);
        if (keyword == "pattern")
            return !value.is_string() || std::regex_search(value.get<std::string>(), pattern(argument.get<std::string>()));
        if (keyword == "minimum") return !value.is_number() || value >= argument;
        if (keyword == "maximum") return !value.is_number() || value <= argument;
        if (keyword == "minProperties") return !value.is_object() || value.size() >= argument.get<std::size_t>();
        if (keyword == "minItems") return !value.is_array() || value.size() >= argument.get<std::size_t>();
        if (keyword == "maxItems") return !value.is_array() || value.size() <= argument.get<std::size_t>();
        if (keyword == "uniqueItems") return !value.is_array() || std::set<Json>(value.begin(), value.end()).size() == value.size();
        if (keyword == "items")
            return !value.is_array() || std::all_of(value.begin(), value.end(), [&](const Json& one) { return valid(argument, one); });
        if (keyword == "required")
            return !value.is_object() ||
                   std::all_of(argument.begin(), argument.end(), [&](const Json& key) { return value.contains(key.get<std::string>()); });
        if (keyword == "properties" || keyword == "additionalProperties" || keyword == "propertyNames")
            return !value.is_object() || members_hold(keyword, argument, schema, value);
        throw std::runtime_error{"the schema uses \"" + keyword + "\", which the test does not know"};
    }

    [[nodiscard]] bool members_hold(const std::string& keyword, const Json& argument, const Json& schema, const Json& value) const {
        const Json named = schema.value("properties", Json::object());
        for (const auto& [key, member] : value.items()) {
            if (keyword == "propertyNames" && !valid(argument, Json(key))) return false;
            if (keyword == "properties" && argument.contains(key) && !valid(argument.at(key), member)) return false;
            if (keyword == "additionalProperties" && !named.contains(key) && !valid(argument, member)) return false;
        }
        return true;
    }

    static bool has_type(const Json& type, const Json& value) {
        if (type.is_array()) return std::any_of(type.begin(), type.end(), [&](const Json& one) { return has_type(one, value); });
        if (type == "object") return value.is_object();
        if (type == "array") return value.is_array();
        if (type == "string") return value.is_string();
        if (type == "integer") return value.is_number_integer();
        if (type == "number") return value.is_number();
        if (type == "boolean") return value.is_boolean();
        throw std::runtime_error{"the schema uses a type that the test does not know"};
    }

    const std::regex& pattern(const std::string& text) const {
        const auto found = patterns_.find(text);
        return found != patterns_.end() ? found->second : patterns_.emplace(text, std::regex{text}).first->second;
    }

    Json root_;
    mutable std::map<std::string, std::regex> patterns_;  // compiling one costs more than all that is matched with it
};

}  // namespace tierd::config
