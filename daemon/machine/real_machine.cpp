// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/real_machine.hpp"

#include <sys/sysinfo.h>
#include <systemd/sd-id128.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "daemon/machine/clock.hpp"
#include "daemon/machine/dm/caches.hpp"
#include "daemon/machine/files.hpp"
#include "daemon/machine/lvm/argv.hpp"
#include "daemon/machine/lvm/reader.hpp"
#include "daemon/machine/lvm/report.hpp"
#include "daemon/machine/process.hpp"
#include "daemon/machine/root.hpp"
#include "daemon/machine/udev/disks.hpp"
#include "daemon/machine/udev/health.hpp"
#include "daemon/machine/udev/probes.hpp"
#include "daemon/machine/udev/same_disk.hpp"
#include "daemon/model/error.hpp"
#include "daemon/model/overloaded.hpp"

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
    if (sd_id128_get_machine_app_specific(application, &id) < 0)
        throw Error{ErrorCode::StateUnknown, "/etc/machine-id cannot be read: tierd could not recognise its own disks"};
    return text_of(id);
}

std::string boot_id() {
    sd_id128_t id{};
    return sd_id128_get_boot(&id) < 0 ? "" : text_of(id);
}

/// The first of the places that has it. A fixed table: $PATH is nobody's to set for a daemon.
std::string find_optional(const std::string& name, const std::string& tools_dir, const std::vector<std::string>& folders) {
    std::vector<std::string> places;
    if (!tools_dir.empty()) places.push_back(tools_dir);
    places.insert(places.end(), folders.begin(), folders.end());
    for (const auto& folder : places) {
        std::string path = folder + '/' + name;
        if (access(path.c_str(), X_OK) == 0) return path;
    }
    return "";
}

std::string find_program(const std::string& name, const std::string& tools_dir, const std::vector<std::string>& folders) {
    auto path = find_optional(name, tools_dir, folders);
    if (!path.empty()) return path;
    throw Error{ErrorCode::ToolFailed, "the program " + name + " is not installed (looked in " + folders.back() + " and elsewhere)"};
}

lvm::Tools find_tools(const std::string& tools_dir) {
    std::error_code fault;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", fault);
    const std::string beside = self.parent_path();
    return {
        find_program("lvm", tools_dir, {"/usr/sbin", "/sbin"}),
        find_program("tierd-device", tools_dir, {beside, beside + "/../libexec/tierd", beside + "/../lib/tierd", "/usr/libexec/tierd"})};
}

/// tierd-device's own ends are above those of the commands that it runs (lvm: 0 to 5).
ErrorCode code_of(const CommandResult& result) {
    if (result.timed_out) return ErrorCode::Timeout;
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
    if (result.exit_status == 64 && command.argv.size() > 1)
        return command.argv[0] + " does not know '" + command.argv[1] + "': is it of another version than tierd?";
    const std::string line = last_line(result.error_output);
    return line.empty() ? "it ended with status " + std::to_string(result.exit_status) : line;
}

Bytes physical_memory() {
    struct sysinfo info {};
    return sysinfo(&info) == 0 ? Bytes{info.totalram} * info.mem_unit : 0;
}

/// No udevd to be heard, or the marks that container managers leave (https://systemd.io/CONTAINER_INTERFACE).
bool in_container() {
    const auto there = [](const char* path) { return access(path, F_OK) == 0; };
    return !there("/run/udev/control") || there("/run/systemd/container") || there("/run/.containerenv");
}

struct Target {
    std::string node;
    std::uint64_t diskseq = 0;
};

/// The disks that an action names by their nodes only; the claiming ones look for themselves.
std::vector<Target> targets_of(const Action& action) {
    const auto one = [](const auto& each) { return std::vector<Target>{{each.node, each.diskseq}}; };
    return std::visit(Overloaded{
                          [&](const ExtendVg& each) { return one(each); },
                          [&](const FencePv& each) { return one(each); },
                          [&](const UnfencePv& each) { return one(each); },
                          [&](const CreateCachePool& each) { return one(each); },
                          [&](const ReduceVg& each) { return one(each); },
                          [&](const RemovePv& each) { return one(each); },
                          [&](const RestoreMissing& each) { return one(each); },
                          [&](const ClearOutdated& each) { return one(each); },
                          [&](const RepairPart& each) { return one(each.place); },
                          [](const CreateVolume& create) {
                              std::vector<Target> targets;
                              for (const auto& place : create.places) targets.push_back({place.node, place.diskseq});
                              return targets;
                          },
                          [](const auto&) { return std::vector<Target>{}; },
                      },
                      action);
}

std::vector<std::string> spelled(const Action& action, const lvm::Tools& tools) {
    try {
        return lvm::argv_of(action, tools);
    } catch (const Error&) {
        // It cannot be spelled, so it will not be run either: perform says why.
        return {};
    }
}

class RealMachine final : public Machine {
public:
    RealMachine(Loop& loop, lvm::Tools tools, std::string smartctl)
        : loop_{loop},
          tools_{std::move(tools)},
          machine_{machine_id()},
          boot_{boot_id()},
          runner_{loop},
          container_{in_container()},
          disks_{loop, [this](const MachineEvent& event) { tell(event); }},
          probes_{loop, runner_, tools_.device,
                  [this] {
                      tell({MachineEvent::Kind::Devices, "", ""});
                  }},
          healths_{runner_, std::move(smartctl),
                   [this] {
                       tell({MachineEvent::Kind::Devices, "", ""});
                   }},
          caches_{loop, runner_, tools_.device,
                  [this] {
                      tell({MachineEvent::Kind::Mapper, "", ""});
                  }},
          reader_{loop, runner_, tools_} {}

    void observe(std::function<void(Observation)> done) override {
        const auto look = std::make_shared<Look>();
        look->done = std::move(done);
        look->open = 3;
        look->observation.machine = machine_;
        look->observation.boot = boot_;
        look->observation.container = container_;
        // Before anything is read: a disk of which udev speaks meanwhile has not been quiet.
        look->observation.time = real_time();
        look->observation.memory = physical_memory();
        look->observation.minute_of_day = minute_of_day(look->observation.time);
        auto listed = disks_.list();
        look->observation.devices_known = listed.has_value();
        auto devices = std::move(listed).value_or(std::vector<BlockDevice>{});
        look->observation.root = read_root(devices);
        diskseqs_.clear();
        for (const auto& device : devices) diskseqs_[device.node] = device.diskseq;
        reader_.read(devices, [this, look](lvm::Reading reading) {
            look->observation.lvm = std::move(reading.lvm);
            look->observation.lvm_error = std::move(reading.error);
            look->observation.setup = std::move(reading.setup);
            for (const auto& warning : reading.warnings) {
                if (on_note) on_note(warning);
            }
            one_is_in(look);
        });
        healths_.ask(devices, [this, look] { one_is_in(look); });
        probes_.fill(std::move(devices), taken_, [this, look](std::vector<BlockDevice> probed) {
            look->observation.devices = std::move(probed);
            one_is_in(look);
        });
    }

    std::map<std::string, CacheDevice> sample(const std::set<std::string>& lv_uuids) override { return caches_.sample(lv_uuids); }
    std::map<std::string, CacheService> service(const std::set<std::string>& lv_uuids) override { return caches_.service(lv_uuids); }

    void perform(const Action& action, std::function<void(Outcome)> done) override {
        Command command;
        try {
            check_disk(action);
            command.argv = lvm::argv_of(action, tools_);
        } catch (const Error& error) {
            answer_later({false, error.code(), error.what()}, std::move(done));
            return;
        }
        command.limit = changing_limit;
        command.changing = true;
        auto ended = caches_.begin(action, reader_.is_locked(vg_of(action)));
        runner_.run(command, [this, action, command, ended = std::move(ended), done = std::move(done)](const CommandResult& result) {
            ended(result.ok());
            if (on_command) on_command({command.argv, result.exit_status, result.took, result.error_output});
            Outcome outcome{result.ok(), ErrorCode::ToolFailed, ""};
            if (!outcome.ok) {
                outcome.code = code_of(result);
                outcome.message = message_of(result, command);
            }
            // What was found under the lock may differ from what is remembered of the disk.
            if (const auto* wipe = std::get_if<WipeSignatures>(&action)) probes_.forget(wipe->disk.node);
            if (const auto* create = std::get_if<CreatePv>(&action)) probes_.forget(create->disk.node);
            if (const auto* remove = std::get_if<RemovePv>(&action)) probes_.forget(remove->node);
            if (const auto* clear = std::get_if<ClearOutdated>(&action)) probes_.forget(clear->node);
            done(outcome);
        });
    }

    [[nodiscard]] std::vector<std::string> command_of(const Action& action) const override { return spelled(action, tools_); }
    [[nodiscard]] unsigned busy() const override { return runner_.changing(); }

private:
    struct Look {
        Observation observation;
        std::function<void(Observation)> done;
        unsigned open = 0;
    };

    void tell(const MachineEvent& event) {
        if (on_event) on_event(event);
    }

    void answer_later(Outcome outcome, std::function<void(Outcome)> done) {
        const auto id = ++last_answer_;
        answers_[id] = loop_.soon([this, id, outcome = std::move(outcome), done = std::move(done)] {
            const auto keep = answers_.extract(id);
            done(outcome);
        });
    }

    /// LVM knows a disk by its node only, and the node may be another disk's by now.
    void check_disk(const Action& action) const {
        for (const auto& target : targets_of(action)) {
            const auto known = diskseqs_.find(target.node);
            const auto listed = known == diskseqs_.end() ? std::nullopt : std::optional{known->second};
            udev::check_same_disk(target.node, target.diskseq, listed, udev::diskseq_behind(target.node));
        }
    }

    void one_is_in(const std::shared_ptr<Look>& look) {
        if (--look->open != 0) return;
        // By what LVM says now. A disk that left its group meanwhile was passed over, and is probed after all.
        taken_.clear();
        if (look->observation.lvm) {
            for (const auto& pv : look->observation.lvm->pvs) {
                if (!pv.vg.empty() && !pv.duplicate) taken_.insert(pv.dev);
            }
        }
        probes_.fill(std::move(look->observation.devices), taken_, [this, look](std::vector<BlockDevice> probed) {
            look->observation.devices = std::move(probed);
            healths_.set(look->observation.devices);
            static const Lvm nothing;
            const auto& lvm = look->observation.lvm;
            caches_.look(lvm ? *lvm : nothing, [look](std::map<std::string, CacheDevice> caches) {
                look->observation.caches = std::move(caches);
                look->done(std::move(look->observation));
            });
        });
    }

    Loop& loop_;
    lvm::Tools tools_;
    std::string machine_, boot_;
    ProcessRunner runner_;
    bool container_;
    udev::Disks disks_;
    udev::Probes probes_;
    udev::Healths healths_;
    dm::Caches caches_;
    lvm::Reader reader_;
    std::set<std::string> taken_;                    ///< "8:16" of the physical volumes that are in a volume group
    std::map<std::string, std::uint64_t> diskseqs_;  ///< by node, as of the last observation
    std::map<std::uint64_t, Watch> answers_;
    std::uint64_t last_answer_ = 0;
};

}  // namespace

std::unique_ptr<Machine> make_real_machine(Loop& loop, const std::string& tools_dir) {
    return std::make_unique<RealMachine>(loop, find_tools(tools_dir), find_optional("smartctl", tools_dir, {"/usr/sbin", "/usr/bin"}));
}

std::vector<std::string> describe_command(const Action& action) {
    return spelled(action, {"lvm", "tierd-device"});
}

}  // namespace tierd
