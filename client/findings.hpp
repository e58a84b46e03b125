// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include "client/page.hpp"
#include "client/value.hpp"

namespace tierd::client {

/// Each with its verdict, evidence and advice, below what it is about.
void show_findings(Page& page, const Value::List& findings);

}  // namespace tierd::client
