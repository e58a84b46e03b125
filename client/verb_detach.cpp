// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/find.hpp"
#include "client/follow.hpp"
#include "client/verbs.hpp"

namespace tierd::client {

int verb_detach(Context& context) {
    const Object tier = find_tier(context, context.argument(0));
    context.gateway().subscribe();
    const Usec begun = context.world().now();
    return see_job_through(context, context.gateway().detach(tier.path, context.options().cancel), begun, {});
}

}  // namespace tierd::client
