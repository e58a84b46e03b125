// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/core/memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "controller_fixture.hpp"

namespace tierd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Usec second = usec_per_second;

/// A folder that is gone with the test.
class Folder {
public:
    Folder() {
        std::string name = testing::TempDir() + "tierd-state-XXXXXX";
        path_ = mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string file() const { return path_ + "/caches.json"; }
    [[nodiscard]] std::string text() const {
        std::ifstream stream{file()};
        return {std::istreambuf_iterator<char>{stream}, {}};
    }
    void write(const std::string& text) const { std::ofstream{file()} << text; }

private:
    std::string path_;
};

class AMemory : public testing::Test {
protected:
    Memory open() {
        return {folder.path(), [this](const std::string& text) { notes.push_back(text); }};
    }
    std::map<std::string, LastSeen> found() {
        auto memory = open();
        memory.load();
        return memory.all();
    }
    Folder folder;
    std::vector<std::string> notes;
};

TEST_F(AMemory, SurvivesARestart) {
    auto memory = open();
    memory.load();
    EXPECT_THAT(memory.all(), IsEmpty());
    memory.see("uuid-1", {312 * mib, 1'769'915'646 * second, "boot-1", true});
    memory.see("uuid-2", {0, 1'769'915'647 * second, "boot-1", true});
    memory.save(second);
    EXPECT_EQ(found(), memory.all());
    EXPECT_EQ(found().at("uuid-1"), (LastSeen{312 * mib, 1'769'915'646 * second, "boot-1", true}));
    EXPECT_THAT(notes, IsEmpty());
    memory.forget("uuid-1");
    memory.save(2 * second);
    EXPECT_THAT(found(), SizeIs(1));
}

TEST_F(AMemory, WritesDirtThatAppearsSoonAndTheRestSeldom) {
    auto memory = open();
    Usec now = 1'000 * second;
    const auto see = [&](Bytes dirty) {
        memory.see("uuid", {dirty, now, "boot", false});
        memory.save_when_due(now);
        return found()["uuid"];
    };
    EXPECT_EQ(see(0).dirty, 0U);
    now += Memory::urgent_span;
    EXPECT_EQ(see(mib).dirty, mib) << "dirt appeared";
    now += Memory::urgent_span;
    EXPECT_EQ(see(2 * mib).dirty, mib) << "there is just more of it";
    now += Memory::span;
    EXPECT_EQ(see(3 * mib).dirty, 3 * mib);
    now += second;
    EXPECT_EQ(see(0).dirty, 3 * mib) << "not twice within a few seconds";
    now += Memory::urgent_span;
    EXPECT_EQ(see(0).dirty, 0U) << "it is gone";
    const Usec written = now;
    now += Memory::span;
    EXPECT_EQ(see(0).time, written) << "nothing has changed";
    now += Memory::still_span;
    EXPECT_EQ(see(0).time, now) << "it is still so";
}

TEST_F(AMemory, PassesOverWhatItCannotRead) {
    const std::string entry = R"({"dirty":1,"time":2,"boot":"b","assumed":false})";
    for (const std::string& text :
         {std::string{}, std::string{"{"}, std::string{"[]"}, std::string{"\xff\xfe"}, std::string(100'000, '['),
          std::string{R"({"version":2,"caches":{}})"}, std::string{R"({"version":1})"}, std::string{R"({"version":1,"caches":{"a":7}})"},
          std::string{R"({"version":1,"caches":{"a":{"dirty":-1,"time":2,"boot":"b","assumed":false}}})"},
          std::string{R"({"version":1,"caches":{"a":{"dirty":1e3,"time":2,"boot":"b","assumed":false}}})"},
          R"({"version":1,"caches":{"ok":)" + entry + R"(,"a":{"dirty":1,"time":2}}})", std::string(5 * mib, ' ')}) {
        folder.write(text);
        notes.clear();
        EXPECT_THAT(found(), IsEmpty()) << text.substr(0, 100);
        EXPECT_THAT(notes, ElementsAre(HasSubstr("caches.json is passed over"))) << text.substr(0, 100);
    }
    std::filesystem::remove(folder.file());
    ASSERT_EQ(mkfifo(folder.file().c_str(), 0600), 0);
    notes.clear();
    EXPECT_THAT(found(), IsEmpty());
    EXPECT_THAT(notes, SizeIs(1));
}

TEST_F(AMemory, ThatCannotBeWrittenSaysSoOnce) {
    std::filesystem::create_directory(folder.file());
    auto memory = open();
    for (Usec now = second; now < 200 * second; now += 10 * second) {
        memory.see("uuid", {now, now, "boot", false});
        memory.save_when_due(now);
    }
    EXPECT_THAT(notes, ElementsAre(HasSubstr("is not kept over a restart")));
}

TEST_F(AMemory, IsBounded) {
    auto memory = open();
    for (std::size_t i = 0; i < Memory::most + 10; ++i) memory.see("uuid-" + std::to_string(i), {1, 1'000 + i, "", false});
    EXPECT_THAT(memory.all(), SizeIs(Memory::most));
    EXPECT_FALSE(memory.all().contains("uuid-0")) << "the oldest goes";
    memory.save(second);
    EXPECT_THAT(found(), SizeIs(Memory::most));
    EXPECT_THAT(notes, IsEmpty());
}

TEST_F(AMemory, WithoutAFolderKeepsNothing) {
    Memory memory{"", [&](const std::string& text) { notes.push_back(text); }};
    memory.load();
    memory.see("uuid", {1, 2, "", false});
    memory.save(second);
    EXPECT_THAT(notes, IsEmpty());
}

/// A controller that keeps what it saw.
class AControllerWithAMemory : public ControllerTest {
protected:
    void begin_with_folder() {
        Controller::Options options;
        options.state_directory = folder.path();
        begin(std::move(options));
    }
    void stop() {
        bool stopped = false;
        controller->stop([&] { stopped = true; });
        ASSERT_TRUE(until([&] { return stopped; }));
        controller.reset();
    }
    void attach() {
        begin_with_folder();
        plug();
        ASSERT_TRUE(until_converged());
        machine.now.caches.begin()->second.status->dirty_blocks = 10;
        machine.event();
        ASSERT_TRUE(until([&] { return controller->tiers().front().dirty.value_or(0) > 0; }));
        dirty = *controller->tiers().front().dirty;
        stop();
    }
    Folder folder;
    Bytes dirty = 0;
};

TEST_F(AControllerWithAMemory, KnowsTheDirtOfACacheThatIsGone) {
    attach();
    machine.now.caches.clear();
    begin_with_folder();
    EXPECT_FALSE(controller->tiers().front().dirty);
    ASSERT_TRUE(controller->tiers().front().last_known_dirty);
    EXPECT_EQ(controller->tiers().front().last_known_dirty->first, dirty);
    stop();
    EXPECT_THAT(folder.text(), HasSubstr(std::to_string(dirty))) << "it is not forgotten for that";
}

TEST_F(AControllerWithAMemory, ForgetsACacheThatWasTakenOff) {
    attach();
    for (auto& volume : machine.now.lvm->lvs) {
        if (volume.segtype == "cache") volume.segtype = "linear";
    }
    machine.now.caches.clear();
    begin_with_folder();
    EXPECT_FALSE(controller->tiers().front().last_known_dirty);
}

/// A look takes its time, and what was sampled meanwhile is not forgotten for it.
TEST_F(ControllerTest, KeepsItsFiguresOverALook) {
    machine.now.devices.push_back(world::ssd());
    begin();
    ASSERT_TRUE(until_converged());
    auto& [uuid, device] = *machine.now.caches.begin();
    for (std::uint32_t looks = 1; looks <= 2; ++looks) {
        device.status->read_hits += 10;
        machine.next_samples[uuid] = device;
        machine.event(MachineEvent::Kind::Mapper);
        const auto before = machine.observations;
        machine.event();
        ASSERT_TRUE(until([&] { return machine.observations > before && controller->manager().state == "idle"; }));
        let_pass(300ms);
    }
    EXPECT_EQ(controller->tiers().front().hit_ratios.count("read-1h"), 1U);
}

// A03: the machine stopped uncleanly, and all of the cache counts as dirty in the next boot.
TEST_F(AControllerWithAMemory, AssumesTheDirtOfAnUncleanStop) {
    attach();
    auto& status = *machine.now.caches.begin()->second.status;
    status.used_blocks = status.total_blocks;
    status.dirty_blocks = status.total_blocks - 5;
    machine.now.boot = "the boot after";
    ear.alerts.clear();
    begin_with_folder();
    EXPECT_TRUE(controller->tiers().front().assumed_dirty);
    EXPECT_THAT(ear.alerts, IsEmpty());
    bool said = false;
    for (const auto& finding : controller->explain("lvm_hdd/hdd")) said = said || finding.evidence.find("assumed") != std::string::npos;
    EXPECT_TRUE(said);
    stop();
    begin_with_folder();
    EXPECT_TRUE(controller->tiers().front().assumed_dirty) << "of the same boot, after a restart of the daemon";
    stop();
    std::filesystem::remove_all(folder.path());
    begin_with_folder();
    EXPECT_FALSE(controller->tiers().front().assumed_dirty) << "what is not known is not harmless";
    EXPECT_THAT(ear.alerts, ElementsAre("raised tier/media dirty-high"));
}

// D06: a physical volume appears 20 s after the start.
class AControllerAtTheStart : public ControllerTest {
protected:
    void begin_incomplete(Usec arrival_span) {
        machine.now.lvm->groups.front().missing_pvs = 1;
        Controller::Options options;
        options.arrival_span = arrival_span;
        begin(std::move(options));
    }
};

TEST_F(AControllerAtTheStart, WaitsForADiskBeforeItAlerts) {
    begin_incomplete(200'000);
    EXPECT_THAT(ear.alerts, IsEmpty());
    EXPECT_EQ(convergence(), "waiting");
    ASSERT_TRUE(until([&] { return !ear.alerts.empty(); }));
    EXPECT_THAT(ear.alerts, ElementsAre("raised tier/media vg-incomplete"));
}

TEST_F(AControllerAtTheStart, SaysNothingOfADiskThatCameLate) {
    begin_incomplete(2 * usec_per_second);
    machine.now.lvm->groups.front().missing_pvs = 0;
    machine.event();
    let_pass(2200ms);
    EXPECT_THAT(ear.alerts, IsEmpty());
}

TEST_F(AControllerAtTheStart, AlertsAtOnceForADiskThatGoesLater) {
    begin();
    machine.now.lvm->groups.front().missing_pvs = 1;
    machine.event();
    ASSERT_TRUE(until([&] { return !ear.alerts.empty(); }));
    EXPECT_THAT(ear.alerts, ElementsAre("raised tier/media vg-incomplete"));
}

/// Promise 7.
TEST_F(AControllerWithAMemory, PlansTheSameWithoutIt) {
    attach();
    begin_with_folder();
    const auto with = controller->plan();
    stop();
    std::filesystem::remove_all(folder.path());
    begin_with_folder();
    EXPECT_EQ(controller->plan().id, with.id);
    EXPECT_EQ(controller->plan().convergence, with.convergence);
}

}  // namespace
}  // namespace tierd
