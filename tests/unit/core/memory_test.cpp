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
    memory.see("uuid-1", {312 * mib, 1'769'915'646 * second, "boot-1"});
    memory.see("uuid-2", {0, 1'769'915'647 * second, "boot-1"});
    memory.save(second);
    EXPECT_EQ(found(), memory.all());
    EXPECT_EQ(found().at("uuid-1"), (LastSeen{312 * mib, 1'769'915'646 * second, "boot-1"}));
    EXPECT_THAT(notes, IsEmpty());
    memory.forget("uuid-1");
    memory.save(2 * second);
    EXPECT_THAT(found(), SizeIs(1));
}

TEST_F(AMemory, WritesDirtThatAppearsSoonAndTheRestSeldom) {
    auto memory = open();
    Usec now = 1'000 * second;
    const auto see = [&](Bytes dirty) {
        memory.see("uuid", {dirty, now, "boot"});
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
    const std::string entry = R"({"dirty":1,"time":2,"boot":"b"})";
    for (const std::string& text :
         {std::string{}, std::string{"{"}, std::string{"[]"}, std::string{"\xff\xfe"}, std::string(100'000, '['),
          std::string{R"({"version":2,"caches":{}})"}, std::string{R"({"version":1})"}, std::string{R"({"version":1,"caches":{"a":7}})"},
          std::string{R"({"version":1,"caches":{"a":{"dirty":-1,"time":2,"boot":"b"}}})"},
          std::string{R"({"version":1,"caches":{"a":{"dirty":1e3,"time":2,"boot":"b"}}})"},
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
        memory.see("uuid", {now, now, "boot"});
        memory.save_when_due(now);
    }
    EXPECT_THAT(notes, ElementsAre(HasSubstr("is not kept over a restart")));
}

TEST_F(AMemory, IsBounded) {
    auto memory = open();
    for (std::size_t i = 0; i < Memory::most + 10; ++i) memory.see("uuid-" + std::to_string(i), {1, 1'000 + i, ""});
    EXPECT_THAT(memory.all(), SizeIs(Memory::most));
    EXPECT_FALSE(memory.all().contains("uuid-0")) << "the oldest goes";
    memory.save(second);
    EXPECT_THAT(found(), SizeIs(Memory::most));
    EXPECT_THAT(notes, IsEmpty());
}

TEST_F(AMemory, WithoutAFolderKeepsNothing) {
    Memory memory{"", [&](const std::string& text) { notes.push_back(text); }};
    memory.load();
    memory.see("uuid", {1, 2, ""});
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
