// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <ostream>

#include "client/json.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {

int verb_dump_observation(Context& context) {
    const Value state = context.gateway().describe();
    const Value& observation = state["observation"];
    if (observation.is_null()) throw Error{ErrorCode::StateUnknown, "tierd has not observed this machine yet; try again in a moment"};
    // As `tierd --simulate` reads it: the document is the observation's own, with a version of its own.
    const bool pretty = context.options().json_mode(true) != JsonMode::Short;
    context.world().out << to_json(observation, pretty) << std::endl;
    return exit_done;
}

}  // namespace tierd::client
