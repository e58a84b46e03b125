// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "client/verbs.hpp"
#include "fixtures.hpp"

/// Help, man pages and completions say the same as the tables of verbs and flags.
namespace tierd::client {
namespace {

using testing::HasSubstr;

std::string read(const std::string& path) {
    std::ifstream file{std::string{TIERD_SOURCE_DIR} + '/' + path, std::ios::binary};
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::set<std::string> matches(const std::string& text, const char* pattern) {
    const std::regex expression{pattern, std::regex::multiline};
    std::set<std::string> found;
    for (std::sregex_iterator it{text.begin(), text.end(), expression}; it != std::sregex_iterator{}; ++it) found.insert((*it)[1]);
    return found;
}

std::set<std::string> flag_names() {
    std::set<std::string> names;
    for (const Flag& flag : flags()) {
        std::istringstream list{flag.names};
        for (std::string name; std::getline(list, name, ',');) names.insert(name);
    }
    return names;
}

std::set<std::string> verb_names() {
    std::set<std::string> names;
    for (const Verb& verb : verbs())
        if (!verb.hidden) names.insert(verb.name);
    return names;
}

TEST(TheManPage, NamesEveryVerbAndNoOther) {
    const std::string page = read("client/tierctl.1.scd");
    const std::string section = page.substr(page.find("# VERBS"), page.find("# OPTIONS") - page.find("# VERBS"));
    EXPECT_EQ(matches(section, "^\\*([a-z-]+)\\*"), verb_names());
}

TEST(TheManPage, NamesEveryFlagAndNoOther) {
    const std::string page = read("client/tierctl.1.scd");
    const std::string sections = page.substr(page.find("# VERBS"), page.find("# EXIT STATUS") - page.find("# VERBS"));
    std::set<std::string> named = matches(sections, "^\t?\\*(-[A-Za-z]|--[a-z-]+)\\*");
    named.merge(matches(sections, "^\t?\\*-[A-Za-z]\\*, \\*(--[a-z-]+)\\*"));
    EXPECT_EQ(named, flag_names());
}

TEST(TheHelp, NamesEveryVerbAndFlag) {
    FakeDaemon daemon;
    const std::string help = tierctl(daemon, {"--help"}).out;
    for (const std::string& verb : verb_names()) EXPECT_THAT(help, HasSubstr("\n  " + verb)) << verb;
    for (const std::string& flag : flag_names()) EXPECT_THAT(help, testing::ContainsRegex("[ ,]" + flag + "[ =,]")) << flag;
}

TEST(TheDaemonsManPage, NamesEveryFlagAndNoOther) {
    std::set<std::string> flags = matches(read("daemon/main.cpp"), "add_(?:option|flag)\\(\"(--[a-z-]+)\"");
    EXPECT_GE(flags.size(), 7U);
    flags.insert({"--version", "--help"});
    const std::string page = read("daemon/tierd.8.scd");
    const std::string section = page.substr(page.find("# OPTIONS"), page.find("# SCRIPTS") - page.find("# OPTIONS"));
    EXPECT_EQ(matches(section, "^(?:\\*-h\\*, )?\\*(--[a-z-]+)\\*"), flags);
}

TEST(TheEventsPage, NamesEveryAlertOfTheCatalog) {
    // The ids stand in three places that people read; the table in daemon/core is the one that counts.
    const std::string table = read("daemon/core/journal_events.hpp");
    const std::string page = read("client/tierd-events.7.scd");
    const std::regex row{"EventId\\{\"([a-z-]+)\", \"([0-9a-f]{32})\"\\}"};
    std::size_t rows = 0;
    for (std::sregex_iterator it{table.begin(), table.end(), row}; it != std::sregex_iterator{}; ++it, ++rows)
        EXPECT_THAT(page, HasSubstr('*' + (*it)[1].str() + "* (" + (*it)[2].str() + ")\n"));
    EXPECT_GT(rows, 18U);
    EXPECT_EQ(matches(page, "\\(([0-9a-f]{32})\\)").size(), rows);
}

TEST(Completion, OffersEveryVerbAndFlag) {
    FakeDaemon daemon = fixtures::degraded();
    const std::string offered = tierctl(daemon, {"__complete", "verbs"}).out;
    EXPECT_EQ(matches(offered, "^([^\t]+)\t"), verb_names());
    for (const Flag& flag : flags()) {
        for (const std::string& verb : verb_names()) {
            const std::string of_verb = tierctl(daemon, {"__complete", "flags", verb}).out;
            const bool offered_there = of_verb.find(flag.names.substr(0, flag.names.find(','))) != std::string::npos;
            EXPECT_EQ(offered_there, flag.verbs.empty() || belongs_to(flag, verb)) << verb << ' ' << flag.names;
        }
        if (flag.verbs.empty()) continue;
        EXPECT_THAT(tierctl(daemon, {"__complete", "flags", "jobs"}).out, testing::Not(HasSubstr(flag.names)));
    }
    EXPECT_EQ(matches(tierctl(daemon, {"__complete", "values", "json"}).out, "^([^\t]+)\t"),
              (std::set<std::string>{"pretty", "short", "off"}));
    EXPECT_EQ(matches(tierctl(daemon, {"__complete", "values", "bus"}).out, "^([^\t]+)\t"), (std::set<std::string>{"system", "session"}));
}

TEST(Completion, OffersWhatIsThere) {
    FakeDaemon converged = fixtures::converged(), degraded = fixtures::degraded();
    EXPECT_EQ(matches(tierctl(converged, {"__complete", "names", "explain"}).out, "^([^\t]+)\t"),
              (std::set<std::string>{"/dev/sda", "/dev/sdb", "media", "lvm_hdd/hdd", "other/data"}));
    EXPECT_EQ(matches(tierctl(degraded, {"__complete", "names", "thaw"}).out, "^([^\t]+)\t"), std::set<std::string>{"lvm_hdd"});
    EXPECT_EQ(matches(tierctl(converged, {"__complete", "names", "pause"}).out, "^([^\t]+)\t"),
              (std::set<std::string>{"lvm_hdd", "other"}));
    degraded.fail = [] { throw Error{ErrorCode::NotRunning, "no"}; };
    const Outcome silent = tierctl(degraded, {"__complete", "names", "thaw"});
    EXPECT_EQ(silent.out + silent.err, "");
}

/// What bash would offer for a line, tierctl being a function that answers from a fixed list.
std::string bash_offers(const std::string& line) {
    const auto script = std::filesystem::path{testing::TempDir()} / "tierctl-completion.sh";
    std::ofstream{script}
        << "tierctl() { echo \"$@\" >&2; case \"$*\" in *verbs*) printf 'status\\tx\\nsnapshots\\tx\\nplan\\tx\\n' ;; *values*) printf "
           "'pretty\\tx\\nshort\\tx\\n' ;;"
           " *flags*) printf -- '--json=\\tx\\n--quiet\\tx\\n' ;; *names*) printf 'media\\ttier\\nmore\\ttier\\n' ;; esac; }\n. \"$1\"\n"
           "COMP_LINE=$2 COMP_POINT=${#2}\n_tierctl\nprintf '%s ' \"${COMPREPLY[@]}\"\n";
    const std::string command =
        "bash '" + script.string() + "' '" + TIERD_SOURCE_DIR + "/client/completion/tierctl.bash' '" + line + "' 2>/dev/null";
    std::string output;
    FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 256> part{};
    while (pipe != nullptr && std::fgets(part.data(), part.size(), pipe) != nullptr) output += part.data();
    EXPECT_EQ(::pclose(pipe), 0);
    return output;
}

TEST(BashCompletion, OffersWhatFits) {
    EXPECT_EQ(bash_offers("tierctl s"), "status snapshots ");
    EXPECT_EQ(bash_offers("tierctl --bus session pl"), "plan ");
    EXPECT_EQ(bash_offers("tierctl --json=p"), "pretty ");
    EXPECT_EQ(bash_offers("tierctl --json s"), "short ");
    EXPECT_EQ(bash_offers("tierctl plan --q"), "--quiet ");
    EXPECT_EQ(bash_offers("tierctl explain me"), "media ");
    EXPECT_EQ(bash_offers("tierctl explain "), "media more ");
    EXPECT_EQ(bash_offers("tierctl pause vg -- l"), " ");
}

TEST(EachCompletion, AsksTierctlItself) {
    for (const char* file : {"client/completion/tierctl.bash", "client/completion/_tierctl", "client/completion/tierctl.fish"}) {
        const std::string text = read(file);
        for (const char* question : {"verbs", "flags", "values", "names", "__complete"}) EXPECT_THAT(text, HasSubstr(question)) << file;
    }
}

/// A state with a contradiction, as the daemon shows it.
FakeDaemon contradicting() {
    FakeDaemon daemon = fixtures::waiting();
    auto& state = std::get<Value::Map>(daemon.state.data);
    const std::string why = "contradicts tier b in 20-b.yaml:3: both are tiers for vg/lv; edit 10-a.yaml:3 or 20-b.yaml:3, then reload";
    state["policy_problems"] = Value::List{Value::Map{{"severity", "error"},
                                                      {"file", "/etc/tierd/20-b.yaml"},
                                                      {"line", std::uint64_t{3}},
                                                      {"column", std::uint64_t{3}},
                                                      {"text", "tier b: contradicts tier a in 10-a.yaml:3: both are tiers for vg/lv"}}};
    state["frozen"] = Value::Map{{"tier a", "policy: " + why}, {"tier b", "policy: " + why}};
    state["alerts"] = Value::List{Value::Map{{"object", ""},
                                             {"code", "policy-invalid"},
                                             {"severity", std::uint64_t{3}},
                                             {"details", Value::Map{{"message", "tier b: both are tiers for vg/lv"}}}}};
    state["convergence"] = "blocked";
    state["waits_for"] = "tier a contradicts another entry of the policy (10-a.yaml:3)";
    return daemon;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t number = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++number;
    return number;
}

TEST(AContradiction, IsSaidOnceOnAScreenAndNotAsSomethingToThaw) {
    FakeDaemon daemon = contradicting();
    const std::string status = tierctl(daemon, {"status"}).out;
    EXPECT_EQ(occurrences(status, "both are tiers for vg/lv"), 1U) << status;
    EXPECT_EQ(occurrences(status, "thaw"), 0U) << status;
    const std::string policy = tierctl(daemon, {"policy"}).out;
    EXPECT_EQ(occurrences(policy, "thaw"), 0U) << policy;
    EXPECT_THAT(policy, HasSubstr("edit 10-a.yaml:3 or 20-b.yaml:3, then reload"));
}

TEST(Status, OfAPolicyWithSnapshotsOnlyDoesNotCallItEmpty) {
    FakeDaemon daemon = fixtures::waiting();
    auto& state = std::get<Value::Map>(daemon.state.data);
    state["tiers"] = Value::List{};
    state["policy_entries"] = Value::Map{{"device fast", "a.yaml:2"}};
    EXPECT_THAT(tierctl(daemon, {"status"}).out, HasSubstr("asks for no tier, no snapshot and no pool"));
    state["policy_entries"] = Value::Map{{"snapshot nightly", "a.yaml:2"}};
    EXPECT_THAT(tierctl(daemon, {"status"}).out, Not(HasSubstr("asks for no")));
}

TEST(Plan, SaysWhatKeepsItFromBeingDone) {
    FakeDaemon daemon = fixtures::attaching();
    daemon.objects = {{"/org/tierd1", "Manager", Value::Map{{"ObserveOnly", true}, {"Frozen", Value::Map{}}}}};
    EXPECT_THAT(tierctl(daemon, {"plan"}).out, AllOf(HasSubstr("tierd observes only"), Not(HasSubstr("by itself"))));
    daemon.objects.front().properties = Value::Map{{"Frozen", Value::Map{{"lvm_hdd", "paused: backup (user 0)"}}}};
    EXPECT_THAT(tierctl(daemon, {"plan"}).out, HasSubstr("lvm_hdd is paused: backup (user 0)"));
}

}  // namespace
}  // namespace tierd::client
