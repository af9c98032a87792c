#!/usr/bin/env python3
"""Deep and long input for every reader: deep_inputs_test.py NEUMANN

Every operator, bracket and functor of every language, nested or chained 200 to 100,000 times, is read or refused with an
error. Nothing recurses on the size of its input: no run is ended by a signal.
"""
import concurrent.futures
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

DEPTHS = (200, 2_000, 100_000)
TIME_LIMIT = 120  # seconds, on a machine that does other things

PREFIX = ("-", "+", "\\+ ", "not ", "\\")
INFIX = ("+", "-", "*", "/", "//", " mod ", " rem ", "**", "^", "=", "\\=", "==", "\\==", "=:=", "=\\=", "<", ">", "=<", ">=",
         "=..", "@<", ",", ";", "->", ":-", "::", "|", "..", "#", "&", ":", "!=", " is ", " div ", " xor ")
BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("[a|", "]"), ("'", "'"), ('"', '"'), ("/*", "*/"), ("findall(X,", ",L)"))


def terms(depth):
    """Names of shapes, and texts."""
    for operator in PREFIX:
        yield f"prefix {operator.strip()}", operator * depth + "a"
    for operator in INFIX:
        yield f"chain {operator.strip()}", operator.join(["a"] * depth)
        yield f"right {operator.strip()}", f"a{operator}(" * (depth - 1) + "a" + ")" * (depth - 1)
    for opening, closing in BRACKETS:
        yield f"nested {opening}", opening * depth + "a" + closing * depth
        yield f"open {opening}", opening * depth
        yield f"closed {closing}", "a" + closing * depth
    yield "arguments", "f(" + ",".join(["a"] * depth) + ")"
    yield "list", "[" + ",".join(["a"] * depth) + "]"
    yield "variables", "[" + ",".join(f"X{i}" for i in range(depth)) + "]"
    yield "numbers", "+".join(["1"] * depth)
    yield "conditions", "q:" * depth + "a"


# Reader: a command, and the files it reads; {} is the term. A clause keeps its term as an argument and as a body.
READERS = {
    "program, argument": ("check in.nm", {"in.nm": "p({}).\n"}),
    "program, body": ("check in.nm", {"in.nm": "p(a).\nr(X) :- p(X), X = {}.\n"}),
    "program, directive": ("check in.nm", {"in.nm": ":- query({}).\np(a).\n"}),
    "ProbLog, argument": ("reason in.pl", {"in.pl": "p({}).\nquery(p(_)).\n"}),
    "ProbLog, body": ("reason in.pl", {"in.pl": "p(X) :- X = ({}).\nquery(p(_)).\n"}),
    "ProbLog, arithmetic": ("reason in.pl", {"in.pl": "p(X) :- X is {}.\nquery(p(_)).\n"}),
    "ASP": ("convert in.lp --to neumann", {"in.lp": "p({}).\n"}),
    "ASP, body": ("convert in.lp --to neumann", {"in.lp": "p(a). q :- p(X), X < {}.\n"}),
    "Popper, bias": ("learn --popper .", {"bias.pl": "head_pred(f,1).\nbody_pred(g,1).\ntype(f,({})).\n", "bk.pl": "g(a).\n", "exs.pl": "pos(f(a)).\n"}),
    "Popper, background": ("learn --popper . --work-limit 1M", {"bias.pl": "head_pred(f,1).\nbody_pred(g,1).\n", "bk.pl": "g({}).\ng(X) :- X = ({}).\n", "exs.pl": "pos(f(a)).\n"}),
    "Popper, examples": ("learn --popper . --work-limit 1M", {"bias.pl": "head_pred(f,1).\nbody_pred(g,1).\n", "bk.pl": "g(a).\n", "exs.pl": "pos(f(a)).\npos(f({})).\n"}),
    "Aleph, modes": ("learn --aleph t", {"t.b": ":- modeh(1,f(+{})).\n:- modeb(1,g(+a)).\n:- determination(f/1,g/1).\ng(a).\n", "t.f": "f(a).\n"}),
    "Aleph, background": ("learn --aleph t --work-limit 1M", {"t.b": ":- modeh(1,f(+a)).\n:- modeb(1,g(+a)).\n:- determination(f/1,g/1).\ng({}).\n", "t.f": "f(a).\n"}),
    "JSON examples": ("reason p.nm --examples in.jsonl", {"in.jsonl": '{"atoms": {}}\n', "p.nm": "p(a).\n:- query(p(a)).\n"}),
    "atoms of examples": ("reason p.nm --examples in.jsonl", {"in.jsonl": '{"atoms": {"p({})": 1}}\n', "p.nm": "p(a).\n:- query(p(a)).\n"}),
    "scenes": ("scene show in.jsonl", {"in.jsonl": '{"image": "a.png", "objects": {}}\n'}),
    "evidence": ("learn probabilities c.pl --train in.ev --iterations 1", {"in.ev": "evidence({},true).\n", "c.pl": "t(_)::h(c).\nquery(h(c)).\n"}),
    "repl, clause": ("repl", {"<": "p({}).\np(a).\np(a)?\n"}),
    "repl, question": ("repl", {"<": "p(a).\np({})?\n"}),
    "list of images": ("perceive in.json", {"in.json": '{"images": {}}\n'}),
}
# In a command line no word may be longer than 128 KiB.
IN_WORDS = {
    "query": ["reason", "p.nm", "--query", "p({})"],
    "query of ProbLog": ["reason", "c.pl", "--query", "h({})"],
    "table": ["reason", "p.nm", "--table", "p/1, {}"],
    "atom to explain": ["explain", "p.nm", "--atom", "p({})"],
}
LONGEST_WORD = 120_000


def cases():
    for depth in DEPTHS:
        for shape, text in terms(depth):
            for reader, (command, files) in READERS.items():
                yield f"{reader}: {shape} × {depth}", command.split(), {name: whole.replace("{}", text) if "json" not in name else whole.replace('{}', text, 1) if '": {}' not in whole else whole.replace('": {}', '": ' + text) for name, whole in files.items()}
            for reader, words in IN_WORDS.items():
                if len(text) < LONGEST_WORD:
                    yield (f"{reader}: {shape} × {depth}", [word.replace("{}", text) for word in words],
                           {"p.nm": "p(a).\n:- query(p(a)).\n", "c.pl": "0.3::h(c).\nquery(h(c)).\n"})


def problem_of(neumann, words, files):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path, text in files.items():
            (folder / path.replace("<", "stdin")).write_text(text)
        said = b""
        stdin = (folder / "stdin").read_bytes() if "<" in files else b""
        try:
            done = subprocess.run([neumann, *words], cwd=folder, input=stdin, capture_output=True, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return "did not end"
        said = done.stderr[-300:].decode(errors="replace")
        if done.returncode < 0:
            return f"ended by {signal.Signals(-done.returncode).name}"
        # 1: it was read, and no clause was found.
        if done.returncode not in (0, 1, 2):
            return f"exit code {done.returncode}: {said}"
        if done.returncode == 2 and not said.strip():
            return "refused without a word"
        if len(done.stderr) > 60_000:
            return f"an error of {len(done.stderr)} bytes"
        return None


def main():
    neumann, chosen = os.path.abspath(sys.argv[1]), sys.argv[2:]
    everything = list(cases())
    if chosen and chosen[0].isdigit():  # every so many of them: each shape comes with other readers
        everything = everything[int(chosen[1]) if len(chosen) > 1 else 0::int(chosen[0])]
    elif chosen:
        everything = [case for case in everything if chosen[0] in case[0]]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda case: problem_of(neumann, case[1], case[2]), everything)
        failed = [(case[0], problem) for case, problem in zip(everything, found) if problem]
    for name, problem in failed:
        print(f"FAILED {name}: {problem}")
    print(f"{len(everything)} deep inputs, {len(failed)} not read or refused as they should be")
    return 1 if failed or not everything else 0


if __name__ == "__main__":
    sys.exit(main())
