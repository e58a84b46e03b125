// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <set>
#include <string>

#include "daemon/model/observation.hpp"

/// What a person asked for by a verb, beside the policy or against it. It is a tag on the volume, set before the first step and taken off
/// when it is done or called off: so it survives whatever happens to the daemon, and the next pass goes on from it.
namespace tierd {

struct Requests {
    bool detach = false;            ///< tierd.detach: no cache, whatever the policy says
    std::optional<Usec> flush;      ///< tierd.flush=SECONDS: to be clean once; given up at that time, CLOCK_REALTIME
    std::optional<CacheMode> mode;  ///< tierd.mode=MODE: this mode, whatever the policy says
    bool remake = false;            ///< tierd.remake: the cache may be taken off and made anew, as the policy asks for it by now
    bool drop_cache = false;        ///< tierd.recover=drop-cache: a lost cache is given up, with what it alone had
    friend bool operator==(const Requests&, const Requests&) = default;
};

/// The one choice of Recover that is written down: the others are steps that the plan has anyway.
inline constexpr const char* drop_choice = "drop-cache";

enum class RequestKind { Detach, Flush, Mode, Remake, Recover };

/// A tag that cannot be understood asks for nothing.
Requests requests_of(const LogicalVolume& volume);
/// value: of Flush the time in seconds since the epoch, of Mode its name, of Recover the choice.
std::string request_tag(RequestKind kind, const std::string& value = "");
/// The tags of that kind that the volume carries, those that cannot be understood with them.
std::set<std::string> request_tags(const LogicalVolume& volume, RequestKind kind);

}  // namespace tierd
