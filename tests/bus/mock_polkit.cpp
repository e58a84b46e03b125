// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "mock_polkit.hpp"

#include <stdexcept>

namespace tierd::test {
namespace {

void must(int result, const char* what) {
    if (result < 0) throw std::runtime_error{std::string{"mock polkit: "} + what + ' ' + std::to_string(result)};
}

}  // namespace

MockPolkit::MockPolkit(const std::string& address, Says says) : says_{says} {
    static const sd_bus_vtable vtable[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD("CheckAuthorization", "(sa{sv})sa{ss}us", "(bba{ss})", on_check, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("CancelCheckAuthorization", "s", "", on_cancel, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_VTABLE_END,
    };
    thread_.run([&](Loop& loop) {
        must(sd_bus_new(&bus_), "new");
        must(sd_bus_set_address(bus_, address.c_str()), "address");
        must(sd_bus_set_bus_client(bus_, 1), "client");
        must(sd_bus_start(bus_), "start");
        must(sd_bus_add_object_vtable(bus_, nullptr, "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority",
                                      vtable, this),
             "vtable");
        must(sd_bus_request_name(bus_, "org.freedesktop.PolicyKit1", 0), "name");
        must(sd_bus_attach_event(bus_, loop.raw(), 0), "attach");
    });
}

MockPolkit::~MockPolkit() {
    crash();
}

void MockPolkit::crash() {
    thread_.run([this](Loop&) {
        for (sd_bus_message* message : open_) sd_bus_message_unref(message);
        open_.clear();
        if (bus_ != nullptr) sd_bus_detach_event(bus_);
        bus_ = sd_bus_close_unref(bus_);
    });
}

void MockPolkit::say(Says says) {
    thread_.run([&](Loop&) { says_ = says; });
}

void MockPolkit::answer_now(bool authorised) {
    thread_.run([&](Loop&) {
        for (sd_bus_message* message : open_) {
            reply(message, authorised, false);
            sd_bus_message_unref(message);
        }
        open_.clear();
    });
}

std::vector<MockPolkit::Question> MockPolkit::questions() {
    std::vector<Question> result;
    thread_.run([&](Loop&) { result = questions_; });
    return result;
}

std::vector<std::string> MockPolkit::cancelled() {
    std::vector<std::string> result;
    thread_.run([&](Loop&) { result = cancelled_; });
    return result;
}

int MockPolkit::reply(sd_bus_message* call, bool authorised, bool challenge) {
    return sd_bus_reply_method_return(call, "(bba{ss})", authorised ? 1 : 0, challenge ? 1 : 0, 0);
}

int MockPolkit::on_check(sd_bus_message* message, void* data, sd_bus_error*) {
    auto& self = *static_cast<MockPolkit*>(data);
    Question question;
    const char *kind = nullptr, *key = nullptr, *name = nullptr, *action = nullptr, *cancellation = nullptr;
    std::uint32_t flags = 0;
    must(sd_bus_message_enter_container(message, 'r', "sa{sv}"), "subject");
    must(sd_bus_message_read(message, "sa{sv}", &kind, 1, &key, "s", &name), "subject");
    must(sd_bus_message_exit_container(message), "subject");
    must(sd_bus_message_read(message, "s", &action), "action");
    must(sd_bus_message_enter_container(message, 'a', "{ss}"), "details");
    const char *detail = nullptr, *value = nullptr;
    while (sd_bus_message_read(message, "{ss}", &detail, &value) > 0) question.details[detail] = value;
    must(sd_bus_message_exit_container(message), "details");
    must(sd_bus_message_read(message, "us", &flags, &cancellation), "flags");
    question.subject_kind = kind;
    question.subject_name = name;
    question.action = action;
    question.interactive = (flags & 1) != 0;
    question.cancellation_id = cancellation;
    self.questions_.push_back(question);
    if (self.says_ == Says::Nothing) {
        self.open_.push_back(sd_bus_message_ref(message));
        return 1;
    }
    // A real one asks the person when it may, and says "challenge" when it may not.
    const bool challenge = self.says_ == Says::Challenge && !question.interactive;
    return reply(message, self.says_ == Says::Yes || (self.says_ == Says::Challenge && question.interactive), challenge);
}

int MockPolkit::on_cancel(sd_bus_message* message, void* data, sd_bus_error*) {
    const char* id = nullptr;
    must(sd_bus_message_read(message, "s", &id), "id");
    static_cast<MockPolkit*>(data)->cancelled_.emplace_back(id);
    return sd_bus_reply_method_return(message, "");
}

}  // namespace tierd::test
