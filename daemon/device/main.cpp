// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <charconv>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "daemon/device/cache.hpp"
#include "daemon/device/claim.hpp"
#include "daemon/device/probe.hpp"
#include "daemon/model/error.hpp"

namespace {

using tierd::Error;
using tierd::ErrorCode;

constexpr std::string_view usage =
    "tierd-device probe NODE\n"
    "tierd-device claim --diskseq N --size BYTES [--identity I] [--may-wipe TYPE]... [--wipe] NODE [-- COMMAND ARG...]\n"
    "tierd-device claim --diskseq N --pv-uuid UUID NODE -- COMMAND ARG...\n"
    "tierd-device committed NODE\n"
    "tierd-device commit DM_UUID [-- COMMAND ARG...]\n"
    "tierd-device clean DM_UUID -- COMMAND ARG...\n"
    "tierd-device failed DM_UUID -- COMMAND ARG...\n";

/// What tierd reads from the exit status; a command that was run keeps its own (lvm: 0 to 5).
int status_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::DeviceNotEmpty: return 10;
        case ErrorCode::DeviceBusy: return 11;
        case ErrorCode::DeviceChanged: return 12;
        case ErrorCode::Timeout: return 13;
        case ErrorCode::InvalidArgs: return 64;
        default: return 1;
    }
}

std::uint64_t number(std::string_view option, std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw Error{ErrorCode::InvalidArgs, std::string{option} + ": '" + std::string{text} + "' is no number"};
    }
    return value;
}

tierd::device::ClaimRequest parse_claim(const std::vector<std::string>& words) {
    tierd::device::ClaimRequest request;
    std::size_t i = 0;
    const auto value = [&]() -> const std::string& {
        if (i + 1 >= words.size()) throw Error{ErrorCode::InvalidArgs, words[i] + " needs a value"};
        return words[++i];
    };
    for (; i < words.size() && words[i] != "--"; ++i) {
        const std::string& word = words[i];
        if (word == "--diskseq") {
            request.disk.diskseq = number(word, value());
        } else if (word == "--size") {
            request.disk.size = number(word, value());
        } else if (word == "--identity") {
            request.disk.identity = value();
        } else if (word == "--pv-uuid") {
            request.pv_uuid = value();
        } else if (word == "--may-wipe") {
            request.disk.may_wipe.push_back(value());
        } else if (word == "--wipe") {
            request.wipe = true;
        } else if (word.empty() || word.front() == '-' || !request.disk.node.empty()) {
            throw Error{ErrorCode::InvalidArgs, "unexpected argument '" + word + "'"};
        } else {
            request.disk.node = word;
        }
    }
    if (i < words.size()) request.command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
    const bool known = request.disk.size != 0 || !request.pv_uuid.empty();
    if (request.disk.node.empty() || request.disk.diskseq == 0 || !known || (request.wipe && !request.pv_uuid.empty()))
        throw Error{ErrorCode::InvalidArgs, "claim needs a node, --diskseq and either --size or --pv-uuid; what is a PV is not wiped"};
    return request;
}

void probe(const std::string& node) {
    const tierd::device::Disk disk{node};
    const bool busy = disk.is_busy();
    const auto content = tierd::device::look({disk.fd(), 0, 0});
    nlohmann::json signatures = nlohmann::json::array();
    for (const auto& each : content.signatures) {
        nlohmann::json signature{{"type", each.type}, {"usage", each.usage}, {"offset", each.offset}};
        if (!each.uuid.empty()) signature["uuid"] = each.uuid;
        if (!each.vg.empty()) signature["vg"] = each.vg;
        if (each.writeback) signature["writeback"] = *each.writeback;
        signatures.push_back(std::move(signature));
    }
    std::cout << nlohmann::json{{"busy", busy}, {"ambivalent", content.ambivalent}, {"signatures", signatures}}.dump() << '\n';
}

int run(const std::vector<std::string>& words) {
    if (words.size() == 2 && words[0] == "probe") {
        probe(words[1]);
    } else if (words.size() == 2 && words[0] == "committed") {
        std::cout << (tierd::device::metadata_committed(words[1]) ? "yes" : "no") << '\n';
    } else if (words.size() == 2 && words[0] == "commit") {
        tierd::device::commit_metadata(words[1]);
    } else if (words.size() > 3 && words[0] == "commit" && words[2] == "--") {
        const int status = tierd::device::run({words.begin() + 3, words.end()});
        if (status != 0) return status;
        tierd::device::commit_metadata(words[1]);
    } else if (words.size() > 3 && words[0] == "clean" && words[2] == "--") {
        tierd::device::require_clean(words[1]);
        return tierd::device::run({words.begin() + 3, words.end()});
    } else if (words.size() > 3 && words[0] == "failed" && words[2] == "--") {
        tierd::device::require_failed(words[1]);
        return tierd::device::run({words.begin() + 3, words.end()});
    } else if (!words.empty() && words[0] == "claim") {
        return tierd::device::claim(parse_claim({words.begin() + 1, words.end()}));
    } else {
        throw Error{ErrorCode::InvalidArgs, "usage:\n" + std::string{usage}};
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const int status = run({argv + 1, argv + argc});
        std::cout.flush();
        return std::cout ? status : 1;
    } catch (const Error& error) {
        std::cerr << error.what() << '\n';
        return status_of(error.code());
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
