#!/usr/bin/env python3
"""Checks that the pages about the code agree with the code: every file, folder, name and option in backticks exists, the
tables of folders are those of check_includes.py, and counts are those of the sources.

    check_pages.py ROOT          check the repository at ROOT
    check_pages.py --self-test   prove on small made-up trees that each kind of stale line is found

docs/architecture.md, docs/reading.md and src/README.md are checked in full; in every page, paths and the names of tests, and
that prose wraps at 100 characters.
Each stale line is one line of output, file:line: text; the exit code is 1 if there is any.
"""

import functools
import re
import sys
from pathlib import Path

import check_includes
import source_check

JOURNEY = "src/README.md"
READING = "docs/reading.md"
ARCHITECTURE = "docs/architecture.md"
TOPS = ("app", "bench", "cmake", "docs", "editors", "examples", "experiments", "fuzz", "include", "page", "python", "scripts",
        "site", "src", "tests", "weights")
CODE = {".h", ".cpp", ".cu", ".inc", ".py", ".cmake", ".txt", ".in", ".json"}
NUMBERS = {word: number for number, word in
           enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
NUMBERS["sixteen"] = 16
WIDTH = 100
PLACEHOLDER = re.compile(r"NAME|NN_")

# A count in a page (its first group), and the same number in a source: the first group of a pattern there, or how often the
# pattern occurs if it has none.
COUNTS = [
    (ARCHITECTURE, r"(\w+) engines implement", "src/reason/engines.cpp", r"extern const EngineInfo \w+;"),
    (ARCHITECTURE, r"below ([\d,]+) lines", "tests/check_includes.py", r'"python/src", (\d+)'),
    (ARCHITECTURE, r"tiles of (\d+) examples", "src/reason/kernels/kernel.h", r"tile_width = (\d+);"),
    (ARCHITECTURE, r"a block of (\d+) rows", "src/reason/kernels/kernel.h", r"block_size = (\d+);"),
    (ARCHITECTURE, r"every ([\d,]+) instances", "src/ground/relevant.cpp", r"check_every = (1U << \d+);"),
    (ARCHITECTURE, r"aligned to (\d+) bytes", "src/graph/section_file.cpp", r"alignment = (\d+);"),
    (JOURNEY, r"the original's (\w+) files", "src/syntax/folder.cpp", r"string_view, (\d+)> known_files"),
    (JOURNEY, r"puts (\w+) examples side by side", "src/reason/kernels/kernel.h", r"tile_width = (\d+);"),
]


class Sources:
    """The files of a tree, and the words in them."""

    def __init__(self, root):
        self.root = root
        self.files = [path.relative_to(root).as_posix() for top in TOPS for path in (root / top).rglob("*")
                      if path.is_file() and "__pycache__" not in path.parts]
        self.files += [path.name for path in root.glob("*") if path.is_file()]
        self.folders = {parent.as_posix() for name in self.files for parent in Path(name).parents}
        self.endings = {"/" + one[: len(one) - len(suffix)] for one in self.files for suffix in ("", Path(one).suffix)}

    @functools.lru_cache(maxsize=None)
    def words(self, name):
        return set(re.findall(r"\w+", (self.root / name).read_text(encoding="utf-8", errors="replace")))

    @functools.lru_cache(maxsize=None)
    def words_below(self, folder):
        """Words and stems of the code in a folder; "" is the whole tree."""
        inside = [name for name in self.files if name.startswith(folder) and Path(name).suffix in CODE]
        return {Path(name).stem for name in inside}.union(*(self.words(name) for name in inside))

    @functools.lru_cache(maxsize=None)
    def mention(self, text):
        """Whether some code has the text: the name of a file that the program writes."""
        return any(text in (self.root / name).read_text(encoding="utf-8", errors="replace")
                   for name in self.files if name.startswith(("src/", "app/")) and Path(name).suffix in CODE)

    def has_path(self, path):
        path = path.rstrip("/")
        if "*" in path:
            pattern = re.compile("(.*/)?" + re.escape(path).replace(r"\*", "[^/]*"))
            return any(pattern.fullmatch(name) for name in self.files)
        end = "/" + path
        return (path in self.folders or any(name.endswith(end) or "/" + name == end for name in self.endings)
                or any(("/" + folder).endswith(end) for folder in self.folders))

    @functools.lru_cache(maxsize=None)
    def has(self, path):
        return self.has_path(path)


def lines_outside_code(text):
    """Pairs of line number and line, without fenced blocks."""
    inside = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def page_words(text):
    """The words of the programs that a page shows: they are no names of the code."""
    return set(re.findall(r"\w+", " ".join(re.findall(r"```prolog\n(.*?)```", text, re.S))))


def code_name_problem(name, sources, folders, own):
    """What is wrong with a name in backticks in one of the pages about the code, or None."""
    name = name.removesuffix("()")
    if PLACEHOLDER.search(name) or re.fullmatch(r"\w+/\d", name) or re.fullmatch(r"[\d.·]+", name):
        return None  # a placeholder, a predicate, a number
    if re.fullmatch(r"--[\w-]+", name):
        option = name[2:]
        known = any(option in line for line in sources.words_of_options)
        return None if known else f"the command has no option '{name}'"
    if re.fullmatch(r"[\w*.-]+(/[\w*.-]+)*/?", name) and ("/" in name or Path(name).suffix in CODE | {".md"} or "*" in name):
        return None if sources.has(name) or sources.mention(name) else f"there is no '{name}'"
    if not re.fullmatch(r"\w+(::\w+)*(\(\w*&?\))?", name):
        return None  # a command, a formula, a piece of a program
    for word in re.findall(r"\w+", name):
        if word not in own and not any(word in sources.words_below(folder) for folder in folders):
            where = "the sources" if folders == [""] else " and ".join(folders)
            return f"there is no '{word}' in {where}"
    return None


def check_code_page(page, text, sources):
    own = page_words(text)
    folders = [""]
    for number, line in lines_outside_code(text):
        if page == JOURNEY:
            if named := re.findall(r"\*\*`(\w+)/(?:\w+)?`\*\*", line):
                folders = [f"src/{one}/" for one in named]
                for folder in folders:
                    if folder[:-1] not in sources.folders:
                        yield number, f"there is no folder '{folder}'"
                line = re.sub(r"\*\*`\w+/`\*\*", "", line)
            folders += [f"{name}/" for name in re.findall(r"`(\w+(?:/\w+)+)`", line) if name in sources.folders]
        row = re.match(r"\|\s*`([\w./]+)`[^|]*\|(.*)\|", line) if page == READING else None
        if row and (sources.root / row[1]).is_file():
            for name in re.findall(r"`(\w+)`", row[2]):
                if name not in sources.words(row[1]) | own:
                    yield number, f"there is no '{name}' in {row[1]}"
        for name in re.findall(r"`([^`]+)`", line):
            if problem := code_name_problem(name, sources, folders, own):
                yield number, problem


def check_any_page(text, sources):
    """Paths from the root, tests by their names, and the width of prose."""
    for number, line in lines_outside_code(text):
        if len(line) > WIDTH and " " in line.strip() and not line.startswith(("|", "    ")) and "](http" not in line:
            yield number, f"{len(line)} characters, more than {WIDTH}: wrap the line"
    for number, line in enumerate(text.splitlines(), start=1):
        for path in re.findall(r"`((?:%s)/[\w*./-]+)`" % "|".join(TOPS), line):
            if not PLACEHOLDER.search(path) and not sources.has(path):
                yield number, f"there is no '{path}'"
        for suite in re.findall(r"--gtest_filter='\*?(\w+)", line):
            if not any(suite in word for word in sources.words_below("tests/")):
                yield number, f"there is no test '{suite}'"


def table(text, head):
    """Rows of the table that begins with this line: line number and cells."""
    lines = text.splitlines()
    for begin, line in enumerate(lines):
        if line.startswith(head):
            for number, row in enumerate(lines[begin + 2:], start=begin + 3):
                if not row.startswith("|"):
                    return
                yield number, [cell.strip() for cell in row.strip("|").split("|")]


def check_folder_tables(text):
    known = {f"src/{name}" if name not in check_includes.ELSEWHERE else check_includes.ELSEWHERE[name]: uses
             for name, uses in check_includes.USES.items()}
    seen = []
    for number, cells in table(text, "| folder | contents | may use |"):
        folder = cells[0].strip("`")
        if folder not in known:
            continue
        seen.append(folder)
        uses = [] if cells[2] == "–" else cells[2].split(", ")
        if uses != known[folder]:
            yield number, f"{folder} may use {', '.join(known[folder]) or 'nothing'} (tests/check_includes.py)"
    for folder in known:
        if folder not in seen:
            yield 1, f"the table of folders lacks {folder}"
    parts = [cells[0].strip("`") for _, cells in table(text, "| folder of `src/learn` | contents |")]
    for part in check_includes.PARTS["learn"]:
        if part not in parts:
            yield 1, f"the table of the folders of src/learn lacks {part}"


def number_of(text):
    text = text.replace(",", "").lower()
    if shift := re.fullmatch(r"1U << (\d+)", text, re.I):
        return 1 << int(shift[1])
    return NUMBERS[text] if text in NUMBERS else int(text) if text.isdigit() else None


def check_counts(page, text, sources):
    flat = re.sub(r"\s", " ", text)
    for where, stated, file, pattern in COUNTS:
        if where != page:
            continue
        if not (found := re.search(stated, flat)):
            yield 1, f"'{stated}' is not there any more: correct COUNTS in tests/check_pages.py"
            continue
        number = text.count("\n", 0, found.start()) + 1
        source = (sources.root / file).read_text(encoding="utf-8") if (sources.root / file).is_file() else ""
        matches = re.findall(pattern, source)
        true = (number_of(matches[0]) if matches else None) if "(" in pattern else len(matches)
        if number_of(found[1]) != true:
            yield number, f"'{found[0]}', but {file} has {true}"


def check_minutes(text):
    rows = list(table(text, "| minutes | part | folders |"))
    if (total := sum(int(cells[0]) for _, cells in rows)) != 60:
        yield 1, f"the parts take {total} minutes, not an hour"


def check(root):
    sources = Sources(root)
    sources.words_of_options = [(root / name).read_text(encoding="utf-8") for name in sources.files
                                if name.startswith("app/") and name.endswith((".cpp", ".h"))]
    found = []
    pages = [name for name in sources.files if name.endswith(".md") and (name.startswith("docs/") or "/" not in name
             or name in (JOURNEY, "examples/README.md", "weights/README.md"))]
    for page in sorted(pages):
        if page == "CHANGELOG.md" or page.startswith(("docs/results/", "docs/notes/")):
            continue  # history and measurements
        text = (root / page).read_text(encoding="utf-8")
        problems = list(check_any_page(text, sources))
        if page in (JOURNEY, READING, ARCHITECTURE):
            problems += check_code_page(page, text, sources)
            problems += check_counts(page, text, sources)
        if page == ARCHITECTURE:
            problems += check_folder_tables(text)
        if page == READING:
            problems += check_minutes(text)
        found += [f"{page}:{number}: {problem}" for number, problem in sorted(set(problems))]
    return found


HOUR = "| minutes | part | folders |\n|---|---|---|\n| 60 | all | – |\n\n"
TREE = {"src/base/ids.h": "struct AtomId;\n", "src/ground/plan.cpp": "void plan_join();\n", "app/main.cpp": '"--json{no}"\n'}
CASES = [  # name, files, start of the only stale line ("" for none)
    ("names that exist", TREE | {READING: HOUR + "`src/base/ids.h`, `base/ids`, `ids.h`, `src/ground`, `AtomId`, `plan_join()`,\n"
                                                 "`ground/*.cpp`, `--json`, `p/2`, `p(X) :- q(X)`\n"}, ""),
    ("words of a program", TREE | {READING: HOUR + "```prolog\nparent(ann).\n```\n`parent` and `ann`\n"}, ""),
    ("in a block of code", TREE | {READING: HOUR + "```\n`nothing`\n```\n"}, ""),
    ("a file", TREE | {READING: HOUR + "`src/base/id.h`\n"}, "docs/reading.md:5: there is no 'src/base/id.h'"),
    ("a stem", TREE | {READING: HOUR + "`ground/plans`\n"}, "docs/reading.md:5: there is no 'ground/plans'"),
    ("a name", TREE | {READING: HOUR + "`find_plan`\n"}, "docs/reading.md:5: there is no 'find_plan'"),
    ("an option", TREE | {READING: HOUR + "`--jsonl`\n"}, "docs/reading.md:5: the command has no option '--jsonl'"),
    ("a name in another file", TREE | {READING: HOUR + "| `src/base/ids.h` | `plan_join` |\n"},
     "docs/reading.md:5: there is no 'plan_join' in src/base/ids.h"),
    ("more than an hour", TREE | {READING: HOUR.replace("60", "70")}, "docs/reading.md:1: the parts take 70 minutes"),
    ("a path in another page", TREE | {"docs/gpu.md": "see\n`src/base/id.h`\n"}, "docs/gpu.md:2: there is no 'src/base/id.h'"),
    ("a test in another page", TREE | {"docs/gpu.md": "`unit_tests --gtest_filter='Gone.*'`\n"},
     "docs/gpu.md:1: there is no test 'Gone'"),
    ("a long line", TREE | {"docs/gpu.md": "| " + "a b " * 30 + "|\n\n" + "a b " * 30 + "\n"}, "docs/gpu.md:3: 120 characters"),
    ("history", TREE | {"docs/notes/tried.md": "`src/base/id.h`\n"}, ""),
]
SEVEN = "constexpr std::array<std::string_view, 7> known_files;\n"
KERNEL = "inline constexpr std::size_t tile_width = 16;\n"
WALK = "**`base/`** has `AtomId`. It reads the original's seven files, puts sixteen examples side by side.\n"
JOURNEYS = TREE | {"src/syntax/folder.cpp": SEVEN, "src/reason/kernels/kernel.h": KERNEL}
CASES += [
    ("a journey", JOURNEYS | {JOURNEY: WALK}, ""),
    ("a name of another stage", JOURNEYS | {JOURNEY: WALK + "It calls `plan_join`.\n"},
     "src/README.md:2: there is no 'plan_join' in src/base/"),
    ("a folder", JOURNEYS | {JOURNEY: WALK + "**`bases/`** is gone.\n"}, "src/README.md:2: there is no folder 'src/bases/'"),
    ("a count", JOURNEYS | {JOURNEY: WALK.replace("seven", "six")}, "src/README.md:1: 'the original's six files', but"),
    ("a count that went away", JOURNEYS | {JOURNEY: WALK.replace("seven ", "")}, "src/README.md:1: 'the original's"),
]


def is_right(found, expected):
    return len(found) == 1 and found[0].startswith(expected) if expected else not found


if __name__ == "__main__":
    sys.exit(source_check.main(sys.argv[1:], __doc__, check, lambda: source_check.self_test(check, CASES, is_right),
                               "the pages agree with the code"))
