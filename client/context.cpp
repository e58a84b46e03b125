// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/context.hpp"

#include <algorithm>
#include <ostream>

#include "client/json.hpp"
#include "client/text.hpp"

namespace tierd::client {

Gateway& Context::gateway() {
    if (!gateway_) gateway_ = world_.connect(options_);
    return *gateway_;
}

void Context::show(const Page& page) const {
    const bool paged = world_.terminal.out_is_tty && !options_.no_pager && !json();
    const auto lines = static_cast<std::size_t>(std::count(page.text().begin(), page.text().end(), '\n'));
    if (paged && world_.terminal.rows > 0 && lines >= world_.terminal.rows)
        world_.page_out(page.text());
    else
        world_.out << page.text() << std::flush;
}

void Context::show_json(Value::Map document) const {
    document["format_version"] = json_format_version;
    world_.out << to_json(document, options_.json_mode(world_.terminal.out_is_tty) == JsonMode::Pretty) << std::endl;
}

void Context::note(const std::string& text) const {
    if (!options_.quiet) world_.err << printable(text) << std::endl;
}

}  // namespace tierd::client
