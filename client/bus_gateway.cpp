// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/bus_gateway.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <deque>

#include "client/json.hpp"
#include "daemon/model/error.hpp"
#include "dbus/names.hpp"
#include "dbus/sdbus_compat.hpp"

namespace tierd::client {
namespace {

using Properties = std::map<std::string, sdbus::Variant>;
using ProblemRow = sdbus::Struct<std::string, std::string, std::uint32_t, std::uint32_t, std::string>;
using Interfaces = std::map<std::string, Properties>;

constexpr const char* interface_prefix = "org.tierd1.";
constexpr const char* properties_interface = "org.freedesktop.DBus.Properties";
constexpr const char* manager_interface = "org.freedesktop.DBus.ObjectManager";
/// A person may be asked for a password meanwhile.
constexpr std::uint64_t changing_timeout_usec = 5 * 60 * usec_per_second;
constexpr std::uint64_t reading_timeout_usec = 25 * usec_per_second;

std::string without_prefix(const std::string& interface) {
    return interface.starts_with(interface_prefix) ? interface.substr(std::string_view{interface_prefix}.size()) : "";
}

// A Value of each type that the contract has in a variant. ---------------------------------------------------------------

Value to_value(bool yes) {
    return yes;
}
Value to_value(std::uint32_t number) {
    return std::uint64_t{number};
}
Value to_value(std::uint64_t number) {
    return number;
}
Value to_value(std::int32_t number) {
    return std::int64_t{number};
}
Value to_value(std::int64_t number) {
    return number;
}
Value to_value(double number) {
    return number;
}
Value to_value(const std::string& text) {
    return text;
}
Value to_value(const sdbus::ObjectPath& path) {
    return std::string{path};
}
Value to_value(const sdbus::Variant& variant);
template <typename Item>
Value to_value(const std::map<std::string, Item>& items);
Value to_value(const sdbus::Struct<std::uint64_t, std::uint64_t>& pair) {
    return Value::List{to_value(std::get<0>(pair)), to_value(std::get<1>(pair))};
}
Value to_value(const ProblemRow& row) {
    return Value::Map{{"severity", std::get<0>(row)},
                      {"file", std::get<1>(row)},
                      {"line", std::uint64_t{std::get<2>(row)}},
                      {"column", std::uint64_t{std::get<3>(row)}},
                      {"text", std::get<4>(row)}};
}
template <typename Item>
Value to_value(const std::vector<Item>& items) {
    Value::List list;
    for (const Item& item : items) list.push_back(to_value(item));
    return list;
}
template <typename Item>
Value to_value(const std::map<std::string, Item>& items) {
    Value::Map map;
    for (const auto& [key, item] : items) map.emplace(key, to_value(item));
    return map;
}

template <typename Type>
Value read(const sdbus::Variant& variant) {
    return to_value(variant.get<Type>());
}

Value to_value(const sdbus::Variant& variant) {
    struct Reader {
        std::string_view signature;
        Value (*read)(const sdbus::Variant&);
    };
    static const std::array<Reader, 19> readers{{
        {"b", read<bool>},
        {"u", read<std::uint32_t>},
        {"t", read<std::uint64_t>},
        {"i", read<std::int32_t>},
        {"x", read<std::int64_t>},
        {"d", read<double>},
        {"s", read<std::string>},
        {"o", read<sdbus::ObjectPath>},
        {"as", read<std::vector<std::string>>},
        {"ao", read<std::vector<sdbus::ObjectPath>>},
        {"au", read<std::vector<std::uint32_t>>},
        {"at", read<std::vector<std::uint64_t>>},
        {"a{ss}", read<std::map<std::string, std::string>>},
        {"a{sd}", read<std::map<std::string, double>>},
        {"a{st}", read<std::map<std::string, std::uint64_t>>},
        {"a{sv}", read<Properties>},
        {"aa{sv}", read<std::vector<Properties>>},
        {"(tt)", read<sdbus::Struct<std::uint64_t, std::uint64_t>>},
        {"a(ssuus)", read<std::vector<ProblemRow>>},
    }};
    const std::string signature = variant.peekValueType();
    const auto* reader = std::find_if(readers.begin(), readers.end(), [&](const Reader& one) { return one.signature == signature; });
    // A newer daemon may have properties of types that this program does not know: they read as unknown.
    return reader != readers.end() ? reader->read(variant) : Value{};
}

// What an error means. ---------------------------------------------------------------------------------------------------

constexpr const char* start_hint = "`systemctl start tierd` starts it, `systemctl enable --now tierd` also after each boot";

Error translated(const sdbus::Error& error, const Connection& connection) {
    const std::string& name = error.getName();
    const std::string& message = error.getMessage();
    const std::string where = !connection.host.empty()
                                  ? "on " + connection.host
                                  : "on the " + connection.bus + (connection.bus == "system" || connection.bus == "session" ? " bus" : "");
    if (name.starts_with("org.tierd1.Error.")) return {bus::error_code_from_bus(name), message};

    constexpr std::string_view standard = "org.freedesktop.DBus.Error.";
    const std::string word = name.starts_with(standard) ? name.substr(standard.size()) : name;
    if (word == "ServiceUnknown" || word == "NameHasNoOwner" || name == "org.freedesktop.systemd1.NoSuchUnit")
        return {ErrorCode::NotRunning,
                "tierd is not running " + where + "; " +
                    (connection.bus == "system" ? start_hint : "start it with `tierd --bus " + connection.bus + "`")};
    if (word.starts_with("Spawn.") || name.starts_with("org.freedesktop.systemd1."))
        return {ErrorCode::NotRunning, "tierd could not be started: " + message + "; `systemctl status tierd` says why"};
    if (word == "NoReply" || word == "Disconnected" || word == "NoServer")
        return {ErrorCode::NotRunning, "tierd went away before it answered; `systemctl status tierd` says why"};
    if (word == "Timeout" || word == "TimedOut")
        return {ErrorCode::Timeout, "tierd does not answer; `systemctl status tierd` shows what it is doing"};
    if (word == "AccessDenied")
        return {ErrorCode::NotAuthorized, "not allowed: " + message + "; run it as root, or as somebody whom polkit lets"};
    if (word == "InteractiveAuthorizationRequired")
        return {ErrorCode::InteractionRequired, "a password would be needed: run it as root, or without --no-ask-password"};
    if (word == "UnknownMethod" || word == "UnknownInterface" || word == "UnknownObject")
        return {ErrorCode::Unsupported, "this tierd does not know it (" + message + "); is it older than tierctl?"};
    if (word == "InvalidArgs") return {ErrorCode::InvalidArgs, message};
    if (word == "LimitsExceeded") return {ErrorCode::LimitExceeded, message};
    return {ErrorCode::Internal, message + " (" + name + ")"};
}

Error unreachable(const sdbus::Error& error, const Connection& connection) {
    if (!connection.host.empty())
        return {ErrorCode::NotRunning, connection.host + " cannot be reached: " + error.getMessage() + "; `ssh " + connection.host +
                                           " systemd-stdio-bridge` must work"};
    if (connection.bus == "session")
        return {ErrorCode::NotRunning, "the session bus cannot be reached: " + error.getMessage() + "; is DBUS_SESSION_BUS_ADDRESS set?"};
    if (connection.bus == "system")
        return {ErrorCode::NotRunning, "the system bus cannot be reached: " + error.getMessage() + "; `systemctl status dbus` says why"};
    return {ErrorCode::NotRunning, "the bus at " + connection.bus + " cannot be reached: " + error.getMessage()};
}

std::unique_ptr<sdbus::IConnection> opened(const Connection& connection) {
    try {
        if (!connection.host.empty()) return sdbus::createRemoteSystemBusConnection(connection.host);
        if (connection.bus == "system") return sdbus::createSystemBusConnection();
        if (connection.bus == "session") return sdbus::createSessionBusConnection();
        return sdbus::createSessionBusConnectionWithAddress(connection.bus);
    } catch (const sdbus::Error& error) {
        throw unreachable(error, connection);
    }
}

// The gateway. -----------------------------------------------------------------------------------------------------------

class BusGateway final : public Gateway {
public:
    explicit BusGateway(Connection connection) : where_{std::move(connection)}, connection_{opened(where_)} {}

    Value describe() override {
        std::string json;
        unpack(read_call(bus::root_path, "org.tierd1.Manager", "Describe"), json);
        return parse_json(json);
    }

    std::vector<Object> objects() override {
        std::map<sdbus::ObjectPath, Interfaces> managed;
        unpack(read_call(bus::root_path, manager_interface, "GetManagedObjects"), managed);
        std::vector<Object> found{{bus::root_path, "Manager", properties(bus::root_path, "Manager")}};
        for (const auto& [path, interfaces] : managed)
            for (const auto& [name, properties] : interfaces)
                if (const std::string interface = without_prefix(name); !interface.empty())
                    found.push_back({path, interface, to_value(properties)});
        return found;
    }

    Value properties(const std::string& path, const std::string& interface) override {
        Properties properties;
        unpack(read_call(path, properties_interface, "GetAll", interface_prefix + interface), properties);
        return to_value(properties);
    }

    PlanReply plan() override {
        PlanReply plan;
        std::vector<Properties> steps;
        unpack(read_call(bus::root_path, "org.tierd1.Manager", "Plan", Properties{}), plan.id, plan.generation, steps);
        plan.steps = to_value(steps).list();
        return plan;
    }

    Value::List explain(const std::string& target) override {
        std::vector<Properties> findings;
        unpack(read_call(bus::root_path, "org.tierd1.Manager", "Explain", target, Properties{}), findings);
        return to_value(findings).list();
    }

    std::string apply(const std::string& plan_id) override {
        sdbus::ObjectPath job;
        unpack(change_call("Apply", plan_id, Properties{}), job);
        return job;
    }

    std::string flush(const std::string& tier, std::optional<Usec> limit, bool called_off) override {
        Properties options;
        if (limit) options.emplace("limit-usec", *limit);
        if (called_off) options.emplace("cancel", true);
        return begin(tier, "Flush", options);
    }
    std::string set_mode(const std::string& tier, const std::string& mode) override { return begin(tier, "SetMode", mode, Properties{}); }
    std::string detach(const std::string& tier, bool called_off) override {
        Properties options;
        if (called_off) options.emplace("cancel", true);
        return begin(tier, "Detach", options);
    }

    std::string recover(const std::string& volume, const std::string& choice, const std::string& confirm) override {
        Properties options;
        if (!confirm.empty()) options.emplace("confirm", confirm);
        sdbus::ObjectPath job;
        unpack(change_call("Recover", volume, choice, options), job);
        return job;
    }

    std::vector<Problem> reload() override {
        std::vector<ProblemRow> rows;
        unpack(change_call("Reload", Properties{}), rows);
        std::vector<Problem> problems;
        for (const auto& row : rows)
            problems.push_back({value_of<Severity>(std::get<0>(row)).value_or(Severity::Error),
                                {std::get<1>(row), std::get<2>(row), std::get<3>(row)},
                                std::get<4>(row)});
        return problems;
    }

    void thaw(const std::string& what) override { change_call("Thaw", what, Properties{}); }

    std::shared_ptr<void> pause(const std::string& vg, const std::string& why) override {
        auto token = std::make_shared<sdbus::UnixFd>();
        unpack(change_call("Pause", vg, why, Properties{}), *token);
        return token;
    }

    void subscribe() override {
        const std::string ours = std::string{"type='signal',sender='"} + bus::service_name + "',path_namespace='" + bus::root_path + "'";
        slots_.push_back(bus::on_match(*connection_, ours, [this](auto&& message) { on_signal(message); }));
        slots_.push_back(bus::on_vanished_names(*connection_, [this](const std::string& name) {
            if (name == bus::service_name) events_.push_back({Event::Kind::DaemonGone, bus::root_path, "Manager", {}});
        }));
    }

    std::optional<Event> next_event(int wake_fd) override {
        while (events_.empty()) {
            try {
                while (events_.empty() && bus::process_one(*connection_)) {
                }
            } catch (const sdbus::Error& error) {
                throw translated(error, where_);
            }
            if (events_.empty() && !wait_for_bus(wake_fd)) return std::nullopt;
        }
        Event event = std::move(events_.front());
        events_.pop_front();
        return event;
    }

private:
    template <typename... Results>
    static void unpack(sdbus::MethodReply reply, Results&... results) {
        (void)(reply >> ... >> results);
    }

    template <typename... Arguments>
    sdbus::MethodReply call(std::uint64_t timeout_usec, bool interactive, const std::string& path, const std::string& interface,
                            const std::string& method, const Arguments&... arguments) {
        try {
            const auto proxy = sdbus::createProxy(*connection_, bus::ServiceName{bus::service_name}, sdbus::ObjectPath{path});
            auto message = proxy->createMethodCall(bus::InterfaceName{interface}, bus::MemberName{method});
            if (interactive) bus::allow_interaction(message);
            (void)(message << ... << arguments);
            return proxy->callMethod(message, timeout_usec);
        } catch (const sdbus::Error& error) {
            throw translated(error, where_);
        }
    }
    template <typename... Arguments>
    sdbus::MethodReply read_call(const std::string& path, const std::string& interface, const std::string& method,
                                 const Arguments&... arguments) {
        return call(reading_timeout_usec, false, path, interface, method, arguments...);
    }
    template <typename... Arguments>
    std::string begin(const std::string& tier, const std::string& method, const Arguments&... arguments) {
        sdbus::ObjectPath job;
        unpack(call(changing_timeout_usec, where_.ask_password, tier, "org.tierd1.Tier", method, arguments...), job);
        return job;
    }
    template <typename... Arguments>
    sdbus::MethodReply change_call(const std::string& method, const Arguments&... arguments) {
        return call(changing_timeout_usec, where_.ask_password, bus::root_path, "org.tierd1.Manager", method, arguments...);
    }

    template <typename Message>
    void on_signal(Message& message) {
        const std::string interface = message.getInterfaceName();
        const std::string member = message.getMemberName();
        const std::string path = message.getPath();
        if (interface == "org.tierd1.Manager") on_manager_signal(message, member);
        if (interface == properties_interface && member == "PropertiesChanged") {
            std::string changed_interface;
            Properties changed;
            message >> changed_interface >> changed;
            if (const std::string name = without_prefix(changed_interface); !name.empty())
                events_.push_back({Event::Kind::Changed, path, name, to_value(changed)});
        }
        if (interface == manager_interface) on_object_signal(message, member);
    }

    template <typename Message>
    void on_object_signal(Message& message, const std::string& member) {
        sdbus::ObjectPath path;
        message >> path;
        if (member == "InterfacesAdded") {
            Interfaces interfaces;
            message >> interfaces;
            for (const auto& [name, properties] : interfaces)
                if (const std::string interface = without_prefix(name); !interface.empty())
                    events_.push_back({Event::Kind::Added, path, interface, to_value(properties)});
        } else if (member == "InterfacesRemoved") {
            std::vector<std::string> interfaces;
            message >> interfaces;
            for (const std::string& name : interfaces)
                if (const std::string interface = without_prefix(name); !interface.empty())
                    events_.push_back({Event::Kind::Removed, path, interface, {}});
        }
    }

    template <typename Message>
    void on_manager_signal(Message& message, const std::string& member) {
        std::uint32_t number = 0;
        sdbus::ObjectPath path;
        std::string text, result, error, sentence;
        if (member == "JobNew") {
            message >> number >> path >> text;
            events_.push_back({Event::Kind::JobNew, path, "Job", Value::Map{{"id", std::uint64_t{number}}, {"operation", text}}});
        } else if (member == "JobRemoved") {
            message >> number >> path >> text >> result >> error >> sentence;
            events_.push_back(
                {Event::Kind::JobRemoved, path, "Job",
                 Value::Map{
                     {"id", std::uint64_t{number}}, {"operation", text}, {"result", result}, {"error", error}, {"message", sentence}}});
        } else if (member == "Alert") {
            Properties details;
            message >> path >> text >> number >> details;
            events_.push_back({Event::Kind::Alert, path, "",
                               Value::Map{{"code", text}, {"severity", std::uint64_t{number}}, {"details", to_value(details)}}});
        } else if (member == "AlertCleared") {
            message >> path >> text;
            events_.push_back({Event::Kind::AlertCleared, path, "", Value::Map{{"code", text}}});
        }
    }

    /// False once wake_fd is readable.
    bool wait_for_bus(int wake_fd) {
        const auto state = bus::poll_state(*connection_);
        std::array<pollfd, 3> fds{{{state.fd, state.events, 0}, {wake_fd, POLLIN, 0}, {state.event_fd, POLLIN, 0}}};
        timespec left{};
        if (state.deadline_usec != UINT64_MAX) {
            timespec now{};
            ::clock_gettime(CLOCK_MONOTONIC, &now);
            const std::uint64_t now_usec =
                static_cast<std::uint64_t>(now.tv_sec) * usec_per_second + static_cast<std::uint64_t>(now.tv_nsec) / 1000;
            const std::uint64_t span = state.deadline_usec > now_usec ? state.deadline_usec - now_usec : 0;
            left = {static_cast<time_t>(span / usec_per_second), static_cast<long>(span % usec_per_second) * 1000};
        }
        ::ppoll(fds.data(), fds.size(), state.deadline_usec != UINT64_MAX ? &left : nullptr, nullptr);
        return (fds[1].revents & POLLIN) == 0;
    }

    Connection where_;
    std::unique_ptr<sdbus::IConnection> connection_;
    std::deque<Event> events_;
    std::vector<sdbus::Slot> slots_;
};

}  // namespace

std::unique_ptr<Gateway> connect_to_bus(const Connection& connection) {
    return std::make_unique<BusGateway>(connection);
}

}  // namespace tierd::client
