// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/value.hpp"
#include "daemon/model/policy.hpp"

/// All that tierctl asks of the daemon, as values: what a verb does is testable without a bus.
namespace tierd::client {

/// One object of the bus: /org/tierd1/tier/media with interface "Tier" (without org.tierd1.) and its properties.
struct Object {
    std::string path;
    std::string interface;
    Value properties;
};

/// A plan as the bus hands it out; the keys of a step are those of the contract.
struct PlanReply {
    std::string id;
    std::uint64_t generation = 0;
    Value::List steps;
};

/// Something that the daemon said by itself.
struct Event {
    enum class Kind { JobNew, JobRemoved, Alert, AlertCleared, Added, Removed, Changed, DaemonGone };
    Kind kind = Kind::Changed;
    std::string path;       ///< of the object it is about
    std::string interface;  ///< Added, Removed, Changed: as in Object
    Value details;          ///< the signal's arguments by name; of Added and Changed the properties
};
/// Kebab-case, as in the JSON of watch: "job-new", "daemon-gone".
std::string_view name_of(Event::Kind kind);

/// Each call throws Error: as the daemon named it, NotRunning when no tierd answers, NotAuthorized when the bus itself refuses.
class Gateway {
public:
    virtual ~Gateway() = default;

    [[nodiscard]] virtual Value describe() = 0;               ///< Describe(): everything, as its JSON says it
    [[nodiscard]] virtual std::vector<Object> objects() = 0;  ///< GetManagedObjects(), the manager included; sorted by path
    [[nodiscard]] virtual Value properties(const std::string& path, const std::string& interface) = 0;
    [[nodiscard]] virtual PlanReply plan() = 0;
    [[nodiscard]] virtual Value::List explain(const std::string& target) = 0;

    [[nodiscard]] virtual std::string apply(const std::string& plan_id) = 0;  ///< path of the job
    // Of the tier with that path; each gives the path of its job.
    [[nodiscard]] virtual std::string flush(const std::string& tier, std::optional<Usec> limit, bool called_off) = 0;
    [[nodiscard]] virtual std::string set_mode(const std::string& tier, const std::string& mode) = 0;  ///< "": the policy's
    [[nodiscard]] virtual std::string detach(const std::string& tier, bool called_off) = 0;
    [[nodiscard]] virtual std::string recover(const std::string& volume, const std::string& choice, const std::string& confirm) = 0;
    [[nodiscard]] virtual std::vector<Problem> reload() = 0;
    virtual void thaw(const std::string& what) = 0;
    /// The pause holds as long as the token lives.
    [[nodiscard]] virtual std::shared_ptr<void> pause(const std::string& vg, const std::string& why) = 0;

    /// From now on events are kept for next_event.
    virtual void subscribe() = 0;
    /// Waits for an event; nullopt once wake_fd is readable.
    [[nodiscard]] virtual std::optional<Event> next_event(int wake_fd) = 0;
};

}  // namespace tierd::client
