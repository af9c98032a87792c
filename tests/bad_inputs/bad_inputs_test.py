#!/usr/bin/env python3
"""Bad inputs, all of them refused: bad_inputs_test.py NEUMANN FAKE_PERCEPTION [SHARD/SHARDS | CASE...]

Every case of cases.py runs in a folder of its own with the same good files in it (fixtures.py). It must end within the
time limit with the expected exit code and message, leave every file as it was, and leave no file behind.
"""
import concurrent.futures
import hashlib
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

import cases
import fixtures

TIME_LIMIT = 20  # seconds
CROWDED = 6  # times longer on a machine that does other things, before it counts as a hang


def content(folder):
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = os.readlink(path)
        elif path.is_file():
            mode = path.stat().st_mode
            path.chmod(mode | 0o400)
            found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
            path.chmod(mode)
        else:
            found[str(path.relative_to(folder))] = "folder"
    return found


def standard_output(case, run):
    if case.stdout == "closed":
        return subprocess.Popen(["sh", "-c", 'exec "$0" "$@" >&-', *run["args"]], **run["options"], stdout=subprocess.PIPE)
    if case.stdout:
        with open(case.stdout, "wb") as file:
            return subprocess.Popen(run["args"], **run["options"], stdout=file)
    return subprocess.Popen(run["args"], **run["options"], stdout=subprocess.PIPE)


def problems_of(case, neumann, environment, good):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "work"
        shutil.copytree(good, folder, symlinks=True)
        for path, text in case.files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.is_symlink() or file.exists():
                file.unlink()
            if isinstance(text, fixtures.Link):
                file.symlink_to(text.to)
            else:
                file.write_bytes(text if isinstance(text, bytes) else text.encode())
        before = content(folder)
        options = dict(cwd=folder, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        run = standard_output(case, {"args": [neumann, *shlex.split(case.command)], "options": options})
        try:
            out, err = run.communicate(case.stdin, timeout=TIME_LIMIT * CROWDED)
        except subprocess.TimeoutExpired:
            run.kill()
            run.communicate()
            return [f"still running after {TIME_LIMIT * CROWDED} s"]
        said = err.decode(errors="replace")
        found = []
        if run.returncode < 0:
            found.append(f"ended by {signal.Signals(-run.returncode).name}: {said}")
        elif run.returncode != case.code:
            found.append(f"exit code {run.returncode}, not {case.code}: {said}{(out or b'')[:300].decode(errors='replace')}")
        for text in case.says:
            if text not in said:
                found.append(f"no '{text}' in: {said}")
        after = content(folder)
        for path, was in before.items():
            if after.get(path) != was:
                found.append(f"{path} was {'changed' if path in after else 'removed'}")
        for path in after.keys() - before.keys():
            if not any(path == allowed or path.startswith(allowed + "/") for allowed in case.leaves):
                found.append(f"{path} was left behind")
        return found


def main():
    neumann, fake, chosen = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
    all_cases = cases.all_cases()
    if len(chosen) == 1 and "/" in chosen[0] and chosen[0].replace("/", "").isdigit():
        shard, shards = map(int, chosen[0].split("/"))
        all_cases = all_cases[shard::shards]
    elif chosen:
        all_cases = [case for case in all_cases if case.name in chosen]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        weights = folder / "weights"
        environment = {**os.environ, "NEUMANN_PERCEPTION_LIBRARY": fake, "NEUMANN_WEIGHTS": str(weights),
                       "XDG_CACHE_HOME": str(folder / "cache"), "LC_ALL": "C.UTF-8"}
        good = folder / "good"
        fixtures.make(good, weights, neumann, environment)
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = pool.map(lambda case: problems_of(case, neumann, environment, good), all_cases)
            for case, problems in zip(all_cases, found):
                failed += bool(problems)
                for problem in problems:
                    print(f"FAILED {case.name}: neumann {case.command}\n  {problem}")
        print(f"{len(all_cases)} bad inputs, {failed} not treated as they should be")
        return 1 if failed or not all_cases else 0


if __name__ == "__main__":
    sys.exit(main())
