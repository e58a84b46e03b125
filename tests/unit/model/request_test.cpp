// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/model/request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tierd {
namespace {

using testing::ElementsAre;

LogicalVolume tagged(std::set<std::string> tags) {
    LogicalVolume volume;
    volume.tags = std::move(tags);
    return volume;
}

TEST(ARequest, IsReadFromTheVolumesTags) {
    EXPECT_EQ(requests_of(tagged({"tierd.tier=media", "backup", "tierd.detached"})), Requests{});
    const auto all = requests_of(tagged({request_tag(RequestKind::Detach), request_tag(RequestKind::Flush, "1764553200"),
                                         request_tag(RequestKind::Mode, "writethrough"), request_tag(RequestKind::Remake)}));
    EXPECT_TRUE(all.detach);
    EXPECT_TRUE(all.remake);
    EXPECT_EQ(all.flush, 1764553200 * usec_per_second);
    EXPECT_EQ(all.mode, CacheMode::Writethrough);
}

TEST(ARequest, ThatIsNotUnderstoodAsksForNothing) {
    for (const char* tag : {"tierd.flush=", "tierd.flush=-1", "tierd.flush=12x", "tierd.flush=99999999999999999999",
                            "tierd.flush=253402300800", "tierd.mode=sideways", "tierd.mode=", "tierd.detach=yes"})
        EXPECT_EQ(requests_of(tagged({tag})), Requests{}) << tag;
}

TEST(ARequest, NamesItsTagsThoseThatAreNotUnderstoodWithThem) {
    const auto volume = tagged({"tierd.flush=1", "tierd.flush=soon", "tierd.detach", "tierd.mode=writeback"});
    EXPECT_THAT(request_tags(volume, RequestKind::Flush), ElementsAre("tierd.flush=1", "tierd.flush=soon"));
    EXPECT_THAT(request_tags(volume, RequestKind::Detach), ElementsAre("tierd.detach"));
    EXPECT_THAT(request_tags(volume, RequestKind::Remake), ElementsAre());
}

}  // namespace
}  // namespace tierd
