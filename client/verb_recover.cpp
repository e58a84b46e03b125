// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/find.hpp"
#include "client/follow.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {
namespace {

constexpr std::string_view prefix = "recovery ";

/// The findings about what can be done.
Value::List choices_for(Context& context, const std::string& volume) {
    Value::List choices;
    for (const Value& finding : context.gateway().explain(volume)) {
        if (finding["question"].text().starts_with(prefix)) choices.push_back(finding);
    }
    return choices;
}

int show_choices(Context& context, const std::string& volume, const Value::List& choices) {
    if (context.json()) {
        context.show_json({{"volume", volume}, {"choices", choices}});
        return exit_done;
    }
    Page page = context.page();
    if (choices.empty()) page.line(volume + " has lost no write-back cache: there is nothing to recover.");
    for (const Value& choice : choices) {
        page.line(choice["question"].text().substr(prefix.size()), Style::Bold);
        page.paragraph(2, choice["evidence"].text(), choice["verdict"].text() == "no" ? Style::Warning : Style::Plain);
        page.paragraph(2, choice["advice"].text(), Style::Dim);
    }
    context.show(page);
    return exit_done;
}

}  // namespace

int verb_recover(Context& context) {
    const Object tier = find_tier(context, context.argument(0));
    const std::string& volume = tier.properties["Volume"].text();
    const auto choices = choices_for(context, volume);
    if (context.options().arguments.size() < 2) return show_choices(context, volume, choices);
    const std::string& choice = context.argument(1);
    std::string confirm = context.options().confirm;
    for (const Value& each : choices) {
        if (!confirm.empty() || each["question"].text() != std::string{prefix} + choice || choice == "wait") continue;
        context.note(volume + ": " + each["evidence"].text() + '.');
        confirm = context.world().ask("Type the name of the volume to go on: ").value_or("");
    }
    context.gateway().subscribe();
    const Usec begun = context.world().now();
    return see_job_through(context, context.gateway().recover(volume, choice, confirm), begun, {});
}

}  // namespace tierd::client
