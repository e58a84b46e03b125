// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <fcntl.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

#include "config/loader.hpp"
#include "daemon/core/controller.hpp"
#include "daemon/core/journal_sink.hpp"
#include "daemon/machine/real_machine.hpp"
#include "daemon/machine/simulated/simulated_machine.hpp"
#include "daemon/plan/foretell.hpp"
#include "dbus/service/service.hpp"
#include "systemd/journal.hpp"
#include "systemd/loop.hpp"
#include "systemd/notify.hpp"

namespace tierd {
namespace {

struct Arguments {
    std::string policy_directory;
    std::string bus;
    bool dry_run = false;
    bool simulate = false;
    std::string observation_file, script_file;
    std::optional<std::string> state_directory;
    std::string log_level = "info";
    std::string tools_directory;
};

// --- logging: one level, to the journal when there is one, else to standard error ---

constexpr std::array levels{"emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"};
int log_priority = 6;

int priority_of(const std::string& level) {
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (level == levels.at(i)) return static_cast<int>(i);
    }
    throw Error{ErrorCode::InvalidArgs,
                "--log-level: \"" + level + "\" is not a level; one of emerg alert crit err warning notice info debug"};
}

bool to_journal() {
    return std::getenv("JOURNAL_STREAM") != nullptr;
}

void write_log(const JournalEntry& entry) {
    if (entry.priority > log_priority) return;
    if (to_journal()) {
        write_journal(entry);
        return;
    }
    const auto level = entry.priority <= 3   ? spdlog::level::err
                       : entry.priority == 4 ? spdlog::level::warn
                       : entry.priority <= 6 ? spdlog::level::info
                                             : spdlog::level::debug;
    spdlog::log(level, "{}", entry.message);
}

void say(int priority, const std::string& message) {
    write_log({"", priority, message, {}});
}

void set_up_console() {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("tierd", std::make_shared<spdlog::sinks::stderr_sink_st>()));
    spdlog::set_pattern("%H:%M:%S %l %v");
    spdlog::set_level(spdlog::level::debug);
}

// --- what the machine is ---

constexpr const char* run_directory = "/run/tierd";

std::string read_whole(const std::string& path) {
    constexpr std::size_t most = 256 * mib;
    std::ifstream file{path};
    std::string text;
    std::array<char, 65536> part{};
    while (file.read(part.data(), part.size()) || file.gcount() > 0) {
        text.append(part.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > most) throw Error{ErrorCode::InvalidArgs, path + ": longer than 256 MiB, and so none of the files expected here"};
    }
    if (!file.eof()) throw Error{ErrorCode::InvalidArgs, path + ": cannot be read"};
    return text;
}

std::unique_ptr<Machine> make_machine(Loop& loop, const Arguments& arguments) {
    if (!arguments.simulate) return make_real_machine(loop, arguments.tools_directory);
    const bool own = !arguments.observation_file.empty();
    auto observation = own ? observation_from_json(read_whole(arguments.observation_file)) : demonstration();
    std::vector<ScriptEvent> script;
    if (!arguments.script_file.empty()) {
        script = parse_script(arguments.script_file, read_whole(arguments.script_file));
    } else if (!own) {
        script = parse_script("demonstration", demonstration_script());
    }
    const auto happen = [](Observation& machine, const Action& action) { foretell_in_place(machine, action); };
    return std::make_unique<SimulatedMachine>(loop, std::move(observation), SimulatedMachine::Rules{happen, describe_command},
                                              std::move(script));
}

/// Before any command: a second daemon on this machine changes nothing and goes. The folder itself is locked, since policy files may lie
/// in it; the lock ends with the process.
bool lock_machine() {
    static_cast<void>(mkdir(run_directory, 0755));
    const int fd = open(run_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) throw Error{ErrorCode::ToolFailed, std::string{run_directory} + ": " + std::strerror(errno) + "; tierd runs as root"};
    return flock(fd, LOCK_EX | LOCK_NB) == 0;
}

/// systemd says where it is, by StateDirectory=. Of a simulated machine nothing is kept by itself.
std::string state_directory(const Arguments& arguments) {
    if (arguments.state_directory) return *arguments.state_directory;
    if (arguments.simulate) return "";
    const char* const given = std::getenv("STATE_DIRECTORY");
    return given != nullptr ? given : "/var/lib/tierd";
}

// --- the policy ---

std::vector<std::string> policy_directories(const Arguments& arguments) {
    // Absolute: whoever reads where a file is may stand elsewhere.
    return arguments.policy_directory.empty()
               ? config::default_directories()
               : std::vector{std::filesystem::absolute(arguments.policy_directory).lexically_normal().string()};
}

LoadedPolicy load_policy(const std::vector<std::string>& directories) {
    auto result = config::load(directories);
    return {std::move(result.policy), std::move(result.problems), result.whole};
}

std::vector<Watch> watch_policy(Loop& loop, const std::vector<std::string>& directories, Controller& controller) {
    std::vector<Watch> watches;
    for (const auto& directory : directories) {
        if (access(directory.c_str(), F_OK) != 0) continue;
        const auto on_change = [&controller](const std::string& name) {
            const bool is_policy = name.size() > 5 && name.compare(name.size() - 5, 5, ".yaml") == 0 && name.front() != '.';
            if (is_policy) controller.policy_files_changed();
        };
        try {
            watches.push_back(loop.on_file(directory, IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE, on_change));
        } catch (const Error& error) {
            say(4, directory + " is not watched, so a change there is seen at the next reload only: " + error.what());
        }
    }
    return watches;
}

/// One line for `systemctl status`.
class StatusLine final : public Listener {
public:
    explicit StatusLine(const Controller& controller) : controller_{controller} {}
    void on_changed() override {
        const auto manager = controller_.manager();
        const std::string line = manager.convergence + (manager.waits_for.empty() ? "" : ": " + manager.waits_for);
        if (line == last_) return;
        last_ = line;
        notify::status(line);
    }
    void on_job_new(const JobView&) override {}
    void on_job_removed(const JobView&) override {}
    void on_alert(const AlertView&) override {}
    void on_alert_cleared(const AlertView&) override {}
    void on_command(const CommandRecord&) override {}
    void on_policy(const std::vector<Problem>&) override {}
    void on_note(const std::string&) override {}

private:
    const Controller& controller_;
    std::string last_;
};

int run(const Arguments& arguments) {
    Loop loop;
    if (!arguments.simulate && !lock_machine()) {
        say(3, "tierd runs already (/run/tierd is locked): this one has changed nothing and ends");
        return Service::exit_name_taken;
    }
    const auto directories = policy_directories(arguments);
    if (!arguments.policy_directory.empty() && access(arguments.policy_directory.c_str(), X_OK) != 0) {
        throw Error{ErrorCode::InvalidArgs, "--policy " + arguments.policy_directory + ": " + std::strerror(errno)};
    }
    const auto machine = make_machine(loop, arguments);
    Controller::Options controlled;
    controlled.observe_only = arguments.dry_run;
    controlled.version = TIERD_VERSION;
    controlled.state_directory = state_directory(arguments);
    Controller controller{loop, *machine, [&directories] { return load_policy(directories); }, controlled};
    JournalSink journal{write_log};
    StatusLine status{controller};
    controller.add_listener(journal);
    controller.add_listener(status);

    Service::Options options;
    options.bus = !arguments.bus.empty() ? arguments.bus : arguments.simulate ? "session" : "system";
    options.check_policy = [](const std::string& name, const std::string& yaml) { return config::load_text(name, yaml).problems; };
    options.log_level = [] { return std::string{levels.at(static_cast<std::size_t>(log_priority))}; };
    options.set_log_level = [](const std::string& level) { log_priority = priority_of(level); };
    options.log_target = to_journal() ? "journal" : "console";
    say(6, std::string{"tierd "} + TIERD_VERSION + (arguments.simulate ? ", a simulated machine" : "") + ", policy in " +
               directories.back() + ", on the bus " + options.bus);
    Service service{loop, controller, options};

    const auto watches = watch_policy(loop, directories, controller);
    const auto on_reload = loop.on_signal(SIGHUP, [&] {
        notify::reloading();
        static_cast<void>(controller.reload());
        notify::ready();
    });
    const auto stop = [&] {
        notify::stopping();
        notify::extend_timeout(600);
        controller.stop([&loop] { loop.quit(0); });
    };
    const auto on_term = loop.on_signal(SIGTERM, stop);
    const auto on_int = loop.on_signal(SIGINT, stop);
    loop.feed_watchdog();
    controller.start([&] {
        if (!service.own_name()) {
            say(3, "the bus name org.tierd1 is taken: this tierd ends");
            loop.quit(Service::exit_name_taken);
            return false;
        }
        notify::ready();
        return true;
    });
    return loop.run();
}

/// A value that may be left out stands behind a "=".
class Help : public CLI::Formatter {
    std::string make_option_opts(const CLI::Option* option) const override {
        const std::string type = option->get_type_name();
        return (type.empty() || type.front() == '[' ? "" : " ") + type;
    }
};

}  // namespace

static int run_program(int argc, char** argv) {
    set_up_console();
    Arguments arguments;
    CLI::App app{"Keeps fast storage in front of slow volumes, as declared in /etc/tierd"};
    app.formatter(std::make_shared<Help>());
    app.set_version_flag("--version", TIERD_VERSION);
    app.add_option("--policy", arguments.policy_directory, "read the policy from this folder alone")->type_name("DIR");
    app.add_option("--bus", arguments.bus, "system (default), session, or the address of a bus")->type_name("BUS");
    app.add_flag("--dry-run", arguments.dry_run, "observe and plan, change nothing");
    auto* simulate =
        app.add_option("--simulate", arguments.observation_file, "a simulated machine, as observed in a file or a built-in one")
            ->type_name("[=OBSERVATION.json]")
            ->expected(0, 1);
    app.add_option("--script", arguments.script_file, "what happens to the machine of --simulate, and when")
        ->type_name("FILE")
        ->needs(simulate);
    app.add_option("--state", arguments.state_directory, "keep what was last seen of the caches in this folder")->type_name("DIR");
    app.add_option("--log-level", arguments.log_level, "emerg alert crit err warning notice info debug")->type_name("LEVEL");
    app.add_option("--tools", arguments.tools_directory, "look for lvm, tierd-device and smartctl here first (for tests)")
        ->type_name("DIR");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : exit_status(ErrorCode::InvalidArgs);
    }
    arguments.simulate = simulate->count() > 0;
    try {
        log_priority = priority_of(arguments.log_level);
        return run(arguments);
    } catch (const Error& error) {
        say(2, error.what());
        return exit_status(error.code());
    } catch (const std::exception& error) {
        say(2, std::string{"unexpected: "} + error.what());
        return 1;
    }
}

}  // namespace tierd

int main(int argc, char** argv) {
    return tierd::run_program(argc, argv);
}
