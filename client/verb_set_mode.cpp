// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/find.hpp"
#include "client/follow.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"
#include "daemon/model/text.hpp"

namespace tierd::client {

int verb_set_mode(Context& context) {
    const bool named = context.options().arguments.size() > 1;
    if (named == context.options().cancel)
        throw Error{ErrorCode::InvalidArgs, "set-mode takes a mode (writethrough, writeback, passthrough), or --cancel for the policy's"};
    const std::string mode = named ? context.argument(1) : "";
    if (named && !value_of<CacheMode>(mode))
        throw Error{ErrorCode::InvalidArgs, mode + " is not a mode; one of " + join(names_of<CacheMode>())};
    const Object tier = find_tier(context, context.argument(0));
    context.gateway().subscribe();
    const Usec begun = context.world().now();
    return see_job_through(context, context.gateway().set_mode(tier.path, mode), begun, {});
}

}  // namespace tierd::client
