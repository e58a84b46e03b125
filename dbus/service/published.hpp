// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <chrono>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dbus/sdbus_compat.hpp"

/// What is shown of a view, and when: at once when it is a transition, else at most once a second an object. Getters show what was
/// announced last, so that reading all objects always equals the sum of the signals.
namespace tierd::bus {

using Clock = std::chrono::steady_clock;
inline constexpr std::chrono::seconds announce_every{1};

/// A property that is announced, and whether it differs between two views.
template <typename View>
struct Property {
    const char* name;
    bool (*differs)(const View&, const View&);
    bool (*transition)(const View& before, const View& after);  ///< of a change: it is announced at once
};
template <typename View, auto... Members>
constexpr Property<View> property(const char* name, bool transition = false) {
    return {name, [](const View& a, const View& b) { return ((a.*Members != b.*Members) || ...); },
            transition ? +[](const View&, const View&) { return true; } : +[](const View&, const View&) { return false; }};
}
/// A figure that is waited for to become 0.
template <typename View, auto Member>
constexpr Property<View> figure_to_zero(const char* name) {
    return {name, [](const View& a, const View& b) { return a.*Member != b.*Member; },
            [](const View& /*before*/, const View& after) { return after.*Member == 0U; }};
}

template <typename View>
class Published {
public:
    explicit Published(View view) : shown_{std::move(view)}, announced_{Clock::now()} {}
    [[nodiscard]] const View& shown() const { return shown_; }
    [[nodiscard]] std::optional<Clock::time_point> due() const {
        return waiting_ ? std::optional{announced_ + announce_every} : std::nullopt;
    }

    /// The names of the properties to announce now; empty when there are none, or they wait for their second.
    template <typename Properties>
    std::vector<MemberName> take(View latest, const Properties& properties, Clock::time_point now) {
        std::vector<MemberName> names;
        bool transition = false;
        for (const Property<View>& each : properties) {
            if (!each.differs(shown_, latest)) continue;
            names.push_back(MemberName{each.name});
            transition = transition || each.transition(shown_, latest);
        }
        waiting_ = !names.empty() && !transition && now < announced_ + announce_every;
        if (waiting_) return {};
        // A part of a view that no property shows is taken over as well.
        shown_ = std::move(latest);
        if (!names.empty()) announced_ = now;
        return names;
    }

private:
    View shown_;
    Clock::time_point announced_;
    bool waiting_ = false;
};

/// The objects of one kind: brought in line with what is there. Object has View, shown(), update(View, now) and due().
template <typename Object>
class Collection {
public:
    using View = typename Object::View;
    template <typename Make>
    explicit Collection(Make make) : make_{std::move(make)} {}

    /// Adds or changes one.
    void put(View view, Clock::time_point now) {
        const auto entry = objects_.find(view.id);
        if (entry != objects_.end()) return entry->second->update(std::move(view), now);
        const auto id = view.id;
        objects_.emplace(id, make_(std::move(view)));
    }
    /// Adds, changes and removes. Not inside a handler: it could remove the object whose handler runs.
    void put_all(std::vector<View> views, Clock::time_point now) {
        std::set<decltype(View::id)> present;
        for (const View& view : views) present.insert(view.id);
        std::erase_if(objects_, [&](const auto& entry) { return present.count(entry.first) == 0; });
        for (View& view : views) put(std::move(view), now);
    }
    [[nodiscard]] std::optional<Clock::time_point> due() const {
        std::optional<Clock::time_point> first;
        for (const auto& [id, object] : objects_) {
            const auto due = object->due();
            if (due && (!first || *due < *first)) first = due;
        }
        return first;
    }

private:
    std::function<std::unique_ptr<Object>(View)> make_;
    std::map<decltype(View::id), std::unique_ptr<Object>> objects_;
};

}  // namespace tierd::bus
