#!/usr/bin/env python3
"""Writes manual pages from what the command says of itself.

    man_pages.py NEUMANN FOLDER     FOLDER/neumann.1, FOLDER/neumann-check.1 and so on
"""
import re
import subprocess
import sys
from pathlib import Path


BREAK = "\\:"  # where roff may end a line


def help_of(neumann, words):
    return subprocess.run([neumann, *words, "--help-all"], capture_output=True, text=True, check=True).stdout


def quoted(text):
    """As roff takes it literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    text = "".join(one if one.isascii() else f"\\[u{ord(one):04X}]" for one in text)
    return "\\&" + text if text.startswith(".") else text


def entries(lines):
    """A heading's indented lines as (what, about); what is too long for its column has its text on the next line."""
    result = []
    for line in lines:
        two = re.match(r"  (\S.*?)(?:  +(\S.*))?$", line)
        if two and not line.startswith("   "):
            result.append([two[1], two[2] or ""])
        elif result:
            result[-1][1] = (result[-1][1] + " " + line.strip()).strip()
    return result


def page(name, text, version, commands):
    about, usage, *rest = text.splitlines()
    about = about.removeprefix("NEUMANN: ")
    out = [f'.TH "{name.upper()}" 1 "" "{version}" "NEUMANN"', ".ad l", ".nh", ".SH NAME", f"{quoted(name)} \\- {quoted(about)}",
           ".SH SYNOPSIS", f".B {quoted(usage.removeprefix('Usage: '))}"]
    heading, body = None, []

    def end_section():
        if heading is None:
            return
        out.append(f".SH {quoted(heading.upper())}")
        if heading == "Examples" and body and body[0].startswith("  neumann"):
            out.extend([".nf", *map(quoted, body), ".fi"])
        else:
            for what, tells in entries(body):
                out.extend([".TP", f".B {quoted(what).replace(',', ',' + BREAK)}", quoted(tells)])

    for line in rest:
        title = re.fullmatch(r"(\S.*):", line)
        if title:
            end_section()
            heading, body = title[1], []
        elif line.startswith("  "):
            body.append(line)
        elif line.strip():
            end_section()
            heading = None
            out.extend([".PP", quoted(line)])
    end_section()
    if commands:
        out.extend([".SH SEE ALSO", ", ".join(quoted(one) + "(1)" for one in commands)])
    return "\n".join(out) + "\n"


def subcommands(text):
    lines = text.splitlines()
    if "Subcommands:" not in lines:
        return []
    names = []
    for line in lines[lines.index("Subcommands:") + 1:]:
        if not line.startswith("  "):
            break
        names += re.findall(r"^  (\S+)", line)
    return names


def write_pages(neumann, words, folder, version):
    text = help_of(neumann, words)
    name = "-".join(["neumann", *words])
    under = subcommands(text)
    related = [f"{name}-{one}" for one in under] or ["neumann"]
    (folder / f"{name}.1").write_text(page(name, text, version, related))
    for one in under:
        write_pages(neumann, [*words, one], folder, version)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, end="")
        return 0 if arguments in (["--help"], ["-h"]) else 2
    neumann, folder = arguments[0], Path(arguments[1])
    folder.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([neumann, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    write_pages(neumann, [], folder, version)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
