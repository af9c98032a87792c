#!/usr/bin/env python3
"""Ctrl-C, terminations and kills, the same for every command: interrupt_test.py NEUMANN"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import fixtures

PATIENCE = 120

LONG = {  # what each command is doing when it is interrupted
    "check": ["check", "-"],
    "reason": ["reason", "scenes.nm", "--examples", "-"],
    "explain": ["explain", "scenes.nm", "--examples", "-"],
    "generate": ["generate", "kandinsky", "closeby", "-n", "3000", "--images", "--size", "640x640", "-o", "set"],
    "learn": ["learn", "task.nm", "--train", "noisy.jsonl", "--out", "learned.nm", "--epochs", "1000000", "--patience",
              "1000000", "--trials", "1000", "--lr", "0"],
}


def expect(holds, what):
    if not holds:
        expect.failed += 1
        print(f"FAILED: {what}")


expect.failed = 0


def start(neumann, folder, arguments):
    return subprocess.Popen([neumann, *arguments], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def begun(run, folder, name):
    """A file that shows that work has begun, or a while for those that write none."""
    sign = {"generate": "set/dataset.json", "learn": "learned.nm.journal"}.get(name)
    for _ in range(PATIENCE * 10):
        if run.poll() is not None or (sign and (folder / sign).exists()):
            break
        if not sign:
            time.sleep(1)
            break
        time.sleep(0.1)


def left_over(folder):
    return [str(path) for path in folder.rglob("*.tmp")]


def interrupts(neumann, folder):
    for name, arguments in LONG.items():
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            what = f"{name}, {signal.Signals(number).name}"
            for path in ("set", "learned.nm", "learned.nm.journal"):
                subprocess.run(["rm", "-rf", folder / path], check=True)
            run = start(neumann, folder, arguments)
            begun(run, folder, name)
            expect(run.poll() is None, f"{what}: it ended by itself: {run.returncode}")
            run.send_signal(number)
            out, err = run.communicate(timeout=PATIENCE)
            expect(run.returncode == code, f"{what}: exit code {run.returncode}, not {code}: {err}")
            expect("interrupted" in err or "stopped" in out + err, f"{what}: nothing said: {out}{err}")
            expect(not left_over(folder), f"{what}: {left_over(folder)}")


def kill_and_resume(neumann, folder):
    """What a killed run leaves half written is gone when another run has completed the set."""
    arguments = ["generate", "kandinsky", "closeby", "-n", "60", "--split", "test", "--images", "-o", "killed"]
    run = start(neumann, folder, arguments)
    for _ in range(PATIENCE * 1000):
        if run.poll() is not None or any((folder / "killed").rglob("*.tmp")):
            break
        time.sleep(0.001)
    run.kill()
    run.communicate()
    abandoned = folder / "killed" / "test" / f"lost.png.{run.pid}.tmp"  # the kill may have come at a good moment
    if abandoned.parent.is_dir():
        abandoned.write_text("half")
    own = folder / "killed" / "test" / f"mine.png.{os.getpid()}.tmp"
    if own.parent.is_dir():
        own.write_text("of a process that is alive")
    done = subprocess.run([neumann, *arguments], cwd=folder, capture_output=True, text=True)
    expect(done.returncode == 0, f"resumed: {done.stderr}")
    rest = left_over(folder / "killed")
    expect(all(path == str(own) for path in rest), f"left by a killed run: {rest}")
    expect(not own.parent.is_dir() or not rest or rest == [str(own)], "what others are writing stays")


def main():
    neumann = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        fixtures.make(folder / "good", folder / "weights", neumann, dict(os.environ))
        good = folder / "good"
        noisy = fixtures.EXAMPLES + fixtures.EXAMPLES.replace('"label": 1', '"label": 2').replace(
            '"label": 0', '"label": 1').replace('"label": 2', '"label": 0')
        (good / "noisy.jsonl").write_text(noisy)
        interrupts(neumann, good)
        kill_and_resume(neumann, good)
    print(f"{expect.failed} not as they should be")
    return 1 if expect.failed else 0


if __name__ == "__main__":
    sys.exit(main())
