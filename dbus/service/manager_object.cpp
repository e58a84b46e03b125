// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/service/manager_object.hpp"

#include <algorithm>
#include <array>

#include "dbus/names.hpp"

namespace tierd::bus {
namespace {

constexpr std::size_t longest_name = 4096;  ///< of a target, a file, a reason
/// Anybody may have a text checked, in the loop; a file of tierd's own may be larger.
constexpr std::size_t longest_policy = 64 * 1024;
constexpr std::size_t most_objects = 100'000;

constexpr bool transition = true;
constexpr std::array manager_properties{
    property<ManagerView, &ManagerView::state>("State", transition),
    property<ManagerView, &ManagerView::convergence>("Convergence", transition),
    property<ManagerView, &ManagerView::waits_for>("WaitsFor"),
    property<ManagerView, &ManagerView::generation>("Generation"),
    property<ManagerView, &ManagerView::policy_files>("PolicyFiles"),
    property<ManagerView, &ManagerView::policy_problems>("PolicyProblems", transition),
    property<ManagerView, &ManagerView::policy_changed>("PolicyChanged", transition),
    property<ManagerView, &ManagerView::policy_kept>("PolicyKept", transition),
    property<ManagerView, &ManagerView::policy_loaded>("PolicyLoadedUSec"),
    property<ManagerView, &ManagerView::observe_only>("ObserveOnly", transition),
    property<ManagerView, &ManagerView::frozen>("Frozen", transition),
    property<ManagerView, &ManagerView::jobs>("Jobs", transition),
    property<ManagerView, &ManagerView::next_pass>("NextPassUSec"),
};

void limit(std::size_t size, std::size_t most, const char* what, const char* hint = "") {
    if (size <= most) return;
    throw Error{ErrorCode::LimitExceeded,
                std::string{what} + " is " + std::to_string(size) + " long; at most " + std::to_string(most) + hint};
}

}  // namespace

ManagerObject::ManagerObject(Context& context)
    : AdaptorInterfaces{context.connection, sdbus::ObjectPath{root_path}}, context_{context}, published_{context.controller.manager()} {
    registerAdaptor();
}

ManagerObject::~ManagerObject() {
    unregisterAdaptor();
}

void ManagerObject::update(ManagerView view, Clock::time_point now) {
    const auto names = published_.take(std::move(view), manager_properties, now);
    if (!names.empty()) getObject().emitPropertiesChangedSignal(Manager_adaptor::INTERFACE_NAME, names);
}

std::tuple<std::string, uint64_t, std::vector<Dictionary>> ManagerObject::Plan(const Dictionary& options) {
    return guarded([&] {
        refuse_options(options);
        const ShownPlan plan = context_.controller.plan();
        return std::tuple{plan.id, plan.generation, steps_value(plan)};
    });
}

void ManagerObject::Apply(sdbus::Result<sdbus::ObjectPath>&& result, std::string plan, Dictionary options) {
    const Reply<sdbus::ObjectPath> reply{std::move(result)};
    reply.guard([&] {
        refuse_options(options);
        limit(plan.size(), longest_name, "plan");
        // The plan of the call's moment: whoever allows it must not allow another one.
        const std::string id = plan.empty() ? context_.controller.plan().id : plan;
        const auto work = [this, id](uid_t uid) { return sdbus::ObjectPath{job_path(context_.controller.apply(id, uid))}; };
        authorised(context_, caller_of(getObject()), apply_verb, "plan " + id, reply, work);
    });
}

void ManagerObject::Reload(sdbus::Result<Problems>&& result, Dictionary options) {
    const Reply<Problems> reply{std::move(result)};
    reply.guard([&] {
        refuse_options(options);
        const auto work = [this](uid_t) { return bus_value(context_.controller.reload()); };
        authorised(context_, caller_of(getObject()), reload_verb, "policy", reply, work);
    });
}

ManagerObject::Problems ManagerObject::CheckPolicy(const std::string& name, const std::string& yaml, const Dictionary& options) {
    return guarded([&] {
        refuse_options(options);
        limit(name.size(), longest_name, "name");
        limit(yaml.size(), longest_policy, "yaml", "; `tierctl check` takes larger files");
        return bus_value(context_.check_policy(name, yaml));
    });
}

std::vector<Dictionary> ManagerObject::Explain(const std::string& target, const Dictionary& options) {
    return guarded([&] {
        refuse_options(options);
        limit(target.size(), longest_name, "target");
        return findings_value(context_.controller.explain(target));
    });
}

void ManagerObject::Thaw(sdbus::Result<>&& result, std::string what, Dictionary options) {
    const Reply<> reply{std::move(result)};
    reply.guard([&] {
        refuse_options(options);
        limit(what.size(), longest_name, "what");
        const auto work = [this, what](uid_t) { context_.controller.thaw(what); };
        authorised(context_, caller_of(getObject()), thaw_verb, what, reply, work);
    });
}

void ManagerObject::Recover(sdbus::Result<sdbus::ObjectPath>&& result, std::string volume, std::string choice, Dictionary options) {
    const Reply<sdbus::ObjectPath> reply{std::move(result)};
    reply.guard([&] {
        const auto confirm = take_option<std::string>(options, "confirm").value_or("");
        refuse_options(options);
        limit(volume.size() + choice.size() + confirm.size(), longest_name, "volume, choice and confirm");
        const auto work = [this, volume, choice, confirm](uid_t uid) {
            return sdbus::ObjectPath{job_path(context_.controller.recover(volume, choice, confirm, uid))};
        };
        authorised(context_, caller_of(getObject()), recover_verb, volume, reply, work);
    });
}

void ManagerObject::Pause(sdbus::Result<sdbus::UnixFd>&& result, std::string vg, std::string why, Dictionary options) {
    const Reply<sdbus::UnixFd> reply{std::move(result)};
    reply.guard([&] {
        refuse_options(options);
        limit(vg.size() + why.size(), longest_name, "vg and why");
        const auto work = [this, vg, why](uid_t uid) { return context_.pauses.hold(context_.controller.pause(vg, why, uid)); };
        authorised(context_, caller_of(getObject()), pause_verb, vg, reply, work);
    });
}

std::map<sdbus::ObjectPath, Dictionary> ManagerObject::GetStatistics(const std::vector<sdbus::ObjectPath>& objects) {
    return guarded([&] {
        limit(objects.size(), most_objects, "objects");
        std::map<sdbus::ObjectPath, Dictionary> all, asked;
        for (const auto& tier : context_.controller.tiers())
            all.emplace(sdbus::ObjectPath{object_path("tier", tier.id)}, statistics_of(tier));
        for (const auto& snapshot : context_.controller.snapshots())
            all.emplace(sdbus::ObjectPath{object_path("snapshot", snapshot.id)}, statistics_of(snapshot));
        for (const auto& path : objects) {
            const auto entry = all.find(path);
            if (entry == all.end()) throw Error{ErrorCode::NoSuchTarget, path + " is neither a tier nor a snapshot"};
            asked.insert(*entry);
        }
        return objects.empty() ? all : asked;
    });
}

std::string ManagerObject::Describe() {
    return guarded([&] { return bus_text(context_.controller.describe()); });
}

void ManagerObject::Can(sdbus::Result<std::string>&& result, std::string verb) {
    const Reply<std::string> reply{std::move(result)};
    reply.guard([&] {
        const auto& verbs = authorised_verbs();
        if (std::find(verbs.begin(), verbs.end(), verb) == verbs.end()) return reply.values("na");
        const bool changes_storage = verb == apply_verb || verb == detach_verb || verb == flush_verb || verb == set_mode_verb;
        if (changes_storage && context_.controller.manager().observe_only) return reply.values("na");
        context_.authorizer.can(caller_of(getObject()), verb, [reply](const std::string& answer) { reply.values(answer); });
    });
}

std::vector<sdbus::ObjectPath> ManagerObject::Jobs() {
    return guarded([&] {
        std::vector<sdbus::ObjectPath> paths;
        for (const std::uint32_t id : published_.shown().jobs) paths.push_back(sdbus::ObjectPath{job_path(id)});
        return paths;
    });
}

}  // namespace tierd::bus
