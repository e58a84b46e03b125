// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <array>

#include "daemon/core/view.hpp"
#include "dbus/generated/device_adaptor.h"
#include "dbus/generated/job_adaptor.h"
#include "dbus/generated/snapshot_adaptor.h"
#include "dbus/generated/tier_adaptor.h"
#include "dbus/service/guard.hpp"
#include "dbus/service/published.hpp"
#include "dbus/service/values.hpp"

namespace tierd::bus {

class Authorizer;
class Waiters;
struct Context;

/// What all exported objects share: they appear with InterfacesAdded, show a view, and disappear with InterfacesRemoved.
template <typename ViewType, typename Adaptor>
class ViewObject : public sdbus::AdaptorInterfaces<Adaptor, sdbus::ManagedObject_adaptor> {
public:
    using View = ViewType;
    using Base = sdbus::AdaptorInterfaces<Adaptor, sdbus::ManagedObject_adaptor>;
    [[nodiscard]] const View& shown() const { return published_.shown(); }
    [[nodiscard]] std::optional<Clock::time_point> due() const { return published_.due(); }

protected:
    ViewObject(sdbus::IConnection& connection, const std::string& path, View view)
        : Base{connection, sdbus::ObjectPath{path}}, published_{std::move(view)} {}
    ~ViewObject() = default;
    /// In the constructor and the destructor of the most derived class: getters are called in between only.
    void appear() {
        this->registerAdaptor();
        this->emitInterfacesAddedSignal();
    }
    void disappear() noexcept {
        // The bus may have gone, which is no news here.
        try {
            this->emitInterfacesRemovedSignal();
            this->unregisterAdaptor();
        } catch (const sdbus::Error&) {
            return;
        }
    }
    template <typename Properties>
    void announce(View view, const Properties& properties, Clock::time_point now) {
        const auto names = published_.take(std::move(view), properties, now);
        if (!names.empty()) this->getObject().emitPropertiesChangedSignal(Adaptor::INTERFACE_NAME, names);
    }
    /// One member as the bus shows it.
    template <typename Member>
    auto show(Member View::*member) const {
        return guarded([&] { return bus_value(shown().*member); });
    }

private:
    Published<View> published_;
};

class DeviceObject final : public ViewObject<DeviceView, org::tierd1::Device_adaptor> {
public:
    DeviceObject(sdbus::IConnection& connection, DeviceView view);
    ~DeviceObject();
    void update(DeviceView view, Clock::time_point now);

private:
    std::string Path() override { return show(&View::path); }
    std::string Identity() override { return show(&View::identity); }
    uint64_t Size() override { return show(&View::size); }
    std::string Model() override { return show(&View::model); }
    std::string Serial() override { return show(&View::serial); }
    std::string Wwn() override { return show(&View::wwn); }
    std::string Transport() override { return show(&View::transport); }
    std::string Kind() override { return show(&View::kind); }
    std::string KindEvidence() override { return show(&View::kind_evidence); }
    std::string Health() override { return show(&View::health); }
    std::string HealthEvidence() override { return show(&View::health_evidence); }
    double Wear() override { return show(&View::wear); }
    std::string State() override { return show(&View::state); }
    std::vector<std::string> Reasons() override { return show(&View::reasons); }
    std::string Policy() override { return show(&View::policy); }
};

class TierObject final : public ViewObject<TierView, org::tierd1::Tier_adaptor> {
public:
    TierObject(Context& context, TierView view);
    ~TierObject();
    void update(TierView view, Clock::time_point now);

private:
    std::string Kind() override { return show(&View::kind); }
    std::string Volume() override { return show(&View::volume); }
    std::string VolumeKind() override { return show(&View::volume_kind); }
    std::string Uuid() override { return show(&View::uuid); }
    std::string Mode() override { return show(&View::mode); }
    std::string CachePolicy() override { return show(&View::cache_policy); }
    Dictionary Settings() override;
    uint64_t ChunkSize() override { return show(&View::chunk_size); }
    uint64_t Size() override { return show(&View::size); }
    uint64_t Used() override { return show(&View::used); }
    uint64_t Dirty() override { return show(&View::dirty); }
    uint64_t DirtySinceUSec() override { return show(&View::dirty_since); }
    sdbus::Struct<uint64_t, uint64_t> LastKnownDirty() override;
    double MetadataRatio() override { return show(&View::metadata_ratio); }
    std::map<std::string, double> HitRatios() override { return show(&View::hit_ratios); }
    double PromotionRate() override { return show(&View::promotion_rate); }
    double DemotionRate() override { return show(&View::demotion_rate); }
    std::map<std::string, double> ServiceTimes() override { return show(&View::service_times); }
    bool AssumedDirty() override { return show(&View::assumed_dirty); }
    double AssumedWrittenBack() override { return show(&View::assumed_written_back); }
    bool Full() override { return show(&View::full); }
    std::string Phase() override { return show(&View::phase); }
    std::string Health() override { return show(&View::health); }
    std::string WaitsFor() override { return show(&View::waits_for); }
    std::vector<sdbus::ObjectPath> Devices() override;
    std::string Policy() override { return show(&View::policy); }
    bool Foreign() override { return show(&View::foreign); }
    std::vector<std::string> Asked() override { return show(&View::asked); }

    void Flush(sdbus::Result<sdbus::ObjectPath>&& result, Dictionary options) override;
    void SetMode(sdbus::Result<sdbus::ObjectPath>&& result, std::string mode, Dictionary options) override;
    void Detach(sdbus::Result<sdbus::ObjectPath>&& result, Dictionary options) override;
    /// Answers with the job that work(uid) begins.
    void begin(const Reply<sdbus::ObjectPath>& reply, std::string_view verb, std::function<std::uint32_t(uid_t)> work);

    Context& context_;
};

class SnapshotObject final : public ViewObject<SnapshotView, org::tierd1::Snapshot_adaptor> {
public:
    SnapshotObject(sdbus::IConnection& connection, SnapshotView view);
    ~SnapshotObject();
    void update(SnapshotView view, Clock::time_point now);

private:
    std::string Volume() override { return show(&View::volume); }
    std::string Origin() override { return show(&View::origin); }
    std::string Kind() override { return show(&View::kind); }
    uint64_t Size() override { return show(&View::size); }
    double FillRatio() override { return show(&View::fill_ratio); }
    std::string State() override { return show(&View::state); }
    std::string Policy() override { return show(&View::policy); }
};

class JobObject final : public ViewObject<JobView, org::tierd1::Job_adaptor> {
public:
    JobObject(Context& context, JobView view);
    ~JobObject();
    void update(JobView view, Clock::time_point now);

private:
    void Cancel(sdbus::Result<>&& result, Dictionary options) override;
    void Wait(sdbus::Result<std::string, std::string, std::string>&& result, uint64_t usec) override;

    uint32_t Id() override { return show(&View::id); }
    std::string Operation() override { return show(&View::operation); }
    std::string About() override { return show(&View::about); }
    std::vector<sdbus::ObjectPath> Objects() override;
    uint32_t StartedByUid() override { return show(&View::started_by); }
    std::string State() override { return show(&View::state); }
    std::string Stage() override { return show(&View::stage); }
    double Progress() override { return show(&View::progress); }
    bool ProgressValid() override;
    uint64_t BytesDone() override { return show(&View::bytes_done); }
    uint64_t BytesTotal() override { return show(&View::bytes_total); }
    uint64_t ExpectedEndUSec() override { return show(&View::expected_end); }
    bool Cancelable() override { return show(&View::cancelable); }
    std::string Result() override { return show(&View::result); }
    std::string ErrorName() override;
    std::string ErrorMessage() override { return show(&View::error_message); }

    Context& context_;
};

/// "org.tierd1.Error.ToolFailed" of a job that failed; "" of any other.
std::string job_error_name(const JobView& job);

}  // namespace tierd::bus
