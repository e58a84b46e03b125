// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/simulated/simulated_machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "daemon/machine/real_machine.hpp"
#include "daemon/model/error.hpp"
#include "daemon/plan/foretell.hpp"
#include "support.hpp"

namespace tierd {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(AScript, IsReadLineByLine) {
    const auto events =
        parse_script("s",
                     "# a comment\n\n  5 pull /dev/sdb  # and another\n"
                     "0.5 plug /dev/sdb serial=S21 size=200GiB kind=ssd transport=sata model=\"Some SSD\" content=gpt,vfat\n"
                     "6 write lvm_hdd/hdd 40MiB\n9 fail lvm_hdd/hdd\n12 lvm down\n13 health /dev/sdb failing\n");
    ASSERT_EQ(events.size(), 6U);
    EXPECT_EQ(events[0].verb, "plug");
    EXPECT_EQ(events[0].at, usec_per_second / 2);
    EXPECT_EQ(events[0].target, "/dev/sdb");
    EXPECT_EQ(events[0].options.at("model"), "Some SSD");
    EXPECT_EQ(events[0].options.at("content"), "gpt,vfat");
    EXPECT_EQ(events[1].verb, "pull");
    EXPECT_EQ(events[2].value, "40MiB");
    EXPECT_EQ(events[4].target, "down");
    EXPECT_EQ(events[5].value, "failing");
}

TEST(AScript, ThatIsWrongSaysWhere) {
    const auto fault = [](const std::string& text) -> std::string {
        try {
            parse_script("story.script", "\n" + text + "\n");
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::InvalidArgs);
            return error.what();
        }
        return "";
    };
    for (const auto& [text, what] : std::vector<std::pair<std::string, std::string>>{
             {"x plug /dev/sdb", "2:1: \"x\" is no time"},
             {"-1 plug /dev/sdb", "is no time"},
             {"nan plug /dev/sdb", "is no time"},
             {"1e300 plug /dev/sdb", "is no time"},
             {"1 plug", "expected: SECONDS VERB TARGET"},
             {"1 plugg /dev/sdb", "2:3: \"plugg\" is no verb"},
             {"1 plug /dev/sdb size=5XB", "2:17: \"5XB\" is no size"},
             {"1 plug /dev/sdb size=0", "2:17: a disk has a size"},
             {"1 plug \"\"", "2:8: \"\" is no disk; write /dev/sdb"},
             {"1 plug --force", "2:8: \"--force\" is no disk"},
             {"1 plug /dev/", "is no disk"},
             {"1 plug /dev/../sda", "is no disk"},
             {"1 pull sdb", "is no disk"},
             {"1 fail --force", "is no volume; write VG/LV"},
             {"1 write vg/lv/x 1MiB", "is no volume"},
             {"1 plug /dev/sdb serial=A serial=B", "2:26: serial is said twice"},
             {"1 plug /dev/sdb --force", "2:17: \"--force\" is not expected here"},
             {"1 plug /dev/sdb size=99999999999TiB", "is no size"},
             {"1 plug /dev/sdb colour=red", "plug knows no \"colour\""},
             {"1 plug /dev/sdb kind=floppy", "one of ssd, hdd, unknown"},
             {"1 plug /dev/sdb stray", "is not expected here"},
             {"1 pull /dev/sdb more=1", "is not expected here"},
             {"1 write vg/lv", "needs a rate"},
             {"1 write vg/lv fast", "is no size"},
             {"1 health /dev/sdb", "needs one of ok, failing, unknown"},
             {"1 health /dev/sdb poor", "2:19: health is ok, failing or unknown"},
             {"1 health vg/lv ok", "is no disk"},
             {"1 lvm sideways", "down or up"},
             {"1 plug \"/dev/sdb", "2:8: a quote is not closed"},
         }) {
        EXPECT_THAT(fault(text), testing::StartsWith("story.script:2:")) << text;
        EXPECT_THAT(fault(text), HasSubstr(what)) << text;
    }
}

TEST(AScript, OfTheDemonstrationIsOne) {
    EXPECT_THAT(parse_script("demonstration", demonstration_script()), Not(IsEmpty()));
}

class ASimulatedMachine : public testing::Test {
protected:
    void start(const std::string& script = "") {
        machine_ = std::make_unique<SimulatedMachine>(
            loop_, demonstration(),
            SimulatedMachine::Rules{[](Observation& machine, const Action& action) { foretell_in_place(machine, action); },
                                    describe_command},
            parse_script("s", script));
        machine_->on_event = [this](const MachineEvent& event) { events_.push_back(event); };
        machine_->on_command = [this](const CommandRecord& record) { commands_.push_back(record); };
    }
    Observation observe() {
        Observation seen;
        run_until(loop_, [&](const auto& done) {
            machine_->observe([&seen, done](Observation each) {
                seen = std::move(each);
                done();
            });
        });
        return seen;
    }
    Outcome perform(const Action& action) {
        Outcome outcome;
        run_until(loop_, [&](const auto& done) {
            machine_->perform(action, [&outcome, done](const Outcome& each) {
                outcome = each;
                done();
            });
            EXPECT_EQ(machine_->busy(), 1U);
        });
        EXPECT_EQ(machine_->busy(), 0U);
        return outcome;
    }
    void happen(const std::string& line) {
        for (const auto& event : parse_script("s", "0 " + line)) machine_->happen(event);
    }
    const BlockDevice* disk(const Observation& seen, const std::string& node) {
        for (const auto& device : seen.devices) {
            if (device.node == node) return &device;
        }
        return nullptr;
    }
    /// Everything of an attach.
    void attach() {
        happen("plug /dev/sdb serial=S1 wwn=0x1 size=64GiB");
        const auto seen = observe();
        const auto& ssd = *disk(seen, "/dev/sdb");
        const std::string uuid = "aaaaaa-0000-0000-0000-0000-0000-000001";
        const DiskClaim claim{ssd.node, "wwn:0x1", ssd.diskseq, ssd.size, {}};
        for (const Action& action :
             std::vector<Action>{CreatePv{claim, uuid}, ExtendVg{"lvm_hdd", ssd.node, uuid},
                                 CreateCachePool{"lvm_hdd", "media", ssd.node, uuid, 1000, 2, 4 * mib, 64 * kib, "tierd.tier=media"},
                                 FencePv{"lvm_hdd", ssd.node, uuid, "tierd.device=fast"},
                                 AttachCache{{"lvm_hdd", "hdd"}, "media", CacheMode::Writeback, "smq", {}}}) {
            const auto outcome = perform(action);
            ASSERT_TRUE(outcome.ok) << verb_of(action) << ": " << outcome.message;
        }
    }

    Loop loop_;
    std::unique_ptr<SimulatedMachine> machine_;
    std::vector<MachineEvent> events_;
    std::vector<CommandRecord> commands_;
};

TEST_F(ASimulatedMachine, IsObservedLater) {
    start();
    std::optional<Observation> seen;
    machine_->observe([&](Observation each) {
        seen = std::move(each);
        loop_.quit(0);
    });
    EXPECT_FALSE(seen);
    loop_.run();
    ASSERT_TRUE(seen);
    EXPECT_GT(seen->time, 0U);
    EXPECT_NE(seen->lvm->volume({"lvm_hdd", "hdd"}), nullptr);
}

TEST_F(ASimulatedMachine, DoesWhatIsForetold) {
    start();
    attach();
    const auto seen = observe();
    EXPECT_EQ(seen.lvm->volume({"lvm_hdd", "hdd"})->segtype, "cache");
    EXPECT_EQ(commands_.size(), 5U);
    EXPECT_THAT(commands_.back().argv, testing::Contains("lvconvert"));
    const auto& uuid = seen.lvm->volume({"lvm_hdd", "hdd"})->uuid;
    EXPECT_EQ(seen.caches.at(uuid).metadata_committed, false);
    EXPECT_TRUE(perform(CommitMetadata{{"lvm_hdd", "hdd"}, uuid, "LVM-x"}).ok);
    EXPECT_EQ(observe().caches.at(uuid).metadata_committed, true);
}

TEST_F(ASimulatedMachine, FailsWhereTheRealOneWould) {
    start();
    const auto outcome = perform(ExtendVg{"nowhere", "/dev/sdx", "u"});
    EXPECT_FALSE(outcome.ok);
    EXPECT_THAT(outcome.message, Not(IsEmpty()));
    ASSERT_EQ(commands_.size(), 1U);
    EXPECT_NE(commands_[0].exit_status, 0);
}

TEST_F(ASimulatedMachine, HasDisksThatFail) {
    start();
    happen("plug /dev/sdb serial=S1 size=8GiB");
    EXPECT_EQ(disk(observe(), "/dev/sdb")->health, std::nullopt);
    happen("health /dev/sdb failing");
    EXPECT_EQ(disk(observe(), "/dev/sdb")->health, (DiskHealth{true, "the script says so", std::nullopt}));
    happen("health /dev/sdb ok");
    EXPECT_EQ(disk(observe(), "/dev/sdb")->health, DiskHealth{});
    happen("health /dev/sdb unknown");
    EXPECT_EQ(disk(observe(), "/dev/sdb")->health, std::nullopt);
}

TEST_F(ASimulatedMachine, PlaysItsScript) {
    start("0.05 plug /dev/sdb serial=S1 size=8GiB kind=unknown content=gpt,ext4\n0.2 pull /dev/sdb\n");
    Watch first, second;
    run_until(loop_, [&](const auto& done) { first = loop_.after(100ms, done); });
    const auto seen = observe();
    const auto* ssd = disk(seen, "/dev/sdb");
    ASSERT_NE(ssd, nullptr);
    EXPECT_EQ(ssd->kind, DiskKind::Unknown);
    EXPECT_EQ(ssd->size, 8 * gib);
    EXPECT_GT(ssd->changed, 0U);
    ASSERT_EQ(ssd->probe->signatures.size(), 2U);
    EXPECT_EQ(ssd->probe->signatures[0].usage, "table");
    run_until(loop_, [&](const auto& done) { second = loop_.after(300ms, done); });
    EXPECT_EQ(disk(observe(), "/dev/sdb"), nullptr);
    ASSERT_EQ(events_.size(), 2U);
    EXPECT_EQ(events_[0].action, "add");
    EXPECT_EQ(events_[1].action, "remove");
}

TEST_F(ASimulatedMachine, GetsDirtyWhenItIsWritten) {
    start();
    attach();
    const auto uuid = observe().lvm->volume({"lvm_hdd", "hdd"})->uuid;
    happen("write lvm_hdd/hdd 1GiB");
    Watch wait;
    run_until(loop_, [&](const auto& done) { wait = loop_.after(200ms, done); });
    const auto status = machine_->sample({uuid}).at(uuid).status;
    ASSERT_TRUE(status);
    EXPECT_GT(status->dirty_blocks, 0U);
    EXPECT_LE(status->dirty_blocks, status->used_blocks);
    EXPECT_LE(status->used_blocks, status->total_blocks);
}

TEST_F(ASimulatedMachine, FailsWhenTheScriptSaysSo) {
    start();
    happen("fail lvm_hdd/hdd");  // not cached yet: nothing happens
    attach();
    happen("fail lvm_hdd/hdd");
    const auto uuid = observe().lvm->volume({"lvm_hdd", "hdd"})->uuid;
    EXPECT_EQ(machine_->sample({uuid}).at(uuid).status->health, CacheStatus::Health::Failed);
}

TEST_F(ASimulatedMachine, ThatLosesItsDiskHasAMissingPhysicalVolume) {
    start();
    attach();
    happen("pull /dev/sdb");
    const auto seen = observe();
    EXPECT_EQ(seen.lvm->group("lvm_hdd")->missing_pvs, 1U);
    const auto* pv = seen.lvm->pv("aaaaaa-0000-0000-0000-0000-0000-000001");
    ASSERT_NE(pv, nullptr);
    EXPECT_TRUE(pv->missing);
}

// Promise 5
TEST_F(ASimulatedMachine, WithLvmDownKnowsNothingOfIt) {
    start();
    happen("lvm down");
    EXPECT_EQ(observe().lvm, std::nullopt);
    EXPECT_THAT(observe().lvm_error, Not(IsEmpty()));
    happen("lvm up");
    EXPECT_NE(observe().lvm, std::nullopt);
}

TEST_F(ASimulatedMachine, KnowsNothingOfACacheThatIsNone) {
    start();
    EXPECT_EQ(machine_->sample({"no-such"}).at("no-such"), CacheDevice{});
}

}  // namespace
}  // namespace tierd
