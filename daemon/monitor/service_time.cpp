// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/monitor/service_time.hpp"

#include <algorithm>
#include <cmath>

namespace tierd {

namespace {

/// Times slower than the origin, to be found so, and to be no longer.
constexpr double begin_factor = 1.5;
constexpr double end_factor = 1.1;

/// The kernel measures in its ticks, of 10 ms at most: one I/O of 0.1 ms counts as nothing or as a whole tick. The mean of many is right,
/// and how far it may be off follows from how many.
constexpr double tick = 10'000;

double mean(const Served& served) {
    return static_cast<double>(served.time) / static_cast<double>(served.ios);
}

double mean_a_byte(const Served& served) {
    return static_cast<double>(served.time) / static_cast<double>(std::max<Bytes>(served.bytes, 1));
}

/// Of the mean: its variance, as far as ticks make it vary.
double variance(const Served& served) {
    return std::min(mean(served) * tick, tick * tick / 4) / static_cast<double>(served.ios);
}

/// A cache moves whole chunks beside what the volume asks for, so the I/Os of the two differ in size. A disk that takes longer for each
/// I/O and for each byte is slower whatever their size.
bool is_slower(const Served& tier, const Served& origin, double factor) {
    const double doubt = 3 * std::sqrt(variance(tier) + variance(origin));
    return mean(tier) > factor * mean(origin) && mean(tier) - mean(origin) > doubt && mean_a_byte(tier) > factor * mean_a_byte(origin);
}

/// It was made anew meanwhile.
bool fell(const DeviceService& before, const DeviceService& now) {
    return now.read.ios < before.read.ios || now.write.ios < before.write.ios;
}

Served difference(const Served& before, const Served& now) {
    return {now.ios - before.ios, now.bytes - before.bytes, now.time - std::min(before.time, now.time)};
}

std::optional<double> mean_of(const Served& served) {
    return served.ios == 0 ? std::nullopt : std::optional{mean(served)};
}

Served DeviceService::*member(ServiceWatch::Direction direction) {
    return direction == ServiceWatch::Direction::Read ? &DeviceService::read : &DeviceService::write;
}

}  // namespace

void ServiceWatch::add(Usec time, const CacheService& service) {
    if (!window_.empty() && (fell(window_.last().tier, service.tier) || fell(window_.last().origin, service.origin))) window_.clear();
    window_.add(time, service);
    judge(Direction::Read);
    judge(Direction::Write);
}

Served ServiceWatch::since(Served DeviceService::*direction, DeviceService CacheService::*device) const {
    if (window_.empty()) return {};
    return difference(window_.first().*device.*direction, window_.last().*device.*direction);
}

ServiceWatch::Means ServiceWatch::means(Direction direction) const {
    return {mean_of(since(member(direction), &CacheService::tier)), mean_of(since(member(direction), &CacheService::origin))};
}

void ServiceWatch::judge(Direction direction) {
    const auto tier = since(member(direction), &CacheService::tier);
    const auto origin = since(member(direction), &CacheService::origin);
    if (window_.covers() < span || tier.ios < least_ios || origin.ios < least_ios) return;
    auto& found = slower_.at(static_cast<std::size_t>(direction));
    if (is_slower(tier, origin, found ? end_factor : begin_factor)) {
        found = means(direction);
    } else {
        found.reset();
    }
}

}  // namespace tierd
