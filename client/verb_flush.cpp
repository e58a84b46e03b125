// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/find.hpp"
#include "client/follow.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {

int verb_flush(Context& context) {
    const std::string& text = context.options().limit;
    const auto limit = parse_span(text);
    if (!limit && !text.empty()) throw Error{ErrorCode::InvalidArgs, "--limit: \"" + text + "\" is no time; as in 90min, 8h, 2d"};
    const Object tier = find_tier(context, context.argument(0));
    context.gateway().subscribe();
    const Usec begun = context.world().now();
    return see_job_through(context, context.gateway().flush(tier.path, limit, context.options().cancel), begun, {});
}

}  // namespace tierd::client
