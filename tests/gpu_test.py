#!/usr/bin/env python3
"""The command on an emulated GPU, and without one: gpu_test.py NEUMANN FAKE EXAMPLES

What is computed there is what the processor computes, within the tolerance of docs/gpu.md. A gpu that is missing, full or
gone is an error that says what to do, or with --device auto none at all; what is killed leaves files as they were.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 300
TOLERANCE = 2e-6


def numbers(value):
    """All numbers of what JSON says, in order, and the rest with holes in their place."""
    if isinstance(value, dict):
        parts = [(key, numbers(one)) for key, one in value.items() if key != "seconds"]
        return [(key, rest) for key, (rest, _) in parts], [x for _, (_, some) in parts for x in some]
    if isinstance(value, list):
        parts = [numbers(one) for one in value]
        return [rest for rest, _ in parts], [x for _, some in parts for x in some]
    if isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool)):
        return None, [float(value)]
    return value, []


class Test:
    def __init__(self, neumann, fake, examples, folder):
        self.neumann, self.fake, self.examples, self.folder = neumann, fake, examples, folder
        self.failed = 0

    def expect(self, holds, what):
        if not holds:
            self.failed += 1
            print(f"FAILED: {what}")

    def start(self, *words, gpu=None, **env):
        variables = {**os.environ, "NEUMANN_CUDA_LIBRARY": str(gpu or self.fake), **env}
        return subprocess.Popen([self.neumann, *map(str, words)], env=variables, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def run(self, *words, **how):
        run = self.start(*words, **how)
        output, errors = run.communicate(timeout=PATIENCE)
        return run.returncode, output, errors

    def json(self, *words, **how):
        code, output, errors = self.run(*words, "--json", **how)
        self.expect(code == 0, f"{words}: exit code {code}, {errors}")
        return [json.loads(line) for line in output.splitlines()] if code == 0 else []

    def same(self, *words, **how):
        expected, found = (numbers(self.json(*words, "--device", device, **how)) for device in ("cpu", "cuda"))
        self.expect(expected[0] == found[0], f"{words}: something else on the GPU")
        apart = max((abs(a - b) / max(1, abs(a)) for a, b in zip(expected[1], found[1])), default=0)
        self.expect(apart < TOLERANCE and len(expected[1]) == len(found[1]), f"{words}: {apart} apart on the GPU")

    def refused(self, words, *texts, **how):
        code, output, errors = self.run(*words, **how)
        self.expect(code == 2 and not output, f"{words}: exit code {code} with {output!r}")
        for text in texts:
            self.expect(text in errors, f"{words}: '{text}' is not in {errors!r}")

    def same_as_on_processors(self):
        family, wet = self.examples / "03_family.nm", self.examples / "07_wet.nm"
        self.same("reason", family, "--gradients", "inputs,weights")
        self.same("reason", family, "--history", "all")
        for semantics in ("noisy-or", "godel", "clausewise", "exact"):
            self.same("reason", wet, "--semantics", semantics, "--gradients", "inputs,weights")
        self.same("explain", wet)
        self.same("explain", wet, "--semantics", "exact")

    def without_a_gpu(self):
        program = self.examples / "03_family.nm"
        words = ("reason", program, "--device", "cuda")
        self.refused(words, "no such file", gpu="/no/such/library.so")
        self.refused(words, "there is no GPU", "driver is too old", "leave out --device cuda",
                     FAKE_CARD_MISSING="the driver is too old")
        self.refused(words, "is of version 0.0.1", "build both again", FAKE_CARD_VERSION="0.0.1")
        self.refused(("explain", program, "--device", "cuda"), "there is no GPU", FAKE_CARD_MISSING="gone")
        self.refused(("reason", program, "--device", "gpu"), "expected cpu, cuda or auto, not 'gpu'")
        self.refused(("reason", program, "--device", "auto", "--engine", "tensor"), "leave one of them out")
        plain = self.run("reason", program)
        self.expect(self.run("reason", program, "--device", "auto", FAKE_CARD_MISSING="gone") == plain,
                    "--device auto without a GPU is not the processor")
        self.expect(self.run("reason", program, "--device", "auto", gpu="/no/such/library.so") == plain,
                    "--device auto without a component is not the processor")

    def full_and_gone(self):
        program = self.folder / "many.nm"
        program.write_text(":- type(thing, [a,b,c,d,e,f,g,h]).\n:- neural(p(thing,thing)).\n"
                           "0.9::q(X,Z) :- p(X,Y), p(Y,Z).\n0.8::q(X,Z) :- q(X,Y), p(Y,Z).\n")
        lines = self.folder / "many.jsonl"
        lines.write_text("".join(json.dumps({"id": i, "atoms": {f"p(a,{'abcdefgh'[i % 8]})": 0.5, "p(b,c)": 0.25}}) + "\n"
                                 for i in range(300)))
        words = ("reason", program, "--examples", lines, "--query", "q(X,Y)", "--json")
        expected = self.run(*words, "--device", "cuda")
        self.expect(expected[0] == 0, f"many examples on the GPU: {expected[2]}")
        code, output, errors = self.run(*words, "--device", "cuda", "--batch", 300, FAKE_CARD_MEMORY="200000")
        self.expect(code == 2 and not output and "take batches of " in errors, f"a full GPU: {code}, {errors}")
        if "take batches of " in errors:
            fits = errors.split("take batches of ")[1].split()[0]
            self.expect(self.run(*words, "--device", "cuda", "--batch", fits, FAKE_CARD_MEMORY="200000") == expected,
                        f"batches of {fits} do not come to the same")
        code, output, errors = self.run(*words, "--device", "cuda", FAKE_CARD_CALLS="150")
        self.expect(code == 2 and "is gone" in errors, f"a GPU that is gone: {code}, {errors}")
        self.expect(expected[1].startswith(output), "what was printed before the GPU was gone is not as it was")

    def killed(self):
        program, train = (self.examples / "classic" / name for name in ("grandparent.nm", "grandparent.train.jsonl"))
        learned = {}
        for device in ("cpu", "cuda", "auto"):
            learned[device] = self.folder / f"learned.{device}.nm"
            code, _, errors = self.run("learn", program, "--train", train, "-o", learned[device], "-q", "--algorithm", "gradient", "--device", device)
            self.expect(code == 0, f"learn --device {device}: {code}, {errors}")
        for device in ("cuda", "auto"):
            self.expect(learned["cpu"].read_text() == learned[device].read_text(), f"{device}: another program is learned")
        out = self.folder / "kept.nm"
        words = ("learn", program, "--train", train, "-o", out, "-q", "--algorithm", "gradient", "--device", "cuda")
        out.write_text("as it was")
        self.refused(words, "is gone", FAKE_CARD_CALLS="400")
        self.expect(out.read_text() == "as it was", "a GPU that was gone has changed the output")
        code, _, errors = self.run(*words, "--resume")
        self.expect(code == 0 and out.read_text() == learned["cpu"].read_text(), f"not resumed: {code}, {errors}")
        journal = out.with_name("kept.nm.journal")
        for stop in (signal.SIGKILL, signal.SIGINT):
            out.write_text("as it was")
            journal.unlink(missing_ok=True)
            run = self.start(*words, "--epochs", "1000000", "--patience", "1000000")
            ends = time.monotonic() + PATIENCE
            while not journal.exists() and run.poll() is None and time.monotonic() < ends:
                time.sleep(0.01)
            run.send_signal(stop)
            run.communicate(timeout=PATIENCE)
            self.expect(stop == signal.SIGINT or out.read_text() == "as it was", f"{stop}: half-written output")
            self.expect(stop != signal.SIGINT or run.returncode == 130, f"{stop}: exit code {run.returncode}")
            # What was being written when it was killed stays until the next run removes it.
            known = {"many.nm", "many.jsonl", out.name, journal.name}
            if stop == signal.SIGKILL:
                known.add(f"{journal.name}.{run.pid}.tmp")
            rest = {one.name for one in self.folder.iterdir()} - known
            self.expect(all(name.startswith("learned") for name in rest), f"{stop}: {rest} left behind")


def main(neumann, fake, examples):
    with tempfile.TemporaryDirectory() as name:
        test = Test(neumann, fake, pathlib.Path(examples), pathlib.Path(name))
        test.same_as_on_processors()
        test.without_a_gpu()
        test.full_and_gone()
        test.killed()
        sys.exit(1 if test.failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
