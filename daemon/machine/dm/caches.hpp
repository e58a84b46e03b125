// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "daemon/machine/dm/mapper.hpp"
#include "daemon/machine/process.hpp"
#include "daemon/model/action.hpp"
#include "daemon/model/service.hpp"

namespace tierd::dm {

/// The caches in the kernel, of the LVs that LVM says are cached, and not that they are inactive: how each is, and what has to be done
/// about its devices around the commands that change it, where LVM (2.03.16) leaves something.
class Caches {
public:
    /// device: tierd-device's path.
    Caches(Loop& loop, ProcessRunner& runner, std::string device, std::function<void()> on_event);

    /// Each one's status by its LV's UUID, and whether its metadata ever reached the disk: read there, by a child, until it is known to
    /// have.
    void look(const Lvm& lvm, std::function<void(std::map<std::string, CacheDevice>)> done);
    /// Of those that the last look found; at once.
    [[nodiscard]] std::map<std::string, CacheDevice> sample(const std::set<std::string>& lv_uuids) const;
    /// What the SSD and the volume's own disk did so far, likewise.
    [[nodiscard]] std::map<std::string, CacheService> service(const std::set<std::string>& lv_uuids) const;

    /// Before the command of that action begins; locked: another command holds the group's lock. What it gives is called when the command
    /// has ended, with whether it did well.
    [[nodiscard]] std::function<void(bool)> begin(const Action& action, bool locked);

private:
    struct Cache {
        std::string vg;
        std::string dm_uuid;
        std::vector<std::string> layers;           ///< the dm UUIDs of all devices that it consists of
        std::optional<Mapper::CacheParts> stands;  ///< on what
        std::string metadata;                      ///< kernel name of its metadata device, where it is tierd's; else ""
    };
    struct Look;

    void look_at(const std::shared_ptr<Look>& look, const Lvm& lvm, const LogicalVolume& volume);
    void tell_gone(const Cache& cache, CacheDevice& device) const;
    [[nodiscard]] const Cache* by_dm_uuid(const std::string& dm_uuid) const;
    void clear_left_tables(const std::string& vg) const;
    [[nodiscard]] bool hold(const std::string& dm_uuid) const;

    ProcessRunner& runner_;
    std::string device_;
    Mapper mapper_;
    std::map<std::string, Cache> caches_;           ///< by the LV's UUID
    std::map<std::string, std::string> committed_;  ///< likewise: the metadata device, by sequence number, that was seen to carry metadata
    std::set<std::string> leaving_;                 ///< dm UUIDs of those that are being taken off: LVM takes the parts below away first
};

}  // namespace tierd::dm
