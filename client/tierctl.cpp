// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/tierctl.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "client/bus_gateway.hpp"
#include "client/help.hpp"
#include "client/process.hpp"
#include "client/text.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {
namespace {

Usec now_usec() {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<Usec>(std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count());
}

int run_verb(World& world, Options options) {
    Context context{world, std::move(options)};
    const Options& given = context.options();
    if (given.version) {
        world.out << "tierctl " << TIERD_VERSION << std::endl;
        return exit_done;
    }
    if (given.help) {
        Page page = context.page();
        show_help(page, given.verb_given ? given.verb : "");
        context.show(page);
        return exit_done;
    }
    return find_verb(given.verb)->run(context);
}

}  // namespace

int run(World& world, const std::vector<std::string>& arguments) {
    try {
        return run_verb(world, parse_options(arguments));
    } catch (const Error& error) {
        world.err << paint("tierctl: ", Style::Bad, world.terminal)
                  << (world.terminal.utf8 ? printable(error.what()) : to_ascii(printable(error.what())));
        // The name is for whoever searches for it; what never came from the daemon has none.
        const bool local =
            error.code() == ErrorCode::InvalidArgs || error.code() == ErrorCode::NotRunning || error.code() == ErrorCode::Internal;
        if (!local) world.err << " (" << error_name(error.code()) << ')';
        world.err << std::endl;
        return exit_status(error.code());
    }
}

int run_tierctl(int argc, char** argv) {
    const Environment environment = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string{value != nullptr ? value : ""};
    };
    std::unique_ptr<PasswordAgent> agent;
    World world{std::cout, std::cerr, detect_terminal(environment), environment, now_usec, {}, run_command, {}, {}};
    world.page_out = [&](const std::string& text) { page_out(text, environment); };
    world.ask = [&](const std::string& prompt) -> std::optional<std::string> {
        if (::isatty(STDIN_FILENO) != 1 || !world.terminal.err_is_tty) return std::nullopt;
        world.err << prompt << std::flush;
        std::string line;
        return std::getline(std::cin, line) ? std::optional{line} : std::nullopt;
    };
    world.connect = [&](const Options& options) {
        const bool ask = !options.no_ask_password;
        const bool changes = find_verb(options.verb)->changes;
        if (ask && changes && ::geteuid() != 0 && options.bus == "system" && options.host.empty() && ::isatty(STDIN_FILENO) == 1)
            agent = std::make_unique<PasswordAgent>();
        return connect_to_bus({options.bus, options.host, ask});
    };
    return run(world, {argv + 1, argv + argc});
}

}  // namespace tierd::client
