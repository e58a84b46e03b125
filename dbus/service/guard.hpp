// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "daemon/model/error.hpp"
#include "dbus/sdbus_compat.hpp"

/// No exception but sdbus::Error may leave a handler: sdbus-c++ 1.2 lets any other one through to the loop, which ends the daemon.
namespace tierd::bus {

/// tierd::Error by its name, anything else as Internal.
sdbus::Error bus_error(const std::exception& error);

/// For handlers that answer by returning.
template <typename Function>
auto guarded(Function&& function) -> std::invoke_result_t<Function> {
    try {
        return function();
    } catch (const sdbus::Error&) {
        throw;
    } catch (const std::exception& error) {
        throw bus_error(error);
    }
}

/// The answer that a handler still owes: exactly one, whenever it comes. What cannot be sent (the caller or the bus has gone) is dropped;
/// the connection's own watch sees a bus that has gone.
template <typename... Values>
class Reply {
public:
    explicit Reply(sdbus::Result<Values...>&& result) : result_{std::make_shared<sdbus::Result<Values...>>(std::move(result))} {}

    void values(const Values&... values) const {
        send([&] { result_->returnResults(values...); });
    }
    void error(const std::exception& error) const {
        send([&] { result_->returnError(bus_error(error)); });
    }
    /// Answers with what the function returns, or throws.
    template <typename Function>
    void with(Function&& function) const {
        try {
            if constexpr (sizeof...(Values) == 0) {
                function();
                values();
            } else {
                values(function());
            }
        } catch (const std::exception& failure) {
            error(failure);
        }
    }
    /// The part of a handler that comes before the answer: only its exceptions are answered.
    template <typename Function>
    void guard(Function&& function) const {
        try {
            function();
        } catch (const std::exception& failure) {
            error(failure);
        }
    }

private:
    template <typename Function>
    static void send(Function&& function) {
        try {
            function();
        } catch (const sdbus::Error&) {
            return;
        }
    }
    std::shared_ptr<sdbus::Result<Values...>> result_;
};

}  // namespace tierd::bus
