// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <algorithm>

#include "client/figures.hpp"
#include "client/problems.hpp"
#include "client/tables.hpp"
#include "client/verbs.hpp"

namespace tierd::client {
namespace {

constexpr std::size_t most_problems_shown = 5;

/// Its problems themselves are counted and shown.
bool is_of_policy(const Value& alert) {
    return alert["code"].text() == "policy-invalid";
}

/// "tierd 0.1.0 · converged · policy: 2 files, no problems · 1 alert".
Line headline(const Value& state) {
    const std::string& doing = state["state"].text();
    std::string condition = state["convergence"].text();
    Style style = Style::Plain;
    if (doing == "degraded" || condition == "blocked") style = Style::Bad;
    if (condition == "converged" && style == Style::Plain) style = Style::Good;
    if (condition == "unknown" || condition == "drift") style = Style::Warning;
    if (doing == "starting" || doing == "degraded")
        condition = doing;
    else if (doing == "acting")
        condition += ", acting";
    if (condition.empty()) condition = "?";

    const auto problems = problems_of(state["policy_problems"]);
    Line line{{"tierd " + to_text(state["version"])}, {" · "}, {condition, style}};
    const std::size_t files = state["policy_files"].list().size();
    line.push_back({files == 0 ? " · no policy in force, " : " · policy: " + count_text(files, "file") + ", "});
    line.push_back({problem_count(problems), any_error(problems) ? Style::Bad : Style::Plain});
    const auto alerts = static_cast<std::size_t>(std::count_if(state["alerts"].list().begin(), state["alerts"].list().end(),
                                                               [](const Value& alert) { return !is_of_policy(alert); }));
    if (alerts > 0) line.push_back({" · " + count_text(alerts, "alert"), Style::Bad});
    return line;
}

void show_alerts(Page& page, const Value& state) {
    for (const Value& alert : state["alerts"].list()) {
        if (is_of_policy(alert)) continue;
        const Style style = alert["severity"].count().value_or(0) <= 3 ? Style::Bad : Style::Warning;
        const std::string object = short_name(alert["object"].text());
        const std::string message = alert["details"]["message"].text();
        page.paragraph(
            20,
            (object.empty() || message.starts_with(object) ? "" : object + ": ") + (message.empty() ? to_text(alert["details"]) : message),
            style, "! " + alert["code"].text());
    }
}

void show_troubles(Page& page, const Value& state) {
    auto problems = problems_of(state["policy_problems"]);
    std::erase_if(problems, [](const Problem& problem) { return problem.severity == Severity::Info; });
    show_problems(page, {problems.begin(), problems.begin() + static_cast<std::ptrdiff_t>(std::min(problems.size(), most_problems_shown))});
    if (problems.size() > most_problems_shown) page.line("… and more: `tierctl policy` lists all " + std::to_string(problems.size()) + '.');
    if (state["policy_kept"].flag()) page.paragraph(2, in_force_sentence(problems, true, state["policy_loaded"]), Style::Warning);
    for (const auto& [what, why] : state["frozen"].map())
        if (!frozen_by_policy(why.text())) page.paragraph(2, frozen_sentence(what, why.text()), Style::Warning);
    if (state["policy_changed"].flag())
        page.paragraph(2, "The policy files have changed: `tierctl check` checks them, `tierctl reload` puts them in force.",
                       Style::Warning);
}

void show_tiers(Page& page, const Context& context, const Value& state) {
    const Table tiers = tier_table(state, false, 2);
    if (tiers.empty()) return;
    page.blank();
    page.line("TIERS", Style::Bold);
    tiers.show(page, context.legend(), context.options().full);
}

void show_snapshots(Page& page, const Context& context, const Value& state) {
    const Table snapshots = snapshot_table(state, 2);
    if (snapshots.empty()) return;
    page.blank();
    page.line("SNAPSHOTS", Style::Bold);
    snapshots.show(page, context.legend(), context.options().full);
}

void show_jobs(Page& page, const Value& state) {
    bool first = true;
    for (const Value& job : state["jobs"].list()) {
        if (job["state"].text() == "finished") continue;
        if (first) {
            page.blank();
            page.line("JOBS", Style::Bold);
        }
        first = false;
        const auto progress = job["progress"].real();
        const std::string& stage = job["stage"].text();
        page.paragraph(2, to_text(job["id"]) + "  " + job["about"].text() + (progress ? ", " + ratio_text(progress) : "") +
                              (stage.empty() ? "" : ": " + stage));
    }
}

/// For somebody who has just installed it.
std::string first_steps(const Value& state) {
    if (state["policy_files"].list().empty())
        return "No policy is in force, so tierd only watches. Declare what is to be fast in /etc/tierd/NAME.yaml (tierd.yaml(5); examples "
               "in "
               "/usr/share/doc/tierd/examples), then `tierctl check` and `tierctl reload`.";
    const auto& entries = state["policy_entries"].map();
    const auto is_asked_for = [](const auto& entry) { return !entry.first.starts_with("device "); };
    if (state["tiers"].list().empty() && std::none_of(entries.begin(), entries.end(), is_asked_for))
        return "The policy asks for no tier, no snapshot and no pool; see tierd.yaml(5).";
    return {};
}

/// What happens next, and who has to do something for it.
std::string next_line(const Value& state, Usec now) {
    const std::string& convergence = state["convergence"].text();
    const std::string& waits_for = state["waits_for"].text();
    const std::string because = waits_for.empty() ? "" : ": " + waits_for;
    if (state["state"].text() == "starting") return "tierd is starting: it looks at this machine for the first time.";
    if (convergence == "waiting") return (waits_for.empty() ? "tierd waits" : waits_for) + ". `tierctl plan` shows more.";
    if (convergence == "drift" && waits_for.empty())
        return "tierd is about to act; `tierctl plan` shows the steps, `tierctl watch` follows them.";
    if (convergence == "blocked" || convergence == "drift")
        return "nothing until somebody decides" + because + ". `tierctl plan` says why, `tierctl explain` shows the evidence.";
    if (convergence == "unknown") return "nothing is changed while the state of this machine is not known" + because + '.';
    const auto next = state["next_pass"].count();
    if (next && *next > now)
        return "nothing to do; tierd looks again in " + format_span(*next - now) + ", or as soon as something changes.";
    return "nothing to do; tierd looks again as soon as something changes.";
}

}  // namespace

int verb_status(Context& context) {
    const Value state = context.gateway().describe();
    if (context.json()) {
        Value::Map document = state.map();
        document.erase("observation");  // dump-observation writes it
        context.show_json(std::move(document));
        return exit_done;
    }
    Page page = context.page();
    page.line(headline(state));
    show_alerts(page, state);
    show_troubles(page, state);
    show_tiers(page, context, state);
    show_snapshots(page, context, state);
    show_jobs(page, state);
    const std::string first = first_steps(state);
    if (!context.options().quiet) {
        page.blank();
        if (state["devices"].list().empty() && first.empty())
            page.paragraph(0, "No disk that could serve is there; tierd notices by itself when one is plugged in.");
        page.paragraph(first.empty() ? 6 : 0, first.empty() ? next_line(state, context.world().now()) : first, Style::Plain,
                       first.empty() ? "Next:" : "");
    }
    context.show(page);
    return exit_done;
}

}  // namespace tierd::client
