// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "config/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "config/source.hpp"
#include "config/words.hpp"

namespace tierd::config {

namespace {

// Leaves the parser at once: whatever would follow is not looked at.
struct Refused {};

// Builds the tree from events, not from YAML::Node: that one forgets duplicates, quotes and depth.
class Builder : public YAML::EventHandler {
public:
    Builder(const std::string& text, Report& report) : text_{text}, report_{report} {
        for (std::size_t at = 0; at < text.size(); ++at) {
            if ((static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80) continued_.push_back(at);
        }
    }

    [[nodiscard]] YamlNode take() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (documents_++ == 0) return;
        report_.error(spot(mark), "a second document begins here; a file holds one (is this line indented less than the ones above?)");
        throw Refused{};
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        YamlNode node = begin(mark, "?", anchor, YamlNode::Kind::Nothing);
        if (expects_key()) refuse(node, "a key that is empty or null; put quotes around it if it is meant as a name");
        add(std::move(node));
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        YamlNode node = begin(mark, "?", YAML::NullAnchor, YamlNode::Kind::Nothing);
        refuse(node, "an alias (*); write the value out, or put it in quotes");
        add(std::move(node));
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
        YamlNode node = begin(mark, tag, anchor, YamlNode::Kind::Text);
        node.text = value;
        check_text(node, position(mark));
        if (expects_key() && value == "<<") refuse(node, "a merge key (<<); write the lines out");
        add(std::move(node));
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        open(begin(mark, tag, anchor, YamlNode::Kind::List));
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value /*style*/) override {
        open(begin(mark, tag, anchor, YamlNode::Kind::Map));
    }
    void OnMapEnd() override { close(); }

private:
    // The text is UTF-8 with \n only, so the parser's positions are offsets into it.
    [[nodiscard]] std::size_t position(const YAML::Mark& mark) const {
        return std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size());
    }

    // Columns count characters, the parser's bytes. By search, not by counting: a file may be one line of a mebibyte with an event every
    // few bytes.
    [[nodiscard]] Spot spot(const YAML::Mark& mark) const {
        const auto end = position(mark);
        const auto bytes = std::min(static_cast<std::size_t>(std::max(mark.column, 0)), end);
        const auto before = [&](std::size_t at) { return std::lower_bound(continued_.begin(), continued_.end(), at) - continued_.begin(); };
        const auto column = bytes - static_cast<std::size_t>(before(end) - before(end - bytes)) + 1;
        return {static_cast<unsigned>(std::max(mark.line, 0)) + 1, static_cast<unsigned>(column)};
    }

    void refuse(YamlNode& node, const std::string& text) {
        report_.error(node.spot, text);
        node.sound = false;
    }

    YamlNode begin(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Kind kind) {
        YamlNode node;
        node.kind = kind;
        node.spot = spot(mark);
        const auto at = position(mark);
        if ((tag != "?" && tag != "!" && !tag.empty()) || (at < text_.size() && text_[at] == '!')) {
            report_.error(node.spot, "a tag (!); values have no tags here: take it out, or put the text in quotes");
            throw Refused{};
        }
        if (anchor != YAML::NullAnchor) refuse(node, "an anchor (&); write the value out where it is needed");
        return node;
    }

    // A quote that is not closed, or a line indented too far, makes one value of several lines without an error. No value of a policy has
    // two lines.
    void check_text(YamlNode& node, std::size_t at) {
        const char first = at < text_.size() ? text_[at] : '\0';
        node.quoted = first == '"' || first == '\'';
        if (first == '|' || first == '>') {
            refuse(node, "text over several lines (" + std::string(1, first) + "); write it in one line");
        } else if (node.quoted && !closes_on_its_line(at)) {
            refuse(node, "a quote that is not closed in its line swallows what follows: " + quote(node.text));
        } else if (!node.quoted && text_.compare(at, node.text.size(), node.text) != 0) {
            refuse(node,
                   "a value over several lines: " + quote(node.text) + "; a line further down is indented too far, or misses its \": \"");
        } else if (const auto hidden = hidden_character(node.text); !hidden.empty()) {
            refuse(node, quote(node.text) + " holds a character that cannot be seen (" + hidden + "); take it out");
        }
    }

    [[nodiscard]] bool closes_on_its_line(std::size_t at) const {
        const char mark = text_[at];
        for (++at; at < text_.size() && text_[at] != '\n'; ++at) {
            if (mark == '"' && text_[at] == '\\') {
                ++at;
                if (at < text_.size() && text_[at] == '\n') return false;
            } else if (text_[at] == mark) {
                const bool doubled = mark == '\'' && at + 1 < text_.size() && text_[at + 1] == mark;
                if (!doubled) return true;
                ++at;
            }
        }
        return false;
    }

    [[nodiscard]] bool expects_key() const { return !open_.empty() && open_.back().node.kind == YamlNode::Kind::Map && !open_.back().key; }

    void open(YamlNode node) {
        if (open_.size() >= max_depth) {
            report_.error(node.spot, "nested more than " + std::to_string(max_depth) + " levels deep; a policy needs 5");
            throw Refused{};
        }
        open_.push_back({std::move(node), std::nullopt});
    }

    void close() {
        YamlNode node = std::move(open_.back().node);
        open_.pop_back();
        add(std::move(node));
    }

    void add(YamlNode node) {
        if (open_.empty()) {
            root_ = std::move(node);
            return;
        }
        if (expects_key() && (node.kind == YamlNode::Kind::List || node.kind == YamlNode::Kind::Map))
            refuse(node, "a list or map as a key; a key is one word");
        auto& parent = open_.back();
        parent.node.sound = parent.node.sound && node.sound;
        if (parent.node.kind == YamlNode::Kind::List) {
            parent.node.items.push_back(std::move(node));
        } else if (!parent.key) {
            parent.key = std::move(node);
        } else {
            parent.node.pairs.push_back({std::move(*parent.key), std::move(node)});
            parent.key.reset();
        }
    }

    struct Open {
        YamlNode node;
        std::optional<YamlNode> key;  // of a map: read, its value not yet
    };
    const std::string& text_;
    Report& report_;
    std::vector<std::size_t> continued_;  // offsets of bytes that begin no character
    std::vector<Open> open_;
    YamlNode root_;
    unsigned documents_ = 0;
};

// The library's messages name its inner state; the frequent ones in the reader's words.
std::string explain(const std::string& message) {
    if (message.find("end of map not found") != std::string::npos) {
        return "this line is indented unlike those around it, or has no \": \" behind its key";
    }
    if (message.find("illegal map value") != std::string::npos) return "a second \": \" in one line; put a value that holds it in quotes";
    if (message.find("end of map flow") != std::string::npos) return "a { that is not closed by a }";
    if (message.find("end of sequence flow") != std::string::npos) return "a [ that is not closed by a ]";
    if (message.find("anchor") != std::string::npos || message.find("alias") != std::string::npos) {
        return "* and & mean alias and anchor at the start of a value; put it in quotes";
    }
    if (message.find("unknown token") != std::string::npos) return "a value cannot start with this character; put it in quotes";
    if (message.find("EOF in scalar") != std::string::npos) return "a quote is not closed up to the end of the file";
    return "not YAML: " + escape(message);
}

}  // namespace

std::optional<YamlNode> read_yaml(const std::string& text, Report& report) {
    Builder builder{text, report};
    const auto at = [&](const YAML::Mark& mark) -> Spot {
        if (mark.line < 0) return {};
        return {static_cast<unsigned>(mark.line) + 1, static_cast<unsigned>(std::max(mark.column, 0)) + 1};
    };
    try {
        std::istringstream stream{text};
        YAML::Parser parser{stream};
        while (parser.HandleNextDocument(builder)) continue;
    } catch (const Refused&) {
        return std::nullopt;
    } catch (const YAML::Exception& exception) {
        report.error(at(exception.mark), explain(exception.msg));
        return std::nullopt;
    }
    YamlNode root = builder.take();
    if (root.kind == YamlNode::Kind::Nothing && root.sound && says_something(text)) {
        report.error({1, 1}, "nothing of this file is read as a policy, though it is not empty");
        return std::nullopt;
    }
    return root;
}

}  // namespace tierd::config
