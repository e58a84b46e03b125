// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/lvm/reader.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

#include "support.hpp"

namespace tierd::lvm {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// A machine of which a script plays `lvm`: it writes down how it was called, and answers by files of its folder.
class AReader : public testing::Test {
protected:
    AReader() {
        std::filesystem::create_directory(folder_.path() + "/locks");
        folder_.file("config", "locking_dir=\"" + folder_.path() + "/locks\"\n");
        folder_.file("report", recorded("cached.json"));
        tools_.lvm = play("cat report");
    }
    /// How `lvm fullreport` behaves.
    std::string play(const std::string& report) {
        return folder_.program(
            "lvm", "cd " + folder_.path() +
                       "\necho \"$*\" >>calls\ncase $1 in lvmconfig) cat config ;; version) echo '  LVM version:     2.03.16(2)' ;;"
                       " pvs) cat pvs ;; fullreport) " +
                       report + " ;; esac");
    }
    Reading read(const std::vector<BlockDevice>& devices = {}) {
        Reading reading;
        run_until(loop_, [&](const auto& done) {
            reader_.read(devices, [&reading, done](Reading each) {
                reading = std::move(each);
                done();
            });
        });
        return reading;
    }
    int hold(const std::string& lock) {
        const int fd = open((folder_.path() + "/locks/" + lock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        EXPECT_EQ(flock(fd, LOCK_EX | LOCK_NB), 0);
        return fd;
    }
    [[nodiscard]] std::size_t calls(const std::string& verb) const {
        const auto text = text_of(folder_.path() + "/calls");
        std::size_t count = 0;
        for (auto at = text.find(verb + ' '); at != std::string::npos; at = text.find(verb + ' ', at + 1)) ++count;
        return count;
    }

    TemporaryFolder folder_;
    Loop loop_;
    ProcessRunner runner_{loop_};
    Tools tools_;
    Reader reader_{loop_, runner_, tools_};
};

BlockDevice labelled(const std::string& dev) {
    BlockDevice device;
    device.dev = dev;
    device.udev_fs_type = "LVM2_member";
    return device;
}

TEST_F(AReader, GivesLvmAndItsSetup) {
    const auto reading = read();
    ASSERT_TRUE(reading.lvm) << reading.error;
    EXPECT_EQ(reading.lvm->groups.size(), 1U);
    EXPECT_EQ(reading.setup.version, "2.03.16");
}

TEST_F(AReader, AsksForTheSetupOnce) {
    read();
    read();
    EXPECT_EQ(calls("lvmconfig"), 1U);
    EXPECT_EQ(calls("fullreport"), 2U);
}

// The exit status, the form and the presence of an answer are three checks.
TEST_F(AReader, TakesNoAnswerFromACommandThatFailed) {
    play("cat report; echo '  Cannot process volume group x' >&2; exit 5");
    const auto reading = read();
    EXPECT_FALSE(reading.lvm);
    EXPECT_THAT(reading.error, HasSubstr("status 5: Cannot process volume group x"));
}
TEST_F(AReader, TakesNoAnswerThatIsNoReport) {
    play("echo 'File descriptor 7 leaked'; cat report");
    EXPECT_FALSE(read().lvm);
    play("head -c 300 report");
    EXPECT_FALSE(read().lvm);
    play("true");
    EXPECT_THAT(read().error, HasSubstr("no JSON"));
}
TEST_F(AReader, TakesAnEmptyAnswerOnlyWhenNothingElseIsSaid) {
    play("echo '{\"report\": []}'");
    const auto reading = read();
    ASSERT_TRUE(reading.lvm);
    EXPECT_THAT(reading.lvm->pvs, IsEmpty());
    play("echo '{\"report\": []}'; echo 'Giving up waiting for lock.' >&2");
    EXPECT_FALSE(read().lvm);
    EXPECT_THAT(read().error, HasSubstr("Giving up waiting for lock."));
}

// C04, C05: what is on standard error beside a whole answer is no error
TEST_F(AReader, DoesNotMindWarnings) {
    play("echo 'WARNING: D-Bus notification failed' >&2; echo 'File descriptor 7 (pipe:[4428]) leaked on lvm invocation.' >&2; cat report");
    EXPECT_TRUE(read().lvm);
}

// C06
TEST_F(AReader, SaysOnceWhatTheReportLacks) {
    auto text = recorded("cached.json");
    for (auto at = text.find("\"lv_suspended\""); at != std::string::npos; at = text.find("\"lv_suspended\"", at))
        text.replace(at, 3, "\"xx");
    folder_.file("report", text);
    const auto reading = read();
    ASSERT_TRUE(reading.lvm) << reading.error;
    EXPECT_THAT(reading.warnings, ElementsAre("LVM's report lacks lv lv_suspended, taken as unknown"));
    EXPECT_THAT(read().warnings, IsEmpty());
}

// C07
TEST_F(AReader, SaysThatAFormIsNotSupported) {
    play("exit 3");
    EXPECT_THAT(read().error, HasSubstr("status 3"));
}

// C15
TEST_F(AReader, DoesNotWaitForALockThatIsHeld) {
    const int lock = hold("V_lvm_hdd");
    play("case \"$*\" in *--nolocking*) cat report ;; *) sleep 600 ;; esac");
    const auto reading = read();
    close(lock);
    ASSERT_TRUE(reading.lvm) << reading.error;
    EXPECT_TRUE(reading.lvm->group("lvm_hdd")->busy);
}
TEST_F(AReader, DoesNotWaitForALockThatIsTakenLater) {
    play("case \"$*\" in *--nolocking*) cat report ;; *) touch waits; sleep 600 ;; esac");
    int lock = -1;
    const Watch later = loop_.after(500ms, [&] { lock = hold("V_lvm_hdd"); });
    const auto reading = read();
    close(lock);
    ASSERT_TRUE(reading.lvm) << reading.error;
    EXPECT_TRUE(reading.lvm->group("lvm_hdd")->busy);
}
TEST_F(AReader, MarksNoOtherGroupBusy) {
    const int lock = hold("V_other");
    const auto reading = read();
    close(lock);
    ASSERT_TRUE(reading.lvm);
    EXPECT_FALSE(reading.lvm->group("lvm_hdd")->busy);
    EXPECT_EQ(calls("--nolocking"), 1U);
}
TEST_F(AReader, TellsWhoseLockIsHeld) {
    const int exclusive = hold("V_a-b"), global = hold("P_global");
    const int shared = hold("V_shared");
    flock(shared, LOCK_SH);
    hold("unrelated");
    EXPECT_THAT(locked_groups(folder_.path() + "/locks"), UnorderedElementsAre("a-b", "#global"));
    close(exclusive);
    close(global);
    close(shared);
    EXPECT_THAT(locked_groups(folder_.path() + "/locks"), IsEmpty());
    EXPECT_THAT(locked_groups("/nowhere"), IsEmpty());
}

// A22
TEST_F(AReader, LooksForDuplicatesWhenALabelledDiskIsNotListed) {
    folder_.file("report", recorded("duplicate.json"));
    folder_.file("pvs", recorded("duplicate.pvs"));

    const std::vector<BlockDevice> devices{labelled("8:0"), labelled("8:16"), labelled("8:32")};
    for (int i = 0; i < 2; ++i) {
        const auto reading = read(devices);
        ASSERT_TRUE(reading.lvm) << reading.error;
        EXPECT_EQ(std::count_if(reading.lvm->pvs.begin(), reading.lvm->pvs.end(), [](const PhysicalVolume& pv) { return pv.duplicate; }),
                  2);
    }
    EXPECT_EQ(calls("pvs"), 1U) << "once, while nothing changes";
    read({labelled("8:0"), labelled("8:16")});
    EXPECT_EQ(calls("pvs"), 1U);
}

}  // namespace
}  // namespace tierd::lvm
