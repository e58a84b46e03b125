// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/udev/health.hpp"

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

namespace tierd::udev {

namespace {

using nlohmann::json;

constexpr Usec ask_every = 3600 * usec_per_second;
constexpr Duration ask_limit = std::chrono::seconds{10};

/// Nothing where the path ends before its end; json's own at() throws, and its [] makes.
const json* find(const json& in, std::initializer_list<const char*> path) {
    const json* at = &in;
    for (const auto* key : path) {
        if (!at->is_object() || !at->contains(key)) return nullptr;
        at = &at->at(key);
    }
    return at;
}

std::optional<unsigned> number(const json* value) {
    constexpr std::uint64_t most = 1'000'000;
    if (value == nullptr || !value->is_number_unsigned() || value->get<std::uint64_t>() > most) return std::nullopt;
    return value->get<unsigned>();
}

/// NVM Express Base Specification, SMART / Health Information log: Critical Warning. A hot disk is no failing one.
constexpr unsigned too_hot = 0x02;
constexpr std::array<std::pair<unsigned, const char*>, 6> warnings{{{0x01, "its spare blocks are used up"},
                                                                    {too_hot, "its temperature is out of bounds"},
                                                                    {0x04, "its reliability is degraded"},
                                                                    {0x08, "it has turned read-only"},
                                                                    {0x10, "the backup of its memory has failed"},
                                                                    {0x20, "its persistent memory has turned read-only"}}};

std::string hexadecimal(unsigned value) {
    constexpr const char* digits = "0123456789abcdef";
    return std::string{"0x"} + digits[value >> 4U & 0xfU] + digits[value & 0xfU];
}

DiskHealth by_warning(unsigned warning) {
    DiskHealth health;
    health.failing = (warning & ~too_hot) != 0;
    for (const auto& [bit, text] : warnings) {
        if ((warning & bit) != 0) health.evidence += (health.evidence.empty() ? "" : ", ") + std::string{text};
    }
    if (warning != 0)
        health.evidence += (health.evidence.empty() ? "it gives a " : " (") + ("NVMe critical warning " + hexadecimal(warning)) +
                           (health.evidence.empty() ? "" : ")");
    return health;
}

/// ACS-4, Solid State Device Statistics (page 7): Percentage Used Endurance Indicator.
std::optional<unsigned> ata_wear(const json& in) {
    const auto* pages = find(in, {"ata_device_statistics", "pages"});
    if (pages == nullptr || !pages->is_array()) return std::nullopt;
    for (const auto& page : *pages) {
        const auto* table = find(page, {"table"});
        if (number(find(page, {"number"})) != 7U || table == nullptr || !table->is_array()) continue;
        for (const auto& row : *table) {
            const auto* valid = find(row, {"flags", "valid"});
            if (number(find(row, {"offset"})) == 8U && valid != nullptr && *valid == true) return number(find(row, {"value"}));
        }
    }
    return std::nullopt;
}

bool is_asked(const BlockDevice& device) {
    return !device.virtual_disk && device.parent.empty() && device.size > 0 && device.kind != DiskKind::Hdd;
}

}  // namespace

std::optional<DiskHealth> parse_health(const std::string& text) {
    const auto in = json::parse(text, nullptr, false);
    const auto* passed = find(in, {"smart_status", "passed"});
    if (passed == nullptr || !passed->is_boolean()) return std::nullopt;
    const auto warning = number(find(in, {"nvme_smart_health_information_log", "critical_warning"}));
    DiskHealth health;
    if (warning) {
        health = by_warning(*warning & 0xffU);
    } else {
        health.failing = !passed->get<bool>();
        const auto* scsi = find(in, {"smart_status", "scsi", "ie_string"});
        health.evidence = health.failing ? "its SMART status is failed" : "";
        if (health.failing && scsi != nullptr && scsi->is_string()) health.evidence += " (" + scsi->get<std::string>() + ')';
    }
    health.wear = number(find(in, {"nvme_smart_health_information_log", "percentage_used"}));
    if (!health.wear) health.wear = ata_wear(in);
    return health;
}

void Healths::ask(const std::vector<BlockDevice>& devices, std::function<void()> done) {
    std::map<std::string, Known> kept;
    for (const auto& device : devices) {
        const auto found = known_.find(device.node);
        if (found != known_.end() && found->second.diskseq == device.diskseq) kept.insert(*found);
    }
    known_ = std::move(kept);
    const auto open = std::make_shared<std::size_t>(1);  // itself, until all children are started
    const auto finish = [open, done = std::move(done)] {
        if (--*open == 0) done();
    };
    for (const auto& device : devices) {
        if (tool_.empty() || !is_asked(device)) continue;
        const auto [entry, is_new] = known_.try_emplace(device.node, Known{device.diskseq, clock_(), std::nullopt});
        if (is_new) {
            ++*open;
            ask_one(device, finish);
        } else if (clock_() - entry->second.asked >= ask_every) {
            entry->second.asked = clock_();
            ask_one(device, [this, node = device.node, before = entry->second] {
                const auto now = known_.find(node);
                if (now != known_.end() && now->second.diskseq == before.diskseq && now->second.health != before.health) on_change_();
            });
        }
    }
    finish();
}

void Healths::set(std::vector<BlockDevice>& devices) const {
    for (auto& device : devices) {
        const auto found = known_.find(device.node);
        if (found != known_.end() && found->second.diskseq == device.diskseq) device.health = found->second.health;
    }
}

void Healths::ask_one(const BlockDevice& device, std::function<void()> answered) {
    // Its exit status is no verdict: a set of bits, most of which say how the disk is.
    runner_.run({{tool_, "--json=c", "-H", "-A", "-l", "ssd", device.node}, ask_limit},
                [this, node = device.node, diskseq = device.diskseq, answered = std::move(answered)](const CommandResult& result) {
                    const auto known = known_.find(node);
                    auto said = parse_health(result.output);
                    // What a disk has said is not unsaid by its silence.
                    if (said && known != known_.end() && known->second.diskseq == diskseq) known->second.health = std::move(said);
                    answered();
                });
}

}  // namespace tierd::udev
