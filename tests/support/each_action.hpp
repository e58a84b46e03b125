// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <utility>
#include <vector>

#include "daemon/model/action.hpp"

namespace tierd {

/// One of each alternative, whatever they will be: a test that walks them meets a new kind of action by itself.
template <std::size_t... Is>
std::vector<Action> each_action(std::index_sequence<Is...>) {
    return {Action{std::in_place_index<Is>}...};
}
inline std::vector<Action> each_action() {
    return each_action(std::make_index_sequence<std::variant_size_v<Action>>{});
}

}  // namespace tierd
