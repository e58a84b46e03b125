// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

namespace tierd {

/// Lambdas as one visitor: std::visit(Overloaded{…}, variant) does not compile while an alternative lacks its lambda.
template <typename... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace tierd
