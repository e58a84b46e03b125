// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <gmock/gmock.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "client/text.hpp"
#include "fixtures.hpp"

/// Golden screens: golden/NAME.txt is what a person sees. TIERD_UPDATE_GOLDEN=1 writes them anew; read the difference before it is
/// committed.
namespace tierd::client {
namespace {

using Words = std::vector<std::string>;

struct Screen {
    const char* name;
    FakeDaemon (*daemon)();
    Words arguments;
    std::size_t columns;
};

class AScreen : public testing::TestWithParam<Screen> {
protected:
    static void SetUpTestSuite() { std::setlocale(LC_CTYPE, "C.UTF-8"); }
};

std::string golden_file(const std::string& name) {
    return std::string{TIERD_SOURCE_DIR} + "/tests/unit/client/golden/" + name + ".txt";
}

TEST_P(AScreen, IsAsTheGoldenFileShowsIt) {
    FakeDaemon daemon = GetParam().daemon();
    const Outcome run = tierctl(daemon, GetParam().arguments, {.columns = GetParam().columns});
    const std::string shown =
        run.out + (run.err.empty() ? "" : "--- standard error\n" + run.err) + "--- exit status " + std::to_string(run.status) + '\n';
    const std::string file = golden_file(GetParam().name);
    if (std::getenv("TIERD_UPDATE_GOLDEN") != nullptr) {
        std::filesystem::create_directories(std::filesystem::path{file}.parent_path());
        std::ofstream{file, std::ios::binary} << shown;
        return;
    }
    std::ifstream stored{file, std::ios::binary};
    ASSERT_TRUE(stored) << file << " is missing; TIERD_UPDATE_GOLDEN=1 writes it";
    EXPECT_EQ(shown, (std::string{std::istreambuf_iterator<char>{stored}, {}}));
}

TEST_P(AScreen, FitsTheTerminalWhereItHasRoomToGiveWay) {
    if (GetParam().columns == 0) return;  // no terminal, no limit
    FakeDaemon daemon = GetParam().daemon();
    std::istringstream lines{tierctl(daemon, GetParam().arguments, {.columns = GetParam().columns}).out};
    const bool has_tables =
        GetParam().arguments.front() == "devices" || GetParam().arguments.front() == "tiers" || GetParam().arguments.front() == "status";
    const std::size_t allowed = std::max(GetParam().columns, has_tables ? std::size_t{80} : 0);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("/etc/") || line.starts_with("     $ ")) continue;  // to be copied: never broken
        EXPECT_LE(width_of(line), allowed) << line;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Golden, AScreen,
    testing::Values(
        Screen{"status-installed", fixtures::installed, {"status"}, 80}, Screen{"status-waiting", fixtures::waiting, {"status"}, 100},
        Screen{"status-waiting-40", fixtures::waiting, {"status"}, 40}, Screen{"status-refused", fixtures::refused, {"status"}, 120},
        Screen{"status-converged", fixtures::converged, {"status"}, 140},
        Screen{"status-converged-80", fixtures::converged, {"status"}, 80},
        Screen{"status-converged-pipe", fixtures::converged, {"status"}, 0},
        Screen{"status-converged-quiet", fixtures::converged, {"status", "-q", "--no-legend"}, 140},
        Screen{"status-degraded", fixtures::degraded, {"status"}, 120}, Screen{"plan-waiting", fixtures::waiting, {"plan"}, 80},
        Screen{"plan-attaching", fixtures::attaching, {"plan"}, 100}, Screen{"plan-attaching-50", fixtures::attaching, {"plan"}, 50},
        Screen{"plan-commands", fixtures::attaching, {"plan", "--commands", "--detailed-exitcode"}, 100},
        Screen{"plan-refused", fixtures::refused, {"plan"}, 100}, Screen{"plan-nothing", fixtures::installed, {"plan"}, 80},
        Screen{"explain-disk", fixtures::refused, {"explain", "/dev/sdb"}, 100},
        Screen{"explain-disk-60", fixtures::refused, {"explain", "/dev/sdb"}, 60}, Screen{"devices", fixtures::refused, {"devices"}, 160},
        Screen{"doctor", fixtures::degraded, {"doctor"}, 100}, Screen{"doctor-none", fixtures::installed, {"doctor"}, 80},
        Screen{"devices-100", fixtures::refused, {"devices"}, 100}, Screen{"devices-none", fixtures::installed, {"devices"}, 80},
        Screen{"tiers", fixtures::converged, {"tiers"}, 0}, Screen{"snapshots", fixtures::converged, {"snapshots"}, 100},
        Screen{"jobs", fixtures::degraded, {"jobs"}, 100}, Screen{"policy", fixtures::degraded, {"policy"}, 100},
        Screen{"show-tier", fixtures::converged, {"show", "media"}, 100},
        Screen{"show-volume", fixtures::converged, {"show", "lvm_hdd/hdd", "-P", "Mode"}, 100},
        Screen{"help", fixtures::installed, {"--help"}, 100}, Screen{"help-plan", fixtures::installed, {"plan", "--help"}, 100}),
    [](const auto& one) {
        std::string name = one.param.name;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(Colours, AreEscapeSequencesAndNothingElse) {
    std::setlocale(LC_CTYPE, "C.UTF-8");
    for (const Words& arguments : {Words{"status"}, Words{"devices"}, Words{"plan"}, Words{"explain", "/dev/sdb"}}) {
        FakeDaemon daemon = fixtures::refused();
        const std::string plain = tierctl(daemon, arguments, {.columns = 100}).out;
        const std::string coloured = tierctl(daemon, arguments, {.columns = 100, .color = true}).out;
        EXPECT_THAT(coloured, testing::HasSubstr("\x1b[")) << arguments.front();
        EXPECT_THAT(plain, testing::Not(testing::HasSubstr("\x1b"))) << arguments.front();
        std::string stripped;
        for (std::size_t i = 0; i < coloured.size(); ++i) {
            if (coloured[i] == '\x1b')
                i = coloured.find('m', i);
            else
                stripped += coloured[i];
        }
        EXPECT_EQ(stripped, plain) << arguments.front();
    }
}

/// The converged machine, and something else of its first tier.
FakeDaemon with_tier(const std::string& key, const Value& value) {
    FakeDaemon daemon = fixtures::converged();
    Value::Map state = daemon.state.map();
    Value::List tiers = state["tiers"].list();
    Value::Map tier = tiers.front().map();
    tier[key] = value;
    tiers.front() = tier;
    state["tiers"] = tiers;
    daemon.state = state;
    return daemon;
}

TEST(ATier, SaysThatItIsFullOrThatItsDirtIsAssumed) {
    std::setlocale(LC_CTYPE, "C.UTF-8");
    FakeDaemon assumed = with_tier("assumed_dirty", true);
    EXPECT_THAT(tierctl(assumed, {"status"}, {.columns = 160}).out,
                testing::HasSubstr("active on sdb, assumed dirty (? written back), healthy"));
    FakeDaemon daemon = with_tier("full", true);
    EXPECT_THAT(tierctl(daemon, {"status"}, {.columns = 160}).out,
                testing::HasSubstr("active on sdb, full: writes go to the disk, healthy"));
}

TEST(ATerminalWithoutUtf8, IsSentAsciiOnly) {
    std::setlocale(LC_CTYPE, "C.UTF-8");
    for (auto* daemon_of : {fixtures::converged, fixtures::degraded, fixtures::waiting}) {
        FakeDaemon daemon = daemon_of();
        const Outcome run = tierctl(daemon, {"status"}, {.columns = 100, .utf8 = false});
        EXPECT_TRUE(std::all_of(run.out.begin(), run.out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) << run.out;
    }
}

TEST(AHostileText, IsShownSpelledOutByEveryVerb) {
    std::setlocale(LC_CTYPE, "C.UTF-8");
    const std::vector<Words> calls{{"status"},
                                   {"devices"},
                                   {"tiers"},
                                   {"snapshots"},
                                   {"jobs"},
                                   {"policy"},
                                   {"plan", "--commands"},
                                   {"explain", "x"},
                                   {"show", "media"},
                                   {"reload"},
                                   {"watch"},
                                   {"apply"},
                                   {"__complete", "names", "show"},
                                   {"__complete", "names", "thaw"}};
    for (const bool json : {false, true})
        for (Words arguments : calls) {
            if (json) arguments.emplace_back("--json=short");
            FakeDaemon daemon = fixtures::hostile();
            daemon.objects.back().path = "/org/tierd1/tier/media";
            const Outcome run = tierctl(daemon, arguments, {.columns = 120, .tty = true});
            for (const std::string& text : {run.out, json ? std::string{} : run.err})
                for (const char* forbidden : {"\x1b]", "\x1b[2J", "\x07", "\xc2\x9b", "\xe2\x80\xae", "\xff", "\x7f", "\r\nfake", "\nfake"})
                    EXPECT_EQ(text.find(forbidden), std::string::npos) << arguments.front() << ' ' << json << ' ' << printable(forbidden);
        }
}

TEST(AHostileText, IsShortenedInATable) {
    std::setlocale(LC_CTYPE, "C.UTF-8");
    FakeDaemon daemon = fixtures::hostile();
    const Outcome run = tierctl(daemon, {"snapshots"}, {.columns = 120});
    EXPECT_LT(run.out.size(), 5000U);
}

}  // namespace
}  // namespace tierd::client
