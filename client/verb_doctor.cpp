// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/figures.hpp"
#include "client/findings.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {

int verb_doctor(Context& context) {
    const Value state = context.gateway().describe();
    // No list is not an empty one.
    if (state["risks"].is_null()) throw Error{ErrorCode::StateUnknown, "tierd has not looked around yet, or does not look for risks"};
    const Value::List& risks = state["risks"].list();
    if (context.json()) {
        context.show_json({{"risks", risks}});
    } else {
        Page page = context.page();
        show_findings(page, risks);
        if (risks.empty() || context.legend()) {
            page.blank();
            page.line(risks.empty() ? "No known risk." : count_text(risks.size(), "risk") + '.');
        }
        context.show(page);
    }
    return risks.empty() ? exit_done : exit_failed;
}

}  // namespace tierd::client
