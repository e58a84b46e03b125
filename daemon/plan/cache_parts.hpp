// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "daemon/model/request.hpp"
#include "daemon/plan/sizing.hpp"
#include "daemon/plan/tier_case.hpp"

/// What planning a cache consists of, by what is there. Each gives the next safe step; the case has its device rule and group.
namespace tierd {

/// The volume is cached. Nothing when it is as the policy asks.
std::optional<Step> keep_cache(const TierCase& tier);
/// A pool or cachevol with the tier's tag stands there, in front of nothing.
std::optional<Step> put_pool(const TierCase& tier, const LogicalVolume& pool);
/// As many PVs of ours are in the group as it takes, without the tier's pool.
std::optional<Step> make_pool(const TierCase& tier, const std::vector<const PhysicalVolume*>& pvs);
/// Fewer disks serve than it takes: one is chosen and taken, where all are there.
std::optional<Step> take_disk(const TierCase& tier);

// A pool over several disks is made of its data and its metadata (cache_pieces.cpp).
/// The next of them, or the pool of both.
std::optional<Step> make_of_pieces(const TierCase& tier, const std::vector<const PhysicalVolume*>& pvs, const PoolSize& size);
/// A pool that was just made of them carries no tag yet.
std::optional<Step> tag_pool(const TierCase& tier);
/// Takes away what was made of a pool that is not wanted any more.
std::optional<Step> remove_pieces(const TierCase& tier);

/// The entry says state: absent: the cache is drained, taken off and removed, and the disk given back.
std::optional<Step> leave(const TierCase& tier);

/// Where no cachevol is left: the tag that says so comes off the volume.
std::optional<Step> forget_cachevol(const TierCase& tier);

/// Of a volume whose cache a person let be made anew: the next step of that; nullopt for any other.
std::optional<Step> remake(const TierCase& tier, const LogicalVolume& pool);
/// It is, and all that comes before it is taken off is done: its disk may stand open for others.
bool is_taken_off_next(const TierCase& tier, const LogicalVolume& pool);
/// Asks for that, where its shape is not as the policy says; nullopt when it is.
std::optional<Step> ask_to_remake(const TierCase& tier, const LogicalVolume& pool);
/// Takes the tags of that request off the volume; nullopt when there is none.
std::optional<Step> drop_request(const TierCase& tier, RequestKind kind, const std::string& why);

/// The rule's settings that a cache which stands can be given: a writecache keeps the block size that it was made with.
std::map<std::string, std::string> changeable_settings(const TierCase& tier);
/// Not in the hours that the policy lets it be drained in: a wait, or what is being written back is left for later.
std::optional<Step> wait_for_window(const TierCase& tier);
/// Brings the cache to where nothing of it is dirty, and stays so; nullopt once that is seen.
std::optional<Step> drain(const TierCase& tier, const std::string& why);
/// A disk of ours, taken by that device rule, on which nothing lies, that no tier is to use: out of the group, and its label removed.
std::optional<Step> give_back(const TierCase& tier, const std::string& device_rule);
/// A disk that is emptied now and stays for another tier is opened before: tagged, fenced and empty it would look as if somebody had
/// emptied it by hand.
std::optional<Step> open_for_others(const TierCase& tier, const LogicalVolume& pool, const std::string& device_rule);
/// Of a volume that is not active: nor is a part of its cache, since LVM does not activate it then.
std::optional<Step> check_parts_inactive(const TierCase& tier);
/// The status is known, and the kernel runs the mode and the policy that LVM says.
std::optional<Step> check_kernel(const TierCase& tier);
/// Of a pool with the tier's tag: where it lies is known, and it cannot be anybody's data.
std::optional<Step> check_parts(const TierCase& tier, const LogicalVolume& pool);
/// Of a volume that has no cache any more, by LVM's word: what an uncache that was killed left of it in the kernel is taken out there.
std::optional<Step> end_uncache(const TierCase& tier);
/// Of the tier's pool that LVM calls in use: it goes where only what such an uncache left uses it, and is refused else.
Step clear_away(const TierCase& tier, const LogicalVolume& pool);
/// As the actions name them.
std::vector<PvPlace> places_of(const TierCase& tier, const std::vector<const PhysicalVolume*>& pvs);
/// What is said behind a failing disk's name.
inline constexpr const char* no_new_cache = ": no new cache is made on it";
/// What stands before the reason.
inline constexpr const char* no_writecache = "it must not be writeback, and a writecache is nothing else: ";
/// Removes it, unless the policy itself calls it a volume.
Step remove_pool(const TierCase& tier, const LogicalVolume& pool, const std::string& why);
/// Why the machine would not, or might not, boot with a cache of the rule's kind in front of the volume; "" where it does.
std::string boot_problem(const TierCase& tier);
/// Opens a PV of ours to tierd's own next allocation.
Step unfence(const TierCase& tier, const PhysicalVolume& pv);

/// How the tier's pool is cut out of disks with that much room each.
PoolSize size_on(const TierCase& tier, const Room& room);
/// What there is on the smallest of those PVs, with what those LVs have there.
Room room_on(const TierCase& tier, const std::vector<const PhysicalVolume*>& pvs, const std::vector<const LogicalVolume*>& own);
/// How it would be cut out of the disks that serve if it were made now, in place of that pool; nullopt while too few serve.
std::optional<PoolSize> size_of(const TierCase& tier, const LogicalVolume& pool);
/// Of its LV as LVM shows it: the data of a pool, data and metadata of a cachevol.
Bytes whole_size(const TierCase& tier, const PoolSize& size);

}  // namespace tierd
