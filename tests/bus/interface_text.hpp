// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tierd::test {

struct Argument {
    std::string name, type, direction;
};
struct Member {
    std::string kind, name, type, access;  ///< kind: method, signal, property; type and access of a property
    std::vector<Argument> arguments;
    std::map<std::string, std::string> annotations;
    bool documented = false;  ///< a comment that begins with its name stands before it
    /// One line that holds everything a caller sees; "true" is what an unsaid EmitsChangedSignal means.
    [[nodiscard]] std::string signature() const;
};
struct Introspection {
    std::map<std::string, std::vector<Member>> interfaces;
    std::vector<std::string> children;
    [[nodiscard]] std::set<std::string> signatures(const std::string& interface) const;
};

/// Reads introspection XML: our own files, and what a daemon answers.
Introspection read_introspection(const std::string& xml);
/// dbus/NAME.xml.
Introspection read_interface_file(const std::string& interface);

}  // namespace tierd::test
