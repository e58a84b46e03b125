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
/// So many probes of one disk in so long at most, however often udev speaks of it.
constexpr std::size_t burst = 3;
constexpr Usec burst_span = 3 * usec_per_second;

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
        if (each.contains("uuid") && each["uuid"].is_string()) signature.uuid = each["uuid"].get<std::string>();
        if (each.contains("vg") && each["vg"].is_string()) signature.vg = each["vg"].get<std::string>();
        if (each.contains("writeback") && each["writeback"].is_boolean()) signature.writeback = each["writeback"].get<bool>();
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

bool Probes::may_probe(const BlockDevice& device) {
    auto& times = recent_[device.node];
    const Usec now = clock_();
    std::erase_if(times, [&](Usec each) { return each + burst_span <= now; });
    if (times.size() >= burst) {
        const Usec due = times.front() + burst_span - now;
        if (!due_ || due < due_in_) {
            due_in_ = due;
            due_ = loop_.after(Duration{due}, [this] {
                due_.reset();
                on_due_();
            });
        }
        return false;
    }
    times.push_back(now);
    return true;
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
        if (!wants_probe(device, taken) || is_known(device, shared.contains(device.name)) || !may_probe(device)) continue;
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
