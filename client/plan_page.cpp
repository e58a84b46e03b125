// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/plan_page.hpp"

#include "client/figures.hpp"
#include "client/problems.hpp"

namespace tierd::client {
namespace {

constexpr std::size_t text_column = 5;  // behind "  1  "

bool is_to_do(const Value& step) {
    return step["state"].text() == "ready" || (step["state"].text() == "waiting" && step["needs-person"].flag());
}

std::string name_of_group(const Value& step) {
    const std::string& entry = step["entry"].text();
    return entry.empty() ? step["target"].text() : short_name(entry);
}

bool same_group(const Value& step, const Value& other) {
    return step["entry"].text() == other["entry"].text() && step["rule"].text() == other["rule"].text();
}

/// "media: lvm_hdd/hdd (10-media.yaml:12)": what the last of these steps is about is what all of them are for.
Line heading(const Value& first, const Value& last) {
    Line line{{name_of_group(first), Style::Bold}};
    const std::string& target = last["target"].text();
    const std::string& rule = first["rule"].text();
    if (!target.empty() && target != name_of_group(first)) line.push_back({": " + target});
    if (!rule.empty()) line.push_back({" (" + rule + ')', Style::Dim});
    return line;
}

/// As a person would type it: what a shell would take apart is quoted.
std::string command_line(const Value::List& command) {
    std::string line;
    for (const Value& word : command) {
        const std::string& text = word.text();
        const bool plain =
            !text.empty() &&
            text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^") == std::string::npos;
        std::string quoted;
        for (const char c : text) quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
        line += (line.empty() ? "" : " ") + (plain ? text : '\'' + quoted + '\'');
    }
    return line;
}

void show_step(Page& page, const Value& step, bool commands, bool mixed, std::string& last_reason) {
    const std::string& state = step["state"].text();
    const std::string& sentence = step["sentence"].text();
    const std::string& reason = step["reason"].text();
    const std::string number = "  " + to_text(step["id"]);
    if (state == "refused" || state == "unsupported") {
        const std::string what = state == "refused" ? "refused: " : "not by this version: ";
        page.paragraph(text_column, what + sentence, Style::Bad, number);
    } else if (is_to_do(step)) {
        const std::string& risk = step["risk"].text();
        std::string text = sentence;
        if (risk == "destructive" || risk == "disruptive") text += " [" + risk + ']';
        if (step["assumed"].flag()) text += " [once what is waited for has come true]";
        if (mixed && step["needs-person"].flag()) text += " [waits for `tierctl apply`]";
        page.paragraph(text_column, text, risk == "destructive" ? Style::Bad : Style::Plain, number);
    } else {
        page.paragraph(text_column, sentence.starts_with("wait") ? sentence : "wait: " + sentence, Style::Warning, number);
    }
    // Neighbours often share one reason: it is said once.
    if (!reason.empty() && reason != last_reason && reason != sentence) page.paragraph(text_column, reason, Style::Dim);
    last_reason = reason;
    if (commands && !step["command"].list().empty())
        page.line(Line{{std::string(text_column, ' ')}, {"$ " + command_line(step["command"].list()), Style::Dim}});
}

}  // namespace

PlanSummary summarize(const PlanReply& plan) {
    PlanSummary summary;
    for (const Value& step : plan.steps) {
        const std::string& state = step["state"].text();
        if (state == "refused")
            ++summary.refused;
        else if (state == "unsupported")
            ++summary.unsupported;
        else if (!is_to_do(step))
            ++summary.waiting;
        else
            ++(step["needs-person"].flag() ? summary.by_person : summary.automatic);
    }
    return summary;
}

void show_hindrances(Page& page, const Value& manager) {
    if (manager["ObserveOnly"].flag())
        page.paragraph(0, "tierd observes only (--dry-run, or a container): it does none of this, nor does `tierctl apply`.",
                       Style::Warning);
    for (const auto& [what, why] : manager["Frozen"].map())
        if (is_pause(why.text())) page.paragraph(0, frozen_sentence(what, why.text()) + ": nothing is done there.", Style::Warning);
}

void show_plan(Page& page, const PlanReply& plan, bool commands) {
    const PlanSummary summary = summarize(plan);
    const bool mixed = summary.automatic > 0 && summary.by_person > 0;
    for (std::size_t first = 0, last = 0; first < plan.steps.size(); first = last + 1) {
        last = first;
        while (last + 1 < plan.steps.size() && same_group(plan.steps[first], plan.steps[last + 1])) ++last;
        page.line(heading(plan.steps[first], plan.steps[last]));
        std::string last_reason;
        for (std::size_t i = first; i <= last; ++i) show_step(page, plan.steps[i], commands, mixed, last_reason);
    }
}

}  // namespace tierd::client
