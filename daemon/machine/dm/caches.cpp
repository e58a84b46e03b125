// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/dm/caches.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "daemon/machine/dm/leftovers.hpp"
#include "daemon/machine/dm/stat.hpp"
#include "daemon/machine/files.hpp"
#include "daemon/model/identity.hpp"
#include "daemon/model/overloaded.hpp"

namespace tierd::dm {

namespace {

/// "dm-3" of "254:3".
std::string kernel_name(const std::string& dev) {
    std::error_code fault;
    return dev.empty() ? "" : std::filesystem::read_symlink("/sys/dev/block/" + dev, fault).filename().string();
}

/// The dm UUIDs of all devices that a cached volume consists of.
std::vector<std::string> layers_of(const Lvm& lvm, const LogicalVolume& volume) {
    std::vector<std::string> layers{volume.dm_uuid, volume.dm_uuid + "-real"};
    for (const auto* part : layers_below(volume, [&](const std::string&vg, const std::string&lv) { return lvm.volume({vg, lv}); }))
        layers.push_back(part->dm_uuid);
    const auto* pool = lvm.volume({volume.vg, volume.pool});
    // dm-cache has a cachevol in two parts, which are no LVs.
    constexpr std::string_view cachevol = "-cvol";
    if (pool != nullptr && pool->dm_uuid.ends_with(cachevol)) {
        const auto stem = pool->dm_uuid.substr(0, pool->dm_uuid.size() - cachevol.size());
        for (const char* part : {"-cdata", "-cmeta"}) layers.push_back(stem + part);
    }
    return layers;
}

/// Those below the volume that make up its pool or cachevol, from above to below.
std::vector<std::string> layers_of_ssd(const std::vector<std::string>& layers) {
    std::vector<std::string> below;
    for (const char* part : {"-cdata", "-cmeta", "-cvol"}) {
        std::copy_if(layers.begin(), layers.end(), std::back_inserter(below),
                     [&](const std::string& each) { return each.ends_with(part); });
    }
    return below;
}

/// Whether the disk below a device-mapper device has gone: its link leads nowhere, or is not there any more. Of a raid1 one both.
bool stands_on_nothing(const std::string& name) {
    std::error_code fault;
    bool any = false;
    std::vector<std::string> legs;
    for (const auto& entry : std::filesystem::directory_iterator{"/sys/class/block/" + name + "/slaves", fault}) {
        any = true;
        const std::string below = entry.path().filename().string();
        if (!std::filesystem::exists("/sys/class/block/" + below, fault)) return true;
        const auto layer = first_line_in("/sys/class/block/" + below + "/dm/name");
        if (layer.find("_rmeta_") != std::string::npos) continue;
        if (layer.find("_rimage_") != std::string::npos) {
            legs.push_back(below);
            continue;
        }
        // The parts of a cachevol stand on it, and it on the disk.
        if (below.rfind("dm-", 0) == 0 && stands_on_nothing(below)) return true;
    }
    if (!legs.empty()) return std::all_of(legs.begin(), legs.end(), stands_on_nothing);
    return !any && !fault;
}

/// Of an action on a pool or cachevol that is in front of nothing: the names that an attach of it, which was killed before its commit, gave
/// to devices of its own. LVM says nothing of those, and would have them in the way.
std::vector<std::string> names_of_leftovers(const Action& action) {
    const auto of_pool = [](const std::string& vg, const std::string& pool) {
        return std::vector{dm_name(vg, pool + "_cpool"), dm_name(vg, pool + "_cvol")};
    };
    const auto of_attach = [&](const VolumeName& volume, const std::string& pool) {
        auto names = of_pool(volume.vg, pool);
        for (const char* layer : {"_corig", "_wcorig"}) names.push_back(dm_name(volume.vg, volume.lv + layer));
        return names;
    };
    return std::visit(Overloaded{
                          [&](const AttachCache& attach) { return of_attach(attach.volume, attach.pool); },
                          [&](const AttachWritecache& attach) { return of_attach(attach.volume, attach.cachevol); },
                          [&](const RemovePool& remove) { return of_pool(remove.vg, remove.name); },
                          [](const auto&) { return std::vector<std::string>{}; },
                      },
                      action);
}

/// Of an action that changes a cache's tables: its device.
std::string cache_changed_by(const Action& action) {
    return std::visit(Overloaded{
                          [](const SetCachePolicy& set) { return set.dm_uuid; },
                          [](const SetCacheMode& set) { return set.dm_uuid; },
                          [](const RemoveCache& remove) { return remove.dm_uuid; },
                          [](const UncacheLost& uncache) { return uncache.dm_uuid; },
                          [](const DropCache& drop) { return drop.dm_uuid; },
                          [](const auto&) { return std::string{}; },
                      },
                      action);
}

}  // namespace

struct Caches::Look {
    std::map<std::string, CacheDevice> found;
    std::function<void(std::map<std::string, CacheDevice>)> done;
    std::size_t open = 1;  // itself, until all children are started

    void one_is_in() {
        if (--open == 0) done(std::move(found));
    }
};

Caches::Caches(Loop& loop, ProcessRunner& runner, std::string device, std::function<void()> on_event)
    : runner_{runner}, device_{std::move(device)}, mapper_{loop, std::move(on_event)} {}

void Caches::look(const Lvm& lvm, std::function<void(std::map<std::string, CacheDevice>)> done) {
    const auto look = std::make_shared<Look>();
    look->done = std::move(done);
    caches_.clear();
    for (const auto& volume : lvm.lvs) {
        if (volume.is_cached() && volume.active != false) look_at(look, lvm, volume);
    }
    std::erase_if(committed_, [this](const auto& each) { return !caches_.contains(each.first); });
    look->one_is_in();
}

void Caches::look_at(const std::shared_ptr<Look>& look, const Lvm& lvm, const LogicalVolume& volume) {
    auto& cache = caches_[volume.uuid] = {volume.vg, volume.dm_uuid, layers_of(lvm, volume), mapper_.cache_parts(volume.dm_uuid), ""};
    auto& device = look->found[volume.uuid] = mapper_.cache_device(volume.dm_uuid);
    const auto* pool = lvm.volume({volume.vg, volume.pool});
    if (!cache.stands || pool == nullptr || !tier_of(*pool)) return;
    cache.metadata = kernel_name(cache.stands->metadata);
    if (cache.metadata.empty()) return;
    tell_gone(cache, device);
    if (device.metadata_committed) return;
    // A device that is made anew has another sequence number: what was seen on the one before says nothing of it.
    const std::string identity = cache.metadata + '#' + first_line_in("/sys/class/block/" + cache.metadata + "/diskseq");
    if (const auto known = committed_.find(volume.uuid); known != committed_.end() && known->second == identity) {
        device.metadata_committed = true;
        return;
    }
    ++look->open;
    runner_.run({{device_, "committed", "/dev/" + cache.metadata}},
                [this, look, uuid = volume.uuid, identity](const CommandResult& result) {
                    auto& known = look->found[uuid].metadata_committed;
                    if (result.ok() && result.output == "yes\n") known = true;
                    if (result.ok() && result.output == "no\n") known = false;
                    if (known == true) committed_[uuid] = identity;
                    look->one_is_in();
                });
}

std::map<std::string, CacheDevice> Caches::sample(const std::set<std::string>& lv_uuids) const {
    std::map<std::string, CacheDevice> samples;
    for (const auto& uuid : lv_uuids) {
        const auto found = caches_.find(uuid);
        if (found == caches_.end()) continue;
        auto& device = samples[uuid] = mapper_.cache_device(found->second.dm_uuid);
        tell_gone(found->second, device);
        if (committed_.contains(uuid)) device.metadata_committed = true;
    }
    return samples;
}

std::map<std::string, CacheService> Caches::service(const std::set<std::string>& lv_uuids) const {
    const auto stat = [](const std::string& dev) { return parse_stat(text_in("/sys/dev/block/" + dev + "/stat")); };
    std::map<std::string, CacheService> found;
    for (const auto& uuid : lv_uuids) {
        const auto cache = caches_.find(uuid);
        if (cache == caches_.end() || !cache->second.stands) continue;
        const auto tier = stat(cache->second.stands->data);
        const auto origin = stat(cache->second.stands->origin);
        if (tier && origin) found[uuid] = {*tier, *origin};
    }
    return found;
}

/// After a pull the status line goes on for a while as if nothing had happened, also when the disk is back under another number.
void Caches::tell_gone(const Cache& cache, CacheDevice& device) const {
    if (leaving_.contains(cache.dm_uuid) || cache.metadata.empty() || !device.status) return;
    if (stands_on_nothing(cache.metadata)) device.status->health = CacheStatus::Health::Error;
}

std::function<void(bool)> Caches::begin(const Action& action, bool locked) {
    if (!locked) {
        clear_left_tables(vg_of(action));
        if (const auto names = names_of_leftovers(action); !names.empty()) drop_leftovers(names);
    }
    const std::string dm_uuid = cache_changed_by(action);
    if (dm_uuid.empty()) return [](bool) {};
    if (std::holds_alternative<RemoveCache>(action)) {
        leaving_.insert(dm_uuid);
        return [this, dm_uuid](bool) { leaving_.erase(dm_uuid); };
    }
    const bool is_lost = std::holds_alternative<UncacheLost>(action) || std::holds_alternative<DropCache>(action);
    const auto* cache = by_dm_uuid(dm_uuid);
    if (!is_lost || cache == nullptr) return [](bool) {};
    const bool held = std::holds_alternative<UncacheLost>(action) && hold(dm_uuid);
    return [this, dm_uuid, held, below = layers_of_ssd(cache->layers)](bool well) {
        if (!well && held) mapper_.let_go(dm_uuid);
        // LVM forgets a lost cachevol and leaves its device in the kernel, which holds the disk that is gone.
        if (!well) return;
        for (const auto& each : below) mapper_.remove(each);
    };
}

const Caches::Cache* Caches::by_dm_uuid(const std::string& dm_uuid) const {
    const auto found = std::find_if(caches_.begin(), caches_.end(), [&](const auto& each) { return each.second.dm_uuid == dm_uuid; });
    return found == caches_.end() ? nullptr : &found->second;
}

/// An lvconvert that was killed between loading its tables and putting them in force leaves them there, and LVM passes over that: the next
/// command about the volume, whatever it is about, has the kernel go on without the cache, or with errors for the legs below it (seen), and
/// LVM's metadata with it. So they are dropped before any command of ours in the group; while another command holds the group's lock they
/// are its own.
void Caches::clear_left_tables(const std::string& vg) const {
    for (const auto& [uuid, cache] : caches_) {
        if (cache.vg != vg) continue;
        for (const auto& layer : cache.layers) mapper_.clear(layer);
    }
}

/// Before a cache is taken off whose disk is gone: from here on its users wait, and find their volume well afterwards, where each write
/// would fail. In place, and not in a child, since every millisecond counts; what goes to that disk has failed already, so there is nothing
/// to wait for but the volume's own disk. lvconvert resumes it.
bool Caches::hold(const std::string& dm_uuid) const {
    const auto* cache = by_dm_uuid(dm_uuid);
    if (cache == nullptr || cache->metadata.empty() || !stands_on_nothing(cache->metadata)) return false;
    mapper_.hold(dm_uuid);
    return true;
}

}  // namespace tierd::dm
