// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/service/log_control.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "dbus/names.hpp"
#include "dbus/service/guard.hpp"

namespace tierd::bus {
namespace {

constexpr std::array<std::string_view, 8> levels{"emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"};

}  // namespace

LogControlObject::LogControlObject(sdbus::IConnection& connection, LogControl control)
    : AdaptorInterfaces{connection, sdbus::ObjectPath{log_control_path}}, control_{std::move(control)} {
    registerAdaptor();
}

LogControlObject::~LogControlObject() {
    unregisterAdaptor();
}

std::string LogControlObject::LogLevel() {
    return guarded([&] { return control_.level(); });
}

void LogControlObject::refuse_others() const {
    const uid_t user = user_of_caller(getObject());
    if (user != 0 && user != geteuid()) throw Error{ErrorCode::NotAuthorized, "only root may change how tierd logs"};
}

void LogControlObject::LogLevel(const std::string& value) {
    guarded([&] {
        refuse_others();
        if (std::find(levels.begin(), levels.end(), value) == levels.end())
            throw Error{ErrorCode::InvalidArgs,
                        "log level \"" + value + "\" is not one of emerg, alert, crit, err, warning, notice, info, debug"};
        if (!control_.set_level) throw Error{ErrorCode::Unsupported, "the log level cannot be changed in this process"};
        control_.set_level(value);
    });
}

void LogControlObject::LogTarget(const std::string& value) {
    guarded([&] {
        refuse_others();
        if (value != control_.target)
            throw Error{ErrorCode::Unsupported, "the log goes to the " + control_.target + ", as tierd was started"};
    });
}

}  // namespace tierd::bus
