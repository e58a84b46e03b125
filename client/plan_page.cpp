// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/plan_page.hpp"

#include "client/figures.hpp"

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

/// "media: lvm_hdd/hdd (10-media.yaml:12)".
Line heading(const Value& step) {
    Line line{{name_of_group(step), Style::Bold}};
    const std::string& target = step["target"].text();
    const std::string& rule = step["rule"].text();
    if (!target.empty() && target != name_of_group(step)) line.push_back({": " + target});
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

void show_step(Page& page, const Value& step, bool commands, std::string& last_reason) {
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
        if (step["needs-person"].flag()) text += " [waits for `tierctl apply`]";
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

void show_plan(Page& page, const PlanReply& plan, bool commands) {
    std::string group, last_reason;
    for (const Value& step : plan.steps) {
        const std::string here = step["entry"].text() + '\n' + step["rule"].text();
        if (&step == &plan.steps.front() || here != group) {
            page.line(heading(step));
            group = here;
            last_reason.clear();
        }
        show_step(page, step, commands, last_reason);
    }
}

}  // namespace tierd::client
