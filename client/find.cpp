// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/find.hpp"

#include <algorithm>
#include <cctype>

#include "client/figures.hpp"
#include "client/text.hpp"
#include "daemon/model/error.hpp"
#include "daemon/model/target.hpp"

namespace tierd::client {
namespace {

/// "Tier" -> "tier".
std::string kind_of(const Object& object) {
    std::string kind = object.interface;
    if (!kind.empty()) kind[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(kind[0])));
    return kind;
}

/// Besides its path: what its properties call it, spelled as every verb understands it.
std::vector<std::string> names_of(const Object& object) {
    if (object.interface == "Manager") return {"manager"};
    std::vector<std::string> names{short_name(object.path)};
    for (const char* property : {"Identity", "Serial", "Wwn", "Policy", "Uuid"}) names.push_back(object.properties[property].text());
    for (auto& name : names_of_node(object.properties["Path"].text())) names.push_back(std::move(name));
    return names;
}

std::vector<std::string> volume_names_of(const Object& object) {
    const std::string& volume = object.properties["Volume"].text();
    const auto slash = volume.find('/');
    if (slash == std::string::npos || slash == 0) return {volume};
    return names_of_volume(volume.substr(0, slash), volume.substr(slash + 1));
}

/// Some of what there is, the things that people name first.
std::string understood(const std::vector<Object>& objects) {
    constexpr std::size_t most = 8;
    std::vector<std::string> all{"manager"};
    for (const char* interface : {"Tier", "Device", "Snapshot", "Job"}) {
        for (const Object& object : objects)
            if (object.interface == interface) all.push_back(object_name(object.path));
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i) text += (i == 0 ? "" : ", ") + all[i];
    return all.size() > most ? text + ", …" : text;
}

}  // namespace

std::vector<Object> find_objects(Context& context, const std::string& wanted) {
    const auto objects = context.gateway().objects();
    const Target target{wanted};
    std::vector<Object> found;
    std::vector<std::string> all;
    for (const Object& object : objects) {
        const auto names = names_of(object);
        if (object.path == wanted || target.means(kind_of(object), names) || target.means(volume_kind, volume_names_of(object)))
            found.push_back(object);
        all.insert(all.end(), names.begin(), names.end());
    }
    if (!found.empty()) return found;
    const bool can_be_explained = [&] {
        try {
            return !context.gateway().explain(wanted).empty();
        } catch (const Error& error) {
            if (error.code() != ErrorCode::NoSuchTarget) throw;
            return false;
        }
    }();
    if (can_be_explained)
        throw Error{ErrorCode::NoSuchTarget,
                    wanted + " is known, and no object of the bus; `tierctl explain '" + wanted + "'` tells about it"};
    const std::string near = nearest(wanted, all);
    throw Error{ErrorCode::NoSuchTarget, "no object of tierd is called " + wanted +
                                             (near.empty() ? "; there are " + understood(objects) : "; did you mean " + near + "?")};
}

Object find_tier(Context& context, const std::string& wanted) {
    auto found = find_objects(context, wanted);
    std::erase_if(found, [](const Object& object) { return object.interface != "Tier"; });
    if (found.size() == 1) return found.front();
    throw Error{ErrorCode::NoSuchTarget,
                found.empty() ? wanted + " is no tier" : wanted + " is the name of several tiers; name the volume, VG/LV"};
}

}  // namespace tierd::client
