// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/probes.hpp"

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

namespace tierd::udev {

namespace {

constexpr Usec fresh_for = 240 * usec_per_second;
/// One that could not be read is tried again after that, or when udev speaks of it.
constexpr Usec failed_for = 30 * usec_per_second;
constexpr Duration probe_limit = std::chrono::seconds{10};
constexpr std::size_t burst = 3;
constexpr Usec quiet_span = usec_per_second / 4;

Usec now() {
    return static_cast<Usec>(
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}

Usec steady_now() {
    return static_cast<Usec>(
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

/// Device-mapper, loop and RAM devices never serve.
bool wants_probe(const BlockDevice& device, const std::set<std::string>& taken) {
    return !device.virtual_disk && device.size > 0 && !taken.contains(device.dev);
}

}  // namespace

std::optional<Probe> parse_probe(const std::string& text) {
    const auto in = nlohmann::json::parse(text, nullptr, false);
    if (!in.is_object() || !in.contains("busy") || !in.contains("ambivalent") || !in.contains("signatures")) return std::nullopt;
    if (!in["busy"].is_boolean() || !in["ambivalent"].is_boolean() || !in["signatures"].is_array()) return std::nullopt;
    Probe probe;
    probe.busy = in["busy"].get<bool>();
    probe.ambivalent = in["ambivalent"].get<bool>();
    for (const auto& each : in["signatures"]) {
        if (!each.is_object() || !each.value("type", nlohmann::json{}).is_string()) return std::nullopt;
        Signature signature;
        signature.type = each["type"].get<std::string>();
        if (each.contains("usage") && each["usage"].is_string()) signature.usage = each["usage"].get<std::string>();
        if (each.contains("offset") && each["offset"].is_number_unsigned()) signature.offset = each["offset"].get<Bytes>();
        probe.signatures.push_back(std::move(signature));
    }
    return probe;
}

struct Probes::Round {
    std::vector<BlockDevice> devices;
    std::function<void(std::vector<BlockDevice>)> done;
    std::size_t open = 1;  // itself, until all children are started
};

bool Probes::is_known(const BlockDevice& device) const {
    const auto found = known_.find(device.node);
    if (found == known_.end()) return false;
    const auto& known = found->second;
    return known.diskseq == device.diskseq && known.changed == device.changed && known.size == device.size &&
           known.probed + (known.probe ? fresh_for : failed_for) > steady_now();
}

bool Probes::is_storm(const BlockDevice& device) {
    auto& times = recent_[device.node];
    const Usec time = steady_now();
    std::erase_if(times, [&](Usec each) { return each + usec_per_second < time; });
    const Usec clock = now();
    if (times.size() >= burst && device.changed + quiet_span > clock) return true;
    times.push_back(time);
    return false;
}

void Probes::fill(std::vector<BlockDevice> devices, const std::set<std::string>& taken,
                  std::function<void(std::vector<BlockDevice>)> done) {
    const auto round = std::make_shared<Round>();
    round->devices = std::move(devices);
    round->done = std::move(done);
    const auto finish = [this, round, taken] {
        if (--round->open != 0) return;
        for (auto& device : round->devices) {
            const auto found = known_.find(device.node);
            if (found != known_.end() && wants_probe(device, taken) && is_known(device)) device.probe = found->second.probe;
        }
        round->done(std::move(round->devices));
    };
    std::map<std::string, Known> kept;
    std::map<std::string, std::vector<Usec>> recent;
    for (const auto& device : round->devices) {
        if (const auto found = known_.find(device.node); found != known_.end()) kept.insert(*found);
        if (const auto found = recent_.find(device.node); found != recent_.end()) recent.insert(*found);
    }
    recent_ = std::move(recent);
    known_ = std::move(kept);
    for (const auto& device : round->devices) {
        if (!wants_probe(device, taken) || is_known(device) || is_storm(device)) continue;
        ++round->open;
        Known known{device.diskseq, device.changed, steady_now(), device.size, std::nullopt};
        runner_.run({{tool_, "probe", device.node}, probe_limit},
                    [this, node = device.node, known, finish](const CommandResult& result) mutable {
                        if (result.ok()) known.probe = parse_probe(result.output);
                        known_[node] = known;
                        finish();
                    });
    }
    finish();
}

void Probes::forget(const std::string& node) {
    known_.erase(node);
}

}  // namespace tierd::udev
