// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
//
// Holds the kernel and LVM against foretell: after each kind of action, what is observed equals what was foretold. Run inside the
// booted kernel by scenarios/conformance.sh: conformance VG/LV BLANK_DISK OCCUPIED_DISK SPARE_DISK. Fails when an Action alternative was
// not tried.
#include <array>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "daemon/machine/real_machine.hpp"
#include "daemon/model/identity.hpp"
#include "daemon/model/overloaded.hpp"
#include "daemon/model/request.hpp"
#include "daemon/plan/describe.hpp"
#include "daemon/plan/differences.hpp"
#include "daemon/plan/foretell.hpp"
#include "systemd/loop.hpp"

namespace {

using namespace tierd;

/// Each try makes its action out of what is there then; nothing: it looks again a little later.
using Make = std::function<std::optional<Action>(const Observation&)>;

class Conformance {
public:
    Conformance(Loop& loop, Machine& machine, std::vector<Make> tries) : loop_{loop}, machine_{machine}, tries_{std::move(tries)} {
        machine_.on_event = [](const MachineEvent&) {};
        machine_.on_command = [](const CommandRecord& record) {
            std::cout << "   ";
            for (const auto& word : record.argv) std::cout << ' ' << word;
            std::cout << " -> " << record.exit_status << '\n';
        };
    }
    void start() {
        settle([this] { next(); });
    }
    [[nodiscard]] int failures() const { return failures_; }
    [[nodiscard]] const std::set<std::size_t>& kinds() const { return kinds_; }

private:
    /// Lets udev's events arrive, however slow the machine is.
    void settle(std::function<void()> then) {
        if (std::system("udevadm settle --timeout=900") != 0) std::cout << "udev does not settle\n";
        timer_ = loop_.after(std::chrono::milliseconds{500}, std::move(then));
    }
    void next() {
        if (at_ == tries_.size()) {
            loop_.quit(0);
            return;
        }
        machine_.observe([this](Observation before) {
            try {
                const auto made = tries_[at_](before);
                if (!made) {
                    settle([this] { next(); });
                    return;
                }
                const Action& action = *made;
                kinds_.insert(action.index());
                const auto foretold = foretell(before, action);
                machine_.perform(action, [this, action, foretold](const Outcome& outcome) {
                    settle([this, action, foretold, outcome] {
                        machine_.observe(
                            [this, action, foretold, outcome](Observation after) { compare(action, foretold, after, outcome); });
                    });
                });
            } catch (const Error& error) {
                report(std::string{"cannot begin: "} + error.what(), {});
                ++at_;
                settle([this] { next(); });
            }
        });
    }
    void compare(const Action& action, const Observation& foretold, const Observation& after, const Outcome& outcome) {
        auto found = differences(foretold, after);
        if (!outcome.ok) found.push_back("it failed: " + outcome.message);
        report(std::string{verb_of(action)}, found);
        ++at_;
        next();
    }
    void report(const std::string& what, const std::vector<std::string>& found) {
        std::cout << (found.empty() && what.rfind("cannot", 0) != 0 ? "ok   " : "FAIL ") << what << '\n';
        for (const auto& line : found) std::cout << "       " << line << '\n';
        if (!found.empty() || what.rfind("cannot", 0) == 0) ++failures_;
    }

    Loop& loop_;
    Machine& machine_;
    std::vector<Make> tries_;
    std::size_t at_ = 0;
    int failures_ = 0;
    std::set<std::size_t> kinds_;
    Watch timer_;
};

const BlockDevice& disk_at(const Observation& observation, const std::string& node) {
    for (const auto& device : observation.devices) {
        if (device.node == node) return device;
    }
    throw Error{ErrorCode::NoSuchTarget, "no disk " + node};
}

DiskClaim claim(const Observation& observation, const std::string& node, std::vector<std::string> may_wipe) {
    const auto& disk = disk_at(observation, node);
    return {node, identity_of(disk), disk.diskseq, disk.size, std::move(may_wipe)};
}

const PhysicalVolume& pv_at(const Observation& observation, const std::string& node) {
    const auto* pv = observation.lvm ? observation.lvm->pv_on(disk_at(observation, node)) : nullptr;
    if (pv == nullptr) throw Error{ErrorCode::NoSuchTarget, "no physical volume on " + node};
    return *pv;
}

const LogicalVolume& volume_at(const Observation& observation, const VolumeName& name) {
    const auto* volume = observation.lvm ? observation.lvm->volume(name) : nullptr;
    if (volume == nullptr) throw Error{ErrorCode::NoSuchTarget, "no volume " + name.text()};
    return *volume;
}

bool is_clean(const Observation& observation, const LogicalVolume& cached) {
    const auto device = observation.caches.find(cached.uuid);
    return device != observation.caches.end() && device->second.status && device->second.status->dirty_blocks == 0;
}

/// The disk that carries this machine's PV of that UUID, or would: under whatever name it has by now.
const BlockDevice& disk_of(const Observation& observation, const std::string& pv_uuid) {
    for (const auto& device : observation.devices) {
        if (pv_uuid_for(observation.machine, identity_of(device)) == pv_uuid) return device;
    }
    throw Error{ErrorCode::NoSuchTarget, "no disk for physical volume " + pv_uuid};
}

/// By the functions of tests/real/guest.sh, before the action is made.
Make after(std::function<std::string(const Observation&)> script, Make make) {
    return [script = std::move(script), make = std::move(make), done = false](const Observation& seen) mutable -> std::optional<Action> {
        if (std::exchange(done, true)) return make(seen);
        const std::string command = "bash -c '. \"$GUEST/guest.sh\"; " + script(seen) + "'";
        if (std::system(command.c_str()) != 0) throw Error{ErrorCode::ToolFailed, command};
        return std::nullopt;
    };
}

/// The SSD is pulled, and comes back: in front of a volume, and after that went on without it.
std::vector<Make> losses(const VolumeName& volume, const std::shared_ptr<std::string>& pv_uuid, const Make& make_pool, const Make& fence) {
    const auto pull = [=](const Observation& seen) { return "pull " + disk_of(seen, *pv_uuid).node + " >/run/host"; };
    const auto replug = [](const Observation&) { return std::string{"replug \"$(cat /run/host)\""}; };
    const Make commit = [=](const Observation& seen) -> Action {
        const auto& cached = volume_at(seen, volume);
        return CommitMetadata{volume, cached.uuid, cached.dm_uuid};
    };
    return {
        make_pool,
        fence,
        [=](const Observation&) -> Action {
            return AttachCache{volume, "media", CacheMode::Writethrough, "smq", {}};
        },
        commit,
        after(pull,
              [=](const Observation& seen) -> Action {
                  return TagVolume{volume, volume_at(seen, volume).uuid, {lost_tag("fast"), lost_tag("other")}, {}};
              }),
        [=](const Observation& seen) -> Action {
            return TagVolume{volume, volume_at(seen, volume).uuid, {}, {lost_tag("other")}};
        },
        after(replug,
              [=](const Observation& seen) -> Action {
                  const auto& disk = disk_of(seen, *pv_uuid);
                  return RestoreMissing{volume.vg, disk.node, *pv_uuid, disk.diskseq};
              }),
        [=](const Observation& seen) -> Action {
            const auto& cached = volume_at(seen, volume);
            return UncacheLost{volume, cached.uuid, cached.dm_uuid};
        },
        after(pull,
              [=](const Observation&) -> Action {
                  return RemoveMissing{volume.vg, {*pv_uuid}};
              }),
        after(replug,
              [=](const Observation& seen) -> Action {
                  const auto& disk = disk_of(seen, *pv_uuid);
                  return ClearOutdated{volume.vg, disk.node, *pv_uuid, disk.diskseq};
              }),
        [=](const Observation& seen) -> Action {
            const auto& disk = disk_of(seen, *pv_uuid);
            return ExtendVg{volume.vg, disk.node, *pv_uuid, disk.diskseq};
        },
        make_pool,
        fence,
        [=](const Observation&) -> Action {
            return AttachCache{volume, "media", CacheMode::Writeback, "smq", {}};
        },
        commit,
        after(pull,
              [=](const Observation& seen) -> Action {
                  const auto& cached = volume_at(seen, volume);
                  return DropCache{volume, cached.uuid, cached.dm_uuid};
              }),
    };
}

/// Pools over two disks: striped; and raid1, of which one is pulled, and a third takes its place.
std::vector<Make> pairs(const VolumeName& volume, const std::string& blank, const std::string& other, const std::string& spare) {
    const std::string& vg = volume.vg;
    const auto place = [](const Observation& seen, const std::string& node) {
        return PvPlace{node, pv_at(seen, node).uuid, disk_at(seen, node).diskseq};
    };
    const auto create_pv = [=](const std::string& node) -> Make {
        return [=](const Observation& seen) -> Action {
            return CreatePv{claim(seen, node, {}), pv_uuid_for(seen.machine, identity_of(disk_at(seen, node)))};
        };
    };
    const auto extend = [=](const std::string& node) -> Make {
        return [=](const Observation& seen) -> Action { return ExtendVg{vg, node, pv_at(seen, node).uuid, disk_at(seen, node).diskseq}; };
    };
    const auto create = [=](const std::string& name, Layout layout, std::uint64_t extents) -> Make {
        return [=](const Observation& seen) -> Action {
            return CreateVolume{vg, name, layout, {place(seen, blank), place(seen, other)}, extents, 4 * mib, part_tag("media")};
        };
    };
    const Make make_pool = [=](const Observation&) -> Action { return MakePool{vg, "media", "media_meta", 64 * kib}; };
    const Make tag = [=](const Observation& seen) -> Action {
        return TagVolume{{vg, "media"}, volume_at(seen, {vg, "media"}).uuid, {tier_tag("media")}, {}};
    };
    const auto attach = [=](CacheMode mode) -> Make {
        return [=](const Observation&) -> Action { return AttachCache{volume, "media", mode, "smq", {}}; };
    };
    const Make commit = [=](const Observation& seen) -> Action {
        return CommitMetadata{volume, volume_at(seen, volume).uuid, volume_at(seen, volume).dm_uuid};
    };
    const Make clean = [=](const Observation& seen) -> Action {
        return SetCachePolicy{volume, volume_at(seen, volume).uuid, volume_at(seen, volume).dm_uuid, cleaner_policy, {}};
    };
    const Make take_off = [=](const Observation& seen) -> std::optional<Action> {
        if (!is_clean(seen, volume_at(seen, volume))) return std::nullopt;
        return RemoveCache{volume, volume_at(seen, volume).dm_uuid};
    };
    const auto repair = [=](const std::string& part) -> Make {
        return [=](const Observation& seen) -> Action {
            return RepairPart{{vg, part}, volume_at(seen, {vg, part}).uuid, place(seen, spare)};
        };
    };
    const Make remove_missing = [=](const Observation& seen) -> Action {
        std::set<std::string> missing;
        for (const auto& pv : seen.lvm->pvs) {
            if (pv.missing) missing.insert(pv.uuid);
        }
        return RemoveMissing{vg, std::move(missing)};
    };
    return {
        create_pv(other),
        extend(other),
        create("media", Layout::Striped, 40),
        create("media_meta", Layout::Striped, 4),
        make_pool,
        tag,
        attach(CacheMode::Writethrough),
        commit,
        take_off,
        create("media", Layout::Raid1, 40),
        create("media_meta", Layout::Raid1, 3),
        make_pool,
        tag,
        attach(CacheMode::Writeback),
        commit,
        after([=](const Observation&) { return "pull " + other + " >/dev/null"; }, create_pv(spare)),
        extend(spare),
        repair("media_cpool_cdata"),
        repair("media_cpool_cmeta"),
        remove_missing,
        clean,
        take_off,
        [=](const Observation& seen) -> Action {
            return ReduceVg{vg, spare, pv_at(seen, spare).uuid, disk_at(seen, spare).diskseq};
        },
    };
}

std::vector<Make> tries_for(const VolumeName& volume, const std::string& blank, const std::string& occupied, const std::string& spare) {
    const Make make_pool = [=](const Observation& seen) -> Action {
        return CreateCachePool{volume.vg, "media", blank, pv_at(seen, blank).uuid, 40, 2, 4 * mib, 64 * kib, tier_tag("media")};
    };
    const Make fence = [=](const Observation& seen) -> Action {
        return FencePv{volume.vg, blank, pv_at(seen, blank).uuid, device_tag("fast")};
    };
    const auto pv_uuid = std::make_shared<std::string>();
    const Make create_pv = [=](const Observation& seen) -> Action {
        *pv_uuid = pv_uuid_for(seen.machine, identity_of(disk_at(seen, blank)));
        return CreatePv{claim(seen, blank, {}), *pv_uuid};
    };
    const Make extend_vg = [=](const Observation& seen) -> Action {
        return ExtendVg{volume.vg, blank, pv_at(seen, blank).uuid, disk_at(seen, blank).diskseq};
    };
    const auto set_policy = [=](const std::string& name, const std::map<std::string, std::string>& settings) -> Make {
        return [=](const Observation& seen) -> Action {
            const auto& cached = volume_at(seen, volume);
            return SetCachePolicy{volume, cached.uuid, cached.dm_uuid, name, settings};
        };
    };
    std::vector<Make> tries{
        [=](const Observation& seen) -> Action {
            return WipeSignatures{claim(seen, occupied, {"vfat", "gpt"})};
        },
        create_pv,
        extend_vg,
        fence,
        [=](const Observation& seen) -> Action {
            return UnfencePv{volume.vg, blank, pv_at(seen, blank).uuid};
        },
        make_pool,
        [=](const Observation& seen) -> Action {
            return RemovePool{volume.vg, "media", volume_at(seen, {volume.vg, "media"}).uuid};
        },
        make_pool,
        fence,
        [=](const Observation&) -> Action {
            return AttachCache{volume, "media", CacheMode::Writeback, "smq", {{"migration_threshold", "16384"}}};
        },
        [=](const Observation& seen) -> Action {
            const auto& cached = volume_at(seen, volume);
            return CommitMetadata{volume, cached.uuid, cached.dm_uuid};
        },
        [=](const Observation& seen) -> Action {
            return TagVolume{volume, volume_at(seen, volume).uuid, {request_tag(RequestKind::Flush, "1764553200"), "tierd.detach"}, {}};
        },
        [=](const Observation& seen) -> Action {
            const auto& cached = volume_at(seen, volume);
            return TagVolume{volume, cached.uuid, {"tierd.remake"}, request_tags(cached, RequestKind::Flush)};
        },
        set_policy(cleaner_policy, {}),
        [=](const Observation& seen) -> std::optional<Action> {
            const auto& cached = volume_at(seen, volume);
            if (!is_clean(seen, cached)) return std::nullopt;
            return SetCacheMode{volume, cached.uuid, cached.dm_uuid, CacheMode::Writethrough};
        },
        set_policy("smq", {{"migration_threshold", "8192"}}),
        [=](const Observation& seen) -> Action {
            const auto& cached = volume_at(seen, volume);
            return SetCacheMode{volume, cached.uuid, cached.dm_uuid, CacheMode::Writeback};
        },
        set_policy("smq", {{"random_threshold", "4"}}),
        set_policy(cleaner_policy, {{"random_threshold", "default"}}),
        [=](const Observation& seen) -> std::optional<Action> {
            const auto& cached = volume_at(seen, volume);
            if (!is_clean(seen, cached)) return std::nullopt;
            return RemoveCache{volume, cached.dm_uuid};
        },
        [=](const Observation& seen) -> Action {
            return RefreshVolume{volume, volume_at(seen, volume).uuid};
        },
        [=](const Observation& seen) -> Action {
            return ReduceVg{volume.vg, blank, pv_at(seen, blank).uuid, disk_at(seen, blank).diskseq};
        },
        [=](const Observation& seen) -> Action {
            return RemovePv{blank, pv_at(seen, blank).uuid, disk_at(seen, blank).diskseq};
        },
        create_pv,
        extend_vg,
    };
    const auto cached = [=](const Observation& seen) -> const LogicalVolume& { return volume_at(seen, volume); };
    const Make make_cachevol = [=](const Observation& seen) -> Action {
        return CreateVolume{volume.vg, "media", Layout::Linear,   {{blank, pv_at(seen, blank).uuid, disk_at(seen, blank).diskseq}},
                            40,        4 * mib, tier_tag("media")};
    };
    const Make take_off = [=](const Observation& seen) -> std::optional<Action> {
        if (!is_clean(seen, cached(seen))) return std::nullopt;
        return RemoveCache{volume, cached(seen).dm_uuid};
    };
    const std::vector<Make> kinds{
        make_cachevol,
        [=](const Observation&) -> Action {
            return AttachCache{volume, "media", CacheMode::Writeback, "smq", {}, Store::Volume, 128 * kib, 8 * mib};
        },
        [=](const Observation& seen) -> Action {
            return CommitMetadata{volume, cached(seen).uuid, cached(seen).dm_uuid};
        },
        set_policy(cleaner_policy, {}),
        [=](const Observation& seen) -> std::optional<Action> {
            if (!is_clean(seen, cached(seen))) return std::nullopt;
            return SetCacheMode{volume, cached(seen).uuid, cached(seen).dm_uuid, CacheMode::Writethrough};
        },
        take_off,
        make_cachevol,
        [=](const Observation&) -> Action {
            return AttachWritecache{volume, "media", {{"high_watermark", "60"}}};
        },
        [=](const Observation& seen) -> Action {
            return SetCachePolicy{
                volume, cached(seen).uuid, cached(seen).dm_uuid, writecache_policy, {{"low_watermark", "20"}}, TierKind::Writecache};
        },
        [=](const Observation& seen) -> Action {
            return SetCachePolicy{volume, cached(seen).uuid, cached(seen).dm_uuid, cleaner_policy, {}, TierKind::Writecache};
        },
        take_off,
    };
    for (const auto& each : kinds) tries.push_back(each);
    for (auto& each : pairs(volume, blank, occupied, spare)) tries.push_back(std::move(each));
    for (auto& each : losses(volume, pv_uuid, make_pool, fence)) tries.push_back(std::move(each));
    return tries;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words{argv + 1, argv + argc};
    const auto slash = words.empty() ? std::string::npos : words[0].find('/');
    if (words.size() != 4 || slash == std::string::npos) {
        std::cerr << "usage: conformance VG/LV BLANK_DISK OCCUPIED_DISK SPARE_DISK\n";
        return 64;
    }
    Loop loop;
    const auto machine = make_real_machine(loop, "");
    const VolumeName volume{words[0].substr(0, slash), words[0].substr(slash + 1)};
    Conformance conformance{loop, *machine, tries_for(volume, words[1], words[2], words[3])};
    conformance.start();
    loop.run();
    bool complete = true;
    for (std::size_t kind = 0; kind < std::variant_size_v<Action>; ++kind) {
        if (conformance.kinds().contains(kind)) continue;
        complete = false;
        std::cout << "FAIL action alternative " << kind << " has no conformance test\n";
    }
    return conformance.failures() == 0 && complete ? 0 : 1;
}
