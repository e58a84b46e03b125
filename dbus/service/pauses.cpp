// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "dbus/service/pauses.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "daemon/model/error.hpp"

namespace tierd::bus {
namespace {

constexpr std::size_t most_pauses = 64;

}  // namespace

struct Pauses::Held {
    std::shared_ptr<void> token;
    sdbus::UnixFd reading_end;
    Watch watch;
};

sdbus::UnixFd Pauses::hold(std::shared_ptr<void> token) {
    if (held_.size() >= most_pauses) throw Error{ErrorCode::LimitExceeded, std::to_string(most_pauses) + " pauses are held already"};
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) throw Error{ErrorCode::Internal, "no pipe for the pause could be made"};
    sdbus::UnixFd writing_end{ends[1], sdbus::adopt_fd};
    const auto held = std::make_shared<Held>();
    held->token = std::move(token);
    held->reading_end.reset(ends[0], sdbus::adopt_fd);
    // No event is asked for: the hang-up, which always is reported, is all there is to learn. What is written is never read.
    held->watch = loop_.on_io(ends[0], 0, [this, id = ++last_id_](std::uint32_t) { held_.erase(id); });
    held_.emplace(last_id_, held);
    return writing_end;
}

}  // namespace tierd::bus
