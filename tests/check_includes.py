#!/usr/bin/env python3
"""Checks that the folders of src/ include only what the architecture lets them, and that the command has no logic of its
own: app/ includes public headers, and those of the formats it prints. So does the Python module, which stays small.

    check_includes.py ROOT          check the repository at ROOT
    check_includes.py --self-test   prove on small made-up trees that each kind of violation is found

Each violation is one line, file:line: text; the exit code is 1 if there is any.
"""

import re
import sys

import source_check

# folder: what it uses directly. What those use, it may use too.
USES = {
    "base": [],
    "draw": ["base"],
    "logic": ["base"],
    "syntax": ["logic"],
    "analyse": ["logic"],
    "interchange": ["syntax"],  # programs as text of other languages
    "graph": ["base"],
    "ground": ["logic", "graph"],  # the grounder emits the graph
    "reason": ["graph"],
    "image": ["base"],
    "scene": ["base"],
    "render": ["scene", "image"],
    "valuation": ["logic", "render"],  # atoms of scenes, true or as networks see them
    "datasets": ["valuation"],
    "infer": ["valuation"],  # the networks on the processor
    "perceive": ["datasets", "infer"],
    "proofs": ["reason"],  # derivations in the graph, one after the other
    "worlds": ["proofs"],  # the distribution semantics: choices, diagrams, circuits, samples
    "resolution": ["syntax", "worlds"],  # ProbLog's programs, from their queries to ground ones
    "explain": ["ground", "worlds", "valuation"],
    "report": ["explain", "draw"],
    "front_ends": ["interchange", "resolution"],  # a descriptor for each language, in a registry
    "compile": ["front_ends", "analyse", "ground"],  # from a text to a graph, atoms by name
    "examples": ["compile", "perceive"],  # examples from JSON Lines and images, in numbers
    "session": ["examples", "explain"],  # a model, examples in, answers out
    "learn": ["session"],  # learning: tasks, evaluation, algorithms, results
    "api": ["learn"],  # implements the public headers, <neumann/neumann.h>
    "cli": ["api", "report"],  # formats of what is shown: text, JSON Lines, SVG, shell completion
    "page": ["cli"],  # requests of the page in the browser
    "algorithms": ["learn"],  # algorithms of papers: a component that only experiments build
}
# Folders of that table that are not in src/, as they are no part of the library.
ELSEWHERE = {"algorithms": "experiments/algorithms"}
# The same for the folders inside a stage that is too large to be one.
PARTS = {
    "learn": {
        "task": [],  # what is to be learned: examples, lessons, options
        "journal": ["task"],  # steps of a run that can be resumed
        "loss": ["task"],  # loss functions and optimisers
        "labels": ["loss"],  # labels of every kind in the numbers of a program, and their loss
        "clauses": ["task"],  # modes, refinement, readable forms
        "evaluate": ["clauses", "loss"],  # candidate programs against examples
        "bias": ["evaluate"],  # what clauses may be made of, from modes or a signature
        "readers": ["bias"],  # tasks in files: JSON Lines, images, Popper, Aleph
        "algorithm": ["readers", "journal"],  # the interface of algorithms
        "search": ["algorithm"],  # every small program
        "gradient": ["algorithm", "loss"],  # clauses scored and weighed by gradients
        "published": ["gradient"],  # loads the component with the algorithms of papers
        "probabilities": ["labels", "readers"],  # numbers of a given program
        "networks": ["labels"],  # networks trained through a program
        "run": ["search", "gradient", "published", "probabilities", "networks"],  # from a task to a result
    },
}
# Users of the library: where they are, below how many lines, if there is a limit, and which folders or headers of src/
# they include beside the public headers. What is computed belongs into the library, and a format into cli; of the
# command that is reviewed, not counted.
USERS = {"app": ("app", None, ("cli/", "page/page_server.h")), "python": ("python/src", 1100, ("cli/",))}
MAY_NAME_DATA_SETS = {"datasets", "scene"}
SOURCES = {".h", ".hpp", ".inc", ".c", ".cc", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STANDARD = re.compile(r"[a-z0-9_]+")
DATA_SET = re.compile(r"kandinsky|clevr|behind[-_]?the[-_]?scenes|twopairs|vilp", re.IGNORECASE)


def allowed(folder, table=None):
    """The folder itself and all that it reaches through the table, USES unless given."""
    table = USES if table is None else table
    return {folder}.union(*(allowed(used, table) for used in table[folder]))


def part_problem(folder, part, name):
    """What is wrong with an include of `folder`/… in a file of the part, or None."""
    parts = PARTS.get(folder, {})
    _, _, rest = name.partition("/")
    other = rest.partition("/")[0]
    if part not in parts or other not in parts or other in allowed(part, parts):
        return None
    may = ", ".join(sorted(allowed(part, parts) - {part})) or "no other part"
    return f'src/{folder}/{part} may not include "{name}"; it may use {may}'


def lines(path):
    return enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)


def include_problem(root, folder, part, style, name):
    """What is wrong with this include in a file of `folder` (a folder of src/, a user or "include"), in its folder `part`,
    or None."""
    first, slash, _ = name.partition("/")
    if ".." in name.split("/"):
        return f'"{name}": write includes relative to src/, without ..'
    if first in USES and slash:
        if folder == "include":
            return f'a public header may not include the private "{name}"'
        if folder in USERS:
            shown = USERS[folder][2]
            return None if name.startswith(shown) else f'{folder} uses <neumann/...> and {", ".join(shown)}, not "{name}"'
        if first == folder:
            return part_problem(folder, part, name)
        if first in allowed(folder):
            return None
        may = ", ".join(sorted(allowed(folder) - {folder})) or "nothing but the standard library"
        return f'src/{folder} may not include "{name}"; it may use {may}'
    if first == "app" and slash and folder != "app":
        return f'only app/ may include "{name}"'
    if first == "neumann" and slash and style == '"':
        return f'public headers are included as <{name}>, by us as by everybody'
    if folder == "include" and first != "neumann" and not STANDARD.fullmatch(name):
        return f'"{name}": a public header may use the standard library alone'
    if style == '"':
        if folder in USERS and (root / USERS[folder][0] / name).is_file():
            return None
        return f'"{name}": quotes are for files under src/ and app/, written as "folder/file.h"; libraries take <>'
    return None


def check(root):
    found = []

    def report(path, line, text):
        found.append(f"{path.relative_to(root)}:{line}: {text}")

    if not (root / "src").is_dir():
        return [f"{root}:1: no src/ folder here"]
    for place, most, _ in USERS.values():
        sources = [path for path in (root / place).rglob("*") if path.suffix in SOURCES]
        count = sum(len(path.read_text(encoding="utf-8", errors="replace").splitlines()) for path in sources)
        if most is not None and count >= most:
            report(root / place, 1, f"{count} lines, not below {most}: what is computed belongs into src/")
    for top in ("src", "include", *USERS, *ELSEWHERE):
        place = root / (USERS[top][0] if top in USERS else ELSEWHERE.get(top, top))
        for path in sorted(place.rglob("*")):
            parts = path.relative_to(place).parts
            if path.is_dir():
                if path.name == "utils":
                    report(path, 1, "no folder is called utils: name it after what it does")
                elif top == "src" and len(parts) == 2 and parts[0] in PARTS and path.name not in PARTS[parts[0]]:
                    report(path, 1, f"unknown folder: add '{path.name}' to PARTS in tests/check_includes.py")
                elif top == "src" and len(parts) == 1 and path.name not in USES:
                    report(path, 1, f"unknown folder: add '{path.name}' to USES in tests/check_includes.py")
                continue
            if top == "src" and parts[0] not in MAY_NAME_DATA_SETS:
                for number, text in lines(path):
                    if match := DATA_SET.search(text):
                        report(path, number, f"data-set name '{match[0]}' outside src/datasets")
            if path.suffix not in SOURCES:
                continue
            folder = parts[0] if top == "src" else top
            if top == "src" and len(parts) == 1:
                report(path, 1, "a source file belongs into one of the folders of src/")
            elif top != "src" or folder in USES:
                for number, text in lines(path):
                    if match := INCLUDE.match(text):
                        if problem := include_problem(root, folder, parts[1] if len(parts) > 2 else "", match[1], match[2]):
                            report(path, number, problem)
    return found


CASES = [  # name, files, start of the only violation ("" for none)
    ("what is allowed", {
        "src/base/ids.h": "#include <vector>\n#include <neumann/version.h>\n",
        "src/logic/term.h": '#include "base/ids.h"\n#include "logic/atom.h"\n// "syntax/lexer.h"\n',
        "src/ground/join.cpp": '#include "graph/csr.h"\n#include <fmt/core.h>\n',
        "src/learn/search/beam.cpp": '#include "base/ids.h"\n#include "learn/task/a.h"\n#include "reason/step.h"\n',
        "src/datasets/patterns.cpp": "// kandinsky patterns\n",
        "experiments/algorithms/tape.cpp": '#include "algorithms/tape.h"\n#include "learn/search/beam.h"\n',
        "src/README.md": "One rule's journey.\n",
        "app/main.cpp": '#include "commands.h"\n#include <neumann/model.h>\n#include "cli/text.h"\n#include <CLI/CLI.hpp>\n',
        "app/commands.h": "#pragma once\n",
        "include/neumann/graph.h": "#include <cstdint>\n#include <neumann/version.h>\n",
        "python/src/core.h": "#include <pybind11/pybind11.h>\n#include <neumann/model.h>\n",
        "python/src/module.cpp": '#include "core.h"\n',
    }, ""),
    ("against the table", {"src/base/ids.h": '\n#include "logic/term.h"\n'}, "src/base/ids.h:2: "),
    ("sibling stages", {"src/syntax/a.cpp": '#include "ground/b.h"\n'}, "src/syntax/a.cpp:1: "),
    ("in angle brackets", {"src/graph/a.cpp": "  #  include <logic/term.h>\n"}, "src/graph/a.cpp:1: "),
    ("in a nested folder", {"src/reason/simd/a.cpp": '#include "ground/b.h"\n'}, "src/reason/simd/a.cpp:1: "),
    ("against the table of parts", {"src/learn/task/a.h": '#include "learn/search/b.h"\n'}, "src/learn/task/a.h:1: "),
    ("unknown part", {"src/learn/other/a.h": ""}, "src/learn/other:1: unknown folder"),
    ("upwards", {"src/base/a.h": '#include "../logic/term.h"\n'}, "src/base/a.h:1: "),
    ("beside the file", {"src/base/a.h": '#include "ids.h"\n', "src/base/ids.h": ""}, "src/base/a.h:1: "),
    ("private in the command", {"app/main.cpp": '#include "syntax/parse.h"\n'}, "app/main.cpp:1: app uses"),
    ("private beside the server", {"app/main.cpp": '#include "page/request.h"\n'}, "app/main.cpp:1: app uses"),
    ("private in Python", {"python/src/a.cpp": '#include "reason/pass.h"\n'}, "python/src/a.cpp:1: python uses"),
    ("a thick module", {"python/src/a.cpp": "int x;\n" * 1100}, "python/src:1: 1100 lines"),
    ("the command", {"src/learn/a.cpp": '#include "app/commands.h"\n'}, "src/learn/a.cpp:1: "),
    ("a component of ours", {"src/learn/run/a.cpp": '#include "algorithms/tape.h"\n'}, "src/learn/run/a.cpp:1: "),
    ("what a component may not use", {"src/README.md": "", "experiments/algorithms/a.h": '#include "api/b.h"\n'},
     "experiments/algorithms/a.h:1: "),
    ("formats in the library", {"src/learn/a.cpp": '#include "cli/text.h"\n'}, "src/learn/a.cpp:1: "),
    ("private in public", {"include/neumann/a.h": '#include "base/ids.h"\n'}, "include/neumann/a.h:1: "),
    ("library in public", {"include/neumann/a.h": "#include <fmt/core.h>\n"}, "include/neumann/a.h:1: "),
    ("public in quotes", {"src/api/a.cpp": '#include "neumann/a.h"\n'}, "src/api/a.cpp:1: "),
    ("unknown folder", {"src/helpers/a.h": ""}, "src/helpers:1: unknown folder"),
    ("utils", {"src/logic/utils/a.h": ""}, "src/logic/utils:1: no folder is called utils"),
    ("no folder", {"src/a.cpp": ""}, "src/a.cpp:1: "),
    ("data set", {"src/learn/a.cpp": "int x;\nint CLEVR_colors;\n"}, "src/learn/a.cpp:2: data-set name 'CLEVR'"),
    ("data set in text", {"src/README.md": "behind-the-scenes\n"}, "src/README.md:1: data-set name"),
]


def is_right(found, expected):
    return len(found) == 1 and found[0].startswith(expected) if expected else not found


if __name__ == "__main__":
    sys.exit(source_check.main(sys.argv[1:], __doc__, check, lambda: source_check.self_test(check, CASES, is_right),
                               "includes follow the folder table"))
