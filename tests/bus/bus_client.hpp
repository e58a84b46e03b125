// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <sys/types.h>
#include <systemd/sd-bus.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tierd::test {

using Json = nlohmann::json;

/// An error reply.
struct BusError : std::runtime_error {
    BusError(std::string the_name, const std::string& message) : std::runtime_error{the_name + ": " + message}, name{std::move(the_name)} {}
    std::string name;
};

struct BusSignal {
    std::string path, interface, member;
    Json arguments;
};

/// An answer that may still come.
struct Answer {
    bool here = false;
    Json value;         ///< the arguments, as an array
    std::string error;  ///< the error's name; "" for none
};

/// A client of its own making, by sd-bus alone: it shares no code with what it tests. Values are read as JSON; NaN is "nan", a
/// descriptor is its number and the receiver's own.
class BusClient {
public:
    /// As that user (of this thread only, by the socket's credentials). Needs root for another user than the test's own.
    explicit BusClient(const std::string& address, uid_t user = 0);
    ~BusClient();
    BusClient(const BusClient&) = delete;
    BusClient& operator=(const BusClient&) = delete;

    bool interactive = false;  ///< the flag of the calls to come
    std::string destination = "org.tierd1";
    std::vector<BusSignal> signals;

    /// arguments: appended by sd_bus_message_append(types, …).
    template <typename... Arguments>
    Json call(const std::string& path, const std::string& interface, const std::string& member, const char* types = "",
              Arguments... arguments) {
        const auto answer = ask(path, interface, member, types, arguments...);
        wait([&] { return answer->here; });
        if (!answer->error.empty()) throw BusError{answer->error, answer->value.dump()};
        return answer->value;
    }
    /// To the manager, with whose errors are only their names: "" when it worked.
    template <typename... Arguments>
    std::string error_of(const std::string& path, const std::string& interface, const std::string& member, const char* types = "",
                         Arguments... arguments) {
        try {
            call(path, interface, member, types, arguments...);
        } catch (const BusError& error) {
            return error.name;
        }
        return "";
    }
    template <typename... Arguments>
    std::shared_ptr<Answer> ask(const std::string& path, const std::string& interface, const std::string& member, const char* types = "",
                                Arguments... arguments) {
        sd_bus_message* message = new_call(path, interface, member);
        if constexpr (sizeof...(Arguments) > 0) sd_bus_message_append(message, types, arguments...);
        return send(message);
    }
    Json property(const std::string& path, const std::string& interface, const std::string& name);
    Json managed_objects();

    /// From now on all signals of the destination are noted.
    void listen();
    /// Handles messages until it is so; false after the limit.
    bool wait(const std::function<bool()>& is_so, std::chrono::milliseconds limit = std::chrono::seconds{20});
    /// Handles messages for that long.
    void pass(std::chrono::milliseconds span);
    [[nodiscard]] std::string unique_name() const;
    /// As a process that was killed: no good-bye.
    void vanish();

private:
    sd_bus_message* new_call(const std::string& path, const std::string& interface, const std::string& member);
    std::shared_ptr<Answer> send(sd_bus_message* message);
    sd_bus* bus_ = nullptr;
};

}  // namespace tierd::test
