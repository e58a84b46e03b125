// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
//
// tierd-observe: what tierd sees on this machine, as JSON, once udev is quiet; with --report what LVM says to the command that tierd asks
// it by. Run in the booted kernel by golden/record.sh.
#include <unistd.h>

#include <iostream>
#include <string_view>
#include <vector>

#include "daemon/machine/lvm/argv.hpp"

#include "daemon/machine/real_machine.hpp"
#include "systemd/loop.hpp"

namespace {

int report() {
    auto words = tierd::lvm::report_command({}, true);
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    return 127;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view{argv[1]} == "--report") return report();
    tierd::Loop loop;
    const auto machine = tierd::make_real_machine(loop, "");
    machine->on_event = [](const tierd::MachineEvent&) {};
    machine->on_command = [](const tierd::CommandRecord&) {};
    machine->on_note = [](const std::string& text) { std::cerr << text << '\n'; };
    const tierd::Watch settled = loop.after(std::chrono::seconds{2}, [&] {
        machine->observe([&](const tierd::Observation& seen) {
            std::cout << observation_to_json(seen) << '\n';
            loop.quit(0);
        });
    });
    return loop.run();
}
