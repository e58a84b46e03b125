// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/policy.hpp"

#include <algorithm>

namespace tierd {

namespace {

// The names of an enumeration, in its order: reading and showing use the same row.
template <typename Enum>
struct Names;
template <>
struct Names<Kind> {
    static inline const std::vector<std::string_view> list{"ssd", "hdd"};
};
template <>
struct Names<TierKind> {
    static inline const std::vector<std::string_view> list{"cache", "writecache", "bcache", "journal"};
};
template <>
struct Names<CacheMode> {
    static inline const std::vector<std::string_view> list{"writethrough", "writeback", "passthrough"};
};
template <>
struct Names<Layout> {
    static inline const std::vector<std::string_view> list{"linear", "striped", "raid1"};
};
template <>
struct Names<Store> {
    static inline const std::vector<std::string_view> list{"pool", "volume"};
};
template <>
struct Names<OnStall> {
    static inline const std::vector<std::string_view> list{"alert", "raise_threshold"};
};
template <>
struct Names<OnFailingDevice> {
    static inline const std::vector<std::string_view> list{"demote", "alert"};
};
template <>
struct Names<Presence> {
    static inline const std::vector<std::string_view> list{"present", "absent"};
};
template <>
struct Names<JournalWhen> {
    static inline const std::vector<std::string_view> list{"unmounted", "boot"};
};
template <>
struct Names<SnapshotKind> {
    static inline const std::vector<std::string_view> list{"thick", "thin"};
};
template <>
struct Names<WhenFull> {
    static inline const std::vector<std::string_view> list{"alert", "drop"};
};
template <>
struct Names<Autonomy> {
    static inline const std::vector<std::string_view> list{"observe", "act", "full"};
};
template <>
struct Names<Severity> {
    static inline const std::vector<std::string_view> list{"error", "warning", "info"};
};

template <typename Enum>
std::string_view look_up(Enum value) {
    return Names<Enum>::list.at(static_cast<std::size_t>(value));
}

template <typename Rule>
const Rule* by_name(const std::vector<Rule>& rules, const std::string& name) {
    const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.name == name; });
    return found == rules.end() ? nullptr : &*found;
}

}  // namespace

template <typename Enum>
const std::vector<std::string_view>& names_of() {
    return Names<Enum>::list;
}

template <typename Enum>
std::optional<Enum> value_of(std::string_view name) {
    const auto& list = Names<Enum>::list;
    const auto found = std::find(list.begin(), list.end(), name);
    if (found == list.end()) return std::nullopt;
    return static_cast<Enum>(found - list.begin());
}

std::string_view name_of(Kind value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<Kind>();
template std::optional<Kind> value_of<Kind>(std::string_view);
std::string_view name_of(TierKind value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<TierKind>();
template std::optional<TierKind> value_of<TierKind>(std::string_view);
std::string_view name_of(CacheMode value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<CacheMode>();
template std::optional<CacheMode> value_of<CacheMode>(std::string_view);
std::string_view name_of(Layout value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<Layout>();
template std::optional<Layout> value_of<Layout>(std::string_view);
std::string_view name_of(Store value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<Store>();
template std::optional<Store> value_of<Store>(std::string_view);
std::string_view name_of(OnStall value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<OnStall>();
template std::optional<OnStall> value_of<OnStall>(std::string_view);
std::string_view name_of(OnFailingDevice value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<OnFailingDevice>();
template std::optional<OnFailingDevice> value_of<OnFailingDevice>(std::string_view);
std::string_view name_of(Presence value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<Presence>();
template std::optional<Presence> value_of<Presence>(std::string_view);
std::string_view name_of(JournalWhen value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<JournalWhen>();
template std::optional<JournalWhen> value_of<JournalWhen>(std::string_view);
std::string_view name_of(SnapshotKind value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<SnapshotKind>();
template std::optional<SnapshotKind> value_of<SnapshotKind>(std::string_view);
std::string_view name_of(WhenFull value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<WhenFull>();
template std::optional<WhenFull> value_of<WhenFull>(std::string_view);
std::string_view name_of(Autonomy value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<Autonomy>();
template std::optional<Autonomy> value_of<Autonomy>(std::string_view);
std::string_view name_of(Severity value) {
    return look_up(value);
}
template const std::vector<std::string_view>& names_of<Severity>();
template std::optional<Severity> value_of<Severity>(std::string_view);

const DeviceRule* Policy::device(const std::string& name) const {
    return by_name(devices, name);
}
const TierRule* Policy::tier(const std::string& name) const {
    return by_name(tiers, name);
}

std::string short_place(const Place& place) {
    if (place.file.empty()) return "";
    const auto slash = place.file.rfind('/');
    const std::string file = slash == std::string::npos ? place.file : place.file.substr(slash + 1);
    return place.line == 0 ? file : file + ':' + std::to_string(place.line);
}

std::string full_place(const Place& place) {
    std::string text = place.file;
    if (place.line != 0) text += ':' + std::to_string(place.line);
    if (place.column != 0) text += ':' + std::to_string(place.column);
    return text;
}

}  // namespace tierd
