// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "daemon/core/controller.hpp"
#include "dbus/service/authorizer.hpp"
#include "dbus/service/guard.hpp"
#include "dbus/service/pauses.hpp"
#include "dbus/service/waiters.hpp"
#include "systemd/loop.hpp"

namespace tierd::bus {

/// What the handlers work with.
struct Context {
    Loop& loop;
    sdbus::IConnection& connection;
    Controller& controller;
    Authorizer& authorizer;
    Pauses& pauses;
    Waiters& waiters;
    std::function<std::vector<Problem>(const std::string& name, const std::string& yaml)> check_policy;
};

/// Who did what, once it was allowed: one line of the journal.
void audit(const Caller& caller, uid_t uid, std::string_view verb, const std::string& target);

/// Answers with work(uid) if the caller may do that verb to that target, else with the refusal.
template <typename... Values, typename Work>
void authorised(Context& context, const Caller& caller, std::string_view verb, const std::string& target, Reply<Values...> reply,
                Work work) {
    const auto allowed = [caller, verb, target, reply, work = std::move(work)](uid_t uid) {
        audit(caller, uid, verb, target);
        reply.with([&] { return work(uid); });
    };
    const auto refused = [reply](const Error& why) { reply.error(why); };
    context.authorizer.check(caller, std::string{verb}, {{"tierd.target", target}}, allowed, refused);
}

}  // namespace tierd::bus
