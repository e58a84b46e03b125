// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "client/text.hpp"
#include "client/verbs.hpp"
#include "daemon/model/error.hpp"

namespace tierd::client {
namespace {

[[noreturn]] void usage(const std::string& sentence) {
    throw Error{ErrorCode::InvalidArgs, sentence};
}

std::string meant(const std::string& word, const std::vector<std::string>& candidates) {
    const std::string near = nearest(word, candidates);
    return near.empty() ? "" : "; did you mean " + near + "?";
}

void refuse_unknown_flag(const std::string& given) {
    std::vector<std::string> names;
    for (const Flag& flag : flags())
        for (const std::string& name : CLI::detail::split(flag.names, ',')) names.push_back(name);
    const std::string name = given.substr(0, given.find('='));
    usage(name + " is no option" + meant(name, names) + (given == "-" ? "" : " `tierctl --help` lists them"));
}

void check_verb(const Options& options) {
    const Verb* verb = find_verb(options.verb);
    if (verb == nullptr) {
        std::vector<std::string> names;
        for (const Verb& known : verbs())
            if (!known.hidden) names.push_back(known.name);
        const std::string hint = meant(options.verb, names);
        usage(options.verb + " is no verb of tierctl" + (hint.empty() ? "; `tierctl --help` lists them" : hint));
    }
    if (options.help) return;
    const std::string form = "tierctl " + verb->name + (verb->arguments.empty() ? "" : " " + verb->arguments);
    if (options.arguments.size() < verb->least) usage(verb->name + " needs more: " + form);
    if (options.arguments.size() > verb->most) usage(verb->name + " takes no " + options.arguments[verb->most] + ": " + form);
    if (verb->runs_command && options.command.empty()) usage(verb->name + " needs a command: " + form);
    if (!verb->runs_command && !options.command.empty()) usage(verb->name + " runs no command: " + form);
}

}  // namespace

JsonMode Options::json_mode(bool tty) const {
    if (json == "pretty") return JsonMode::Pretty;
    if (json == "short") return JsonMode::Short;
    if (json_flag) return tty ? JsonMode::Pretty : JsonMode::Short;
    return JsonMode::Off;
}

const std::vector<Flag>& flags() {
    static const std::vector<Flag> all{
        {"--json", "pretty|short|off", "write JSON", "", nullptr, &Options::json},
        {"-j", "", "like --json=pretty on a terminal, --json=short elsewhere", "", &Options::json_flag},
        {"-H,--host", "USER@HOST", "ask the tierd of another machine, over ssh", "", nullptr, &Options::host},
        {"--bus", "system|session|ADDRESS", "where tierd is: the system bus, the session bus, or an address", "", nullptr, &Options::bus},
        {"--no-pager", "", "write straight to the terminal", "", &Options::no_pager},
        {"--no-legend", "", "leave out titles and closing lines", "", &Options::no_legend},
        {"-l,--full", "", "shorten nothing", "", &Options::full},
        {"-q,--quiet", "", "only what was asked for, and errors", "", &Options::quiet},
        {"--no-ask-password", "", "do not ask for a password; fail instead", "", &Options::no_ask_password},
        {"-h,--help", "", "show this help", "", &Options::help},
        {"--version", "", "show the version", "", &Options::version},
        {"--commands", "", "show the exact commands of each step", "plan", &Options::commands},
        {"--detailed-exitcode", "", "exit with 2 when there are steps to take", "plan", &Options::detailed_exitcode},
        {"--no-block", "", "do not wait for the job", "apply flush set-mode detach recover", &Options::no_block},
        {"--cancel", "", "call off what was asked for", "flush set-mode detach", &Options::cancel},
        {"--limit", "TIME", "how long it may take: 90min, 8h, 2d (default 24h)", "flush", nullptr, &Options::limit},
        {"--confirm", "VG/LV", "the name of the volume, instead of typing it: data is lost", "recover", nullptr, &Options::confirm},
        {"-P,--property", "NAME", "only this property's value", "show", nullptr, &Options::property},
        {"--why", "TEXT", "what others are told who look; the command if left out", "pause", nullptr, &Options::why},
    };
    return all;
}

bool belongs_to(const Flag& flag, const std::string& verb) {
    return !verb.empty() && (' ' + flag.verbs + ' ').find(' ' + verb + ' ') != std::string::npos;
}

Options parse_options(const std::vector<std::string>& arguments) {
    Options options;
    const auto mark = std::find(arguments.begin(), arguments.end(), "--");
    std::vector<std::string> before{arguments.begin(), mark};
    if (mark != arguments.end()) options.command.assign(mark + 1, arguments.end());

    CLI::App app;
    app.set_help_flag("");
    app.allow_extras();
    std::vector<std::string> words;
    app.add_option("words", words);
    std::vector<std::pair<const Flag*, CLI::Option*>> of_one_verb;
    for (const Flag& flag : flags()) {
        CLI::Option* option =
            flag.on != nullptr ? app.add_flag(flag.names, options.*flag.on) : app.add_option(flag.names, options.*flag.text);
        option->take_last();
        if (!flag.verbs.empty()) of_one_verb.emplace_back(&flag, option);
    }
    try {
        std::reverse(before.begin(), before.end());  // CLI11's parse(vector) takes them from the end
        app.parse(before);
    } catch (const CLI::ParseError& error) {
        usage(error.what());
    }
    for (const std::string& extra : app.remaining()) refuse_unknown_flag(extra);

    if (!words.empty()) {
        options.verb = words.front();
        options.verb_given = true;
        options.arguments.assign(words.begin() + 1, words.end());
    }
    if (options.json != "pretty" && options.json != "short" && options.json != "off")
        usage("--json: '" + options.json + "' is none of pretty, short, off");
    check_verb(options);
    for (const auto& [flag, option] : of_one_verb)
        if (option->count() > 0 && !belongs_to(*flag, options.verb))
            usage(flag->names + " belongs to " + flag->verbs + ", not to " + options.verb);
    return options;
}

}  // namespace tierd::client
