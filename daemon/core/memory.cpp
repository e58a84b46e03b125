// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/memory.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "daemon/machine/files.hpp"
#include "daemon/model/error.hpp"

namespace tierd {

namespace {

using nlohmann::json;

constexpr int version = 1;
constexpr std::size_t longest_file = 4 * mib;

std::string to_text(const std::map<std::string, LastSeen>& all) {
    json caches = json::object();
    for (const auto& [uuid, seen] : all)
        caches[uuid] = {{"dirty", seen.dirty}, {"time", seen.time}, {"boot", seen.boot}, {"assumed", seen.assumed}};
    return json{{"version", version}, {"caches", std::move(caches)}}.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

std::map<std::string, LastSeen> from_text(const std::string& text) {
    const auto document = json::parse(text);
    if (document.at("version") != version) throw Error{ErrorCode::InvalidArgs, "it is of another version of tierd"};
    std::map<std::string, LastSeen> all;
    for (const auto& [uuid, seen] : document.at("caches").items()) {
        if (all.size() == Memory::most) break;
        const auto number = [&seen = seen](const char* key) {
            if (!seen.at(key).is_number_unsigned()) throw Error{ErrorCode::InvalidArgs, std::string{key} + " is no number"};
            return seen.at(key).get<std::uint64_t>();
        };
        all[uuid] = {number("dirty"), number("time"), seen.at("boot").get<std::string>(), seen.at("assumed").get<bool>()};
    }
    return all;
}

}  // namespace

Memory::Memory(std::string directory, std::function<void(const std::string&)> note)
    : directory_{std::move(directory)}, note_{std::move(note)} {}

void Memory::load() {
    if (directory_.empty()) return;
    const std::string path = directory_ + "/caches.json";
    try {
        if (const auto text = text_of_regular(path, longest_file)) all_ = from_text(*text);
    } catch (const std::exception& fault) {
        note_(path + " is passed over: " + fault.what() + "; how the caches were before is not known");
    }
}

void Memory::see(const std::string& lv_uuid, const LastSeen& seen) {
    const auto [known, is_new] = all_.try_emplace(lv_uuid, seen);
    if (!is_new && known->second == seen) return;
    const auto before = std::exchange(known->second, seen);
    const bool same = !is_new && before.dirty == seen.dirty && before.boot == seen.boot && before.assumed == seen.assumed;
    changed_ = changed_ || !same;
    urgent_ = urgent_ || is_new || (before.dirty == 0) != (seen.dirty == 0);
    if (all_.size() > most) {
        all_.erase(std::min_element(all_.begin(), all_.end(),
                                    [](const auto& left, const auto& right) { return left.second.time < right.second.time; }));
    }
}

void Memory::forget(const std::string& lv_uuid) {
    changed_ = all_.erase(lv_uuid) > 0 || changed_;
}

void Memory::save_when_due(Usec steady) {
    if (all_.empty() && !changed_) return;
    const Usec wait = urgent_ ? urgent_span : changed_ ? span : still_span;
    if (saved_ == 0 || steady - saved_ >= wait) save(steady);
}

void Memory::save(Usec steady) {
    if (directory_.empty() || (all_.empty() && !changed_)) return;
    changed_ = urgent_ = false;
    saved_ = steady;
    const std::string fault = write_whole(directory_ + "/caches.json", to_text(all_));
    if (fault.empty()) return;
    note_(fault + ": how much was dirty is not kept over a restart");
    directory_.clear();
}

}  // namespace tierd
