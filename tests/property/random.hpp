// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tierd::property {

/// The same seed, the same everything, on every machine: no distribution of the standard library, which may differ.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_{seed} {}
    std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }
    /// In percent.
    bool chance(unsigned percent) { return below(100) < percent; }
    template <typename Value>
    const Value& pick(const std::vector<Value>& values) {
        return values[static_cast<std::size_t>(below(values.size()))];
    }
    template <typename Value>
    void shuffle(std::vector<Value>& values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[static_cast<std::size_t>(below(i))]);
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace tierd::property
