// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/lvm/row.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "daemon/model/error.hpp"

namespace tierd::lvm {

namespace {

using nlohmann::json;

[[noreturn]] void wrong(const std::string& what) {
    throw Error{ErrorCode::StateUnknown, "LVM's report cannot be read: " + what};
}

const json& as_json(const void* object) {
    return *static_cast<const json*>(object);
}

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::uint64_t digits(const std::string& where, const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        wrong(where + " is '" + text + "', expected digits alone");
    return value;
}

}  // namespace

std::optional<std::string> Row::optional_text(const char* field) {
    const auto& object = as_json(object_);
    const auto found = object.find(field);
    if (found == object.end()) {
        missing_->insert(section_ + ' ' + field);
        return std::nullopt;
    }
    if (found->is_null()) return std::nullopt;
    if (found->is_string()) return trimmed(found->get_ref<const std::string&>());
    if (found->is_boolean()) return found->get<bool>() ? "1" : "0";
    if (found->is_number()) return found->dump();
    wrong(section_ + ' ' + field + " is no single value");
}

std::string Row::text(const char* field) {
    auto value = optional_text(field);
    if (!value || value->empty()) wrong(section_ + " without " + field);
    return *value;
}

std::uint64_t Row::number(const char* field) {
    return digits(section_ + ' ' + field, text(field));
}

std::optional<std::uint64_t> Row::optional_number(const char* field) {
    const auto value = optional_text(field);
    if (!value || value->empty()) return std::nullopt;
    return digits(section_ + ' ' + field, *value);
}

std::optional<bool> Row::flag(const char* field) {
    const auto value = optional_text(field);
    if (!value || *value == "unknown" || *value == "-1") return std::nullopt;
    return !value->empty() && *value != "0";
}

std::optional<double> Row::percent(const char* field) {
    auto value = optional_text(field);
    if (!value || value->empty()) return std::nullopt;
    std::replace(value->begin(), value->end(), ',', '.');
    double percent = 0;
    const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), percent, std::chars_format::fixed);
    if (error != std::errc{} || end != value->data() + value->size() || !std::isfinite(percent))
        wrong(section_ + ' ' + field + " is '" + *value + "', expected a percentage");
    // -1 is LVM's own "could not be read".
    if (percent < 0) return std::nullopt;
    return percent;
}

std::set<std::string> Row::list(const char* field) {
    std::set<std::string> words;
    const auto& object = as_json(object_);
    if (const auto found = object.find(field); found != object.end() && found->is_array()) {
        for (const auto& word : *found) {
            if (!word.is_string()) wrong(section_ + ' ' + field + " is no list of words");
            words.insert(word.get<std::string>());
        }
        return words;
    }
    const std::string text = optional_text(field).value_or("");
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find(',', begin), text.size());
        if (end > begin) words.insert(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

Document::Document(std::string_view text) {
    auto document = std::make_shared<json>(json::parse(text, nullptr, false));
    if (document->is_discarded()) wrong("it is no JSON");
    const auto report = document->is_object() ? document->find("report") : document->end();
    if (report == document->end() || !report->is_array()) wrong("it has no \"report\"");
    for (const auto& part : *report) {
        if (!part.is_object()) wrong("a part of \"report\" is no object");
    }
    document_ = std::move(document);
}

std::size_t Document::parts() const {
    return as_json(document_.get()).at("report").size();
}

std::vector<Row> Document::rows(std::size_t part, const char* section, std::set<std::string>& missing) const {
    std::vector<Row> rows;
    const auto& object = as_json(document_.get()).at("report").at(part);
    const auto found = object.find(section);
    if (found == object.end()) return rows;
    if (!found->is_array()) wrong(std::string{"\""} + section + "\" is no list");
    for (const auto& row : *found) {
        if (!row.is_object()) wrong(std::string{"a row of \""} + section + "\" is no object");
        rows.emplace_back(document_, &row, section, missing);
    }
    return rows;
}

}  // namespace tierd::lvm
