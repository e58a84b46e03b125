// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <string>

#include "client/page.hpp"

namespace tierd::client {

/// The whole help, or one verb's with its own options; written from the tables of verbs and flags.
void show_help(Page& page, const std::string& verb);

}  // namespace tierd::client
