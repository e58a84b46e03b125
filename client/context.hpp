// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "client/gateway.hpp"
#include "client/options.hpp"
#include "client/page.hpp"
#include "client/terminal.hpp"

namespace tierd::client {

/// What tierctl touches besides the daemon. Tests hand in their own.
struct World {
    std::ostream& out;
    std::ostream& err;
    Terminal terminal;
    Environment environment;
    std::function<Usec()> now;                                        ///< CLOCK_REALTIME
    std::function<std::unique_ptr<Gateway>(const Options&)> connect;  ///< throws Error
    std::function<int(const std::vector<std::string>& command)>
        run_command;                                        ///< waits for it; its exit status, 128 + signal, 127 if it cannot be run
    std::function<void(const std::string& text)> page_out;  ///< a whole page, through a pager where one is wanted
    std::function<std::optional<std::string>(const std::string& prompt)> ask;  ///< a line from the terminal; nullopt: there is none to ask
};

/// Exit statuses that are no failure's (those are in daemon/model/error).
inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_steps_pending = 2;
inline constexpr int exit_usage = 64;
inline constexpr int exit_interrupted = 130;

/// What a verb has at hand.
class Context {
public:
    Context(World& world, Options options) : world_{world}, options_{std::move(options)} {}

    [[nodiscard]] World& world() const { return world_; }
    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] const std::string& argument(std::size_t index) const { return options_.arguments.at(index); }
    [[nodiscard]] bool json() const { return options_.json_mode(world_.terminal.out_is_tty) != JsonMode::Off; }
    [[nodiscard]] bool legend() const { return !options_.no_legend; }
    [[nodiscard]] Page page() const { return Page{world_.terminal}; }

    /// The daemon, connected to at the first use.
    Gateway& gateway();
    /// A finished page to standard output, through the pager where one is wanted.
    void show(const Page& page) const;
    /// A document to standard output, "format_version" added.
    void show_json(Value::Map document) const;
    /// A line to standard error; nothing with --quiet.
    void note(const std::string& text) const;

private:
    World& world_;
    Options options_;
    std::unique_ptr<Gateway> gateway_;
};

}  // namespace tierd::client
