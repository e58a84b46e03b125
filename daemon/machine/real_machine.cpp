// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/real_machine.hpp"

#include <systemd/sd-id128.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "daemon/machine/dm/mapper.hpp"
#include "daemon/machine/lvm/argv.hpp"
#include "daemon/machine/lvm/report.hpp"
#include "daemon/machine/lvm/reader.hpp"
#include "daemon/machine/process.hpp"
#include "daemon/machine/udev/disks.hpp"
#include "daemon/machine/udev/probes.hpp"
#include "daemon/model/identity.hpp"

namespace tierd {

namespace {

constexpr Duration changing_limit = std::chrono::minutes{10};

/// Application id of tierd's machine id (sd_id128_get_machine_app_specific): never to be changed, PVs are recognised by it.
constexpr sd_id128_t application{{0x74, 0x69, 0x65, 0x72, 0x64, 0x2d, 0x4f, 0x1a, 0x9c, 0x3b, 0x52, 0xd8, 0x0e, 0x6f, 0xa1, 0x47}};

std::string text_of(sd_id128_t id) {
    std::array<char, SD_ID128_STRING_MAX> text{};
    return sd_id128_to_string(id, text.data());
}

std::string machine_id() {
    sd_id128_t id{};
    if (sd_id128_get_machine_app_specific(application, &id) < 0) throw Error{ErrorCode::StateUnknown, "/etc/machine-id cannot be read: tierd could not recognise its own disks"};
    return text_of(id);
}

std::string boot_id() {
    sd_id128_t id{};
    return sd_id128_get_boot(&id) < 0 ? "" : text_of(id);
}

/// The first of the places that has it. A fixed table: $PATH is nobody's to set for a daemon.
std::string find_program(const std::string& name, const std::string& tools_dir, const std::vector<std::string>& folders) {
    std::vector<std::string> places;
    if (!tools_dir.empty()) places.push_back(tools_dir);
    places.insert(places.end(), folders.begin(), folders.end());
    for (const auto& folder : places) {
        const std::string path = folder + '/' + name;
        if (access(path.c_str(), X_OK) == 0) return path;
    }
    throw Error{ErrorCode::ToolFailed, "the program " + name + " is not installed (looked in " + places.back() + " and elsewhere)"};
}

lvm::Tools find_tools(const std::string& tools_dir) {
    std::error_code fault;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", fault);
    const std::string beside = self.parent_path();
    return {find_program("lvm", tools_dir, {"/usr/sbin", "/sbin"}),
            find_program("tierd-device", tools_dir, {beside, beside + "/../libexec/tierd", beside + "/../lib/tierd", "/usr/libexec/tierd"})};
}

ErrorCode code_of(const Action& action, const CommandResult& result) {
    if (result.timed_out) return ErrorCode::Timeout;
    const bool claims = std::holds_alternative<WipeSignatures>(action) || std::holds_alternative<CreatePv>(action);
    if (!claims) return ErrorCode::ToolFailed;
    switch (result.exit_status) {
        case 10: return ErrorCode::DeviceNotEmpty;
        case 11: return ErrorCode::DeviceBusy;
        case 12: return ErrorCode::DeviceChanged;
        case 13: return ErrorCode::Timeout;
        default: return ErrorCode::ToolFailed;
    }
}

std::string last_line(const std::string& text) {
    const auto end = text.find_last_not_of(" \n");
    if (end == std::string::npos) return "";
    const auto begin = text.find_last_of('\n', end);
    const auto line = text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin + 1) + 1);
    return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

std::string message_of(const CommandResult& result, const Command& command) {
    if (!result.start_error.empty()) return command.argv.front() + ": " + result.start_error;
    if (result.timed_out) return "it was ended after " + format_span(static_cast<Usec>(command.limit.count()));
    const std::string line = last_line(result.error_output);
    return line.empty() ? "it ended with status " + std::to_string(result.exit_status) : line;
}

class RealMachine final : public Machine {
public:
    RealMachine(Loop& loop, lvm::Tools tools)
        : tools_{std::move(tools)},
          machine_{machine_id()},
          boot_{boot_id()},
          runner_{loop},
          disks_{loop, [this](const MachineEvent& event) { on_event(event); }},
          probes_{runner_, tools_.device},
          mapper_{loop, [this] { on_event({MachineEvent::Kind::Mapper, "", ""}); }},
          reader_{runner_, tools_} {}

    void observe(std::function<void(Observation)> done) override {
        const auto look = std::make_shared<Look>();
        look->done = std::move(done);
        look->open = 2;
        look->observation.machine = machine_;
        look->observation.boot = boot_;
        look->observation.container = access("/run/udev/control", F_OK) != 0;
        auto devices = disks_.list();
        look->observation.devices_known = devices.has_value();
        reader_.read(devices.value_or(std::vector<BlockDevice>{}), [this, look](lvm::Reading reading) {
            look->observation.lvm = std::move(reading.lvm);
            look->observation.lvm_error = std::move(reading.error);
            look->observation.setup = std::move(reading.setup);
            one_is_in(look);
        });
        probes_.fill(devices.value_or(std::vector<BlockDevice>{}), [this, look](std::vector<BlockDevice> probed) {
            look->observation.devices = std::move(probed);
            one_is_in(look);
        });
    }

    std::map<std::string, CacheDevice> sample(const std::set<std::string>& lv_uuids) override {
        std::map<std::string, CacheDevice> samples;
        for (const auto& uuid : lv_uuids) {
            const auto found = dm_uuids_.find(uuid);
            if (found != dm_uuids_.end()) samples[uuid].status = mapper_.cache_status(found->second);
        }
        return samples;
    }

    void perform(const Action& action, std::function<void(Outcome)> done) override {
        Command command;
        command.argv = lvm::argv_of(action, tools_);
        command.limit = changing_limit;
        command.changing = true;
        runner_.run(command, [this, action, command, done = std::move(done)](const CommandResult& result) {
            on_command({command.argv, result.exit_status, result.took, result.error_output});
            Outcome outcome{result.ok(), ErrorCode::ToolFailed, ""};
            if (!outcome.ok) {
                outcome.code = code_of(action, result);
                outcome.message = message_of(result, command);
            }
            // What was found under the lock may differ from what is remembered of the disk.
            if (const auto* wipe = std::get_if<WipeSignatures>(&action)) probes_.forget(wipe->disk.node);
            if (const auto* create = std::get_if<CreatePv>(&action)) probes_.forget(create->disk.node);
            done(outcome);
        });
    }

    [[nodiscard]] std::vector<std::string> command_of(const Action& action) const override { return lvm::argv_of(action, tools_); }
    [[nodiscard]] unsigned busy() const override { return runner_.changing(); }

private:
    struct Look {
        Observation observation;
        std::function<void(Observation)> done;
        unsigned open = 0;
    };

    void one_is_in(const std::shared_ptr<Look>& look) {
        if (--look->open == 0) look_at_caches(look);
    }

    /// Each cache's status, and whether its metadata ever reached the disk: read there, by a child, until it is known to have.
    void look_at_caches(const std::shared_ptr<Look>& look) {
        look->open = 1;
        dm_uuids_.clear();
        if (look->observation.lvm) {
            for (const auto& volume : look->observation.lvm->lvs) {
                if (volume.segtype == "cache" && volume.active == true) look_at_cache(look, volume);
            }
        }
        std::erase_if(committed_, [this](const std::string& uuid) { return !dm_uuids_.contains(uuid); });
        cache_is_in(look);
    }

    void look_at_cache(const std::shared_ptr<Look>& look, const LogicalVolume& volume) {
        dm_uuids_[volume.uuid] = volume.dm_uuid;
        auto& device = look->observation.caches[volume.uuid];
        device.status = mapper_.cache_status(volume.dm_uuid);
        const auto* pool = look->observation.lvm->volume({volume.vg, volume.pool});
        if (committed_.contains(volume.uuid)) {
            device.metadata_committed = true;
            return;
        }
        if (pool == nullptr || !tier_of(*pool)) return;
        ++look->open;
        runner_.run({{tools_.device, "committed", "/dev/mapper/" + dm_name(volume.vg, pool->metadata)}}, [this, look, uuid = volume.uuid](const CommandResult& result) {
            const std::string word = result.ok() ? last_line(result.output) : "";
            auto& known = look->observation.caches[uuid].metadata_committed;
            if (word == "yes" || word == "no") known = word == "yes";
            if (known == true) committed_.insert(uuid);
            cache_is_in(look);
        });
    }

    static void cache_is_in(const std::shared_ptr<Look>& look) {
        if (--look->open != 0) return;
        look->observation.time = static_cast<Usec>(std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
        look->done(std::move(look->observation));
    }

    lvm::Tools tools_;
    std::string machine_, boot_;
    ProcessRunner runner_;
    udev::Disks disks_;
    udev::Probes probes_;
    dm::Mapper mapper_;
    lvm::Reader reader_;
    std::map<std::string, std::string> dm_uuids_;  ///< of the cached LVs, by their UUID
    std::set<std::string> committed_;              ///< UUIDs of LVs whose cache metadata was seen on the disk
};

}  // namespace

std::unique_ptr<Machine> make_real_machine(Loop& loop, const std::string& tools_dir) { return std::make_unique<RealMachine>(loop, find_tools(tools_dir)); }

std::vector<std::string> describe_command(const Action& action) { return lvm::argv_of(action, {"lvm", "tierd-device"}); }

}  // namespace tierd
