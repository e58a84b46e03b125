// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <string>

#include "dbus/generated/log_control1_adaptor.h"

namespace tierd::bus {

struct LogControl {
    std::function<std::string()> level = [] { return "info"; };  ///< syslog's name
    std::function<void(const std::string&)> set_level;           ///< gets one of the eight names
    std::string target = "console";                              ///< "journal" or "console"
};

/// org.freedesktop.LogControl1. A property is set within its call, so polkit cannot be asked: only root, and the daemon's own user, may.
class LogControlObject final : public sdbus::AdaptorInterfaces<org::freedesktop::LogControl1_adaptor> {
public:
    LogControlObject(sdbus::IConnection& connection, LogControl control);
    ~LogControlObject();

private:
    std::string LogLevel() override;
    void LogLevel(const std::string& value) override;
    std::string LogTarget() override { return control_.target; }
    void LogTarget(const std::string& value) override;
    std::string SyslogIdentifier() override { return "tierd"; }

    void refuse_others() const;

    LogControl control_;
};

}  // namespace tierd::bus
