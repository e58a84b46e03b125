// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/findings.hpp"

#include <algorithm>

#include "client/text.hpp"

namespace tierd::client {
namespace {

struct Verdict {
    const char* word;
    Style style;
};

Verdict verdict_of(const Value& finding) {
    const std::string& verdict = finding["verdict"].text();
    if (verdict == "yes") return {"yes", Style::Good};
    if (verdict == "no") return {"NO", Style::Bad};
    if (verdict == "note") return {"", Style::Plain};
    return {"?", Style::Warning};
}

}  // namespace

void show_findings(Page& page, const Value::List& findings) {
    constexpr std::size_t widest_question = 34, verdict_columns = 5;
    std::size_t questions = 0;
    for (const Value& finding : findings) questions = std::max(questions, width_of(printable(finding["question"].text())));
    questions = std::min(questions, widest_question) + 4;  // with the indent before and the gap behind

    std::string subject, rule;
    for (const Value& finding : findings) {
        if (finding["subject"].text() != subject || &finding == &findings.front()) {
            subject = finding["subject"].text();
            rule.clear();
            page.line(subject, Style::Bold);
        }
        if (!finding["rule"].text().empty() && finding["rule"].text() != rule) {
            rule = finding["rule"].text();
            page.line(Line{{"  by "}, {rule, Style::Dim}});
        }
        const Verdict verdict = verdict_of(finding);
        std::string label = "  " + printable(finding["question"].text());
        const std::size_t used = width_of(label);
        label += std::string(used + 2 <= questions ? questions - used : 2, ' ') + verdict.word;
        page.paragraph(questions + verdict_columns, finding["evidence"].text(), verdict.style == Style::Good ? Style::Plain : verdict.style,
                       label);
        if (!finding["advice"].text().empty()) page.paragraph(questions + verdict_columns, finding["advice"].text(), Style::Dim);
    }
}

}  // namespace tierd::client
