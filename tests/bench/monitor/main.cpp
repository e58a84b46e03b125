// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
//
// bench_monitor ROUNDS: reads the status of every device-mapper device by ioctl, ROUNDS times, as tierd's sampling does, and prints the
// CPU time of one round in microseconds. Run beside lvs and dmsetup by tests/bench/kernel.sh.
//
// bench_monitor clean DM_UUID: asks the kernel each half millisecond until that cache is clean, and prints when that was, in microseconds
// of the real-time clock.
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "daemon/machine/dm/mapper.hpp"
#include "systemd/loop.hpp"

namespace {

std::vector<std::string> mapper_uuids() {
    std::vector<std::string> uuids;
    for (const auto& entry : std::filesystem::directory_iterator{"/sys/class/block"}) {
        std::ifstream file{entry.path() / "dm" / "uuid"};
        std::string uuid;
        if (std::getline(file, uuid) && !uuid.empty()) uuids.push_back(uuid);
    }
    return uuids;
}

long cpu_usec() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1'000'000 + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

int tell_when_clean(const tierd::dm::Mapper& mapper, const std::string& uuid) {
    while (true) {
        const auto status = mapper.cache_device(uuid).status;
        if (!status) return 1;
        if (status->dirty_blocks == 0) break;
        std::this_thread::sleep_for(std::chrono::microseconds{500});
    }
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    std::cout << std::chrono::duration_cast<std::chrono::microseconds>(now).count() << '\n';
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view{argv[1]} == "clean") {
        tierd::Loop loop;
        const tierd::dm::Mapper mapper{loop, [] {}};
        return tell_when_clean(mapper, argv[2]);
    }
    const int rounds = argc == 2 ? std::atoi(argv[1]) : 0;
    if (rounds <= 0) {
        std::cerr << "usage: bench_monitor ROUNDS | clean DM_UUID\n";
        return 64;
    }
    tierd::Loop loop;
    tierd::dm::Mapper mapper{loop, [] {}};
    const auto uuids = mapper_uuids();
    std::size_t caches = 0;
    const long before = cpu_usec();
    for (int round = 0; round < rounds; ++round) {
        for (const auto& uuid : uuids) caches += mapper.cache_device(uuid).status ? 1U : 0U;
    }
    std::cout << (cpu_usec() - before) / rounds << ' ' << uuids.size() << ' ' << caches / static_cast<std::size_t>(rounds) << '\n';
    return 0;
}
