#!/usr/bin/env python3
"""Random commands, programs and kills for a while: scripts/soak.py NEUMANN [SECONDS, default 120] [SEED]

Each round makes a random program, runs a random command on it undisturbed, and then again, killed at random moments and
begun again, with as many threads as it likes. The results must be the same byte by byte, no temporary file may stay, no
process may be left, and the memory and the open files of a long conversation may not grow. The seed is printed; with it
a run is repeated.
"""
import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "bad_inputs"))
from fixtures import TASK  # noqa: E402

PATIENCE = 300
LEAK = 64 << 20  # bytes that a conversation of many questions may grow by


class Different(Exception):
    pass


def program(rng):
    """A random program with facts, probabilities, recursion and negation; small enough for every semantics."""
    names = [f"c{i}" for i in range(rng.randint(3, 8))]
    lines = []
    for _ in range(rng.randint(4, 16)):
        chance = rng.choice(["", "", f"{rng.randint(1, 99) / 100}::"])
        lines.append(f"{chance}e({rng.choice(names)},{rng.choice(names)}).")
    lines += [f"s({name})." for name in names]
    lines += ["r(X,Y) :- e(X,Y).", "r(X,Z) :- e(X,Y), r(Y,Z)."]
    if rng.random() < 0.5:
        lines.append(f"{rng.randint(1, 9) / 10}::t(X) :- s(X), \\+ r(X,X).")
    else:
        lines.append("t(X) :- s(X), r(X,_).")
    return lines


def native(lines):
    return "\n".join(lines) + "\n:- query(r(X,Y)).\n:- query(t(X)).\n"


def problog(lines):
    return "\n".join(lines) + "\nquery(r(_,_)).\nquery(t(_)).\n"


def examples(rng):
    rows = []
    for number in range(rng.randint(4, 12)):
        colour = rng.choice(["red", "blue"])
        rows.append(json.dumps({"id": f"x{number}", "atoms": {"in(obj0,img)": 1, f"color(obj0,{colour})": round(rng.random(), 2)},
                                "label": int(colour == "red")}))
    return "\n".join(rows) + "\n"


def commands(rng):
    """Words, and the files that they write."""
    semantics = rng.choice(["softor", "noisy-or", "exact", "topk", "sample"])
    pattern = rng.choice(["closeby", "red-triangle"])
    return rng.choice([
        (["reason", "p.nm", "--json", "--semantics", semantics], []),
        (["reason", "p.pl", "--json"], []),
        (["reason", "p.nm", "--json", "--history-picture", "h.svg"], ["h.svg"]),
        (["ground", "p.nm", "--mode", rng.choice(["full", "relevant"]), "--json"], []),
        (["graph", "p.nm", "-o", "g.nmg"], ["g.nmg"]),
        (["graph", "p.nm", "--semantics", "exact", "-o", "g.nmg"], ["g.nmg"]),
        (["graph", "p.nm", "-o", "g.dot"], ["g.dot"]),
        (["check", "p.nm", "--print"], []),
        (["convert", "p.nm", "--to", "pl", "-o", "c.pl"], ["c.pl"]),
        (["explain", "p.nm", "--html", "e.html", "--top", "2"], ["e.html"]),
        (["learn", "task.nm", "--train", "train.jsonl", "-q", "--json", "--out", "l.nm", "--seed", "3"], ["l.nm"]),
        (["generate", "kandinsky", pattern, "-n", str(rng.randint(2, 6)), "--images", "--split", "test", "-o", "set"], ["set"]),
        (["train", "predicates", "--samples", "200", "-o", "w.json"], ["w.json"]),
        (["repl", "p.nm"], []),
    ])


UNSTEADY = ("seconds", "peak", "bytes")  # in JSON


def steady(data):
    """Without times and memory."""
    if isinstance(data, dict):
        return {key: steady(value) for key, value in data.items() if not any(word in key for word in UNSTEADY)}
    return [steady(one) for one in data] if isinstance(data, list) else data


def digest(folder, outputs):
    found = {}
    for name in outputs:
        path = folder / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                found[str(file.relative_to(folder))] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


def results_of(done, folder, outputs):
    lines = []
    for line in done.stdout.decode(errors="replace").splitlines():
        try:
            lines.append(json.dumps(steady(json.loads(line)), sort_keys=True))
        except ValueError:
            if " s" not in line:  # a time
                lines.append(line)
    return done.returncode, lines, digest(folder, outputs)


def remove(folder, outputs):
    for name in outputs:
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).unlink(missing_ok=True)


def stray(folder):
    return [str(path.relative_to(folder)) for path in folder.rglob("*.tmp")]


def disturbed(neumann, words, folder, asked, rng, length):
    """Killed at up to three random moments, then left alone."""
    for _ in range(rng.randint(1, 3)):
        run = subprocess.Popen([neumann, *words], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            run.stdin.write(asked)
            run.stdin.close()
        except BrokenPipeError:
            pass
        time.sleep(rng.random() * length * 1.2)
        if run.poll() is None:
            how = rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
            run.send_signal(how)
            began = time.monotonic()
            try:
                run.wait(timeout=30)
            except subprocess.TimeoutExpired:
                run.kill()
                raise Different(f"{how.name} did not end it") from None
            if how != signal.SIGKILL and time.monotonic() - began > 15:
                raise Different(f"{how.name} took {time.monotonic() - began:.1f} s")
        run.wait()
        try:
            os.killpg(run.pid, 0)
            raise Different("left a process behind")
        except ProcessLookupError:
            pass


def one_round(neumann, rng, folder):
    lines = program(rng)
    (folder / "p.nm").write_text(native(lines))
    (folder / "p.pl").write_text(problog(lines))
    (folder / "task.nm").write_text(TASK)
    (folder / "train.jsonl").write_text(examples(rng))
    words, outputs = commands(rng)
    asked = b"t(X)?\nr(c0,X)?\n" if words[0] == "repl" else b""
    before = {name: (folder / name).read_bytes() for name in ("p.nm", "p.pl", "task.nm", "train.jsonl")}
    began = time.monotonic()
    run = lambda more: subprocess.run([neumann, *words, *more], cwd=folder, input=asked, capture_output=True, timeout=PATIENCE)
    first = run([])
    length = time.monotonic() - began
    if first.returncode not in (0, 2):
        raise Different(f"exit code {first.returncode}: {first.stderr[-300:].decode(errors='replace')}")
    expected = results_of(first, folder, outputs)
    remove(folder, outputs)
    disturbed(neumann, words, folder, asked, rng, length)
    # A report holds the command line that made it.
    without = ("check", "convert", "repl", "explain")
    threads = [] if words[0] in without or words[1] == "predicates" else ["--threads", str(rng.randint(1, 5))]
    again = run(threads + (["--resume"] if words[0] == "learn" and (folder / "l.nm.journal").exists() else []))
    found = results_of(again, folder, outputs)
    if words[0] == "learn":  # its notes tell how it went; what is learned is the file
        found, expected = found[2], expected[2]
    if found != expected:
        raise Different(f"results differ:\n  {expected}\n  {found}\n  {again.stderr[-300:].decode(errors='replace')}")
    if stray(folder):
        raise Different(f"left {stray(folder)}")
    for name, text in before.items():
        if (folder / name).read_bytes() != text:
            raise Different(f"{name} was changed")
    return words


def grows(neumann, folder, questions=300):
    """How many bytes and open files a conversation gains between its first questions and its last."""
    (folder / "p.nm").write_text(native(program(random.Random(1))))
    run = subprocess.Popen([neumann, "repl", "p.nm"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask():
        run.stdin.write(b"s(c0)?\n")
        run.stdin.flush()
        run.stdout.readline()

    def state():
        with open(f"/proc/{run.pid}/statm") as pages:
            resident = int(pages.read().split()[1]) * resource.getpagesize()
        return resident, len(os.listdir(f"/proc/{run.pid}/fd"))
    for _ in range(questions // 3):
        ask()
    before = state()
    for _ in range(questions):
        ask()
    after = state()
    run.stdin.close()
    run.wait()
    return after[0] - before[0], after[1] - before[1]


def main():
    neumann = os.path.abspath(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 120
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else int.from_bytes(os.urandom(4), "big")
    print(f"soak.py: seed {seed}, {seconds:.0f} s", flush=True)
    rng = random.Random(seed)
    began = time.monotonic()
    counts, failed = {}, 0
    while time.monotonic() - began < seconds:
        round_seed = rng.getrandbits(32)
        with tempfile.TemporaryDirectory() as name:
            try:
                words = one_round(neumann, random.Random(round_seed), pathlib.Path(name))
                counts[words[0]] = counts.get(words[0], 0) + 1
            except (Different, subprocess.TimeoutExpired) as problem:
                failed += 1
                inner = random.Random(round_seed)
                program(inner)
                print(f"FAILED, round {round_seed}: {problem}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        memory, files = grows(neumann, pathlib.Path(name))
    if memory > LEAK or files > 0:
        failed += 1
        print(f"FAILED: a conversation grows by {memory} bytes and {files} open files")
    rounds = ", ".join(f"{command} {count}" for command, count in sorted(counts.items()))
    print(f"{sum(counts.values()) + failed} rounds in {time.monotonic() - began:.0f} s ({rounds}); "
          f"a conversation of 300 questions grew by {memory >> 10} KiB; {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
