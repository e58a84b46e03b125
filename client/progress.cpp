// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/progress.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "client/figures.hpp"
#include "client/page.hpp"
#include "client/text.hpp"

namespace tierd::client {
namespace {

constexpr std::size_t bar_columns = 30;

std::string progress_bar(double ratio) {
    const auto halves = static_cast<std::size_t>(std::lround(std::clamp(ratio, 0.0, 1.0) * bar_columns * 2));
    std::string bar;
    for (std::size_t i = 0; i < bar_columns; ++i) bar += i < halves / 2 ? "━" : i == halves / 2 && halves % 2 == 1 ? "╸" : "─";
    return bar;
}

}  // namespace

std::string Progress::line(const Value& job, Usec now) const {
    std::string text;
    if (job["ProgressValid"].flag()) {
        const auto ratio = job["Progress"].real();
        text = ' ' + progress_bar(ratio.value_or(0)) + "  " + ratio_text(ratio);
        const auto total = job["BytesTotal"].count();
        if (job["BytesDone"].count() && total && *total > 0)
            text += "  " + size_text(job["BytesDone"]) + " of " + size_text(job["BytesTotal"]);
        const auto end = job["ExpectedEndUSec"].count();
        if (end && *end > now) text += "  " + format_span(*end - now) + " left";
    }
    const std::string stage = printable(job["Stage"].text());
    if (!stage.empty()) text += "  " + stage;
    return text;
}

void Progress::update(const Value& job, Usec now) {
    if (quiet_) return;
    const std::string& stage = job["Stage"].text();
    if (!terminal_.err_is_tty) {
        if (!stage.empty() && stage != stage_) err_ << printable(stage) << std::endl;
        stage_ = stage;
        return;
    }
    std::string text = line(job, now);
    if (terminal_.columns > 0) text = shorten(text, terminal_.columns - 1);
    err_ << "\r\x1b[K" << (terminal_.utf8 ? text : to_ascii(text)) << std::flush;
    drawn_ = true;
}

void Progress::clear() {
    if (drawn_) err_ << "\r\x1b[K" << std::flush;
    drawn_ = false;
}

}  // namespace tierd::client
