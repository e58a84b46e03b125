// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "fake_gateway.hpp"

/// Daemons in the situations that the golden screens show; what a test changes, it changes in its own copy.
namespace tierd::client::fixtures {

FakeDaemon installed();  ///< no policy, no disk
FakeDaemon waiting();    ///< a policy, and the SSD is not there
FakeDaemon refused();    ///< the SSD is there and holds data
FakeDaemon attaching();  ///< the SSD is there and is about to be taken
FakeDaemon converged();  ///< cached; a foreign cache, snapshots and a second tier beside it
FakeDaemon degraded();   ///< the SSD died; policy problems; a frozen group
/// A daemon that says what no terminal should be sent.
FakeDaemon hostile();

}  // namespace tierd::client::fixtures
