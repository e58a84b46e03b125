// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/simulated/simulated_machine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "daemon/machine/clock.hpp"
#include "daemon/model/error.hpp"
#include "daemon/model/pulled.hpp"

namespace tierd {

namespace {

/// How long a simulated command and a simulated look take: enough to see them happen.
constexpr Duration command_span{20'000};
constexpr Duration observe_span{2'000};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find(',', begin), text.size());
        if (end > begin) parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

Signature signature_of(const std::string& type) {
    const bool table = type == "gpt" || type == "dos";
    const bool member = type == "LVM2_member" || type == "linux_raid_member" || type == "zfs_member";
    return {type, table ? "table" : member ? "raid" : "filesystem", table ? sector : Bytes{1080}};
}

}  // namespace

SimulatedMachine::SimulatedMachine(Loop& loop, Observation start, Rules rules, std::vector<ScriptEvent> script)
    : loop_{loop}, state_{std::move(start)}, rules_{std::move(rules)}, flowed_{now()} {
    for (auto& event : script) {
        const Duration at{event.at};
        later([this, event = std::move(event)] { happen(event); }, at);
    }
}

Usec SimulatedMachine::now() {
    return static_cast<Usec>(
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}

void SimulatedMachine::later(std::function<void()> what, Duration span) {
    const auto id = next_timer_++;
    timers_[id] = loop_.after(span, [this, id, what = std::move(what)] {
        const auto keep = timers_.extract(id);
        what();
    });
}

void SimulatedMachine::observe(std::function<void(Observation)> done) {
    later(
        [this, done = std::move(done)] {
            flow();
            auto seen = state_;
            seen.time = now();
            seen.minute_of_day = minute_of_day(seen.time);
            if (!lvm_down_.empty()) {
                seen.lvm.reset();
                seen.lvm_error = lvm_down_;
            }
            done(std::move(seen));
        },
        observe_span);
}

std::map<std::string, CacheDevice> SimulatedMachine::sample(const std::set<std::string>& lv_uuids) {
    flow();
    std::map<std::string, CacheDevice> samples;
    for (const auto& uuid : lv_uuids) {
        const auto found = state_.caches.find(uuid);
        samples[uuid] = found == state_.caches.end() ? CacheDevice{} : found->second;
    }
    return samples;
}

std::map<std::string, CacheService> SimulatedMachine::service(const std::set<std::string>& /*lv_uuids*/) {
    return {};
}

void SimulatedMachine::perform(const Action& action, std::function<void(Outcome)> done) {
    ++busy_;
    later(
        [this, action, done = std::move(done)] {
            --busy_;
            CommandRecord record{command_of(action), 0, static_cast<Usec>(command_span.count()), ""};
            Outcome outcome{true, ErrorCode::ToolFailed, ""};
            try {
                rules_.foretell_in_place(state_, action);
            } catch (const Error& error) {
                outcome = {false, error.code(), error.what()};
                record.exit_status = 5;
                record.error_output = error.what();
            }
            if (on_command && !record.argv.empty()) on_command(record);
            done(outcome);
        },
        command_span);
}

std::vector<std::string> SimulatedMachine::command_of(const Action& action) const {
    return rules_.command_of(action);
}

// --- what a script does ---

void SimulatedMachine::happen(const ScriptEvent& event) {
    if (event.verb == "plug") {
        plug(event);
    } else if (event.verb == "pull") {
        pull(event.target);
    } else if (event.verb == "health") {
        set_health(event.target, event.value);
    } else if (event.verb == "write") {
        set_rate(event.target, parse_script_size(event.value));
    } else if (event.verb == "fail") {
        fail(event.target);
    } else if (event.verb == "lvm") {
        lvm_down_ = event.target == "down" ? "the script took it down" : "";
        if (on_event) on_event({MachineEvent::Kind::Overrun, "", ""});
    }
}

void SimulatedMachine::plug(const ScriptEvent& event) {
    const auto option = [&](const char* key, const std::string& otherwise) {
        const auto found = event.options.find(key);
        return found == event.options.end() ? otherwise : found->second;
    };
    BlockDevice disk;
    disk.node = event.target;
    disk.name = event.target.substr(event.target.rfind('/') + 1);
    disk.dev = "240:" + std::to_string(16 * state_.devices.size());
    disk.diskseq = 100 + state_.devices.size();
    disk.size = parse_script_size(option("size", "200GiB"));
    disk.serial = option("serial", "");
    disk.wwn = option("wwn", "");
    disk.model = option("model", "Simulated SSD");
    disk.transport = option("transport", "sata");
    const std::string kind = option("kind", "ssd");
    disk.kind = kind == "ssd" ? DiskKind::Ssd : kind == "hdd" ? DiskKind::Hdd : DiskKind::Unknown;
    disk.kind_evidence = "the script says so";
    disk.probe = Probe{};
    for (const auto& type : split(option("content", ""))) disk.probe->signatures.push_back(signature_of(type));
    disk.changed = now();
    pull(disk.node);
    state_.devices.push_back(std::move(disk));
    if (on_event) on_event({MachineEvent::Kind::Devices, event.target, "add"});
}

void SimulatedMachine::pull(const std::string& node) {
    const auto is_it = [&](const BlockDevice& each) { return each.node == node; };
    if (std::none_of(state_.devices.begin(), state_.devices.end(), is_it)) return;
    take_away(state_, node);
    if (on_event) on_event({MachineEvent::Kind::Devices, node, "remove"});
}

void SimulatedMachine::set_health(const std::string& node, const std::string& health) {
    for (auto& disk : state_.devices) {
        if (disk.node != node) continue;
        disk.health.reset();
        if (health == "ok") disk.health = DiskHealth{};
        if (health == "failing") disk.health = DiskHealth{true, "the script says so", std::nullopt};
        if (on_event) on_event({MachineEvent::Kind::Devices, node, "change"});
    }
}

const LogicalVolume* SimulatedMachine::find(const std::string& volume) const {
    if (!state_.lvm) return nullptr;
    const auto& all = state_.lvm->lvs;
    const auto found = std::find_if(all.begin(), all.end(), [&](const LogicalVolume& each) { return each.vg + '/' + each.name == volume; });
    return found == all.end() ? nullptr : &*found;
}

void SimulatedMachine::fail(const std::string& volume) {
    const auto* lv = find(volume);
    const auto cache = lv == nullptr ? state_.caches.end() : state_.caches.find(lv->uuid);
    if (cache == state_.caches.end() || !cache->second.status) return;
    cache->second.status->health = CacheStatus::Health::Failed;
    if (on_event) on_event({MachineEvent::Kind::Mapper, "", ""});
}

void SimulatedMachine::set_rate(const std::string& volume, Bytes rate) {
    flow();
    writes_[volume].rate = rate;
}

void SimulatedMachine::flow() {
    const Usec time = now();
    const double seconds = time > flowed_ ? static_cast<double>(time - flowed_) / static_cast<double>(usec_per_second) : 0;
    flowed_ = time;
    write_back(seconds);
    for (auto& [volume, writes] : writes_) {
        const auto* lv = find(volume);
        const auto cache = lv == nullptr ? state_.caches.end() : state_.caches.find(lv->uuid);
        if (cache == state_.caches.end() || !cache->second.status || cache->second.status->block_size == 0) continue;
        auto& status = *cache->second.status;
        const auto room = static_cast<double>(status.total_blocks);
        writes.owed = std::min(room, writes.owed + static_cast<double>(writes.rate) * seconds / static_cast<double>(status.block_size));
        const auto blocks = static_cast<std::uint64_t>(writes.owed);
        writes.owed -= static_cast<double>(blocks);
        status.write_hits += static_cast<std::uint32_t>(blocks);
        status.used_blocks = std::min(status.total_blocks, status.used_blocks + blocks);
        if (status.mode == "writeback" && status.policy != cleaner_policy)
            status.dirty_blocks = std::min(status.used_blocks, status.dirty_blocks + blocks);
    }
}

/// The cleaner, with a hard disk behind the cache.
void SimulatedMachine::write_back(double seconds) {
    constexpr double bytes_per_second = 100.0 * mib;
    for (auto& [uuid, device] : state_.caches) {
        if (!device.status || device.status->policy != cleaner_policy || device.status->block_size == 0) continue;
        auto& status = *device.status;
        const auto blocks = static_cast<std::uint64_t>(std::ceil(bytes_per_second * seconds / static_cast<double>(status.block_size)));
        status.dirty_blocks -= std::min(status.dirty_blocks, blocks);
    }
}

Observation demonstration() {
    Observation machine;
    machine.machine = "simulated";
    machine.boot = "simulated";
    BlockDevice disk;
    disk.node = "/dev/sda";
    disk.name = "sda";
    disk.dev = "8:0";
    disk.diskseq = 1;
    disk.size = 4'000'787'030'016;
    disk.serial = "WD-SIMULATED1";
    disk.wwn = "0x50014ee000000001";
    disk.model = "Simulated hard disk";
    disk.transport = "sata";
    disk.kind = DiskKind::Hdd;
    disk.kind_evidence = "rotational 1, 5400 rpm";
    disk.holders = {"dm-0"};
    disk.probe = Probe{{{"LVM2_member", "raid", sector}}, false, true};
    machine.devices.push_back(disk);

    Lvm lvm;
    constexpr Bytes extent = 4 * mib;
    const auto extents = (disk.size - mib) / extent;
    VolumeGroup group;
    group.name = "lvm_hdd";
    group.uuid = "simVGx-0000-0000-0000-0000-0000-000001";
    group.extent_size = extent;
    group.extents = extents;
    group.free_extents = 0;
    PhysicalVolume pv;
    pv.uuid = "simPVx-0000-0000-0000-0000-0000-000001";
    pv.device = disk.node;
    pv.dev = disk.dev;
    pv.vg = group.name;
    pv.size = extents * extent;
    pv.extents = pv.allocated_extents = extents;
    LogicalVolume volume;
    volume.vg = group.name;
    volume.name = "hdd";
    volume.uuid = "simLVx-0000-0000-0000-0000-0000-000001";
    volume.size = extents * extent;
    volume.segtype = "linear";
    volume.active = true;
    volume.suspended = false;
    volume.attr = "-wi-ao----";
    volume.extents_on[pv.uuid] = extents;
    lvm.groups = {group};
    lvm.pvs = {pv};
    lvm.lvs = {volume};
    machine.lvm = std::move(lvm);
    return machine;
}

std::string demonstration_script() {
    return "3 plug /dev/sdb serial=S21PNXAG441016 wwn=0x5002538d00000001 size=238GiB kind=ssd model=\"Simulated SSD 256GB\"\n";
}

}  // namespace tierd
