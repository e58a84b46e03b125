// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

#include "client/context.hpp"

namespace tierd::client {

/// How a job ended, in the words of the bus.
struct JobResult {
    std::string result;  ///< done canceled failed; "" when Ctrl-C ended the watching and the job goes on
    std::string error;   ///< org.tierd1.Error.…
    std::string message;
};

/// Shows a job's progress until it ends. subscribe() was called before the job was begun. Throws Error{NotRunning} when the daemon goes
/// away.
JobResult follow_job(Context& context, const std::string& path);

/// The same to the verb's end: what is printed of it, and the exit status. With --no-block only that it has begun. document: what the JSON
/// says besides.
int see_job_through(Context& context, const std::string& path, Usec begun, Value::Map document);

}  // namespace tierd::client
