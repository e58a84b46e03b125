// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "daemon/machine/lvm/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>

#include "daemon/machine/lvm/argv.hpp"
#include "daemon/model/error.hpp"
#include "support.hpp"

namespace tierd::lvm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

const std::string ssd_uuid = "abcdef-0123-4567-89ab-cdef-0123-456789";

Lvm of(const std::string& name) {
    const auto report = parse_report(recorded(name + ".json"));
    EXPECT_THAT(report.warnings, IsEmpty()) << name;
    return report.lvm;
}

const LogicalVolume& volume(const Lvm& lvm, const std::string& vg, const std::string& lv) {
    const auto* found = lvm.volume({vg, lv});
    if (found == nullptr) throw std::runtime_error{vg + '/' + lv + " is not in the report"};
    return *found;
}

/// A report of one VG with one PV and one LV, with some fields of the LV's row.
std::string report_with(const std::string& lv_fields, const std::string& rest = "") {
    return R"({"report": [{"vg": [{"vg_name":"vg", "vg_uuid":"v-1", "vg_extent_size":"4194304", "vg_extent_count":"10", "vg_free_count":"5",
        "vg_missing_pv_count":"0", "vg_tags":"", "vg_exported":"", "vg_shared":"", "vg_partial":"", "vg_permissions":"writeable"}],
        "lv": [{"lv_uuid":"l-1", "lv_name":"lv", "lv_size":"4194304", "lv_tags":"", "lv_attr":"-wi-a-----", "lv_active":"active", "lv_suspended":"",
        "lv_health_status":"", "lv_merging":"", "pool_lv":"", "origin":"", "data_lv":"", "metadata_lv":"", "data_percent":"")" +
           (lv_fields.empty() ? "" : ", " + lv_fields) + "}]}]" + rest + "}";
}
LogicalVolume lv_with(const std::string& fields) {
    return parse_report(report_with(fields)).lvm.lvs.at(0);
}

void expect_refused(const std::string& text, const std::string& why) {
    try {
        parse_report(text);
        ADD_FAILURE() << "taken: " << text.substr(0, 200);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::StateUnknown);
        EXPECT_THAT(error.what(), HasSubstr(why));
    }
}

TEST(AReport, WasRecordedByTheCommandThatIsRun) {
    auto run = report_command({}, true);
    run.erase(run.begin());
    EXPECT_EQ(recorded_lines("report.args"), run);
    run = duplicates_command({});
    run.erase(run.begin());
    EXPECT_EQ(recorded_lines("duplicates.args"), run);
}

TEST(AReport, OfAMachineWithoutLvmIsEmpty) {
    EXPECT_EQ(of("nothing"), Lvm{});
}

TEST(AReport, ListsOrphanPhysicalVolumes) {
    const auto lvm = of("orphan");
    const auto* orphan = lvm.pv(ssd_uuid);
    ASSERT_NE(orphan, nullptr);
    EXPECT_EQ(orphan->vg, "");
    EXPECT_EQ(orphan->device, "/dev/sda");
    EXPECT_EQ(orphan->dev, "8:0");
    EXPECT_EQ(orphan->size, 256 * mib);
    EXPECT_EQ(orphan->extents, 0U);
    EXPECT_FALSE(orphan->allocatable);
    ASSERT_EQ(lvm.groups.size(), 1U);
    EXPECT_EQ(lvm.groups[0].extent_size, 4 * mib);
    EXPECT_EQ(lvm.groups[0].extents, 511U);
    EXPECT_EQ(lvm.groups[0].free_extents, 255U);
    EXPECT_TRUE(lvm.groups[0].writeable);
}

TEST(AReport, ShowsAPoolWithItsPartsAndWhereTheyLie) {
    const auto lvm = of("pool");
    const auto& pool = volume(lvm, "lvm_hdd", "p");
    EXPECT_EQ(pool.segtype, "cache-pool");
    EXPECT_FALSE(pool.hidden);
    EXPECT_THAT(pool.tags, ElementsAre("tierd.tier=media"));
    EXPECT_EQ(pool.data, "p_cdata");
    EXPECT_EQ(pool.metadata, "p_cmeta");
    EXPECT_EQ(pool.chunk_size, 64 * kib);
    EXPECT_EQ(pool.active, false);
    EXPECT_EQ(pool.suspended, false);
    EXPECT_THAT(volume(lvm, "lvm_hdd", "p_cdata").extents_on, ElementsAre(Pair(ssd_uuid, 40U)));
    EXPECT_THAT(volume(lvm, "lvm_hdd", "p_cmeta").extents_on, ElementsAre(Pair(ssd_uuid, 2U)));
    EXPECT_THAT(volume(lvm, "lvm_hdd", "lvol0_pmspare").extents_on, ElementsAre(Pair(ssd_uuid, 2U)));
    EXPECT_FALSE(lvm.pv(ssd_uuid)->allocatable);
    EXPECT_THAT(lvm.pv(ssd_uuid)->tags, ElementsAre("tierd.device=fast"));
    EXPECT_EQ(lvm.pv(ssd_uuid)->allocated_extents, 44U);
}

// C08
TEST(AReport, TakesTheBracketsOffOnceAndKeepsThemAsHidden) {
    const auto lvm = of("cached");
    const auto& cached = volume(lvm, "lvm_hdd", "hdd");
    EXPECT_EQ(cached.segtype, "cache");
    EXPECT_EQ(cached.pool, "p_cpool");
    EXPECT_EQ(cached.origin, "hdd_corig");
    EXPECT_FALSE(cached.hidden);
    EXPECT_EQ(cached.cache_mode, CacheMode::Writeback);
    EXPECT_EQ(cached.cache_policy, "smq");
    EXPECT_THAT(cached.cache_settings, ElementsAre(Pair("migration_threshold", "16384")));
    EXPECT_EQ(cached.active, true);
    EXPECT_THAT(cached.extents_on, IsEmpty());
    EXPECT_TRUE(volume(lvm, "lvm_hdd", "hdd_corig").hidden);
    EXPECT_TRUE(volume(lvm, "lvm_hdd", "p_cpool").hidden);
    EXPECT_THAT(volume(lvm, "lvm_hdd", "p_cpool").tags, ElementsAre("tierd.tier=media"));
    for (const auto& lv : lvm.lvs) {
        for (const auto& name : {lv.name, lv.pool, lv.origin, lv.data, lv.metadata})
            EXPECT_EQ(name.find_first_of("[]"), std::string::npos) << name;
    }
}

TEST(AReport, KnowsTheKernelsNameOfEachVolume) {
    const auto lvm = of("cached");
    const auto plain = [](std::string uuid) {
        std::erase(uuid, '-');
        return uuid;
    };
    const std::string group = plain(lvm.groups.at(0).uuid);
    for (const auto& [name, layer] :
         {std::pair{"hdd", ""}, {"hdd_corig", "-real"}, {"p_cpool_cdata", "-cdata"}, {"p_cpool_cmeta", "-cmeta"}}) {
        const auto& lv = volume(lvm, "lvm_hdd", name);
        EXPECT_EQ(lv.dm_uuid, "LVM-" + group + plain(lv.uuid) + layer);
    }
}

TEST(AReport, KeepsSeveralGroupsApart) {
    const auto lvm = of("two");
    EXPECT_EQ(lvm.groups.size(), 2U);
    EXPECT_THAT(lvm.group("vg-two")->tags, UnorderedElementsAre("a", "b"));
    EXPECT_THAT(volume(lvm, "vg-two", "my-lv").tags, UnorderedElementsAre("x.y=1", "z"));
    const auto& snapshot = volume(lvm, "vg-two", "snap");
    EXPECT_EQ(snapshot.origin, "my-lv");
    EXPECT_NEAR(snapshot.data_percent.value_or(0), 27.37, 0.005);
    EXPECT_EQ(volume(lvm, "vg-two", "th").pool, "tp");
    EXPECT_EQ(volume(lvm, "vg-two", "tp").data, "tp_tdata");
    // C03: not active, so its fill is unknown
    EXPECT_EQ(volume(lvm, "vg-two", "th").active, false);
    EXPECT_EQ(volume(lvm, "vg-two", "th").data_percent, std::nullopt);
    // Under a snapshot a cached volume stays one.
    EXPECT_EQ(volume(lvm, "lvm_hdd", "hdd").segtype, "cache");
}

TEST(AReport, SaysWhatIsExportedAndWhatIsMissing) {
    EXPECT_TRUE(of("exported").group("vg-two")->exported);
    EXPECT_FALSE(of("exported").group("lvm_hdd")->exported);
    const auto lvm = of("missing");
    EXPECT_EQ(lvm.group("lvm_hdd")->missing_pvs, 1U);
    EXPECT_TRUE(lvm.group("lvm_hdd")->partial);
    const auto* gone = lvm.pv(ssd_uuid);
    ASSERT_NE(gone, nullptr);
    EXPECT_TRUE(gone->missing);
    EXPECT_EQ(gone->device, "");
    EXPECT_EQ(gone->dev, "");
    EXPECT_TRUE(volume(lvm, "lvm_hdd", "hdd").partial);
}

// A22: by field, from `pvs -a`; plain reports show one row
TEST(AReport, ShowsDuplicatesOnlyWithTheSecondOne) {
    auto lvm = of("duplicate");
    for (const auto& pv : lvm.pvs) EXPECT_FALSE(pv.duplicate);
    const auto before = lvm.pvs.size();
    add_duplicates(lvm, recorded("duplicate.pvs"));
    std::vector<std::string> devices;
    for (const auto& pv : lvm.pvs) {
        if (pv.duplicate) devices.push_back(pv.device);
    }
    EXPECT_THAT(devices, UnorderedElementsAre("/dev/sdb", "/dev/sdc"));
    EXPECT_EQ(lvm.pvs.size(), before + 1);
    BlockDevice second;
    second.dev = "8:32";
    ASSERT_NE(lvm.pv_on(second), nullptr);
    EXPECT_TRUE(lvm.pv_on(second)->duplicate);
}

// C02
TEST(AReport, TakesACommaInPercentagesUnderAnyLocale) {
    EXPECT_DOUBLE_EQ(lv_with(R"("data_percent":"12,33")").data_percent.value_or(0), 12.33);
    EXPECT_DOUBLE_EQ(lv_with(R"("data_percent":"0,00")").data_percent.value_or(1), 0);
    const std::string before = std::setlocale(LC_ALL, nullptr);
    for (const auto* locale : {"fi_FI.UTF-8", "de_DE.UTF-8", "C.UTF-8"}) {
        if (std::setlocale(LC_ALL, locale) == nullptr) continue;
        EXPECT_DOUBLE_EQ(lv_with(R"("data_percent":"12.33")").data_percent.value_or(0), 12.33) << locale;
    }
    std::setlocale(LC_ALL, before.c_str());
    // B03: above 100 is what it is
    EXPECT_DOUBLE_EQ(lv_with(R"("data_percent":"119.25")").data_percent.value_or(0), 119.25);
}

// C03
TEST(AReport, TakesAnEmptyPercentageAsUnknown) {
    EXPECT_EQ(lv_with(R"("data_percent":"")").data_percent, std::nullopt);
    EXPECT_EQ(lv_with(R"("data_percent":null)").data_percent, std::nullopt);
    EXPECT_EQ(lv_with(R"("data_percent":"-1.00")").data_percent, std::nullopt);
    expect_refused(report_with(R"("data_percent":"1e3")"), "expected a percentage");
    expect_refused(report_with(R"("data_percent":"nan")"), "expected a percentage");
    expect_refused(report_with(R"("data_percent":"12.3%")"), "expected a percentage");
}

// C05
TEST(AReport, WithAnythingAroundItIsNone) {
    const auto good = report_with("");
    EXPECT_NO_THROW(parse_report(good));
    expect_refused("  /dev/sr0: open failed: No medium found\n" + good, "no JSON");
    expect_refused(good + "\nWARNING: late\n", "no JSON");
    expect_refused("", "no JSON");
    expect_refused("{", "no JSON");
    expect_refused("[]", "no \"report\"");
    expect_refused("{}", "no \"report\"");
    expect_refused(R"({"report": {}})", "no \"report\"");
    expect_refused(R"({"report": [1]})", "no object");
    expect_refused(R"({"report": [{"vg": {}}]})", "no list");
    expect_refused(R"({"report": [{"vg": ["x"]}]})", "no object");
}

TEST(AReport, ThatIsCutAnywhereIsNone) {
    const auto whole = recorded("cached.json");
    const auto end = whole.find_last_of('}');
    for (std::size_t length = 0; length <= end; length += 7) EXPECT_THROW(parse_report(whole.substr(0, length)), Error) << length;
}

// C06
TEST(AReport, PassesOverWhatItDoesNotKnow) {
    const auto report =
        parse_report(report_with(R"("vdo_operating_mode":"x", "cache_dirty_blocks":"7")", R"(, "log": [{"log_type":"error"}], "new": 1)"));
    EXPECT_THAT(report.warnings, IsEmpty());
    EXPECT_EQ(report.lvm.lvs.size(), 1U);
}

// C06
TEST(AReport, SaysOnceWhichFieldsAreMissing) {
    const std::string row = R"({"lv_uuid":"UUID", "lv_name":"NAME", "lv_size":"1", "lv_attr":"-wi-a-----"})";
    const auto named = [&](const char* name) {
        auto text = row;
        text.replace(text.find("UUID"), 4, std::string{"u-"} + name);
        return text.replace(text.find("NAME"), 4, name);
    };
    auto text = report_with("");
    text.insert(text.find("}]}]") + 1, ", " + named("a") + ", " + named("b"));
    const auto report = parse_report(text);
    EXPECT_EQ(report.lvm.lvs.at(1).active, std::nullopt);
    EXPECT_EQ(report.lvm.lvs.at(1).suspended, std::nullopt);
    EXPECT_EQ(report.lvm.lvs.at(1).data_percent, std::nullopt);
    EXPECT_EQ(std::count(report.warnings.begin(), report.warnings.end(), "LVM's report lacks lv lv_active, taken as unknown"), 1);
}

TEST(AReport, WithoutANameOrUuidOrSizeIsNone) {
    for (const auto* field : {"vg_name", "vg_uuid", "vg_extent_size", "vg_free_count", "lv_name", "lv_uuid", "lv_size"}) {
        auto text = report_with("");
        text.replace(text.find(std::string{'"'} + field), std::string{field}.size() + 2, "\"other\"");
        expect_refused(text, field);
        auto empty = report_with("");
        const auto value = empty.find(":\"", empty.find(std::string{'"'} + field)) + 2;
        empty.erase(value, empty.find('"', value) - value);
        expect_refused(empty, field);
    }
}

// C07
TEST(AReport, TakesStringsNumbersNullAndArrays) {
    const auto lv =
        lv_with(R"("lv_size":67108864, "data_percent":12.5, "lv_tags":["a","b=c"], "lv_suspended":0, "pool_lv":null, "lv_active":1)");
    EXPECT_EQ(lv.size, 64 * mib);
    EXPECT_DOUBLE_EQ(lv.data_percent.value_or(0), 12.5);
    EXPECT_THAT(lv.tags, UnorderedElementsAre("a", "b=c"));
    EXPECT_EQ(lv.suspended, false);
    EXPECT_EQ(lv.active, true);
    EXPECT_EQ(lv.pool, "");
    expect_refused(report_with(R"("lv_size":{})"), "no single value");
    expect_refused(report_with(R"("lv_tags":[1])"), "no list of words");
    expect_refused(report_with(R"("lv_size":-1)"), "digits alone");
    expect_refused(report_with(R"("lv_size":1.5)"), "digits alone");
}

// C10
TEST(AReport, TakesLvmsUnknownAsUnknown) {
    for (const auto* fields : {R"("lv_active":"unknown")", R"("lv_active":"-1")", R"("lv_attr":"-wi-XX----")"}) {
        EXPECT_EQ(lv_with(fields).active, std::nullopt) << fields;
    }
    EXPECT_EQ(lv_with(R"("lv_suspended":"unknown")").suspended, std::nullopt);
    EXPECT_EQ(lv_with(R"("lv_suspended":"suspended")").suspended, true);
    EXPECT_EQ(lv_with(R"("lv_active":"", "lv_suspended":"unknown")").suspended, false);
}

// C14, C17
TEST(AReport, WithASizeThatIsNotBytesIsNone) {
    for (const auto* size :
         {"55.12g", "<14.00g", "1.00e", "14.00", "67108864B", "-1", "+1", " ", "0x10", "1,5", "18446744073709551616", "1.0.0:5620"}) {
        expect_refused(report_with(std::string{"\"lv_size\":\""} + size + '"'), "lv_size");
    }
    EXPECT_EQ(lv_with(R"("lv_size":"18446744073709551615")").size, 18446744073709551615U);
}

// C16
TEST(AReport, MarksSharedGroups) {
    auto text = report_with("");
    text.replace(text.find(R"("vg_shared":"")"), 14, R"("vg_shared":"shared")");
    EXPECT_TRUE(parse_report(text).lvm.groups.at(0).shared);
}

// C18
TEST(AReport, KeepsValuesWithBlanksWhole) {
    EXPECT_EQ(lv_with(R"("lv_health_status":"refresh needed")").health, "refresh needed");
}

// A24: what a thin pool's fill is, is no cache's
TEST(AReport, FindsTheCacheOfAThinPoolAtItsData) {
    auto text = report_with(R"("lv_name":"[pool0_tdata]", "pool_lv":"[c_cpool]", "origin":"[pool0_tdata_corig]", "data_percent":"99.99")");
    const auto lv = parse_report(text).lvm.lvs.at(0);
    EXPECT_EQ(lv.name, "pool0_tdata");
    EXPECT_TRUE(lv.hidden);
    EXPECT_THAT(lv.dm_uuid, testing::EndsWith("-tdata"));
}

}  // namespace
}  // namespace tierd::lvm
