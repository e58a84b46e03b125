// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "fixtures.hpp"

namespace tierd::client::fixtures {
namespace {

constexpr const char* hard_disk =
    R"({"id":"serial:WD-WCC7K0","path":"/dev/sda","identity":"serial:WD-WCC7K0","model":"WDC WD40EFRX-68N32N0",
  "serial":"WD-WCC7K0","wwn":"","transport":"sata","size":4000787030016,"kind":"hdd","kind_evidence":"rotational 1","state":"ineligible",
  "reasons":["is no SSD","in use: member of volume group lvm_hdd"],"policy":""})";
constexpr const char* ssd =
    R"("id":"serial:S21PNXAG441016","path":"/dev/sdb","identity":"serial:S21PNXAG441016","model":"Samsung SSD 850 EVO 250GB",
  "serial":"S21PNXAG441016","wwn":"0x5002538d4","transport":"sata","size":250059350016,"kind":"ssd","kind_evidence":"rotational 0")";
constexpr const char* waiting_tier =
    R"("id":"media","kind":"cache","volume":"lvm_hdd/hdd","volume_kind":"lv","uuid":"Yx0","mode":"","cache_policy":"",
  "settings":{},"chunk_size":null,"size":null,"used":null,"dirty":null,"hit_ratios":{},"health":"unknown","devices":[],"policy":"media","foreign":false)";

Value step(std::uint64_t id, const char* verb, const char* sentence, const char* reason, Value::List command = {}) {
    return Value::Map{{"id", id},
                      {"verb", verb},
                      {"target", "lvm_hdd/hdd"},
                      {"entry", "tier media"},
                      {"sentence", sentence},
                      {"reason", reason},
                      {"rule", "10-media.yaml:12"},
                      {"command", std::move(command)},
                      {"risk", "reversible"},
                      {"state", "ready"},
                      {"assumed", false},
                      {"needs-person", false},
                      {"bytes", std::uint64_t{0}},
                      {"after", Value::List{}}};
}

Value finding(const char* subject, const char* question, const char* verdict, const char* evidence, const char* advice = "",
              const char* rule = "") {
    return Value::Map{{"subject", subject},   {"question", question}, {"verdict", verdict},
                      {"evidence", evidence}, {"advice", advice},     {"rule", rule}};
}

Value state(const std::string& members) {
    return parse_json(R"({"version":"0.1.0","generation":3,"policy_changed":false,)" + members + '}');
}

}  // namespace

FakeDaemon installed() {
    FakeDaemon daemon;
    daemon.state = state(R"("state":"idle","convergence":"converged","waits_for":"","policy_files":[],"policy_problems":[],"frozen":{},
      "devices":[],"tiers":[],"snapshots":[],"jobs":[],"alerts":[],"risks":[],"next_pass":0,"observation":{"version":1})");
    return daemon;
}

FakeDaemon waiting() {
    FakeDaemon daemon;
    const std::string waits_for = "waits for a disk: fast (ssd, sata or nvme, 200 GiB or more) (none is there)";
    daemon.state = state(R"("state":"idle","convergence":"waiting","waits_for":"lvm_hdd/hdd )" + waits_for +
                         R"(","policy_files":["/etc/tierd/10-media.yaml","/etc/tierd/20-snapshots.yaml"],"policy_problems":[],"frozen":{},
      "devices":[)" + std::string{hard_disk} +
                         R"(],"tiers":[{)" + waiting_tier + R"(,"phase":"waiting","waits_for":")" + waits_for +
                         R"("}],"snapshots":[],"jobs":[],"alerts":[],"next_pass":0,"observation":{"version":1})");
    Value wait = step(1, "wait", "waits for a disk: fast (ssd, sata or nvme, 200 GiB or more)", "none is there");
    auto& map = std::get<Value::Map>(wait.data);
    map["state"] = "waiting";
    map["target"] = "lvm_hdd/hdd";
    daemon.plan = {"0a1b", 3, {wait}};
    return daemon;
}

FakeDaemon refused() {
    FakeDaemon daemon = waiting();
    daemon.state = state(
        R"("state":"idle","convergence":"waiting","waits_for":"lvm_hdd/hdd waits for a disk: fast, not taken: sdb","policy_files":["/etc/tierd/10-media.yaml"],
      "policy_problems":[],"frozen":{},"devices":[)" +
        std::string{hard_disk} + ",{" + ssd +
        R"(,"state":"ineligible","reasons":["holds data: gpt, /dev/sdb1 vfat"],"policy":"fast"}],"tiers":[{)" + waiting_tier +
        R"(,"phase":"waiting","waits_for":"waits for a disk: fast, not taken: sdb"
}],"snapshots":[],"jobs":[],"alerts":[],"next_pass":0)");
    Value refusal = step(1, "refuse-device", "/dev/sdb is not taken", "holds data: gpt, /dev/sdb1 vfat");
    auto& map = std::get<Value::Map>(refusal.data);
    map["state"] = "refused";
    map["target"] = "/dev/sdb";
    map["rule"] = "10-media.yaml:3";
    map["entry"] = "device fast";
    daemon.plan.steps.push_back(refusal);
    daemon.findings = {
        finding("/dev/sdb", "what it is", "note", "Samsung SSD 850 EVO 250GB, serial S21PNXAG441016, 232.9 GiB, sata"),
        finding("/dev/sdb", "is an SSD", "yes", "rotational 0, rotation rate \"solid state\" (ATA identify)", "", "10-media.yaml:3"),
        finding("/dev/sdb", "is 200 GiB or larger", "yes", "232.9 GiB", "", "10-media.yaml:3"),
        finding("/dev/sdb", "is attached by nvme or sata", "unknown", "udev says nothing about its bus", "", "10-media.yaml:3"),
        finding("/dev/sdb", "holds no data", "no", "partition table gpt at 512; /dev/sdb1: vfat",
                "add `wipe: [gpt, vfat]` and `serial: S21PNXAG441016` to rule fast, or empty it with wipefs", "10-media.yaml:3"),
    };
    return daemon;
}

FakeDaemon attaching() {
    FakeDaemon daemon = waiting();
    daemon.plan = {"5c3e",
                   5,
                   {step(1, "create-pv", "initialise sdb as a physical volume", "lvm_hdd/hdd is to be cached, writeback",
                         {"/usr/sbin/lvm", "pvcreate", "--uuid", "abc", "--norestorefile", "/dev/sdb"}),
                    step(2, "extend-vg", "extend volume group lvm_hdd by sdb", "lvm_hdd/hdd is to be cached, writeback",
                         {"/usr/sbin/lvm", "vgextend", "lvm_hdd", "/dev/sdb"}),
                    step(3, "create-cache-pool", "create cache pool media: 220 GiB data, 3 GiB metadata, chunks of 256 KiB, on sdb",
                         "chunks of 64 KiB would be 3,604,480; LVM allows 1,000,000", {"/usr/sbin/lvm", "lvcreate", "--config", "a b 'c'"}),
                    step(4, "attach-cache", "put it in front of lvm_hdd/hdd, writeback; the volume stays in use", "")}};
    daemon.job = {
        {"Id", std::uint64_t{7}}, {"Operation", "apply"}, {"State", "running"}, {"Stage", "initialising sdb as a physical volume"},
        {"ProgressValid", false}, {"Result", ""},         {"ErrorName", ""},    {"ErrorMessage", ""}};
    return daemon;
}

FakeDaemon converged() {
    FakeDaemon daemon;
    daemon.state = state(
        R"("state":"idle","convergence":"converged","waits_for":"","policy_files":["/etc/tierd/10-media.yaml"],"policy_problems":[],"frozen":{},
      "devices":[)" +
        std::string{hard_disk} + ",{" + ssd + R"(,"state":"serving","reasons":[],"policy":"fast"}],"tiers":[
      {"id":"media","kind":"cache","volume":"lvm_hdd/hdd","volume_kind":"lv","uuid":"Yx0","mode":"writeback","cache_policy":"smq","settings":{},
       "chunk_size":262144,"size":236223201280,"used":191340792832,"dirty":1288490188,"metadata_ratio":0.031,
       "hit_ratios":{"read-5m":0.94,"read-1d":0.884,"write-5m":0.5},"phase":"active","health":"ok","devices":["serial:S21PNXAG441016"],
       "policy":"media","waits_for":"","foreign":false},
      {"id":"abcdef-0123","kind":"cache","volume":"other/data","volume_kind":"lv","uuid":"abcdef-0123","mode":"writethrough","cache_policy":"smq","settings":{},
       "chunk_size":65536,"size":10737418240,"used":null,"dirty":null,"metadata_ratio":null,"hit_ratios":{},"phase":"active","health":"unknown",
       "devices":[],"policy":"","waits_for":"","foreign":true}],
      "snapshots":[{"id":"s1","volume":"vgtest/nightly-1","origin":"vgtest/lvtest","kind":"thick","size":21474836480,"fill_ratio":0.31,"state":"active","policy":"nightly"},
       {"id":"s2","volume":"vgtest/thin-1","origin":"vgtest/home","kind":"thin","size":null,"fill_ratio":null,"state":"inactive","policy":""},
       {"id":"s3","volume":"vgtest/odd","origin":"vgtest/lvtest","kind":"thick","size":1073741824,"fill_ratio":null,"state":"unknown","policy":""}],
      "jobs":[],"alerts":[],"next_pass":1770000300000000,"observation":{"version":1,"time":1770000000000000})");
    const Value& media = daemon.state["tiers"].list().front();
    daemon.objects = {
        {"/org/tierd1", "Manager", Value::Map{{"Version", "0.1.0"}, {"PolicyFiles", Value::List{}}}},
        {"/org/tierd1/device/serial_3aS21PNXAG441016", "Device",
         Value::Map{{"Path", "/dev/sdb"}, {"Serial", "S21PNXAG441016"}, {"Model", "Samsung SSD 850 EVO 250GB"}, {"State", "serving"}}},
        {"/org/tierd1/tier/media", "Tier",
         Value::Map{{"Volume", media["volume"]},
                    {"Phase", "active"},
                    {"Mode", "writeback"},
                    {"Health", "ok"},
                    {"Dirty", UINT64_MAX},
                    {"HitRatios", Value::Map{{"read-5m", 0.94}}},
                    {"Size", media["size"]},
                    {"Devices", Value::List{"/org/tierd1/device/serial_3aS21PNXAG441016"}}}}};
    return daemon;
}

FakeDaemon degraded() {
    FakeDaemon daemon;
    daemon.state = state(
        R"("state":"degraded","convergence":"blocked","waits_for":"archive: its SSD is gone","policy_files":["/etc/tierd/10-media.yaml"],
      "policy_problems":[{"severity":"error","file":"/etc/tierd/20-more.yaml","line":14,"column":11,"text":"mode: \"writeback \" is not a mode; one of writethrough, writeback, passthrough"},
       {"severity":"warning","file":"/etc/tierd/20-more.yaml","line":2,"column":1,"text":"devices: nothing uses rule slow"}],
      "frozen":{"lvm_hdd":"the same plan failed three times: vgextend ended with 5"},
      "devices":[{)" +
        std::string{ssd} + R"(,"state":"gone","reasons":["was pulled"],"policy":"fast"}],"tiers":[
      {"id":"archive","kind":"cache","volume":"vg1/archive","volume_kind":"lv","uuid":"A1","mode":"writeback","cache_policy":"smq","settings":{},
       "chunk_size":65536,"size":10737418240,"used":null,"dirty":null,"last_known_dirty":[327155712,1769915646000000],"hit_ratios":{},"phase":"lost","health":"failed",
       "devices":["serial:S21PNXAG441016"],"policy":"archive","waits_for":"","foreign":false}],
      "snapshots":[],"jobs":[{"id":6,"operation":"apply","about":"archive: look again","state":"running","stage":"","progress":0.4,"result":"","error_message":""}],
      "alerts":[{"object":"tier/archive","code":"tier-lost","severity":2,"since":1769915647000000,
        "details":{"message":"archive (vg1/archive): its SSD sdb (serial S21PNXAG441016) is gone. Write-back; 312 MiB were dirty when last seen. Nothing has been changed."}},
       {"object":"","code":"policy-invalid","severity":4,"since":1769915647000000,"details":{"message":"1 problem in the policy files"}}],
      "risks":[{"subject":"vg1","question":"is whole","verdict":"no","evidence":"its physical volume sV3kQa is missing: it is the SSD with the writeback cache of vg1/archive (tier archive). At boot LVM activates nothing of an incomplete group by itself","advice":"keep the SSD. Plug it in again, then 'lvchange -an vg1/archive' and 'lvchange -ay vg1/archive'","rule":""},
       {"subject":"vg2/root","question":"comes up at boot","verdict":"unknown","evidence":"the root file system is on it, and it is cached; whether the initramfs has dm-cache and cache_check is not known","advice":"install thin-provisioning-tools","rule":""}],"next_pass":0)");
    std::get<Value::Map>(daemon.state.data)["policy_changed"] = true;
    return daemon;
}

FakeDaemon hostile() {
    const std::string evil =
        "\x1b]0;owned\x07\x1b[2J\xc2\x9b"
        "31m\xe2\x80\xae"
        "gpj\r\nfake line\xff\x7f" +
        std::string(3000, 'A');
    FakeDaemon daemon = degraded();
    // Every text that the daemon says, wherever it stands.
    const std::function<void(Value&)> poison = [&](Value& value) {
        if (auto* text = std::get_if<std::string>(&value.data)) *text += evil;
        if (auto* list = std::get_if<Value::List>(&value.data))
            for (Value& item : *list) poison(item);
        if (auto* map = std::get_if<Value::Map>(&value.data)) {
            Value::Map poisoned;
            for (auto& [key, item] : *map) poison(poisoned[key] = item);
            *map = poisoned;
        }
    };
    poison(daemon.state);
    auto& map = std::get<Value::Map>(daemon.state.data);
    map["frozen"] = Value::Map{{evil, evil}};
    daemon.plan = attaching().plan;
    daemon.findings = refused().findings;
    daemon.objects = converged().objects;
    for (Value& one : daemon.plan.steps) poison(one);
    for (Value& one : daemon.findings) poison(one);
    for (Object& one : daemon.objects) poison(one.properties);
    daemon.problems = {{Severity::Error, {evil, 1, 1}, evil}};
    daemon.job = attaching().job;
    daemon.job["Stage"] = evil;
    for (const auto kind : {Event::Kind::Alert, Event::Kind::AlertCleared, Event::Kind::JobNew, Event::Kind::Added, Event::Kind::Changed,
                            Event::Kind::Removed})
        for (const char* interface : {"Tier", "Device", "Snapshot", "Job", "Manager"})
            daemon.events.push_back({kind, "/org/tierd1/tier/a_1bb", interface,
                                     Value::Map{{"code", evil},
                                                {"operation", evil},
                                                {"details", Value::Map{{"message", evil}}},
                                                {"Phase", evil},
                                                {"State", evil},
                                                {"Stage", evil},
                                                {"Path", evil},
                                                {"Model", evil},
                                                {"Convergence", evil}}});
    daemon.events.push_back(
        {Event::Kind::JobRemoved, "/org/tierd1/job/7", "Job", Value::Map{{"result", "failed"}, {"error", evil}, {"message", evil}}});
    return daemon;
}

}  // namespace tierd::client::fixtures
