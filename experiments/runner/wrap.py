"""Prose of a page in lines of at most 100 characters, as in the other pages of the documentation."""
import re
import textwrap

WIDTH = 100
LEFT_ALONE = re.compile(r"[|#!<]|    |- [^`]+: `[^`]*`$")  # tables, headings, pictures, HTML and marks, code, settings
NO_START = re.compile(r" (?=(?:\d+\.|[-+*>#|]+)( |$))")  # a line that began behind this blank would be a list or the like


def wrapped(page):
    """The same page; blocks of code and lines that are no prose stay as they are."""
    lines, inside = [], False
    for line in page.split("\n"):
        if line.startswith("```"):
            inside = not inside
        if inside or len(line) <= WIDTH or LEFT_ALONE.match(line):
            lines.append(line)
            continue
        rest = "  " if line.startswith("- ") else ""
        start, text = line[:len(rest)], NO_START.sub("\0", line[len(rest):])
        parts = textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)
        lines += [part.replace("\0", " ") for part in parts]
    return "\n".join(lines)
