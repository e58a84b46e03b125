// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/names.hpp"

#include <charconv>

namespace tierd::bus {
namespace {

constexpr std::string_view error_prefix = "org.tierd1.Error.";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_plain(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

const std::vector<std::string_view>& authorised_verbs() {
    static const std::vector<std::string_view> verbs{apply_verb,  reload_verb, thaw_verb,     pause_verb,  cancel_job_verb,
                                                     detach_verb, flush_verb,  set_mode_verb, recover_verb};
    return verbs;
}

std::string polkit_action(std::string_view verb) {
    return "org.tierd1." + std::string{verb};
}

std::string encode_id(std::string_view id) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string element;
    for (const char c : id) {
        if (is_plain(c) && !(element.empty() && is_digit(c))) {
            element += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            element += {'_', digits[byte >> 4], digits[byte & 15]};
        }
    }
    return element.empty() ? "_" : element;
}

std::optional<std::string> decode_id(std::string_view element) {
    if (element == "_") return "";
    std::string id;
    for (std::size_t i = 0; i < element.size(); ++i) {
        if (element[i] != '_') {
            id += element[i];
            continue;
        }
        unsigned char byte = 0;
        if (i + 2 >= element.size()) return std::nullopt;
        const char* const end = element.data() + i + 3;
        if (std::from_chars(element.data() + i + 1, end, byte, 16).ptr != end) return std::nullopt;
        id += static_cast<char>(byte);
        i += 2;
    }
    // One id, one path: any other spelling is nobody's.
    if (encode_id(id) != element) return std::nullopt;
    return id;
}

std::string object_path(std::string_view kind, std::string_view id) {
    return std::string{root_path} + '/' + std::string{kind} + '/' + encode_id(id);
}

std::string job_path(std::uint32_t id) {
    return std::string{root_path} + "/job/" + std::to_string(id);
}

std::string path_of_object(std::string_view object) {
    const std::size_t slash = object.find('/');
    if (slash == std::string_view::npos) return root_path;
    return object_path(object.substr(0, slash), object.substr(slash + 1));
}

std::optional<std::string> id_of_path(std::string_view kind, std::string_view path) {
    const std::string prefix = std::string{root_path} + '/' + std::string{kind} + '/';
    if (path.substr(0, prefix.size()) != prefix) return std::nullopt;
    return decode_id(path.substr(prefix.size()));
}

std::string error_name_on_bus(ErrorCode code) {
    return std::string{error_prefix} + std::string{error_name(code)};
}

ErrorCode error_code_from_bus(std::string_view name) {
    if (name.substr(0, error_prefix.size()) != error_prefix) return ErrorCode::Internal;
    return error_code(name.substr(error_prefix.size()));
}

}  // namespace tierd::bus
