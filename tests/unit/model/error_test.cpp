// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace tierd {
namespace {

std::vector<ErrorCode> all_codes() {
    std::vector<ErrorCode> codes;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(ErrorCode::Internal); ++i) codes.push_back(static_cast<ErrorCode>(i));
    return codes;
}

TEST(AnErrorCode, HasANameOfItsOwnThatLeadsBack) {
    std::set<std::string_view> names;
    for (const auto code : all_codes()) {
        const auto name = error_name(code);
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_EQ(error_code(name), code) << name;
        // What D-Bus allows as the last element of an error's name.
        EXPECT_TRUE(std::isupper(static_cast<unsigned char>(name.front())) != 0 &&
                    std::all_of(name.begin(), name.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }))
            << name;
    }
}

TEST(AnErrorCode, TellsHowTierctlExits) {
    for (const auto code : all_codes()) {
        switch (code) {
            case ErrorCode::InvalidArgs: EXPECT_EQ(exit_status(code), 64); break;
            case ErrorCode::NotAuthorized:
            case ErrorCode::InteractionRequired: EXPECT_EQ(exit_status(code), 4); break;
            case ErrorCode::NotRunning: EXPECT_EQ(exit_status(code), 3); break;
            default: EXPECT_EQ(exit_status(code), 1) << error_name(code);
        }
    }
}

TEST(AnErrorCode, IsInternalForAForeignName) {
    EXPECT_EQ(error_code(""), ErrorCode::Internal);
    EXPECT_EQ(error_code("staleplan"), ErrorCode::Internal);
    EXPECT_EQ(error_code("org.tierd1.Error.StalePlan"), ErrorCode::Internal);
}

TEST(AnError, CarriesItsCodeAndSentence) {
    try {
        throw Error{ErrorCode::Frozen, "lvm_hdd was given up on"};
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "lvm_hdd was given up on");
        EXPECT_EQ(dynamic_cast<const Error&>(error).code(), ErrorCode::Frozen);
    }
}

}  // namespace
}  // namespace tierd
