#!/usr/bin/env python3
"""`neumann repl` at a terminal and without one.

    repl_test.py NEUMANN
"""
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

NEUMANN = sys.argv.pop(1)


def piped(text, *arguments):
    return subprocess.run([NEUMANN, "repl", *arguments], input=text, capture_output=True, text=True, timeout=60)


def typed(keys, state):
    """What a terminal shows when these keys are pressed."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(XDG_STATE_HOME=state, TERM="xterm", COLUMNS="120")
        os.execv(NEUMANN, [NEUMANN, "repl"])
    shown = b""

    def read_for(seconds):
        nonlocal shown
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([terminal], [], [], left)[0]:
                return True
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                return False
            if not piece:
                return False
            shown += piece
        return True

    for key in keys:
        read_for(0.2)
        os.write(terminal, key.encode())
    while read_for(0.2):
        pass
    _, status = os.waitpid(child, 0)
    return shown.decode(errors="replace"), os.waitstatus_to_exitcode(status)


class Repl(unittest.TestCase):
    def test_piped(self):
        done = piped("p(a).\nq(X) :- p(X).\nq(X)?\n")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("1.0000  q(a)\n", "", 0))

    def test_mistakes_are_told_and_counted(self):
        done = piped("p(a)\n.\nq(X)?\np(X)?\n")
        self.assertIn("unknown predicate", done.stderr)
        self.assertEqual(done.stdout, "1.0000  p(a)\n")
        self.assertEqual(done.returncode, 2)

    def test_many_lines_and_a_wrong_one(self):
        lines = [f"p(c{i})." for i in range(4000)]
        lines[1234] = "p(c1234, c)) ."
        lines[3000] = "q(X) :- r(X)."
        done = piped("\n".join([*lines, "p(c1233)?", "p(c1234)?", "r(d).", "q(d)?"]))
        self.assertEqual(done.stdout.splitlines()[0], "1.0000  p(c1233)")
        self.assertIn("p(c1234, c))", done.stderr)
        self.assertIn("unknown predicate", done.stderr)
        self.assertEqual(done.returncode, 2)

    def test_text_is_utf_8(self):
        done = subprocess.run([NEUMANN, "repl"], input=b"p('a\xff').\np(b).\np(b)?\n", capture_output=True, timeout=60)
        self.assertIn(b"not UTF-8", done.stderr)
        self.assertEqual((done.stdout, done.returncode), (b"1.0000  p(b)\n", 2))

    def test_unfinished_clause(self):
        done = piped("p(a)")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no full stop", done.stderr)

    def test_program_that_is_not_there(self):
        done = piped("", "/nowhere/to/be/found.nm")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot read", done.stderr)

    def test_terminal_completes_and_remembers(self):
        with tempfile.TemporaryDirectory() as state:
            shown, code = typed(["parent(ann,bob).\n", "par\t(X,Y)?\n", ":quit\n"], state)
            self.assertEqual(code, 0, shown)
            self.assertIn("added: fact parent(ann,bob).", shown)
            self.assertIn("\nparent(ann,bob)", shown)
            self.assertIn("parent(ann,bob).", (Path(state) / "neumann/history").read_text().replace("\\040", " "))

    def test_terminal_interrupts_lines_and_runs(self):
        facts = " ".join(f"n({i})." for i in range(9)) + "\n"
        pairs = "m(X,Y) :- n(X), n(Y).\n"
        slow = "t(X,Y,Z,V,W) :- m(X,Y), m(Z,V), m(W,A), m(B,C), m(D,E), X+Y+Z+V+W+A+B+C+D+E > 3.\n"
        keys = ["p(a).\n", "half a", "\x03", "q(b) :-\n", "\x03", facts, pairs, slow, "t(X,Y,Z,V,W)?\n", "", "", "",
                "\x03", "", "", "p(a)?\n", ":quit\n"]
        with tempfile.TemporaryDirectory() as state:
            shown, code = typed(keys, state)
            self.assertEqual(code, 0, shown)
            self.assertIn("^C", shown)
            self.assertIn("% interrupted", shown)
            self.assertIn("\ntrue", shown)

    def test_terminal_hints(self):
        with tempfile.TemporaryDirectory() as state:
            shown, _ = typed(["p(ann,bob).\n", "p(ann,X).\n", "halt.\n", "p(bob,ann)?\n", ":quit\n"], state)
            self.assertIn("added: fact p(ann,X).", shown)
            self.assertIn("to ask instead, write p(ann,X)?", shown)
            self.assertIn("to end the session, write :quit", shown)
            self.assertIn("\nfalse", shown)

    def test_history_outlives_a_kill(self):
        with tempfile.TemporaryDirectory() as state:
            typed(["p(a).\n", "q(b).\n", "\x1c"], state)  # SIGQUIT
            self.assertIn("q(b).", (Path(state) / "neumann/history").read_text())


if __name__ == "__main__":
    unittest.main()
