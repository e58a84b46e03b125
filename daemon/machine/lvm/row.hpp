// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tierd::lvm {

/// One row of a JSON report: fields by name, whatever JSON type LVM gave them.
/// A field that is missing altogether is noted in the set that the document was read with.
class Row {
public:
    Row(std::shared_ptr<const void> document, const void* object, const std::string& section, std::set<std::string>& missing)
        : document_{std::move(document)}, object_{object}, section_{section}, missing_{&missing} {}

    /// Must be there and not be empty.
    std::string text(const char* field);
    /// Must be there, in digits alone: no unit, no "<", no sign. Throws Error{StateUnknown} naming it.
    std::uint64_t number(const char* field);
    std::optional<std::uint64_t> optional_number(const char* field);
    /// nullopt: missing or null. A number as its digits, a boolean as "1" or "0".
    std::optional<std::string> optional_text(const char* field);
    /// LVM's binary fields: "" or "0" no, "unknown" or "-1" not known, any other word yes.
    std::optional<bool> flag(const char* field);
    /// A point or a comma before the decimals; "" is unknown.
    std::optional<double> percent(const char* field);
    /// An array, or words with commas between.
    std::set<std::string> list(const char* field);

private:
    std::shared_ptr<const void> document_;
    const void* object_;
    std::string section_;
    std::set<std::string>* missing_;
};

/// {"report": [{"vg": [ROW…], "pv": [ROW…], …}, …]}. Throws Error{StateUnknown} when it is not of that form.
class Document {
public:
    explicit Document(std::string_view json);
    [[nodiscard]] std::size_t parts() const;
    [[nodiscard]] std::vector<Row> rows(std::size_t part, const char* section, std::set<std::string>& missing) const;

private:
    std::shared_ptr<const void> document_;
};

}  // namespace tierd::lvm
