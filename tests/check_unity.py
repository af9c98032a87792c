#!/usr/bin/env python3
"""Checks that the sources of a folder can be compiled together, as NEUMANN_UNITY does: no two of them may give the same name
to something of their own in an anonymous namespace, and none that a header of the folder gives to a function.

    check_unity.py ROOT          check the repository at ROOT
    check_unity.py --self-test   prove on small made-up trees that clashes are found and nothing else

Each clash is one line, file:line: text; the exit code is 1 if there is any. The sources are read as clang-format leaves them: what
is declared in a namespace begins in the first column.
"""

import re
import sys

import source_check

APART = re.compile(r"^(?:trace_|kernel_)?(?:avx2|avx512|cuda|baseline|scalar)\.cpp$")  # for other instructions, never together with others
KEYWORD = re.compile(r"^(?:template\s*<.*>\s*)?(?:struct|class|enum(?: class)?|union)\s+(\w+)")
FUNCTION = re.compile(r"([A-Za-z_]\w*)\(")
VARIABLE = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\])?\s*(?:=|\{|;)")


def declared(line):
    """The name that a line in the first column of an anonymous namespace declares, or None."""
    if not re.match(r"[A-Za-z_\[]", line) or re.match(r"(?:public|private|protected|case|template\s*<[^()]*>$|#)", line):
        return None
    if re.match(r"(?:using|namespace)\b", line):
        return None  # the same alias twice is one alias
    if match := KEYWORD.match(line):
        return None if line.rstrip().endswith(";") else match[1]
    head = line.split("=")[0] if "=" in line.split("(")[0] else line
    if match := FUNCTION.search(head):
        before = head[:match.start()]
        return match[1] if " " in before and not before.endswith("::") else None  # not a member, defined apart
    match = VARIABLE.search(line)
    return match[1] if match else None


def lines_of(path):
    """Triples of line number, the named namespace around it, and the line."""
    around = ""
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        if match := re.match(r"namespace ([\w:]+) \{", line):
            around = match[1]
        yield number, around, line


def own_names(path):
    """Triples of line number, namespace and name, for all that the file keeps to itself."""
    inside = False
    for number, around, line in lines_of(path):
        if re.match(r"namespace \{", line):
            inside = True
        elif re.match(r"\}\s*// namespace$", line):
            inside = False
        elif inside and (name := declared(line)):
            yield number, around, name


def targets(root):
    """Lists of sources that one library is made of: a stage, the networks, the command, the algorithms of papers."""
    nets = root / "src/perceive/nets"
    for top in sorted(root.glob("src/*/")) + [nets, root / "app", root / "experiments/algorithms"]:
        yield [path for path in sorted(top.rglob("*.cpp"))
               if not APART.search(path.name) and path != root / "app/main.cpp" and (top == nets or nets not in path.parents)]


def functions_of_headers(folders):
    """Functions that the headers of these folders declare, by namespace and name, each with its place."""
    places = {}
    for path in sorted(header for folder in folders for header in folder.glob("*.h")):
        for number, around, line in lines_of(path):
            if FUNCTION.search(line) and not re.match(r"(?:struct|class|enum|union|#|//)", line) and (name := declared(line)):
                places.setdefault((around, name), (path, number))
    return places


def check(root):
    found = []
    for sources in targets(root):
        headers = functions_of_headers({path.parent for path in sources})
        first = {key: f"{path.relative_to(root)}:{number}" for key, (path, number) in headers.items()}
        for path in sources:
            mine = set()
            for number, around, name in own_names(path):
                key = (around, name)
                if key in mine:
                    continue  # a declaration, an overload
                mine.add(key)
                if key in first:
                    found.append(f"{path.relative_to(root)}:{number}: '{name}' is a name of {first[key]} as well: rename or share it")
                else:
                    first[key] = f"{path.relative_to(root)}:{number}"
    return found


CASES = [  # name, files, how many clashes
    ("different names", {
        "src/logic/a.cpp": "namespace {\nint one(int a) {\n    return helper(a);\n}\n}  // namespace\n",
        "src/logic/b.cpp": "namespace {\nint two(int a) {\n    return helper(a);\n}\n}  // namespace\n"}, 0),
    ("other libraries", {
        "src/logic/a.cpp": "namespace {\nint one(int a) {\n}  // namespace\n",
        "src/graph/b.cpp": "namespace {\nint one(int a) {\n}  // namespace\n"}, 0),
    ("a function", {
        "src/logic/a.cpp": "namespace {\nstd::vector<int> one(int a) {\n}  // namespace\n",
        "src/logic/deep/b.cpp": "namespace {\nint one(double a) {\n}  // namespace\n"}, 1),
    ("a function of a header", {
        "src/logic/a.h": "std::string shown(double value);  // as text\n",
        "src/logic/b.cpp": "namespace {\nint shown(double a) {\n}  // namespace\n"}, 1),
    ("the command's folders", {
        "app/commands/a.cpp": "namespace {\nint one(int a) {\n}  // namespace\n",
        "app/print/b.cpp": "namespace {\nint one(int a) {\n}  // namespace\n"}, 1),
    ("the command's main", {
        "app/main.cpp": "namespace {\nint one(int a) {\n}  // namespace\n",
        "app/print/b.cpp": "namespace {\nint one(int a) {\n}  // namespace\n"}, 0),
    ("a constant", {
        "src/learn/a.cpp": "namespace {\nconstexpr const char* text = R\"(\n)\";\n}  // namespace\n",
        "src/learn/b.cpp": "namespace {\nconstexpr const char* text =\n    \"x\";\n}  // namespace\n"}, 1),
    ("a class", {
        "src/learn/a.cpp": "namespace {\nclass Drawing {\n};\n}  // namespace\n",
        "src/learn/b.cpp": "namespace {\nstruct Drawing {\n};\n}  // namespace\n"}, 1),
    ("other namespaces", {
        "src/learn/a.cpp": "namespace one {\nnamespace {\nint f(int a);\n}  // namespace\n",
        "src/learn/b.cpp": "namespace one::two {\nnamespace {\nint f(int a);\n}  // namespace\n"}, 0),
    ("an overload of its own", {"src/learn/a.cpp": "namespace {\nint f(int a);\nint f(char a);\n}  // namespace\n"}, 0),
    ("for other instructions", {
        "src/reason/avx2.cpp": "namespace {\nint f(int a);\n}  // namespace\n",
        "src/reason/a.cpp": "namespace {\nint f(int a);\n}  // namespace\n"}, 0),
    ("not in a namespace of its own", {"src/learn/a.cpp": "int f(int a);\n", "src/learn/b.cpp": "namespace {\nint f(int a);\n}  // namespace\n"}, 0),
]


if __name__ == "__main__":
    sys.exit(source_check.main(sys.argv[1:], __doc__, check, lambda: source_check.self_test(check, CASES, lambda found, clashes: len(found) == clashes),
                               "the sources of each folder can be compiled together"))
