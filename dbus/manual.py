#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Interface XML with gtk-doc comments -> one manual page as scdoc text, org.tierd1(5), on standard output.

usage: manual.py FILE.xml...
"""
import re
import sys
import xml.etree.ElementTree as ET

HEAD = """org.tierd1(5)

# NAME

org.tierd1 - the interface of tierd on the system bus

# DESCRIPTION

*tierd*(8) has the bus name *org.tierd1*. Each object, interface, method, signal and property is described below; *busctl introspect org.tierd1
/org/tierd1* shows those of a running daemon. Errors are called *org.tierd1.Error.*_NAME_; their message is one sentence for people.

Properties that are figures are announced at most once a second an object, changes of a state at once, always by
_org.freedesktop.DBus.Properties.PropertiesChanged_. Interfaces, members and dictionary keys may be added; none is taken away within *org.tierd1*.
"""
TAIL = """# SEE ALSO

*tierd*(8), *tierctl*(1), *tierd.yaml*(5), *tierd-events*(7), *busctl*(1), *org.freedesktop.LogControl1*(5)
"""


class Comment:
    """gtk-doc: "Name:", lines "@argument: text", an empty line, paragraphs."""

    def __init__(self, text):
        self.arguments, self.paragraphs, self.name = {}, [], ""
        current, last = [], None
        lines = [line.strip() for line in text.strip().splitlines()]
        if lines and re.fullmatch(r"[\w.]+:", lines[0]):
            self.name = lines[0][:-1]
            lines = lines[1:]
        for line in lines:
            argument = re.match(r"@(\w+): *(.*)", line)
            if argument:
                last = argument[1]
                self.arguments[last] = argument[2]
            elif not line:
                last = None
                if current:
                    self.paragraphs.append(" ".join(current))
                current = []
            elif last:
                self.arguments[last] += " " + line
            else:
                current.append(line)
        if current:
            self.paragraphs.append(" ".join(current))


def plain(text):
    """As scdoc shows it unchanged."""
    text = re.sub(r"([\\*_])", r"\\\1", text)
    return re.sub(r"^([#.;~|\[\]-])", r"\\\1", text)


def children(element):
    """Each child with the comment before it."""
    comment = Comment("")
    for child in element:
        if child.tag is ET.Comment:
            comment = Comment(child.text)
        else:
            yield child, comment
            comment = Comment("")


def paragraphs(comment, indent):
    return "\n\n".join(indent + plain(each) for each in comment.paragraphs)


def signature(member):
    def listed(direction):
        arguments = [each for each in member.findall("arg") if each.get("direction", "in") == direction or member.tag == "signal"]
        return ", ".join(f"{each.get('type')} _{plain(each.get('name'))}_" for each in arguments)

    if member.tag == "signal":
        return f"*{member.get('name')}*({listed('in')})"
    out = listed("out")
    return f"*{member.get('name')}*({listed('in')})" + (f" → ({out})" if out else "")


def member_text(member, comment):
    if member.tag == "property":
        emits = "".join(each.get("value") for each in member.findall("annotation") if each.get("name").endswith("EmitsChangedSignal"))
        kind = {"const": ", never changes", "false": ", not announced"}.get(emits, "")
        return f"*{member.get('name')}* {member.get('type')} ({member.get('access')}{kind})\n{paragraphs(comment, chr(9))}\n"
    lines = [signature(member), paragraphs(comment, "\t")]
    lines += [f"\n\t_{plain(name)}_: {plain(text)}" for name, text in comment.arguments.items()]
    return "\n".join(lines) + "\n"


def interface_text(interface, comment):
    name = interface.get("name")
    short = comment.arguments.pop("short_description", "")
    out = [f"# {name}\n", plain(short[:1].upper() + short[1:]) + ".\n", paragraphs(comment, "") + "\n"]
    members = list(children(interface))
    for tag, title in (("property", "Properties"), ("method", "Methods"), ("signal", "Signals")):
        texts = [member_text(each, about) for each, about in members if each.tag == tag]
        if texts:
            out += [f"## {title}\n"] + texts
    return "\n".join(out)


def main(files):
    print(HEAD)
    for file in files:
        root = ET.parse(file, ET.XMLParser(target=ET.TreeBuilder(insert_comments=True))).getroot()
        for interface, comment in children(root):
            print(interface_text(interface, comment))
    print(TAIL, end="")


if __name__ == "__main__":
    main(sys.argv[1:])
