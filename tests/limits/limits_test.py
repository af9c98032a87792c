#!/usr/bin/env python3
"""Every command under every limit: limits_test.py NEUMANN FAKE_PERCEPTION [--table] [COMMAND...]

A cell is a run of a command that would take long, or much memory, or writes much, and what must be: it ends in time with
the right exit code, says why, and leaves nothing half written. A cell that cannot be says why. --table prints them all.
"""
import concurrent.futures
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bad_inputs"))
import fixtures  # noqa: E402

SECONDS = 1.0  # the time limit of a cell
BYTES = 150 << 20  # its memory limit
LATE = 0.5  # what may be added to a limit, or a tenth of it
PATIENCE = 60

BIG_TYPE = ":- type(d, 0..9999999).\n:- pred(p(d)).\np(1).\n:- query(p(X)).\n"
# Resolution without end, whose memory grows fast.
ENDLESS = "n(0).\nn(Y) :- n(X), Y is X + 1.\nquery(n(X)).\n"
POPPER = {"popper/bias.pl": "head_pred(f,1).\nbody_pred(g,1).\n", "popper/bk.pl": "g(X) :- g(s(X)).\ng(a).\n",
          "popper/exs.pl": "pos(f(a)).\nneg(f(b)).\n"}
COINS = "t(_)::heads(c).\nt(_)::tails(c).\nwin :- heads(c), tails(c).\nquery(win).\n"
# Exact probabilities of a grid, too many for any compiler.
GRID = 14


def grid():
    lines = [f"0.5::e({x}{y},{a}{b})." for x in range(10, 10 + GRID) for y in range(10, 10 + GRID)
             for a, b in ((x + 1, y), (x, y + 1)) if a < 10 + GRID and b < 10 + GRID]
    end = 9 + GRID
    return "\n".join(lines) + f"\nr(X,Y) :- e(X,Y).\nr(X,Z) :- e(X,Y), r(Y,Z).\nquery(r(1010,{end}{end})).\n"


NO_NETWORK = "needs the component of networks, which this test replaces"
WAITS = "fifo"  # a pipe that nobody writes to: the command waits for its input

# command: what runs long, what takes much memory, what writes (-o FILE is appended); a string in angle brackets is the
# reason why there is none.
COMMANDS = {
    "check": ("check big_type.nm", "check big_type.nm", "check program.nm --print"),
    "convert": ("convert fifo --to asp", "convert big_type.nm --to problog", "convert program.nm --to asp -o OUT.lp"),
    "ground": ("ground endless.pl", "ground big_type.nm", "ground program.nm"),
    "graph": ("graph endless.pl -o out.nmg", "graph endless.pl -o out.nmg", "graph program.nm --format dot -o OUT"),
    "reason": ("reason endless.pl", "reason endless.pl", "reason program.nm --json"),
    "reason, exact": ("reason grid.pl --semantics exact", "<the compiler keeps to its share of the limit>",
                      "reason program.nm --history-picture OUT.svg"),
    "reason, tables": ("reason zero.nm", "reason table.nm", "reason program.nm"),
    "explain": ("explain endless.pl", "explain endless.pl", "explain program.nm --html OUT.html"),
    "learn clauses": ("learn task.nm --train noisy.jsonl --epochs 1000000 --patience 1000000 --trials 1000 --lr 0 --out learned.nm",
                      "learn big_type.nm --train train.jsonl", "learn task.nm --train train.jsonl -q --out OUT.nm"),
    "learn --popper": ("learn --popper popper_long --out learned.nm", "<its tables are bounded to 1.5 GB>",
                       "learn --popper popper --out OUT.nm"),
    "learn weights": ("learn weights fifo --train train.jsonl", "learn weights big_type.nm --train train.jsonl",
                      "learn weights coins.nm --train coins.jsonl -q --out OUT.nm"),
    "learn probabilities": ("learn probabilities coins.pl --train coins.ev --method gradient --iterations 100000000 --tolerance 0 --lr 1e-9",
                            "learn probabilities big_type.nm --train coins.ev",
                            "learn probabilities coins.pl --train coins.ev --iterations 3 -q --out OUT.pl"),
    "generate": ("generate kandinsky closeby -n 30000 --images --size 640x640 -o set", "<it keeps one image for each thread>",
                 "generate kandinsky closeby -n 2 -o OUT"),
    "scene show": ("scene show fifo", "<it reads a line at a time>", "scene show figures.jsonl -o OUT.png"),
    "perceive": ("perceive fifo", "<images have a limit of their own: 64 million pixels>", "perceive picture.png --scene OUT.jsonl"),
    "train detector": (f"<{NO_NETWORK}>", f"<{NO_NETWORK}>", f"<{NO_NETWORK}>"),
    "train slots": (f"<{NO_NETWORK}>", f"<{NO_NETWORK}>", f"<{NO_NETWORK}>"),
    "train baseline": (f"<{NO_NETWORK}>", f"<{NO_NETWORK}>", f"<{NO_NETWORK}>"),
    "train through-logic": (f"<{NO_NETWORK}>", f"<{NO_NETWORK}>", f"<{NO_NETWORK}>"),
    "train predicates": ("train predicates --samples 100000000 -o w.json", "<a sample at a time>",
                         "train predicates --samples 2 -o OUT.json"),
    "page": ("<each request has the limits: tests/page_server_test.py>", "<each request has the limits: tests/page_server_test.py>",
             "page --port 0"),
    "repl": ("repl fifo", "repl big_type.nm", "repl program.nm"),
    "completion": ("<it computes nothing>", "<it computes nothing>", "completion bash"),
}
LIMITS = ("time", "memory", "Ctrl-C", "SIGTERM", "disk full", "read-only")
BY_ITSELF = ("learn clauses", "learn --popper", "learn probabilities")  # end in order, with the best result so far


class Cell(Exception):
    """Why a cell is not as it must be."""


def make(folder, neumann, environment):
    fixtures.make(folder, folder.parent / "weights", neumann, environment)
    noisy = fixtures.EXAMPLES + fixtures.EXAMPLES.replace('"label": 1', '"label": 2').replace(
        '"label": 0', '"label": 1').replace('"label": 2', '"label": 0')
    texts = {"big_type.nm": BIG_TYPE, "endless.pl": ENDLESS, "grid.pl": grid(), "coins.pl": COINS,
             "coins.ev": "evidence(win,true).\n---\nevidence(heads(c),false).\n", "noisy.jsonl": noisy,
             "zero.nm": ":- facts(e/2, 'fifo').\n:- query(e(X, Y)).\n",
             "table.nm": ":- facts(e/2, 'table.csv').\n:- query(e(X, Y)).\n",
             "coins.nm": "t(_)::p(X) :- q(X).\nq(a).\nq(b).\n:- query(p(X)).\n",
             "coins.jsonl": '{"atoms": {}, "targets": {"p(a)": 1}}\n', **POPPER}
    texts.update({name.replace("popper/", "popper_long/"): text for name, text in POPPER.items()})
    # Nothing explains the labels, however long the clauses become.
    texts["popper_long/bias.pl"] = "head_pred(f,1).\n" + "".join(f"body_pred(g{i},2).\n" for i in range(20)) + \
        "max_body(10).\nmax_vars(8).\nmax_clauses(6).\n"
    texts["popper_long/bk.pl"] = "".join(f"g{i}(c{a},c{(a * (i + 3) + i) % 97}).\n" for i in range(20) for a in range(97))
    texts["popper_long/exs.pl"] = "".join(f"{'pos' if a * a % 7 < 3 else 'neg'}(f(c{a})).\n" for a in range(97))
    with open(folder / "table.csv", "w") as table:
        for row in range(2_000_000):
            table.write(f"left{row},right{row}\n")
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "page").mkdir()
    (folder / "page" / "index.html").write_text("<html></html>")
    os.mkfifo(folder / "fifo")


def start(neumann, folder, command, environment, **more):
    return subprocess.Popen([neumann, *shlex.split(command)], cwd=folder, env=environment, stdin=subprocess.PIPE,
                            stderr=subprocess.PIPE, **{"stdout": subprocess.PIPE, **more})


def end_of(run, since, limit):
    """What it said, and how long it took beyond the limit."""
    try:
        out, err = run.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        run.kill()
        run.communicate()
        raise Cell("did not end; killed") from None
    late = time.monotonic() - since - limit
    if run.returncode < 0 and -run.returncode not in (signal.SIGPIPE,):
        raise Cell(f"ended by {signal.Signals(-run.returncode).name}")
    return (out or b"").decode(errors="replace") + err.decode(errors="replace"), late


def require_in_time(late, limit, slack):
    if late > max(LATE, limit / 10) + slack:
        raise Cell(f"{late:.2f} s too late")


def require_nothing_left(folder):
    left = [str(path) for path in folder.rglob("*.tmp")]
    if left:
        raise Cell(f"left {left}")


def time_cell(context, command, name):
    limit = SECONDS * (3 if name == "reason, exact" else 1)  # bounds take some of it
    began = time.monotonic()
    run = start(context.neumann, context.folder, f"{command} --time-limit {limit}", context.environment)
    said, late = end_of(run, began, limit)
    if name == "reason, exact":
        if run.returncode != 2 or "time limit" not in said or "bounds" not in said:
            raise Cell(f"exit code {run.returncode}: {said[-300:]}")
    elif name in BY_ITSELF and run.returncode == 0:
        if late < -0.5:
            raise Cell(f"ended by itself, {-late:.1f} s before the limit: {said[-300:]}")
    elif run.returncode != 2 or "time limit" not in said:
        raise Cell(f"exit code {run.returncode}: {said[-300:]}")
    require_in_time(late, limit, context.slack)


def memory_cell(context, command, _):
    run = start(context.neumann, context.folder, f"{command} --memory-limit {BYTES}", context.environment)
    peak = 0
    began = time.monotonic()
    while run.poll() is None and time.monotonic() < began + PATIENCE:
        try:
            with open(f"/proc/{run.pid}/status") as status:
                peak = max([peak] + [int(line.split()[1]) for line in status if line.startswith("VmHWM")])
        except OSError:
            break
        time.sleep(0.01)
    said, _ = end_of(run, began, PATIENCE)
    if run.returncode != 2 or "memory limit" not in said:
        raise Cell(f"exit code {run.returncode}: {said[-300:]}")
    if peak * 1024 > BYTES * 1.1 + (100 << 20):  # what work takes between two looks; the command itself, its libraries
        raise Cell(f"{peak // 1024} MiB")


def signal_cell(number):
    def cell(context, command, name):
        run = start(context.neumann, context.folder, command, context.environment)
        time.sleep(0.5 if WAITS in command else 1.5)
        if run.poll() is not None:
            raise Cell(f"ended by itself: {run.communicate()[1][-300:]}")
        run.send_signal(number)
        said, late = end_of(run, time.monotonic(), 0)
        if run.returncode != 128 + number:
            raise Cell(f"exit code {run.returncode}: {said[-300:]}")
        if name != "page" and not any(word in said for word in ("interrupted", "stopped")):
            raise Cell(f"says nothing: {said[-300:]}")
        require_in_time(late, 0, context.slack)
    return cell


def disk_full_cell(context, command, name):
    """A device that is full stands for the file, and for standard output."""
    full = context.folder / f"full-{name.replace(' ', '-').replace(',', '')}"
    if "OUT" in command:
        target = next(word for word in command.split() if word.startswith("OUT"))
        link = full.with_name(full.name + target[3:])
        link.symlink_to("/dev/full")
        run = start(context.neumann, context.folder, command.replace(target, link.name), context.environment)
    else:
        with open("/dev/full", "wb") as device:
            run = start(context.neumann, context.folder, command, context.environment, stdout=device)
        if name == "repl":
            run.stdin.write(b"ancestor(ann, X)?\n")
    said, _ = end_of(run, time.monotonic(), PATIENCE)
    if run.returncode not in (2, 141) or not said.strip():
        raise Cell(f"exit code {run.returncode}: {said[-300:]}")
    return None


def read_only_cell(context, command, name):
    """A folder in which nobody can make a file, root included."""
    if "OUT" not in command:
        return "it writes to standard output alone"
    run = start(context.neumann, context.folder, command.replace("OUT", "/proc/nowhere/out"), context.environment)
    said, _ = end_of(run, time.monotonic(), PATIENCE)
    if run.returncode != 2 or "/proc" not in said:
        raise Cell(f"exit code {run.returncode}: {said[-300:]}")
    return None


CELLS = {"time": time_cell, "memory": memory_cell, "Ctrl-C": signal_cell(signal.SIGINT),
         "SIGTERM": signal_cell(signal.SIGTERM), "disk full": disk_full_cell, "read-only": read_only_cell}


class Context:
    pass


def try_cell(neumann, good, environment, slack, name, limit):
    runs, takes, writes = COMMANDS[name]
    command = {"memory": takes, "disk full": writes, "read-only": writes}.get(limit, runs)
    if limit in ("Ctrl-C", "SIGTERM") and name == "page":
        command = "page --port 0 --folder page"
    if command.startswith("<"):
        return "–", command[1:-1]
    with tempfile.TemporaryDirectory() as place:
        context = Context()
        context.folder = pathlib.Path(place) / "work"
        context.neumann, context.environment, context.slack = neumann, environment, slack
        context.folder.mkdir()
        for path in good.iterdir():  # linked, as some are large
            (context.folder / path.name).symlink_to(path)
        try:
            reason = CELLS[limit](context, command, name)
            require_nothing_left(context.folder)
        except Cell as problem:
            return "FAILED", f"neumann {command}: {problem}"
    return ("yes", "") if reason is None else ("–", reason)


def main():
    arguments = [one for one in sys.argv[1:] if one != "--table"]
    neumann, fake = os.path.abspath(arguments[0]), os.path.abspath(arguments[1])
    chosen = arguments[2:] or list(COMMANDS)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = {**os.environ, "NEUMANN_PERCEPTION_LIBRARY": fake, "NEUMANN_WEIGHTS": str(folder / "weights"),
                       "XDG_CACHE_HOME": str(folder / "cache"), "LC_ALL": "C.UTF-8"}
        make(folder / "good", neumann, environment)
        # What a run takes here that takes nothing on an idle machine.
        began = time.monotonic()
        for _ in range(4):
            subprocess.run([neumann, "reason", "program.nm"], cwd=folder / "good", env=environment, capture_output=True, check=True)
        slack = 8 * (time.monotonic() - began) / 4
        cells = [(command, limit) for command in chosen for limit in LIMITS]
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            found = list(pool.map(lambda cell: try_cell(neumann, folder / "good", environment, slack, *cell), cells))
    results = dict(zip(cells, found))
    if "--table" in sys.argv:
        print("| command | " + " | ".join(LIMITS) + " |\n|---|" + "---|" * len(LIMITS))
        reasons = []
        for command in chosen:
            row = []
            for limit in LIMITS:
                state, reason = results[command, limit]
                if reason and reason not in reasons:
                    reasons.append(reason)
                row.append(state if not reason else f"{state} ({reasons.index(reason) + 1})")
            print(f"| {command} | " + " | ".join(row) + " |")
        for number, reason in enumerate(reasons):
            print(f"\n{number + 1}. {reason}")
    failed = [(cell, reason) for cell, (state, reason) in results.items() if state == "FAILED"]
    for (command, limit), reason in failed:
        print(f"FAILED {command}, {limit}: {reason}")
    count = sum(state == "yes" for state, _ in results.values())
    print(f"{len(cells)} cells: {count} hold, {len(failed)} do not, {len(cells) - count - len(failed)} cannot be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
