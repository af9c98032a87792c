#!/usr/bin/env python3
"""Learns alone and beside a busy process on the same core: learn_load_test.py NEUMANN GOLDEN EXAMPLES

The program and all counts are the same, whatever the load and the number of threads: nothing but seconds differs. A search
that is killed and resumed comes to the same program as one that was not.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

NEUMANN, GOLDEN, EXAMPLES = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
TASKS = [
    ["--popper", GOLDEN / "popper/grandparent"],
    ["--popper", GOLDEN / "popper/noisy", "--work-limit", "30M"],
    [EXAMPLES / "classic/even.nm", "--train", EXAMPLES / "classic/even.train.jsonl"],
]


def learn(task, core=None, threads=1):
    command = [NEUMANN, "learn", *map(str, task), "--json", "-q", "--threads", str(threads)]
    pin = (lambda: os.sched_setaffinity(0, {core})) if core is not None else None
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, preexec_fn=pin, check=True)
    return {key: value for key, value in json.loads(run.stdout).items() if not key.endswith("seconds")}


def check_load():
    core = min(os.sched_getaffinity(0))
    for task in TASKS:
        alone = learn(task)
        busy = subprocess.Popen([sys.executable, "-c", f"import os\nos.sched_setaffinity(0, {{{core}}})\nwhile True: pass"])
        try:
            beside = learn(task, core, threads=2)
        finally:
            busy.kill()
            busy.wait()
        assert alone == beside, f"{task}: alone {alone}, beside a busy process {beside}"
        assert alone["work"] > 0, task


def check_kill():
    with tempfile.TemporaryDirectory() as folder:
        out, whole = pathlib.Path(folder, "killed.nm"), pathlib.Path(folder, "whole.nm")
        task = [NEUMANN, "learn", "--popper", str(GOLDEN / "popper/noisy"), "--work-limit", "300M", "-q"]
        subprocess.run([*task, "--out", str(whole)], check=True, capture_output=True, timeout=300)
        kills = 0
        for wait in (0.1, 0.3):
            run = subprocess.Popen([*task, "--out", str(out), "--resume"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            time.sleep(wait)
            if run.poll() is None:
                run.send_signal(signal.SIGKILL)
                kills += 1
            run.wait()
        assert kills > 0, "the search is over too soon to be killed"
        subprocess.run([*task, "--out", str(out), "--resume"], check=True, capture_output=True, timeout=300)
        assert out.read_text() == whole.read_text()


check_load()
check_kill()
