// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <map>
#include <ostream>

#include "client/figures.hpp"
#include "client/interrupt.hpp"
#include "client/json.hpp"
#include "client/text.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {
namespace {

struct Said {
    std::string kind;      ///< "device", "job 7"
    std::string sentence;  ///< "" for what is not worth a line
    Style style = Style::Plain;
};

std::string appended(std::string text, const std::string& between, const std::string& more) {
    if (more.empty()) return text;
    return text + (text.empty() ? "" : between) + more;
}

/// Puts what the daemon says into sentences; knows the objects by what has been said of them.
class Narrator {
public:
    explicit Narrator(const std::vector<Object>& objects) {
        for (const Object& object : objects) known_[object.path] = object.properties.map();
    }

    Said tell(const Event& event) {
        switch (event.kind) {
            case Event::Kind::JobNew: return {job_name(event), "has begun: " + first_of(event, "About", event.details["operation"].text())};
            case Event::Kind::JobRemoved: return job_end(event);
            case Event::Kind::Alert:
                return {"alert",
                        appended(event.details["code"].text(), "  ", name_of_object(event.path)) + ": " +
                            event.details["details"]["message"].text(),
                        Style::Bad};
            case Event::Kind::AlertCleared:
                return {"alert", appended(event.details["code"].text(), "  ", name_of_object(event.path)) + " is over", Style::Good};
            case Event::Kind::Added: return added(event);
            case Event::Kind::Removed: return removed(event);
            case Event::Kind::Changed: return changed(event);
            case Event::Kind::DaemonGone: return {"tierd", "has gone away; `systemctl status tierd` says why", Style::Bad};
        }
        return {};
    }

private:
    static std::string job_name(const Event& event) { return "job " + short_name(event.path); }
    static std::string kind_of(const Event& event) {
        if (event.interface == "Job") return job_name(event);
        if (event.interface == "Manager") return "tierd";
        std::string kind = event.interface;
        if (!kind.empty()) kind.front() = static_cast<char>(kind.front() - 'A' + 'a');
        return kind;
    }

    Value properties(const std::string& path) const {
        const auto found = known_.find(path);
        return found != known_.end() ? Value{found->second} : Value{};
    }
    std::string first_of(const Event& event, const char* property, const std::string& otherwise) const {
        const Value object = properties(event.path);
        return object[property].text().empty() ? otherwise : object[property].text();
    }
    std::string name_of_object(const std::string& path) const {
        const std::string node = properties(path)["Path"].text();
        if (node.starts_with("/dev/")) return node.substr(5);
        const std::string volume = properties(path)["Volume"].text();
        const std::string name = path == "/org/tierd1" ? "" : short_name(path);
        return !volume.empty() && path.starts_with("/org/tierd1/snapshot/") ? volume : name;
    }

    Said job_end(const Event& event) {
        const std::string& result = event.details["result"].text();
        if (result == "failed") return {job_name(event), "failed: " + event.details["message"].text(), Style::Bad};
        return {job_name(event), result, result == "done" ? Style::Good : Style::Warning};
    }

    /// "waiting", or "active: writeback, 220 GiB, on sdb".
    std::string tier_text(const Value& tier) const {
        const std::string& phase = tier["Phase"].text();
        if (phase == "waiting") return appended(phase, ": ", tier["WaitsFor"].text());
        std::string rest = tier["Mode"].text();
        if (tier["Size"].count()) rest = appended(rest, ", ", size_text(tier["Size"]));
        std::string devices;
        for (const Value& path : tier["Devices"].list()) devices = appended(devices, ", ", name_of_object(path.text()));
        if (!devices.empty()) rest = appended(rest, ", ", "on " + devices);
        if (const std::string& health = tier["Health"].text(); !health.empty() && health != "ok" && health != "unknown")
            rest = appended(rest, ", ", "health " + health);
        return appended(phase, ": ", rest);
    }
    std::string device_text(const Value& device) const {
        std::string reasons;
        for (const Value& reason : device["Reasons"].list()) reasons = appended(reasons, "; ", reason.text());
        return appended(appended(device["State"].text(), ", rule ", device["Policy"].text()), ": ", reasons);
    }

    Said added(const Event& event) {
        const Value object = known_[event.path] = event.details.map();
        const std::string name = name_of_object(event.path);
        if (event.interface == "Device")
            return {"device", name + " appeared: " +
                                  appended(appended(object["Model"].text(), ", ", size_text(object["Size"])), ", ", device_text(object))};
        if (event.interface == "Tier") return {"tier", name + ' ' + tier_text(object)};
        if (event.interface == "Snapshot") return {"snapshot", name + " of " + object["Origin"].text() + " is there"};
        return {};  // a job is told of by JobNew
    }

    Said removed(const Event& event) {
        const std::string name = name_of_object(event.path);
        known_.erase(event.path);
        if (event.interface == "Job") return {};
        return {kind_of(event), name + " is gone", Style::Warning};
    }

    /// Figures move all the time: a line is for what changes in kind.
    Said changed(const Event& event) {
        Value::Map& object = known_[event.path];
        const auto moved = [&](const char* name) {
            const auto now = event.details.map().find(name);
            return now != event.details.map().end() && (!object.contains(name) || object.at(name) != now->second);
        };
        const bool state = moved("State"),
                   phase = moved("Phase") || moved("Mode") || moved("Health") || moved("Devices") || moved("WaitsFor");
        const bool convergence = moved("Convergence"), files = moved("PolicyChanged"), stage = moved("Stage");
        for (const auto& [name, value] : event.details.map()) object[name] = value;
        const Value now{object};
        if (event.interface == "Tier" && phase && now["Phase"].text() == "waiting" && now["WaitsFor"].text().empty())
            return {};  // about to be taken
        if (event.interface == "Tier" && phase) return {"tier", name_of_object(event.path) + ' ' + tier_text(now)};
        if (event.interface == "Device" && state) return {"device", name_of_object(event.path) + ' ' + device_text(now)};
        if (event.interface == "Snapshot" && state) return {"snapshot", name_of_object(event.path) + ' ' + now["State"].text()};
        if (event.interface == "Job" && stage) return {job_name(event), now["Stage"].text()};
        if (event.interface == "Manager" && convergence)
            return {"tierd", appended(now["Convergence"].text(), ": ", now["WaitsFor"].text())};
        if (event.interface == "Manager" && files && now["PolicyChanged"].flag())
            return {"tierd", "the policy files have changed; `tierctl reload` puts them in force"};
        return {};
    }

    std::map<std::string, Value::Map> known_;
};

Value document(const Event& event, Usec time) {
    return Value::Map{{"format_version", json_format_version},
                      {"time", time},
                      {"event", std::string{name_of(event.kind)}},
                      {"object", event.path},
                      {"interface", event.interface},
                      {"details", event.details}};
}

void write_line(const World& world, const Said& said) {
    constexpr std::size_t kind_columns = 9;
    std::string kind = printable(said.kind);
    if (const std::size_t used = width_of(kind); used < kind_columns) kind.append(kind_columns - used, ' ');
    world.out << clock_text(world.now()) << "  " << kind << ' ' << paint(printable(said.sentence), said.style, world.terminal) << std::endl;
}

}  // namespace

int verb_watch(Context& context) {
    const World& world = context.world();
    Gateway& gateway = context.gateway();
    gateway.subscribe();
    Narrator narrator{gateway.objects()};
    context.note("Watching; Ctrl-C ends it.");
    const Interrupt interrupt;
    while (const auto event = gateway.next_event(interrupt.fd())) {
        const Said said = narrator.tell(*event);
        if (context.json())
            world.out << to_json(document(*event, world.now()), false) << std::endl;
        else if (!said.sentence.empty())
            write_line(world, said);
        if (event->kind == Event::Kind::DaemonGone) return exit_status(ErrorCode::NotRunning);
        if (!world.out) return exit_failed;  // nobody reads any more
    }
    return exit_done;
}

}  // namespace tierd::client
