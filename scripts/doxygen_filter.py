#!/usr/bin/env python3
"""Prints a public header with its comments as Doxygen takes them: doxygen_filter.py HEADER

A comment of whole lines describes what follows, one at the end of a line what stands before it; the first one describes
the file. So the headers need no marks of their own. Lines keep their numbers. Members that only move, copy or destroy
need no words and are left out.
"""
import re
import sys

SPECIAL = re.compile(r"\s*(virtual )?~?(\w+)\((\2&&|const \2&|)\)( noexcept)?( = \w+)?;\s*(//.*)?|\s*\w+& operator=.*")


def marked(lines):
    in_class = ""
    for line in lines:
        if match := re.match(r"\s*(?:class|struct) (\w+).*\{", line):
            in_class = match[1]
        whole = re.fullmatch(r"(\s*)//(?! IWYU)(.*)", line)
        behind = re.fullmatch(r"(.*\S)\s{2,}//(?! IWYU)(.*)", line)
        special = SPECIAL.fullmatch(line)
        if line == "#pragma once":
            yield "/// \\file"  # the end of the first comment
        elif special and (special[2] in (None, in_class)) and "()" not in line.replace("~", "").replace(f"{in_class}()", ""):
            yield ""
        elif whole:
            yield f"{whole[1]}///{whole[2]}"
        elif behind and not behind[1].startswith(("#", "}")):
            yield f"{behind[1]}  /**<{behind[2]} */"
        else:
            yield line


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        print("\n".join(marked(header.read().splitlines())))
