// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/scalars.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>

#include "config/words.hpp"

namespace tierd::config {

namespace {

constexpr Bytes most_bytes = 8192 * pib;  // 8 EiB: what LVM and the kernel count in
constexpr std::size_t most_decimals = 9;
constexpr std::size_t most_shown_digits = 15;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string upper(std::string_view text) {
    std::string out{text};
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return out;
}

// digits[.digits], and what stands behind it.
struct Number {
    std::string_view whole, decimals, rest;
    bool well_formed = false;
    [[nodiscard]] std::string digits() const {
        return decimals.empty() ? std::string{whole} : std::string{whole} + '.' + std::string{decimals};
    }
};

Number split_number(std::string_view text) {
    const auto end_of_digits = [&](std::size_t from) {
        while (from < text.size() && is_digit(text[from])) ++from;
        return from;
    };
    Number number;
    const auto point = end_of_digits(0);
    number.whole = text.substr(0, point);
    auto end = point;
    if (point < text.size() && text[point] == '.') {
        end = end_of_digits(point + 1);
        number.decimals = text.substr(point + 1, end - point - 1);
        number.well_formed = !number.decimals.empty();
    } else {
        number.well_formed = true;
    }
    number.rest = text.substr(end);
    number.well_formed = number.well_formed && !number.whole.empty();
    return number;
}

bool has_leading_zero(std::string_view digits) {
    return digits.size() > 1 && digits[0] == '0';
}

std::string without_zeros(std::string_view digits) {
    const auto first = digits.find_first_not_of('0');
    return first == std::string_view::npos ? "0" : std::string{digits.substr(first)};
}

/// Why a text that should begin with a number does not; "" when that is not what is wrong.
std::string number_complaint(std::string_view text, const Number& number, std::string_view example) {
    const std::string instead = "; write " + std::string{example};
    if (text.empty()) return "is empty" + instead;
    if (text[0] == '+' || text[0] == '-') return "has a sign" + instead;
    if (number.rest.starts_with(',')) return "has a comma; the decimal sign is a point";
    if (number.rest.starts_with('.') || (!number.well_formed && number.rest.data() != text.data()))
        return "is not a number: one decimal point, digits on both sides" + instead;
    if (!number.well_formed) return "does not begin with a number" + instead;
    if (has_leading_zero(number.whole))
        return "has a leading zero; write " + without_zeros(number.whole) + std::string{text.substr(number.whole.size())};
    return "";
}

// whole.decimals * unit, rounded up; nullopt when it is more than 8 EiB.
std::optional<Bytes> multiply(const Number& number, Bytes unit) {
    Bytes whole = 0;
    const auto* end = number.whole.data() + number.whole.size();
    if (std::from_chars(number.whole.data(), end, whole).ec != std::errc{} || whole > most_bytes / unit) return std::nullopt;
    // unit < 2^51 and a fraction of at most 9 digits: the product is below 2^81, so it is taken digit by digit.
    Bytes fraction = 0;
    Bytes rest = 0;
    for (auto digit = number.decimals.rbegin(); digit != number.decimals.rend(); ++digit) {
        const Bytes sum = static_cast<Bytes>(*digit - '0') * unit + fraction;
        rest = std::max<Bytes>(rest, sum % 10 != 0 ? 1 : 0);
        fraction = sum / 10;
    }
    const Bytes total = whole * unit + fraction + rest;
    return total > most_bytes ? std::nullopt : std::optional{total};
}

struct Unit {
    std::string_view letter;
    Bytes size;
    double decimal;
};
constexpr std::array<Unit, 5> units{{{"K", kib, 1e3}, {"M", mib, 1e6}, {"G", gib, 1e9}, {"T", tib, 1e12}, {"P", pib, 1e15}}};

std::optional<Bytes> unit_size(std::string_view unit) {
    if (unit == "B") return 1;
    for (const auto& known : units) {
        const std::string letter{known.letter};
        if (unit == letter + "iB" || upper(unit) == letter) return known.size;
    }
    return std::nullopt;
}

std::string fixed(double value, int decimals) {
    std::array<char, 64> buffer{};
    char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
    std::string text{buffer.data(), end};
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

// "220GB": base 2 to LVM, base 10 to whoever sold the disk.
std::string ambiguous_unit(const std::string& digits, const Unit& unit) {
    const std::string binary = std::string{unit.letter} + "iB";
    const std::string decimal = std::string{unit.letter} + 'B';
    if (digits.size() > most_shown_digits) return "is ambiguous; write it in " + binary;
    double value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const double more = value * static_cast<double>(unit.size) / unit.decimal;
    const double fewer = value * unit.decimal / static_cast<double>(unit.size);
    return "is ambiguous; write " + digits + binary + " (" + fixed(more, more < 100 ? 1 : 0) + ' ' + decimal + ") or " + fixed(fewer, 1) +
           binary + " (" + digits + ' ' + decimal + ')';
}

std::string unit_complaint(const Number& number, std::string_view unit) {
    const std::string digits = number.digits();
    if (unit.starts_with('%')) return "is a share, and a size is wanted here; write one like 10GiB";
    const auto first = unit.find_first_not_of(' ');
    if (first == std::string_view::npos) return "has no unit; write " + digits + "GiB, " + digits + "MiB or another of KiB, TiB, PiB, B";
    if (const auto bare = unit.substr(first, unit.find_last_not_of(' ') + 1 - first); bare.size() != unit.size()) {
        return "has blanks where none belong; write " + digits + escape(bare);
    }
    const std::string capital = upper(unit);
    const std::string instead = "has an unknown unit; write " + digits;
    if (capital == "B") return instead + 'B';
    for (const auto& known : units) {
        if (!capital.starts_with(known.letter)) continue;
        const auto rest = std::string_view{capital}.substr(1);
        if (rest == "B") return ambiguous_unit(digits, known);
        if (rest == "IB" || rest == "I") return instead + std::string{known.letter} + "iB";
    }
    return "has an unknown unit; one of KiB, MiB, GiB, TiB, PiB, or B";
}

std::optional<unsigned> parse_time(std::string_view text) {
    if (text.size() != 5 || text[2] != ':') return std::nullopt;
    if (!is_digit(text[0]) || !is_digit(text[1]) || !is_digit(text[3]) || !is_digit(text[4])) return std::nullopt;
    const auto two = [&](std::size_t at) { return static_cast<unsigned>(text[at] - '0') * 10 + static_cast<unsigned>(text[at + 1] - '0'); };
    if (two(0) > 23 || two(3) > 59) return std::nullopt;
    return two(0) * 60 + two(3);
}

constexpr std::array<std::string_view, 7> day_names{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

std::optional<unsigned> day_number(std::string_view name) {
    const auto found = std::find(day_names.begin(), day_names.end(), name);
    if (found == day_names.end()) return std::nullopt;
    return static_cast<unsigned>(found - day_names.begin());
}

// "Sun" or "Mon..Fri"; a range may run over the week's end.
std::optional<unsigned> parse_days(std::string_view text) {
    const auto dots = text.find("..");
    const auto first = day_number(text.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : day_number(text.substr(dots + 2));
    if (!first || !last) return std::nullopt;
    unsigned days = 0;
    for (unsigned day = *first;; day = (day + 1) % 7) {
        days |= 1U << day;
        if (day == *last) return days;
    }
}

}  // namespace

Parsed<Bytes> parse_size(std::string_view text) {
    const auto number = split_number(text);
    if (auto complaint = number_complaint(text, number, "a size like 10GiB"); !complaint.empty())
        return {std::nullopt, std::move(complaint)};
    auto unit = number.rest;
    if (unit.size() > 1 && unit[0] == ' ' && unit[1] != ' ') unit.remove_prefix(1);
    const auto size = unit_size(unit);
    if (!size) return {std::nullopt, unit_complaint(number, unit)};
    if (*size == 1 && !number.decimals.empty()) return {std::nullopt, "is a part of a byte"};
    if (number.decimals.size() > most_decimals) return {std::nullopt, "has more than 9 decimals"};
    const auto value = multiply(number, *size);
    if (!value) return {std::nullopt, "is more than 8 EiB, the most that LVM can count"};
    if (*value == 0) return {std::nullopt, "is zero; leave the key out for the default"};
    return {value, ""};
}

Parsed<Percent> parse_percent(std::string_view text) {
    const auto number = split_number(text);
    if (auto complaint = number_complaint(text, number, "a share like 40%"); !complaint.empty())
        return {std::nullopt, std::move(complaint)};
    if (number.rest.empty()) return {std::nullopt, "has no unit; write " + number.digits() + '%'};
    if (number.rest == " %") return {std::nullopt, "has a space; write " + number.digits() + '%'};
    if (number.rest != "%") return {std::nullopt, "is not a percentage; write one like 40%"};
    if (number.decimals.size() > 2) return {std::nullopt, "has more than two decimals"};
    std::uint32_t hundredths = 0;
    const std::string scaled = std::string{number.whole} + std::string{number.decimals} + std::string(2 - number.decimals.size(), '0');
    const bool fits = std::from_chars(scaled.data(), scaled.data() + scaled.size(), hundredths).ec == std::errc{};
    if (!fits || hundredths > 10'000) return {std::nullopt, "is more than 100%"};
    return {Percent{hundredths}, ""};
}

Parsed<SizeSpec> parse_size_or_share(std::string_view text, std::string_view whole) {
    const auto number = split_number(text);
    if (!number.rest.starts_with('%')) {
        auto size = parse_size(text);
        if (!size.value) return {std::nullopt, std::move(size.complaint)};
        return {SizeSpec{*size.value}, ""};
    }
    auto share = parse_percent(std::string{text.substr(0, text.size() - number.rest.size() + 1)});
    if (number.rest.size() > 1 && share.value) {
        return {std::nullopt, "is a share as LVM spells it; write " + number.digits() + "%, which is of " + std::string{whole} + " here"};
    }
    if (!share.value) return {std::nullopt, std::move(share.complaint)};
    if (share.value->hundredths == 0) return {std::nullopt, "is zero; leave the key out for the default"};
    return {SizeSpec{*share.value}, ""};
}

Parsed<std::uint64_t> parse_count(std::string_view text, std::uint64_t least, std::uint64_t most) {
    const std::string range = "a whole number, " + std::to_string(least) + " to " + std::to_string(most);
    if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return {std::nullopt, "is not " + range + ", in decimal digits"};
    if (has_leading_zero(text)) return {std::nullopt, "has a leading zero; write " + without_zeros(text)};
    std::uint64_t value = 0;
    const bool fits = std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{};
    if (!fits || value < least || value > most) return {std::nullopt, "is not " + range};
    return {value, ""};
}

Parsed<bool> parse_flag(std::string_view text) {
    if (text == "true") return {true, ""};
    if (text == "false") return {false, ""};
    const std::string word = upper(text);
    const auto is = [&](std::initializer_list<std::string_view> words) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (is({"YES", "ON", "TRUE", "Y", "1"})) return {std::nullopt, "is not true or false; write true"};
    if (is({"NO", "OFF", "FALSE", "N", "0"})) return {std::nullopt, "is not true or false; write false"};
    return {std::nullopt, "is not true or false"};
}

Parsed<Schedule> parse_schedule(std::string_view text) {
    using Every = Schedule::Every;
    if (text == "hourly") return {Schedule{Every::Hour, 0, 0x7f}, ""};
    if (text == "daily") return {Schedule{Every::Day, 0, 0x7f}, ""};
    if (text == "weekly") return {Schedule{Every::Week, 0, 0x01}, ""};
    if (text == "monthly") return {Schedule{Every::Month, 0, 0x7f}, ""};
    const auto space = text.find(' ');
    const auto time = parse_time(space == std::string_view::npos ? text : text.substr(space + 1));
    const auto days = space == std::string_view::npos ? std::optional{0x7fU} : parse_days(text.substr(0, space));
    if (time && days) return {Schedule{Every::Day, *time, *days}, ""};
    const std::vector<std::string_view> words{"hourly", "daily", "weekly", "monthly"};
    if (const auto near = nearest(text, words); !near.empty()) return {std::nullopt, "is not a schedule" + suggestion(text, words)};
    return {std::nullopt, R"(is not a schedule; one of hourly, daily, weekly, monthly, "02:30", "Mon..Fri 02:30", "Sun 04:00")"};
}

Parsed<DrainWindow> parse_window(std::string_view text) {
    const auto dash = text.find('-');
    const auto from = parse_time(text.substr(0, dash));
    const auto to = dash == std::string_view::npos ? std::nullopt : parse_time(text.substr(dash + 1));
    if (!from || !to) return {std::nullopt, R"(is not a window; write "01:00-06:00")"};
    if (*from == *to) return {std::nullopt, "begins when it ends; leave the key out for any time"};
    return {DrainWindow{*from, *to}, ""};
}

}  // namespace tierd::config
