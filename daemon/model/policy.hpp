// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "daemon/model/units.hpp"

/// What the administrator declared: design section 3, merged and validated by config/.
namespace tierd {

/// Where something was said. Lines and columns count from 1; 0 is "the file as a whole".
struct Place {
    std::string file;
    unsigned line = 0;
    unsigned column = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
};
/// "10-media.yaml:12", without the folder; "" for no place.
std::string short_place(const Place& place);
/// "/etc/tierd/10-media.yaml:12:3".
std::string full_place(const Place& place);

enum class Severity { Error, Warning, Info };
struct Problem {
    Severity severity = Severity::Error;
    Place place;
    std::string text;
    friend auto operator<=>(const Problem&, const Problem&) = default;
};

enum class Kind { Ssd, Hdd };  ///< as a rule asks for it; what a disk is has a third value, see DiskKind
enum class TierKind { Cache, Writecache, Bcache, Journal };
enum class CacheMode { Writethrough, Writeback, Passthrough };
enum class Layout { Linear, Striped, Raid1 };
enum class Store { Pool, Volume };
enum class OnStall { Alert, RaiseThreshold };
enum class OnFailingDevice { Demote, Alert };
enum class Presence { Present, Absent };
enum class JournalWhen { Unmounted, Boot };
enum class SnapshotKind { Thick, Thin };
enum class WhenFull { Alert, Drop };
enum class Autonomy { Observe, Act, Full };

/// Every line given must hold. Lists are alternatives; entries of serial … partuuid are globs (fnmatch).
struct DeviceMatch {
    std::optional<Kind> kind;
    std::vector<std::string> transport;
    std::optional<Bytes> min_size;
    std::vector<std::string> serial, wwn, model, path, partlabel, partuuid;
    friend bool operator==(const DeviceMatch&, const DeviceMatch&) = default;
};

struct DeviceRule {
    std::string name;
    Place place;
    DeviceMatch match;
    std::vector<std::string> wipe;  ///< libblkid's TYPE and PTTYPE names that may be erased
    bool volatile_contents = false;
    unsigned count = 1;
    bool replace = false;
    friend bool operator==(const DeviceRule&, const DeviceRule&) = default;
};

/// An absolute size, or a share of what the key says.
using SizeSpec = std::variant<Bytes, Percent>;

struct DirtyLimits {
    Percent warn{4000}, critical{8000};
    friend bool operator==(const DirtyLimits&, const DirtyLimits&) = default;
};
/// Minutes since midnight, local time; to may be below from (over midnight).
struct DrainWindow {
    unsigned from = 0, to = 0;
    friend bool operator==(const DrainWindow&, const DrainWindow&) = default;
};
/// VG/LV.
struct VolumeName {
    std::string vg, lv;
    friend auto operator<=>(const VolumeName&, const VolumeName&) = default;
    [[nodiscard]] std::string text() const { return vg + '/' + lv; }
};

/// The dm-cache policy that writes back and makes nothing new dirty: set while a cache is drained.
inline constexpr const char* cleaner_policy = "cleaner";
/// What stands for dm-writecache's only policy.
inline constexpr const char* writecache_policy = "writecache";

struct TierRule {
    std::string name;
    Place place;
    TierKind kind = TierKind::Cache;
    VolumeName volume;                   ///< cache, writecache
    std::optional<DeviceMatch> backing;  ///< bcache
    std::string filesystem;              ///< journal: mount point or UUID=…
    std::vector<std::string> devices;    ///< names of device rules; one, or two for striped and raid1
    Layout layout = Layout::Linear;
    std::optional<SizeSpec> size;
    std::optional<Bytes> metadata_size;
    std::optional<Bytes> chunk_size;
    CacheMode mode = CacheMode::Writethrough;
    std::string cache_policy = "smq";
    std::map<std::string, std::string> settings;  ///< as the kernel spells them
    Store store = Store::Pool;                    ///< a writecache is a volume
    DirtyLimits dirty;
    std::optional<DrainWindow> drain_window;
    OnStall on_stall = OnStall::Alert;
    OnFailingDevice on_failing_device = OnFailingDevice::Demote;
    JournalWhen when = JournalWhen::Unmounted;
    Presence state = Presence::Present;
    Autonomy autonomy = Autonomy::Act;  ///< the entry's own, or the defaults'
    friend bool operator==(const TierRule&, const TierRule&) = default;
};

/// minutes: since midnight, local time. days: bit 0 Monday … bit 6 Sunday; 0x7f every day.
struct Schedule {
    enum class Every { Hour, Day, Week, Month };
    Every every = Every::Day;
    unsigned minutes = 0;
    unsigned days = 0x7f;
    friend bool operator==(const Schedule&, const Schedule&) = default;
};
struct Keep {
    std::optional<unsigned> last, hourly, daily, weekly, monthly;
    friend bool operator==(const Keep&, const Keep&) = default;
};
struct ExtendRule {
    Percent at{7000}, by{2000};
    std::optional<SizeSpec> max;
    std::optional<Bytes> reserve;
    friend bool operator==(const ExtendRule&, const ExtendRule&) = default;
};
struct SnapshotRule {
    std::string name;
    Place place;
    std::vector<VolumeName> volumes;
    SnapshotKind kind = SnapshotKind::Thick;
    std::optional<SizeSpec> size;  ///< thick: of the origin
    std::optional<Schedule> schedule;
    Keep keep;
    unsigned max_active = 2;
    std::optional<ExtendRule> extend;
    WhenFull when_full = WhenFull::Alert;
    Presence state = Presence::Present;
    Autonomy autonomy = Autonomy::Act;
    friend bool operator==(const SnapshotRule&, const SnapshotRule&) = default;
};
struct PoolRule {
    VolumeName pool;
    Place place;
    std::optional<ExtendRule> extend;
    std::optional<ExtendRule> metadata;
    std::optional<Percent> pressure_at;  ///< drop expendable snapshots from here on
    Autonomy autonomy = Autonomy::Act;
    friend bool operator==(const PoolRule&, const PoolRule&) = default;
};

struct Policy {
    std::vector<std::string> files;   ///< in force, in the order read
    std::vector<DeviceRule> devices;  ///< sorted by name, as are the others: the order of files does not matter
    std::vector<TierRule> tiers;
    std::vector<SnapshotRule> snapshots;
    std::vector<PoolRule> pools;
    Autonomy autonomy = Autonomy::Act;  ///< defaults.autonomy
    /// "tier media", "snapshot nightly", "device fast", "pool vg/p" -> why nothing is done about it. Its entries stay in the lists above.
    std::map<std::string, std::string> frozen;
    friend bool operator==(const Policy&, const Policy&) = default;

    [[nodiscard]] const DeviceRule* device(const std::string& name) const;
    [[nodiscard]] const TierRule* tier(const std::string& name) const;
};

// Names as the policy file spells them ("writethrough", "raid1", …): one table each, for reading and for showing.
std::string_view name_of(Kind value);
std::string_view name_of(TierKind value);
std::string_view name_of(CacheMode value);
std::string_view name_of(Layout value);
std::string_view name_of(Store value);
std::string_view name_of(OnStall value);
std::string_view name_of(OnFailingDevice value);
std::string_view name_of(Presence value);
std::string_view name_of(JournalWhen value);
std::string_view name_of(SnapshotKind value);
std::string_view name_of(WhenFull value);
std::string_view name_of(Autonomy value);
std::string_view name_of(Severity value);
/// All names of an enumeration, in order, for "one of …"; value_of gives nullopt for any other text.
template <typename Enum>
const std::vector<std::string_view>& names_of();
template <typename Enum>
std::optional<Enum> value_of(std::string_view name);

}  // namespace tierd
