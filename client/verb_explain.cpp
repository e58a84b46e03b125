// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/findings.hpp"
#include "client/verbs.hpp"

namespace tierd::client {

int verb_explain(Context& context) {
    const Value::List findings = context.gateway().explain(context.argument(0));
    if (context.json()) {
        context.show_json({{"target", context.argument(0)}, {"findings", findings}});
        return exit_done;
    }
    Page page = context.page();
    show_findings(page, findings);
    if (findings.empty()) page.line("Nothing is known about " + context.argument(0) + '.');
    context.show(page);
    return exit_done;
}

}  // namespace tierd::client
