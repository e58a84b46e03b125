// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/lvm/reader.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "daemon/machine/files.hpp"
#include "daemon/machine/lvm/report.hpp"
#include "daemon/model/error.hpp"

namespace tierd::lvm {

namespace {

constexpr const char* lock_prefix = "V_";
/// A report that takes longer than that may be waiting for a lock that was taken after it began.
constexpr Duration suspicious_span = std::chrono::seconds{3};

/// Changes when one of the files does that say how LVM is set up.
std::string stamp_of(const std::string& devices_file) {
    std::string stamp;
    for (const auto& path : {std::string{"/etc/lvm/lvm.conf"}, std::string{"/etc/lvm/lvmlocal.conf"}, devices_file}) {
        struct stat about {};
        const bool there = stat(path.c_str(), &about) == 0;
        stamp += there ? std::to_string(about.st_mtim.tv_sec) + '.' + std::to_string(about.st_mtim.tv_nsec) + ' ' : "- ";
    }
    return stamp;
}

std::string first_line(const std::string& text) {
    std::string line = text.substr(0, text.find('\n'));
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    return line;
}

std::string failure_of(const CommandResult& result, const std::string& what) {
    if (!result.start_error.empty()) return what + " cannot be run: " + result.start_error;
    if (result.timed_out) return what + " gave no answer in time";
    if (result.truncated) return what + " gave too long an answer";
    const std::string line = first_line(result.error_output);
    return what + " ended with status " + std::to_string(result.exit_status) + (line.empty() ? "" : ": " + line);
}

}  // namespace

struct Reader::Round {
    std::vector<BlockDevice> devices;
    std::function<void(Reading)> done;
    std::vector<std::string> locked;
    bool locking = true;
    ProcessRunner::Id report = 0;
    Watch suspicion;
    Reading reading;
};

std::vector<std::string> locked_groups(const std::string& locking_dir) {
    std::vector<std::string> groups;
    std::error_code fault;
    for (const auto& entry : std::filesystem::directory_iterator{locking_dir, fault}) {
        const std::string name = entry.path().filename();
        const bool group = name.rfind(lock_prefix, 0) == 0;
        if (!group && name.rfind("P_", 0) != 0) continue;
        const int fd = open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
        if (fd < 0) continue;
        if (flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) groups.push_back((group ? "" : "#") + name.substr(2));
        close(fd);
    }
    return groups;
}

void Reader::read(const std::vector<BlockDevice>& devices, std::function<void(Reading)> done) {
    const auto round = std::make_shared<Round>();
    round->devices = devices;
    round->done = std::move(done);
    if (setup_ && setup_stamp_ == stamp_of(setup_->devices_file)) {
        read_report(round);
    } else {
        read_setup(round);
    }
}

bool Reader::is_locked(const std::string& vg) const {
    const auto locked = setup_ ? locked_groups(setup_->locking_dir) : std::vector<std::string>{};
    return std::find(locked.begin(), locked.end(), vg) != locked.end();
}

void Reader::read_setup(const std::shared_ptr<Round>& round) {
    runner_.run({config_command(tools_)}, [this, round](const CommandResult& config) {
        if (!config.ok()) {
            round->reading.error = failure_of(config, "lvmconfig");
            round->done(std::move(round->reading));
            return;
        }
        runner_.run({version_command(tools_)}, [this, round, text = config.output](const CommandResult& version) {
            auto setup = parse_setup(text, version.output);
            setup.setup.devices_file_exists = access(setup.devices_file.c_str(), R_OK) == 0;
            setup.setup.devices_file = parse_devices_file(text_in(setup.devices_file));
            setup_stamp_ = stamp_of(setup.devices_file);
            setup_ = std::move(setup);
            read_report(round);
        });
    });
}

void Reader::read_report(const std::shared_ptr<Round>& round) {
    auto& setup = round->reading.setup = setup_->setup;
    // Installing it changes no file of LVM's.
    if (setup.cache_check) setup.cache_check_found = access(setup.cache_check->c_str(), X_OK) == 0;
    round->locked = locked_groups(setup_->locking_dir);
    start_report(round);
}

void Reader::start_report(const std::shared_ptr<Round>& round) {
    round->locking = round->locked.empty();
    round->report =
        runner_.run({report_command(tools_, round->locking)}, [this, round](const CommandResult& result) { report_is_in(round, result); });
    if (!round->locking) return;
    round->suspicion = loop_.after(suspicious_span, [this, round = std::weak_ptr<Round>{round}] {
        const auto waiting = round.lock();
        if (!waiting) return;
        waiting->locked = locked_groups(setup_->locking_dir);
        if (!waiting->locked.empty()) runner_.end(waiting->report);
    });
}

void Reader::report_is_in(const std::shared_ptr<Round>& round, const CommandResult& result) {
    round->suspicion.reset();
    if (result.timed_out && !round->locked.empty() && round->locking) {
        start_report(round);
        return;
    }
    if (!result.ok()) {
        round->reading.error = failure_of(result, "lvm fullreport");
        finish(round);
        return;
    }
    try {
        auto report = parse_report(result.output);
        round->reading.lvm = std::move(report.lvm);
        for (auto& warning : report.warnings) {
            if (said_.insert(warning).second) round->reading.warnings.push_back(std::move(warning));
        }
        // An empty answer is one when LVM had nothing else to say.
        const auto& lvm = *round->reading.lvm;
        if (lvm.groups.empty() && lvm.pvs.empty() && !result.error_output.empty()) {
            throw Error{ErrorCode::StateUnknown, "it lists nothing and says: " + first_line(result.error_output)};
        }
    } catch (const Error& error) {
        round->reading.lvm.reset();
        round->reading.error = std::string{"lvm fullreport: "} + error.what();
        finish(round);
        return;
    }
    read_duplicates(round);
}

void Reader::read_duplicates(const std::shared_ptr<Round>& round) {
    // Only `pvs -a` shows them. It is asked when a disk with a PV's label is none of the listed ones, and again when those change.
    const auto& pvs = round->reading.lvm->pvs;
    std::string unlisted;
    for (const auto& device : round->devices) {
        if (device.udev_fs_type != "LVM2_member" || round->reading.lvm->pv_on(device) != nullptr) continue;
        unlisted += device.dev + '/' + std::to_string(device.diskseq) + '/' + std::to_string(device.changed) + ' ';
    }
    if (unlisted.empty() || pvs.empty()) {
        finish(round);
        return;
    }
    if (unlisted == duplicates_for_) {
        add_duplicates(*round->reading.lvm, duplicates_);
        finish(round);
        return;
    }
    runner_.run({duplicates_command(tools_)}, [this, round, unlisted](const CommandResult& result) {
        try {
            if (!result.ok()) throw Error{ErrorCode::StateUnknown, failure_of(result, "lvm pvs")};
            add_duplicates(*round->reading.lvm, result.output);
            duplicates_for_ = unlisted;
            duplicates_ = result.output;
        } catch (const Error& error) {
            round->reading.lvm.reset();
            round->reading.error = error.what();
        }
        finish(round);
    });
}

void Reader::finish(const std::shared_ptr<Round>& round) {
    if (round->reading.lvm) {
        for (auto& group : round->reading.lvm->groups) {
            group.busy = std::find(round->locked.begin(), round->locked.end(), group.name) != round->locked.end();
        }
    }
    round->done(std::move(round->reading));
}

}  // namespace tierd::lvm
