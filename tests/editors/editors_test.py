#!/usr/bin/env python3
"""The syntax files made by editors/make_grammars.py, on every program of examples/.

    editors_test.py SOURCE_FOLDER

Pygments' and TextMate's form must give the same tokens and leave nothing over, CodeMirror's (where there is node) and Vim's (where Vim
with +syntax is installed) the same kinds; the directives and keywords are those of the language.
"""
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()
OUT = Path(tempfile.mkdtemp(prefix="neumann_editors_"))
PROGRAMS = sorted((ROOT / "examples").rglob("*.nm"))


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKER = load("make_grammars", ROOT / "editors/make_grammars.py")


def kinds_of(text, tokens):
    """A kind for each character; None for blanks and for what no pattern takes."""
    kinds = [None] * len(text)
    at = 0
    while at < len(text):
        for kind, pattern in tokens:
            found = pattern.match(text, at)
            if found:
                kinds[at:found.end()] = [kind] * (found.end() - at)
                at = found.end()
                break
        else:
            at += 1
    return kinds


def textmate_kinds(text):
    grammar = json.loads((OUT / "vscode/syntaxes/neumann.tmLanguage.json").read_text())
    tokens = []
    for pattern in grammar["patterns"]:
        regex = pattern.get("match") or pattern["begin"] + r"(?s:.*?)" + pattern["end"]
        tokens.append((pattern["name"].replace("comment.block", "comment.line"), re.compile(regex, re.MULTILINE)))
    return kinds_of(text, tokens)


def vim_kinds(path):
    script = OUT / "dump.vim"
    script.write_text(f"""set nocompatible
set runtimepath^={OUT}/vim
syntax on
edit {path}
set filetype=neumann
syntax sync fromstart
let lines = []
for l in range(1, line('$'))
  let names = []
  for c in range(1, strlen(getline(l)))
    call add(names, synIDattr(synID(l, c, 0), 'name'))
  endfor
  call add(lines, join(names, ' '))
endfor
call writefile(lines, '{OUT}/dump.txt')
qall!
""")
    subprocess.run(["vim", "-u", "NONE", "-i", "NONE", "-n", "-es", "-S", str(script)], timeout=60, check=False, stdin=subprocess.DEVNULL)
    return [line.split(" ") for line in (OUT / "dump.txt").read_text().splitlines()]


def has_vim():
    if shutil.which("vim") is None:
        return False
    return "+syntax" in subprocess.run(["vim", "--version"], capture_output=True, text=True, timeout=60).stdout


# What CodeMirror does to a line, with the part of its stream that page/js/mode.js uses.
CODEMIRROR = """
import {readFileSync} from "node:fs";
import {languageMode} from "./mode.mjs";
import {tokens} from "./neumann_tokens.mjs";

const mode = languageMode(tokens);
for (const path of process.argv.slice(2)) {
    let state = mode.startState();
    const lines = readFileSync(path, "utf-8").split("\\n").map((string) => {
        const stream = {string, pos: 0, next() { this.pos++; }, skipToEnd() { this.pos = string.length; },
            eatSpace() {
                const from = this.pos;
                while (/\\s/.test(string[this.pos] ?? "x")) this.pos++;
                return this.pos > from;
            }};
        const kinds = [];
        state = mode.copyState(state);
        while (stream.pos < string.length) {
            const from = stream.pos;
            const kind = mode.token(stream, state);
            if (stream.pos <= from) throw new Error(`${path}: no step at ${string.slice(from)}`);
            for (let at = from; at < stream.pos; ++at) kinds.push(kind);
        }
        return kinds;
    });
    console.log(JSON.stringify(lines));
}
"""


def codemirror_kinds(paths):
    """For each program and line a kind for each unit of UTF-16."""
    folder = OUT / "run_codemirror"
    folder.mkdir()
    shutil.copyfile(ROOT / "page/js/mode.js", folder / "mode.mjs")
    shutil.copyfile(OUT / "codemirror/neumann_tokens.js", folder / "neumann_tokens.mjs")
    (folder / "run.mjs").write_text(CODEMIRROR)
    done = subprocess.run(["node", str(folder / "run.mjs"), *map(str, paths)], capture_output=True, text=True, timeout=60, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


class Editors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        MAKER.main([str(OUT)])
        cls.grammar = MAKER.read_grammar()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(OUT)

    def test_directives_are_those_of_the_language(self):
        source = (ROOT / "src/syntax/declarations.cpp").read_text()
        table = source[source.index("entries = {{"):source.index("}};")]
        self.assertEqual(set(re.findall(r'\{"(\w+)", \d', table)), set(self.grammar["directives"]))

    def test_keywords_are_those_of_the_language(self):
        source = (ROOT / "src/syntax/shape.cpp").read_text()
        goals = set(re.findall(r'is_call\(node, "([a-z_]+)"', source))
        self.assertLessEqual(goals, set(self.grammar["keywords"]))

    def test_every_character_of_the_examples_has_a_kind(self):
        self.assertGreater(len(PROGRAMS), 20)
        for path in PROGRAMS:
            text = path.read_text()
            for at, kind in enumerate(textmate_kinds(text)):
                if kind is None and not text[at].isspace():
                    self.fail(f"{path}: nothing takes {text[at:at + 20]!r}")

    def test_textmate_and_pygments_agree(self):
        try:
            from pygments.token import Error, Whitespace
        except ImportError:
            self.skipTest("Pygments is not installed")
        lexer = load("neumann_lexer", OUT / "pygments/neumann_lexer.py").NeumannLexer(stripnl=False, ensurenl=False)
        scope_of = {"Token." + looks["pygments"].replace("String", "Literal.String"): looks["textmate"] + ".neumann"
                    for looks in self.grammar["kinds"].values()}
        for path in PROGRAMS:
            text = path.read_text()
            mine = textmate_kinds(text)
            for at, token, piece in lexer.get_tokens_unprocessed(text):
                self.assertIsNot(token, Error, f"{path}: {piece!r}")
                if token is not Whitespace:
                    self.assertEqual(scope_of[str(token)], mine[at], f"{path}: {piece!r}")

    def test_codemirror_agrees(self):
        if shutil.which("node") is None:
            self.skipTest("node is not installed")
        tokens = [(token["kind"], re.compile(token["pattern"], re.MULTILINE)) for token in self.grammar["tokens"]]
        over_lines = OUT / "over_lines.nm"
        over_lines.write_text("p(X) :- q(X). /* one\n\ntwo */ q(a). /* three */ 0.5::r(b). % four\n:- query(p(X)).\n")
        paths = [*PROGRAMS, over_lines]
        for path, shown in zip(paths, codemirror_kinds(paths), strict=True):
            text = path.read_text()
            kinds = iter(kinds_of(text, tokens))
            for line, units in zip(text.split("\n"), shown, strict=True):
                at = 0
                for letter in line:
                    kind = next(kinds)
                    if not letter.isspace():
                        self.assertEqual(units[at], kind, f"{path}: {line!r} at {letter!r}")
                    at += len(letter.encode("utf-16-le")) // 2
                next(kinds, None)  # the line break

    def test_vim_agrees(self):
        if not has_vim():
            self.skipTest("Vim with +syntax is not installed")
        tokens = [(token["kind"], re.compile(token["pattern"], re.MULTILINE)) for token in self.grammar["tokens"]]
        for path in PROGRAMS[:6] + [ROOT / "examples/12_interpreter.nm"]:
            text = path.read_text()
            kinds = iter(kinds_of(text, tokens))
            shown = vim_kinds(path)
            for number, line in enumerate(text.splitlines()):
                names = iter(shown[number])
                for letter in line:
                    kind = next(kinds)
                    name = [next(names, "") for _ in letter.encode()][0]
                    if kind is not None and not letter.isspace():
                        self.assertEqual(name, "neumann" + kind.capitalize(), f"{path}:{number + 1}: {line!r} at {letter!r}")
                next(kinds)  # the line break


if __name__ == "__main__":
    unittest.main()
