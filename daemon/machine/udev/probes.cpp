// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/probes.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "daemon/machine/clock.hpp"

namespace tierd::udev {

namespace {

/// A blank disk is looked at anew after that: it may be taken, and writing does not always make an event.
constexpr Usec fresh_for = 240 * usec_per_second;
/// One that could not be read is tried again after that, then after twice as long each time: a child may hang on a sick disk.
constexpr Usec first_retry = 5 * usec_per_second, last_retry = 320 * usec_per_second;
constexpr Duration probe_limit = std::chrono::seconds{10};
constexpr std::size_t burst = 3;
constexpr Usec quiet_span = usec_per_second / 4;

bool is_used(const BlockDevice& device) {
    return !device.mounts.empty() || device.swap || !device.holders.empty();
}

/// Disks of which a partition is in use, by name.
std::set<std::string> shared_disks(const std::vector<BlockDevice>& devices) {
    std::set<std::string> names;
    for (const auto& device : devices) {
        if (!device.parent.empty() && is_used(device)) names.insert(device.parent);
    }
    return names;
}

/// Device-mapper, loop and RAM devices never serve, and what is in use is refused whatever is on it: reading would only disturb it.
bool wants_probe(const BlockDevice& device, const std::set<std::string>& taken) {
    return !device.virtual_disk && device.size > 0 && !is_used(device) && !taken.contains(device.dev);
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

bool Probes::is_same(const Known& known, const BlockDevice& device) {
    return known.diskseq == device.diskseq && known.changed == device.changed && known.size == device.size;
}

bool Probes::is_known(const BlockDevice& device, bool shared) const {
    const auto found = known_.find(device.node);
    if (found == known_.end() || !is_same(found->second, device)) return false;
    const auto& known = found->second;
    const Usec age = clock_() - known.probed;
    if (!known.probe) return age < std::min(first_retry << std::min(known.failures - 1, 6U), last_retry);
    // It was busy by its partition: unmounting that makes no event.
    if (known.shared && !shared) return false;
    if (!known.probe->signatures.empty()) return true;
    // A blank partition lies on a disk with content, which is left alone.
    return (!device.parent.empty() && !known.probe->busy) || age < fresh_for;
}

bool Probes::is_storm(const BlockDevice& device) {
    auto& times = recent_[device.node];
    const Usec time = monotonic_time();
    std::erase_if(times, [&](Usec each) { return each + usec_per_second < time; });
    const Usec clock = real_time();
    if (times.size() >= burst && device.changed + quiet_span > clock) return true;
    times.push_back(time);
    return false;
}

void Probes::fill(std::vector<BlockDevice> devices, const std::set<std::string>& taken,
                  std::function<void(std::vector<BlockDevice>)> done) {
    const auto round = std::make_shared<Round>();
    round->devices = std::move(devices);
    round->done = std::move(done);
    const auto shared = shared_disks(round->devices);
    const auto finish = [this, round, taken, shared] {
        if (--round->open != 0) return;
        for (auto& device : round->devices) {
            const auto found = known_.find(device.node);
            if (found != known_.end() && wants_probe(device, taken) && is_known(device, shared.contains(device.name)))
                device.probe = found->second.probe;
        }
        round->done(std::move(round->devices));
    };
    std::map<std::string, Known> kept;
    std::map<std::string, std::vector<Usec>> recent;
    for (const auto& device : round->devices) {
        // What is in use now may be anything when it is free again.
        if (const auto found = known_.find(device.node); found != known_.end() && !is_used(device)) kept.insert(*found);
        if (const auto found = recent_.find(device.node); found != recent_.end()) recent.insert(*found);
    }
    recent_ = std::move(recent);
    known_ = std::move(kept);
    for (const auto& device : round->devices) {
        if (!wants_probe(device, taken) || is_known(device, shared.contains(device.name)) || is_storm(device)) continue;
        ++round->open;
        Known known{device.diskseq, device.changed, clock_(), device.size, shared.contains(device.name), 1, std::nullopt};
        if (const auto found = known_.find(device.node); found != known_.end() && is_same(found->second, device) && !found->second.probe)
            known.failures += found->second.failures;
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
