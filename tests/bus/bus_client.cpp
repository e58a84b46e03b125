// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "bus_client.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace tierd::test {
namespace {

using Clock = std::chrono::steady_clock;

int checked(int result, const char* what) {
    if (result < 0) throw std::runtime_error{std::string{what} + ": " + std::to_string(result)};
    return result;
}

template <typename Value>
Json basic(sd_bus_message* message, char type) {
    Value value{};
    checked(sd_bus_message_read_basic(message, type, &value), "read");
    return value;
}

Json read_value(sd_bus_message* message);

Json read_container(sd_bus_message* message, char type, const char* contents) {
    const bool dictionary = type == 'a' && contents[0] == '{';
    Json result = dictionary ? Json::object() : Json::array();
    const std::string inside = contents;
    checked(sd_bus_message_enter_container(message, type, inside.c_str()), "enter");
    while (sd_bus_message_at_end(message, 0) == 0) {
        if (!dictionary) {
            result.push_back(read_value(message));
            continue;
        }
        const std::string entry = inside.substr(1, inside.size() - 2);
        checked(sd_bus_message_enter_container(message, 'e', entry.c_str()), "enter");
        const Json key = read_value(message);
        result[key.is_string() ? key.get<std::string>() : key.dump()] = read_value(message);
        checked(sd_bus_message_exit_container(message), "exit");
    }
    checked(sd_bus_message_exit_container(message), "exit");
    return type == 'v' ? result.at(0) : result;
}

Json read_value(sd_bus_message* message) {
    char type = 0;
    const char* contents = nullptr;
    checked(sd_bus_message_peek_type(message, &type, &contents), "peek");
    switch (type) {
        case 'b': {
            int value = 0;
            checked(sd_bus_message_read_basic(message, type, &value), "read");
            return value != 0;
        }
        case 'u': return basic<std::uint32_t>(message, type);
        case 'i': return basic<std::int32_t>(message, type);
        case 't': return basic<std::uint64_t>(message, type);
        case 'd': {
            const Json value = basic<double>(message, type);
            return std::isnan(value.get<double>()) ? Json("nan") : value;
        }
        case 's':
        case 'o':
        case 'g': return basic<const char*>(message, type);
        case 'h': {
            int descriptor = -1;
            checked(sd_bus_message_read_basic(message, type, &descriptor), "read");
            return fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
        }
        default: return read_container(message, type, contents);
    }
}

Json read_all(sd_bus_message* message) {
    Json values = Json::array();
    while (sd_bus_message_at_end(message, 1) == 0) values.push_back(read_value(message));
    return values;
}

}  // namespace

BusClient::BusClient(const std::string& address, uid_t user) {
    int result = 0;
    // The system call changes this thread alone, unlike the C library's function.
    std::thread{[&] {
        if (user != geteuid() && syscall(SYS_setresuid, user, user, user) != 0) result = -1;
        if (result >= 0) result = sd_bus_new(&bus_);
        if (result >= 0) result = sd_bus_set_address(bus_, address.c_str());
        if (result >= 0) result = sd_bus_set_bus_client(bus_, 1);
        if (result >= 0) result = sd_bus_negotiate_fds(bus_, 1);
        if (result >= 0) result = sd_bus_start(bus_);
        if (result >= 0) result = sd_bus_flush(bus_);
        const char* name = nullptr;
        if (result >= 0) result = sd_bus_get_unique_name(bus_, &name);
    }}.join();
    checked(result, "connect");
}

BusClient::~BusClient() {
    sd_bus_flush_close_unref(bus_);
}

void BusClient::vanish() {
    sd_bus_close_unref(bus_);
    bus_ = nullptr;
}

std::string BusClient::unique_name() const {
    const char* name = nullptr;
    checked(sd_bus_get_unique_name(bus_, &name), "name");
    return name;
}

sd_bus_message* BusClient::new_call(const std::string& path, const std::string& interface, const std::string& member) {
    sd_bus_message* message = nullptr;
    checked(sd_bus_message_new_method_call(bus_, &message, destination.c_str(), path.c_str(), interface.c_str(), member.c_str()), "call");
    checked(sd_bus_message_set_allow_interactive_authorization(message, interactive ? 1 : 0), "flag");
    return message;
}

std::shared_ptr<Answer> BusClient::send(sd_bus_message* message) {
    const auto answer = std::make_shared<Answer>();
    const auto on_reply = [](sd_bus_message* reply, void* data, sd_bus_error*) {
        const auto& held = *static_cast<std::shared_ptr<Answer>*>(data);
        const sd_bus_error* error = sd_bus_message_get_error(reply);
        held->error = error != nullptr ? error->name : "";
        held->value = error != nullptr ? Json(error->message) : read_all(reply);
        held->here = true;
        return 0;
    };
    sd_bus_slot* slot = nullptr;
    auto* held = new std::shared_ptr<Answer>{answer};
    checked(sd_bus_call_async(bus_, &slot, message, on_reply, held, UINT64_MAX), "send");
    sd_bus_slot_set_destroy_callback(slot, [](void* data) { delete static_cast<std::shared_ptr<Answer>*>(data); });
    sd_bus_slot_set_floating(slot, 1);
    sd_bus_slot_unref(slot);
    sd_bus_message_unref(message);
    checked(sd_bus_flush(bus_), "flush");
    return answer;
}

Json BusClient::property(const std::string& path, const std::string& interface, const std::string& name) {
    return call(path, "org.freedesktop.DBus.Properties", "Get", "ss", interface.c_str(), name.c_str()).at(0);
}

Json BusClient::managed_objects() {
    return call("/org/tierd1", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects").at(0);
}

void BusClient::listen() {
    const auto on_signal = [](sd_bus_message* message, void* data, sd_bus_error*) {
        static_cast<BusClient*>(data)->signals.push_back({sd_bus_message_get_path(message), sd_bus_message_get_interface(message),
                                                          sd_bus_message_get_member(message), read_all(message)});
        return 0;
    };
    checked(sd_bus_add_match(bus_, nullptr, ("type='signal',sender='" + destination + "'").c_str(), on_signal, this), "match");
}

bool BusClient::wait(const std::function<bool()>& is_so, std::chrono::milliseconds limit) {
    const auto end = Clock::now() + limit;
    while (!is_so()) {
        const auto left = std::chrono::duration_cast<std::chrono::microseconds>(end - Clock::now()).count();
        if (left <= 0) return false;
        const int handled = sd_bus_process(bus_, nullptr);
        if (handled < 0) return is_so();
        // What is waited for may not be a message of this client's: it is looked for every ten milliseconds.
        if (handled == 0) checked(sd_bus_wait(bus_, static_cast<std::uint64_t>(std::min<std::int64_t>(left, 10'000))), "wait");
    }
    return true;
}

void BusClient::pass(std::chrono::milliseconds span) {
    wait([] { return false; }, span);
}

}  // namespace tierd::test
