// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/service/objects.hpp"

#include "daemon/model/text.hpp"
#include "dbus/names.hpp"
#include "dbus/service/context.hpp"

namespace tierd::bus {
namespace {

constexpr bool transition = true;
constexpr Usec default_flush_limit = 24ULL * 3600 * usec_per_second;
constexpr Usec longest_flush = 30 * default_flush_limit;

constexpr std::array device_properties{
    property<DeviceView, &DeviceView::path>("Path", transition),
    property<DeviceView, &DeviceView::size>("Size"),
    property<DeviceView, &DeviceView::model>("Model"),
    property<DeviceView, &DeviceView::serial>("Serial"),
    property<DeviceView, &DeviceView::wwn>("Wwn"),
    property<DeviceView, &DeviceView::transport>("Transport"),
    property<DeviceView, &DeviceView::kind>("Kind"),
    property<DeviceView, &DeviceView::kind_evidence>("KindEvidence"),
    property<DeviceView, &DeviceView::health>("Health", transition),
    property<DeviceView, &DeviceView::health_evidence>("HealthEvidence"),
    property<DeviceView, &DeviceView::wear>("Wear"),
    property<DeviceView, &DeviceView::state>("State", transition),
    property<DeviceView, &DeviceView::reasons>("Reasons"),
    property<DeviceView, &DeviceView::policy>("Policy", transition),
};

constexpr std::array tier_properties{
    property<TierView, &TierView::volume>("Volume", transition),
    property<TierView, &TierView::volume_kind>("VolumeKind"),
    property<TierView, &TierView::uuid>("Uuid"),
    property<TierView, &TierView::mode>("Mode", transition),
    property<TierView, &TierView::cache_policy>("CachePolicy", transition),
    property<TierView, &TierView::settings>("Settings"),
    property<TierView, &TierView::chunk_size>("ChunkSize"),
    property<TierView, &TierView::size>("Size"),
    property<TierView, &TierView::used>("Used"),
    figure_to_zero<TierView, &TierView::dirty>("Dirty"),
    property<TierView, &TierView::dirty_since>("DirtySinceUSec"),
    property<TierView, &TierView::last_known_dirty>("LastKnownDirty"),
    property<TierView, &TierView::metadata_ratio>("MetadataRatio"),
    property<TierView, &TierView::hit_ratios>("HitRatios"),
    property<TierView, &TierView::promotion_rate>("PromotionRate"),
    property<TierView, &TierView::demotion_rate>("DemotionRate"),
    property<TierView, &TierView::service_times>("ServiceTimes"),
    property<TierView, &TierView::assumed_dirty>("AssumedDirty", transition),
    property<TierView, &TierView::assumed_written_back>("AssumedWrittenBack"),
    property<TierView, &TierView::full>("Full", transition),
    property<TierView, &TierView::phase>("Phase", transition),
    property<TierView, &TierView::health>("Health", transition),
    property<TierView, &TierView::waits_for>("WaitsFor"),
    property<TierView, &TierView::devices>("Devices"),
    property<TierView, &TierView::policy>("Policy"),
    property<TierView, &TierView::foreign>("Foreign", transition),
    property<TierView, &TierView::asked>("Asked", transition),
};

constexpr std::array snapshot_properties{
    property<SnapshotView, &SnapshotView::volume>("Volume", transition),
    property<SnapshotView, &SnapshotView::origin>("Origin", transition),
    property<SnapshotView, &SnapshotView::size>("Size"),
    property<SnapshotView, &SnapshotView::fill_ratio>("FillRatio"),
    property<SnapshotView, &SnapshotView::state>("State", transition),
    property<SnapshotView, &SnapshotView::policy>("Policy"),
};

constexpr std::array job_properties{
    property<JobView, &JobView::about>("About"),
    property<JobView, &JobView::tiers, &JobView::devices>("Objects"),
    property<JobView, &JobView::state>("State", transition),
    property<JobView, &JobView::stage>("Stage", transition),
    property<JobView, &JobView::progress>("Progress"),
    property<JobView, &JobView::progress>("ProgressValid"),
    property<JobView, &JobView::bytes_done>("BytesDone"),
    property<JobView, &JobView::bytes_total>("BytesTotal"),
    property<JobView, &JobView::expected_end>("ExpectedEndUSec"),
    property<JobView, &JobView::cancelable>("Cancelable", transition),
    property<JobView, &JobView::result>("Result", transition),
    property<JobView, &JobView::error_name>("ErrorName", transition),
    property<JobView, &JobView::error_message>("ErrorMessage"),
};

}  // namespace

DeviceObject::DeviceObject(sdbus::IConnection& connection, DeviceView view)
    : ViewObject{connection, object_path("device", view.id), std::move(view)} {
    appear();
}
DeviceObject::~DeviceObject() {
    disappear();
}
void DeviceObject::update(DeviceView view, Clock::time_point now) {
    announce(std::move(view), device_properties, now);
}

TierObject::TierObject(Context& context, TierView view)
    : ViewObject{context.connection, object_path("tier", view.id), std::move(view)}, context_{context} {
    appear();
}
TierObject::~TierObject() {
    disappear();
}
void TierObject::update(TierView view, Clock::time_point now) {
    announce(std::move(view), tier_properties, now);
}

Dictionary TierObject::Settings() {
    return guarded([&] { return settings_value(shown().settings); });
}
sdbus::Struct<uint64_t, uint64_t> TierObject::LastKnownDirty() {
    const auto [bytes, when] = shown().last_known_dirty.value_or(std::pair<Bytes, Usec>{UINT64_MAX, 0});
    return sdbus::make_struct(bytes, when);
}
std::vector<sdbus::ObjectPath> TierObject::Devices() {
    return guarded([&] { return paths_value("device", shown().devices); });
}

void TierObject::begin(const Reply<sdbus::ObjectPath>& reply, std::string_view verb, std::function<std::uint32_t(uid_t)> work) {
    if (shown().policy.empty())
        throw Error{ErrorCode::NoSuchTarget, shown().volume + ": the policy has no tier for it, so tierd leaves its cache alone"};
    authorised(context_, caller_of(getObject()), verb, shown().volume, reply,
               [work = std::move(work)](uid_t uid) { return sdbus::ObjectPath{job_path(work(uid))}; });
}

void TierObject::Flush(sdbus::Result<sdbus::ObjectPath>&& result, Dictionary options) {
    const Reply<sdbus::ObjectPath> reply{std::move(result)};
    reply.guard([&] {
        const bool called_off = take_option<bool>(options, "cancel").value_or(false);
        const Usec limit = take_option<std::uint64_t>(options, "limit-usec").value_or(default_flush_limit);
        refuse_options(options);
        if (limit < usec_per_second || limit > longest_flush)
            throw Error{ErrorCode::InvalidArgs, "limit-usec: from 1 second to 30 days, in microseconds"};
        begin(reply, flush_verb, [&controller = context_.controller, tier = shown().policy, limit, called_off](uid_t uid) {
            return controller.flush(tier, limit, called_off, uid);
        });
    });
}

void TierObject::SetMode(sdbus::Result<sdbus::ObjectPath>&& result, std::string mode, Dictionary options) {
    const Reply<sdbus::ObjectPath> reply{std::move(result)};
    reply.guard([&] {
        refuse_options(options);
        begin(reply, set_mode_verb, [&controller = context_.controller, tier = shown().policy, mode](uid_t uid) {
            const auto value = value_of<CacheMode>(mode);
            if (!value && !mode.empty())
                throw Error{ErrorCode::InvalidArgs,
                            '"' + mode + "\" is not a mode; one of " + join(names_of<CacheMode>()) + ", or \"\" for the policy's"};
            return controller.set_mode(tier, value, uid);
        });
    });
}

void TierObject::Detach(sdbus::Result<sdbus::ObjectPath>&& result, Dictionary options) {
    const Reply<sdbus::ObjectPath> reply{std::move(result)};
    reply.guard([&] {
        const bool called_off = take_option<bool>(options, "cancel").value_or(false);
        refuse_options(options);
        begin(reply, detach_verb, [&controller = context_.controller, tier = shown().policy, called_off](uid_t uid) {
            return controller.detach(tier, called_off, uid);
        });
    });
}

SnapshotObject::SnapshotObject(sdbus::IConnection& connection, SnapshotView view)
    : ViewObject{connection, object_path("snapshot", view.id), std::move(view)} {
    appear();
}
SnapshotObject::~SnapshotObject() {
    disappear();
}
void SnapshotObject::update(SnapshotView view, Clock::time_point now) {
    announce(std::move(view), snapshot_properties, now);
}

JobObject::JobObject(Context& context, JobView view)
    : ViewObject{context.connection, job_path(view.id), std::move(view)}, context_{context} {
    appear();
}
JobObject::~JobObject() {
    disappear();
}
void JobObject::update(JobView view, Clock::time_point now) {
    announce(std::move(view), job_properties, now);
}

void JobObject::Cancel(sdbus::Result<>&& result, Dictionary options) {
    const Reply<> reply{std::move(result)};
    reply.guard([&] {
        refuse_options(options);
        const auto work = [&controller = context_.controller, id = shown().id](uid_t) { controller.cancel_job(id); };
        authorised(context_, caller_of(getObject()), cancel_job_verb, "job " + std::to_string(shown().id), reply, work);
    });
}

void JobObject::Wait(sdbus::Result<std::string, std::string, std::string>&& result, uint64_t usec) {
    const JobReply reply{std::move(result)};
    reply.guard([&] {
        if (!shown().result.empty()) return answer_wait(reply, shown());
        context_.waiters.add(caller_of(getObject()), shown().id, usec, reply);
    });
}

std::vector<sdbus::ObjectPath> JobObject::Objects() {
    return guarded([&] {
        auto paths = paths_value("tier", shown().tiers);
        for (auto& path : paths_value("device", shown().devices)) paths.push_back(std::move(path));
        return paths;
    });
}
bool JobObject::ProgressValid() {
    return shown().progress.has_value();
}
std::string JobObject::ErrorName() {
    return guarded([&] { return job_error_name(shown()); });
}

std::string job_error_name(const JobView& job) {
    // A view carries the name of the table; it is looked up, so that nothing else gets out.
    return job.error_name.empty() ? "" : error_name_on_bus(error_code(job.error_name));
}

}  // namespace tierd::bus
