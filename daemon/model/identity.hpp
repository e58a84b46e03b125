// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "daemon/model/observation.hpp"

/// How tierd recognises what is its own. Never a name or a prefix: tags and derived UUIDs, which are on the disks.
namespace tierd {

/// The UUID that a PV gets which tierd makes on this disk of this machine. An orphan PV cannot be tagged, so this is
/// how one that was left by a kill is known. 32 hex digits of FNV-1a-128(machine NUL identity) in LVM's 6-4-4-4-4-4-6 form.
std::string pv_uuid_for(std::string_view machine, std::string_view identity);

// LVM tags hold A-Za-z0-9_+.-/=!:&# only: names are encoded, any other byte as +XX (hex).
std::string encode_tag(std::string_view text);
std::string decode_tag(std::string_view text);

/// On a pool LV: "tierd.tier=NAME", from its birth on. On a PV: "tierd.device=RULE".
std::string tier_tag(std::string_view tier);
std::string device_tag(std::string_view rule);
/// On the data and the metadata of a pool over several disks, from their birth on: "tierd.part=TIER". The pool that LVM makes of them
/// carries no tag until it is given tier_tag.
std::string part_tag(std::string_view tier);
/// On a volume whose cache's disk, of that device rule, died: "tierd.lost=RULE". Another one takes its place when that is allowed.
std::string lost_tag(std::string_view rule);
std::set<std::string> lost_tags(const LogicalVolume& volume);
/// The name in the first tag of that kind, if there is one.
std::optional<std::string> tier_of(const LogicalVolume& volume);
/// Of part_tag.
std::optional<std::string> tier_of_part(const LogicalVolume& volume);
std::optional<std::string> device_rule_of(const PhysicalVolume& pv);
/// Tagged as tierd's, or of the UUID that tierd would have given it.
bool is_ours(const PhysicalVolume& pv, const Observation& observation);

/// The label of tierd's own PV on a disk that its VG went on without: LVM names it in warnings only, and takes it for nothing until that is
/// cleared. nullptr for any other disk, and where LVM's devices file may hide it.
const Signature* outdated_label(const BlockDevice& device, const Observation& observation);

/// device-mapper's mangled name, "my--vg-my--lv". Exact in both directions; "is it LVM" is decided by dm UUID, never by this.
std::string dm_name(std::string_view vg, std::string_view lv);

/// On a volume while a cachevol of tierd's serves it: one that serves nothing any more was split off by hand, then. (A pool keeps its
/// mode.)
inline constexpr const char* served_tag = "tierd.served";

}  // namespace tierd
