#!/usr/bin/env python3
"""Puts the page together: assemble.py ROOT CORE OUT

ROOT is the repository, CORE the folder with neumann.js and neumann.wasm, OUT the folder that a web server can serve. The
examples that page/examples.json lists become one file with their data; the editor is Debian's CodeMirror.
"""
import base64
import hashlib
import json
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "editors"))
from make_grammars import read_grammar, write_codemirror  # noqa: E402

CODEMIRROR = pathlib.Path("/usr/share/javascript/codemirror")
CODEMIRROR_LICENCE = pathlib.Path("/usr/share/doc/libjs-codemirror/copyright")
EDITOR = ["lib/codemirror.js", "lib/codemirror.css", "addon/hint/show-hint.js", "addon/hint/show-hint.css",
          "addon/edit/matchbrackets.js", "addon/edit/closebrackets.js"]


def tables_of(program):
    """The files that a program reads its facts from, by name."""
    names = re.findall(r"^:-\s*facts\([^,]*,\s*'([^']+)'", program.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: (program.parent / name).read_text(encoding="utf-8") for name in names}


def with_texts(one, folder):
    """An entry of page/examples.json with its program and its data."""
    program = folder / f"{one['id']}.nm"
    one |= {"program": program.read_text(encoding="utf-8"), "files": tables_of(program)}
    if data := one.pop("data", None):
        asks = one.pop("asks", "")
        lines = (folder / data).read_text(encoding="utf-8").splitlines(keepends=True)
        one["examples"] = "".join(line for line in lines if asks in line)
    for part in ("train", "test"):
        file = program.with_suffix(f".{part}.jsonl")
        if file.exists():
            one[part] = file.read_text(encoding="utf-8")
    return one


def main(root, core, out):
    shutil.rmtree(out, ignore_errors=True)
    (out / "codemirror").mkdir(parents=True)
    for name in EDITOR:
        shutil.copyfile(CODEMIRROR / name, out / "codemirror" / pathlib.PurePath(name).name)
    if CODEMIRROR_LICENCE.exists():
        shutil.copyfile(CODEMIRROR_LICENCE, out / "codemirror" / "copyright")
    shutil.copytree(root / "page" / "js", out / "js")
    write_codemirror(read_grammar(), out / "js" / "neumann_tokens.js")
    shutil.copyfile(root / "page" / "style.css", out / "style.css")
    for name in ("neumann.js", "neumann.wasm"):
        if (core / name).exists():
            shutil.copyfile(core / name, out / name)
    # The one script that runs inside of explanations is allowed by its hash.
    script = (root / "src" / "report" / "assets" / "page.js").read_bytes()
    digest = base64.b64encode(hashlib.sha256(script).digest()).decode()
    page = (root / "page" / "index.html").read_text(encoding="utf-8").replace("@EXPLANATION_SCRIPT@", digest)
    (out / "index.html").write_text(page, encoding="utf-8")
    entries = json.loads((root / "page" / "examples.json").read_text(encoding="utf-8"))
    bundle = [with_texts(one, root / "examples") for one in entries]
    (out / "examples.json").write_text(json.dumps(bundle, ensure_ascii=False), encoding="utf-8")
    print(f"{out}: {len(bundle)} examples")


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
