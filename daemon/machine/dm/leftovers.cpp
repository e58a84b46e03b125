// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/dm/leftovers.hpp"

#include <libdevmapper.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace tierd::dm {

namespace {

using Task = std::unique_ptr<dm_task, decltype(&dm_task_destroy)>;

/// "LVM-" and the VG's id.
constexpr std::size_t group_part = 4 + 32;

struct Device {
    std::string name, group;  ///< group: what LVM's UUIDs of one VG begin with
    bool has_loaded_table = false;
    std::set<std::uint64_t> loaded_on;  ///< what that table stands on
};
using Devices = std::map<std::uint64_t, Device>;  ///< by device number

std::set<std::uint64_t> stands_loaded_on(const std::string& name) {
    const Task task{dm_task_create(DM_DEVICE_DEPS), dm_task_destroy};
    if (!task || dm_task_set_name(task.get(), name.c_str()) == 0 || dm_task_query_inactive_table(task.get()) == 0) return {};
    if (dm_task_run(task.get()) == 0) return {};
    const dm_deps* deps = dm_task_get_deps(task.get());
    if (deps == nullptr) return {};
    return {&deps->device[0], &deps->device[0] + deps->count};
}

Device look_at(const std::string& name) {
    const Task task{dm_task_create(DM_DEVICE_INFO), dm_task_destroy};
    dm_info info{};
    if (!task || dm_task_set_name(task.get(), name.c_str()) == 0 || dm_task_run(task.get()) == 0) return {};
    if (dm_task_get_info(task.get(), &info) == 0 || info.exists == 0) return {};
    const char* uuid = dm_task_get_uuid(task.get());
    Device device{name, uuid == nullptr ? "" : std::string{uuid}.substr(0, group_part), info.inactive_table != 0, {}};
    if (!device.group.starts_with("LVM-")) device.group.clear();
    if (device.has_loaded_table) device.loaded_on = stands_loaded_on(name);
    return device;
}

Devices devices_of_lvm() {
    Devices devices;
    const Task task{dm_task_create(DM_DEVICE_LIST), dm_task_destroy};
    if (!task || dm_task_run(task.get()) == 0) return devices;
    const dm_names* each = dm_task_get_names(task.get());
    if (each == nullptr || each->dev == 0) return devices;
    for (;;) {
        if (auto device = look_at(&each->name[0]); !device.group.empty()) devices.emplace(each->dev, std::move(device));
        if (each->next == 0) return devices;
        each = reinterpret_cast<const dm_names*>(reinterpret_cast<const char*>(each) + each->next);
    }
}

/// What does not succeed is seen by who looks next; a device that is open stays (EBUSY).
bool control(const std::string& name, int task_type) {
    const Task task{dm_task_create(task_type), dm_task_destroy};
    return task && dm_task_set_name(task.get(), name.c_str()) != 0 && dm_task_run(task.get()) != 0;
}

bool goes_on_from(const std::string& name, const std::string& begin) {
    return name.starts_with(begin) && (name.size() == begin.size() || name[begin.size()] == '_' || name[begin.size()] == '-');
}

bool is_of_same_group(const Devices& devices, std::uint64_t number, const Device& as) {
    const auto found = devices.find(number);
    return found != devices.end() && found->second.group == as.group;
}

}  // namespace

void drop_leftovers(const std::vector<std::string>& names) {
    const auto devices = devices_of_lvm();
    std::set<std::uint64_t> left;
    for (const auto& each : devices) {
        const auto is_called = [&](const std::string& name) { return goes_on_from(each.second.name, name); };
        if (std::any_of(names.begin(), names.end(), is_called)) left.insert(each.first);
    }
    const auto called = left;
    for (const auto& each : devices) {
        const Device& above = each.second;
        const auto is_left = [&](std::uint64_t number) { return called.contains(number) && is_of_same_group(devices, number, above); };
        if (std::none_of(above.loaded_on.begin(), above.loaded_on.end(), is_left)) continue;
        control(above.name, DM_DEVICE_CLEAR);
        for (const auto number : above.loaded_on) {
            if (is_of_same_group(devices, number, above)) left.insert(number);
        }
    }
    // From above to below: what stands on another keeps that open until it is gone itself.
    for (bool any_gone = true; std::exchange(any_gone, false);) {
        for (auto each = left.begin(); each != left.end();) {
            const bool gone = control(devices.at(*each).name, DM_DEVICE_REMOVE);
            any_gone = any_gone || gone;
            each = gone ? left.erase(each) : std::next(each);
        }
    }
}

}  // namespace tierd::dm
