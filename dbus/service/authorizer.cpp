// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/service/authorizer.hpp"

#include <unistd.h>

#include <algorithm>

#include "dbus/names.hpp"

namespace tierd::bus {
namespace {

constexpr std::size_t questions_per_user = 16;
constexpr const char* bus_interface = "org.freedesktop.DBus";
constexpr const char* polkit_interface = "org.freedesktop.PolicyKit1.Authority";
constexpr std::uint32_t allow_user_interaction = 1;

using Subject = sdbus::Struct<std::string, std::map<std::string, sdbus::Variant>>;
using PolkitResult = sdbus::Struct<bool, bool, std::map<std::string, std::string>>;

std::string cancellation_id(std::uint64_t id) {
    return "tierd-" + std::to_string(getpid()) + '-' + std::to_string(id);
}

}  // namespace

Authorizer::Answer Authorizer::unanswered(ErrorCode code, const std::string& why) {
    return {false, false, Error{code, why}};
}

struct Authorizer::Pending {
    Caller caller;
    std::string action;
    std::function<void(uid_t, const Answer&)> answered;
    std::optional<uid_t> uid = std::nullopt;  ///< once polkit is asked
    sdbus::PendingAsyncCall question = {};
};

Authorizer::Authorizer(sdbus::IConnection& connection, Duration limit)
    : limit_{limit},
      bus_{sdbus::createProxy(connection, ServiceName{bus_interface}, sdbus::ObjectPath{"/org/freedesktop/DBus"})},
      polkit_{sdbus::createProxy(connection, ServiceName{"org.freedesktop.PolicyKit1"},
                                 sdbus::ObjectPath{"/org/freedesktop/PolicyKit1/Authority"})} {}

Authorizer::~Authorizer() = default;

void Authorizer::check(const Caller& caller, const std::string& verb, std::map<std::string, std::string> details, Allowed allowed,
                       Refused refused) {
    const auto decide = [verb, interactive = caller.interactive, allowed = std::move(allowed), refused = std::move(refused)](
                            uid_t uid, const Answer& answer) {
        if (answer.authorized) return allowed(uid);
        if (answer.failure) return refused({answer.failure->code(), verb + " is refused: " + answer.failure->what()});
        const std::string nobody_asks =
            interactive ? "nobody is there to ask for it (no polkit agent)" : "the call does not allow to ask for it";
        if (answer.challenge)
            return refused({ErrorCode::InteractionRequired, verb + " is not authorised: it needs a password, and " + nobody_asks});
        refused({ErrorCode::NotAuthorized, verb + " is refused by polkit (" + polkit_action(verb) + ")"});
    };
    ask(caller, verb, std::move(details), decide);
}

void Authorizer::can(const Caller& caller, const std::string& verb, std::function<void(const std::string&)> answered) {
    const auto decide = [answered = std::move(answered)](uid_t, const Answer& answer) {
        answered(answer.authorized ? "yes" : answer.challenge ? "challenge" : "no");
    };
    ask({caller.bus_name, false}, verb, {}, decide);
}

void Authorizer::ask(const Caller& caller, const std::string& verb, std::map<std::string, std::string> details,
                     std::function<void(uid_t, const Answer&)> answered) {
    const std::uint64_t id = ++last_id_;
    pending_.emplace(id, Pending{caller, polkit_action(verb), std::move(answered)});
    const auto on_uid = [this, id, details = std::move(details)](AsyncReplyError error, const std::uint32_t& uid) {
        const auto entry = pending_.find(id);
        if (entry == pending_.end()) return;
        if (error) return answer(id, unanswered(ErrorCode::NotAuthorized, "the caller's user is not known: " + error->getMessage()));
        const bool trusted = uid == 0 || uid == geteuid();
        if (!trusted && too_many(uid))
            return answer(id, unanswered(ErrorCode::LimitExceeded, std::to_string(questions_per_user) + " questions of this user wait"));
        entry->second.uid = uid;
        if (trusted) return answer(id, {true, false});
        ask_polkit(id, details);
    };
    // Asynchronous as well: the bus daemon is not asked while it waits for this process to read.
    bus_->callMethodAsync("GetConnectionUnixUser").onInterface(bus_interface).withArguments(caller.bus_name).uponReplyInvoke(on_uid);
}

void Authorizer::ask_polkit(std::uint64_t id, std::map<std::string, std::string> details) {
    Pending& pending = pending_.at(id);
    const Subject subject{"system-bus-name", {{"name", sdbus::Variant{pending.caller.bus_name}}}};
    const std::uint32_t flags = pending.caller.interactive ? allow_user_interaction : 0;
    const auto on_answer = [this, id](AsyncReplyError error, const PolkitResult& result) {
        if (!error) return answer(id, {std::get<0>(result), std::get<1>(result)});
        cancel_question(id);
        answer(id, unanswered(ErrorCode::NotAuthorized, "polkit does not answer (" + error->getMessage() + "), so only root may"));
    };
    pending.question = polkit_->callMethodAsync("CheckAuthorization")
                           .onInterface(polkit_interface)
                           .withTimeout(limit_)
                           .withArguments(subject, pending.action, std::move(details), flags, cancellation_id(id))
                           .uponReplyInvoke(on_answer);
}

void Authorizer::answer(std::uint64_t id, const Answer& answer) {
    const auto node = pending_.extract(id);
    if (!node.empty()) node.mapped().answered(node.mapped().uid.value_or(static_cast<uid_t>(-1)), answer);
}

void Authorizer::cancel_question(std::uint64_t id) {
    polkit_->callMethod("CancelCheckAuthorization").onInterface(polkit_interface).withArguments(cancellation_id(id)).dontExpectReply();
}

bool Authorizer::too_many(uid_t uid) const {
    const auto of_user = [uid](const auto& entry) { return entry.second.uid == uid; };
    return static_cast<std::size_t>(std::count_if(pending_.begin(), pending_.end(), of_user)) >= questions_per_user;
}

void Authorizer::vanished(const std::string& bus_name) {
    for (auto entry = pending_.begin(); entry != pending_.end();) {
        if (entry->second.caller.bus_name != bus_name) {
            ++entry;
            continue;
        }
        entry->second.question.cancel();
        if (entry->second.uid) cancel_question(entry->first);
        entry = pending_.erase(entry);
    }
}

}  // namespace tierd::bus
