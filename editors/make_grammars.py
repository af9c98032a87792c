#!/usr/bin/env python3
"""Writes syntax files for editors and highlighters, all from grammar.json.

    make_grammars.py FOLDER

FOLDER/vim/             syntax/neumann.vim and ftdetect/neumann.vim: copy both into ~/.vim
FOLDER/vscode/          an extension for VS Code; its neumann.tmLanguage.json is for TextMate, Sublime Text and others
FOLDER/pygments/        neumann_lexer.py: pygmentize -x -l neumann_lexer.py:NeumannLexer FILE
FOLDER/codemirror/      neumann_tokens.js: the tokens as a module of JavaScript, for page/js/mode.js
FOLDER/neumann.tokens.json   the tokens with their patterns, for other highlighters
"""
import json
import re
import sys
from pathlib import Path

GRAMMAR = Path(__file__).resolve().parent / "grammar.json"


def read_grammar():
    grammar = json.loads(GRAMMAR.read_text())
    for list_name in ("directives", "keywords"):
        names = "|".join(sorted(grammar[list_name], key=lambda name: (-len(name), name)))
        for token in grammar["tokens"]:
            token["pattern"] = token["pattern"].replace(list_name.upper(), names)
    return grammar


def version():
    """The project's, which CMakeLists.txt has."""
    text = (GRAMMAR.parents[1] / "CMakeLists.txt").read_text()
    return re.search(r"^project\(neumann VERSION ([0-9.]+)", text, re.MULTILINE)[1]


def vim_pattern(pattern):
    """The pattern in Vim's very nomagic form, where only what follows a backslash is special."""
    out = []
    closing = []  # what each open group ends with

    pieces = re.findall(r"\(\?[:=!]|\[(?:\\.|[^\]\\])*\]|\\.|.", pattern)
    for piece in pieces:
        if piece in ("(?:", "(?=", "(?!"):
            out.append(r"\%(")
            closing.append({"(?:": "", "(?=": r"\@=", "(?!": r"\@!"}[piece])
        elif piece == ")":
            out.append(r"\)" + closing.pop())
        elif piece == "|":
            out.append(r"\|")
        elif piece in "?":
            out.append(r"\=")
        elif piece in "*+":
            out.append("\\" + piece)
        elif piece == "^":
            out.append(r"\^")
        elif piece == ".":
            out.append(r"\.")
        elif piece.startswith("["):
            out.append("\\" + piece)
        elif piece.startswith("\\"):
            out.append(r"\\" if piece == "\\\\" else piece[1])
        else:
            out.append(piece)
    return r"\V\C" + "".join(out)


def vim_quoted(pattern):
    for quote in "/!~`\"'|&":
        if quote not in pattern:
            return quote + pattern + quote
    return "/" + pattern.replace("/", r"\/") + "/"


def write_vim(grammar, folder):
    lines = ["\" Vim syntax of NEUMANN programs.", "if exists('b:current_syntax')", "  finish", "endif", ""]
    # Of patterns that match at one place Vim takes the last.
    for token in reversed(grammar["tokens"]):
        group = "neumann" + token["kind"].capitalize()
        if "begin" in token:
            lines.append(f"syntax region {group} start={vim_quoted(vim_pattern(token['begin']))} "
                         f"end={vim_quoted(vim_pattern(token['end']))}")
        else:
            lines.append(f"syntax match {group} {vim_quoted(vim_pattern(token['pattern']))}")
    lines.append("")
    for kind, looks in grammar["kinds"].items():
        lines.append(f"highlight default link neumann{kind.capitalize()} {looks['vim']}")
    lines += ["", "setlocal commentstring=%\\ %s", "let b:current_syntax = 'neumann'", ""]
    (folder / "syntax").mkdir(parents=True, exist_ok=True)
    (folder / "ftdetect").mkdir(exist_ok=True)
    (folder / "syntax/neumann.vim").write_text("\n".join(lines))
    (folder / "ftdetect/neumann.vim").write_text("autocmd BufRead,BufNewFile *.nm setfiletype neumann\n")


def write_textmate(grammar, folder):
    patterns = []
    for token in grammar["tokens"]:
        scope = grammar["kinds"][token["kind"]]["textmate"] + ".neumann"
        if "begin" in token:
            patterns.append({"name": scope.replace("comment.line", "comment.block"), "begin": token["begin"], "end": token["end"]})
        else:
            patterns.append({"name": scope, "match": token["pattern"]})
    (folder / "syntaxes").mkdir(parents=True, exist_ok=True)
    write_json(folder / "syntaxes/neumann.tmLanguage.json",
               {"name": grammar["name"], "scopeName": "source.neumann", "fileTypes": [grammar["files"]], "patterns": patterns})
    write_json(folder / "language-configuration.json",
               {"comments": {"lineComment": "%", "blockComment": ["/*", "*/"]},
                "brackets": [["(", ")"], ["[", "]"]],
                "autoClosingPairs": [["(", ")"], ["[", "]"], ["'", "'"], ["\"", "\""]]})
    write_json(folder / "package.json",
               {"name": "neumann", "displayName": grammar["name"], "description": "Colours for NEUMANN programs", "version": version(),
                "publisher": "neumann", "engines": {"vscode": "^1.60.0"}, "categories": ["Programming Languages"],
                "contributes": {
                    "languages": [{"id": "neumann", "aliases": [grammar["name"]], "extensions": ["." + grammar["files"]],
                                   "configuration": "./language-configuration.json"}],
                    "grammars": [{"language": "neumann", "scopeName": "source.neumann",
                                  "path": "./syntaxes/neumann.tmLanguage.json"}]}})


def write_pygments(grammar, folder):
    rules = "".join(f"            ({token['pattern']!r}, {grammar['kinds'][token['kind']]['pygments']}),\n"
                    for token in grammar["tokens"])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "neumann_lexer.py").write_text(f'''"""Pygments lexer of NEUMANN programs."""
import re

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Literal, Name, Operator, Punctuation, String, Whitespace


class NeumannLexer(RegexLexer):
    name = "{grammar['name']}"
    aliases = ["neumann"]
    filenames = ["*.{grammar['files']}"]
    flags = re.MULTILINE
    tokens = {{
        "root": [
            (r"\\s+", Whitespace),
{rules}        ]
    }}
''')


def write_codemirror(grammar, path):
    """Line by line, as CodeMirror reads: what may take several has a beginning and an end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    tokens = [{key: token[key] for key in ("kind", "pattern", "begin", "end") if key in token} for token in grammar["tokens"]]
    text = "// The tokens of the language, in the order in which they are tried; made from editors/grammar.json.\n"
    for name, value in (("tokens", tokens), ("directives", grammar["directives"]), ("keywords", grammar["keywords"])):
        text += f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n"
    path.write_text(text, encoding="utf-8")


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, end="")
        return 0 if arguments in (["--help"], ["-h"]) else 2
    folder = Path(arguments[0])
    grammar = read_grammar()
    write_vim(grammar, folder / "vim")
    write_textmate(grammar, folder / "vscode")
    write_pygments(grammar, folder / "pygments")
    write_codemirror(grammar, folder / "codemirror/neumann_tokens.js")
    write_json(folder / "neumann.tokens.json", [{key: token[key] for key in ("kind", "pattern")} for token in grammar["tokens"]])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
