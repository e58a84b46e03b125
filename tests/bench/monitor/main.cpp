// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
//
// bench_monitor ROUNDS: reads the status of every device-mapper device by ioctl, ROUNDS times, as tierd's sampling does, and prints the
// CPU time of one round in microseconds. Run beside lvs and dmsetup by tests/bench/kernel.sh.
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
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

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc == 2 ? std::atoi(argv[1]) : 0;
    if (rounds <= 0) {
        std::cerr << "usage: bench_monitor ROUNDS\n";
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
